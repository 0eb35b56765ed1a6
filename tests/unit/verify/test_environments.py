"""Environments for experiments: what each needs, which go together, and one that is really made."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from lpcl.cli import cli
from lpcl.model.contracts import contract as flatten
from lpcl.verify.distributions import Requirement, requirements
from lpcl.verify.environments import Environment, Environments, Failed, merged
from lpcl.verify.laboratory import unsupported
from lpcl.verify.selection import select

if TYPE_CHECKING:
    from tests.unit.verify.conftest import Bench

RUN = 'python "report(a=1)" expect a == 1'


@pytest.mark.parametrize(
    ("library", "needs", "expected"),
    [
        ('pypi "Shop" ">=2"', "", "shop>=2"),
        ('pypi "shop" ">=2"', 'needs "other"', "other shop>=2"),
        ('pypi "shop" ">=2"', 'needs "shop" "<3"', "shop<3,>=2"),
        ('pypi "shop" "<3"  pypi "shop-cpu" "<3"', 'needs "shop-cpu"', "shop-cpu<3"),
        ('pypi "shop"  pypi "shop-cpu"', "", "shop"),
        ("", 'needs "other"  needs "another" ">=1"', "another>=1 other"),
        ("", "", ""),
    ],
)
def test_what_an_environment_has_to_have(bench: Bench, library: str, needs: str, expected: str) -> None:
    bench.write(f'contract shop {{ library {{ {library} }} evidence "x" {{ {needs} {RUN} }} }}')
    chosen = select([str(bench.folder)]).chosen[0]
    contract = flatten(chosen.workspace.program, chosen.contracts[0])
    found = requirements(contract, contract.evidence[0].node)
    assert " ".join(map(str, found)) == expected


def test_sets_that_go_together() -> None:
    a, b, old, new = Requirement("a"), Requirement("b"), Requirement("c", "<2"), Requirement("c", ">=2")
    found = merged([(a,), (a, b), (a, old), (b, new), ()])
    assert found[(a,)] == found[(a, b)]
    assert found[(a, old)] != found[(b, new)]
    assert set(found[(a, old)]) >= {a, old}
    for needs, environment in found.items():
        assert {one.name for one in needs} <= {one.name for one in environment}


def wheel(folder: Path, name: str, version: str) -> None:
    """A wheel of one module that knows its version."""
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as made:
        made.writestr(f"{name}.py", f"VERSION = {version!r}\n")
        made.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        made.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        made.writestr(f"{info}/RECORD", f"{name}.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n")


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels instead of the package index."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    for installer in ("PIP", "UV"):
        monkeypatch.setenv(f"{installer}_NO_INDEX", "1")
        monkeypatch.setenv(f"{installer}_FIND_LINKS", str(folder))
    return folder


def test_what_is_not_in_the_index(tmp_path: Path, index: Path) -> None:  # noqa: ARG001
    said: list[str] = []
    made = Environments(tmp_path / "made", said.append).get((Requirement("shop", ">=2"),))
    assert isinstance(made, Failed)
    assert made.reason.startswith("shop>=2 could not be installed: ")
    assert said == [f"Installing shop>=2 into {next(iter(said)).rpartition(' into ')[2]}"]
    assert list((tmp_path / "made").iterdir()) == []


@pytest.mark.skipif(unsupported() is not None, reason=unsupported() or "")
def test_each_range_of_versions_in_an_environment_of_its_own(
    tmp_path: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for version in ("1.5", "2.5"):
        wheel(index, "lpcl_test_shop", version)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.lpcl").write_text(
        """
        contract common {
          control version: real { default 1.5 }
          evidence "the version" {
            python "import lpcl_test_shop; report(version=float(lpcl_test_shop.VERSION))"
            expect version == self.version
          }
        }
        contract shop extends common { library { pypi "lpcl_test_shop" "<2" } }
        contract shop2 extends common {
          library { pypi "lpcl_test_shop" ">=2" }
          control version: real { default 2.5 }
        }
        contract shop3 extends common { library { pypi "lpcl_test_shop" ">=3" } }
        """,
        encoding="utf-8",
    )
    arguments = ["verify", "shop.lpcl", "--install", "--environments", "made"]
    first = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert first.exit_code == 0, first.output
    assert first.output.count("Installing lpcl-test-shop") == 3
    assert "shop: the version ... proved" in first.output
    assert "lpcl_test_shop 1.5" in first.output
    assert "lpcl_test_shop 2.5" in first.output
    assert "shop3: the version ... not tried: lpcl-test-shop>=3 could not be installed" in first.output
    assert first.output.endswith(
        "experiments: 2 proved, 0 refuted, 0 failed, 0 unsteady, 1 not tried\n"
        "clauses of 3 contracts: 2 of 3 proved: had one of them said something else, an experiment "
        "would have been refuted\n"
    )
    again = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert again.output.count("Installing lpcl-test-shop") == 1  # only what failed is tried anew


def test_versions_are_those_of_the_environment(tmp_path: Path) -> None:
    site = tmp_path / "lib" / "python3.11" / "site-packages" / "shop_x-1.2.dist-info"
    site.mkdir(parents=True)
    (site / "METADATA").write_text("Metadata-Version: 2.1\nName: shop-x\nVersion: 1.2\n")
    environment = Environment(tmp_path, ())
    assert (environment.installed("shop-x"), environment.installed("pytest")) == ("1.2", None)
