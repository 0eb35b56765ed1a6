"""Whether the distributions that an experiment is about are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lpcl.verify import distributions
from lpcl.verify.experiments import Experiment

if TYPE_CHECKING:
    from tests.unit.verify.conftest import Bench

INSTALLED = {"numpy": "2.1.0", "scipy": "1.14.0", "threadpoolctl": "3.5.0"}


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment with a few distributions."""
    monkeypatch.setattr(distributions, "installed_version", INSTALLED.get)


def one(bench: Bench, library: str, needs: str = "", annotations: str = "") -> Experiment:
    (made,) = bench.prepare(
        f"""
        contract probe {{
          {library}
          {annotations} evidence "it holds" {{ {needs} python "report(a=1)" expect a == 1 }}
        }}
        """
    )
    return made


@pytest.mark.parametrize(
    ("library", "needs", "obstacle"),
    [
        ("", "", None),
        ('library { file "libx.so" }', "", None),
        ('library { pypi "numpy" }', "", None),
        ('library { pypi "numpy" ">=2,<3" }', "", None),
        ('library { pypi "numpy" "<2" }', "", "numpy 2.1.0 is installed, and this is about <2"),
        ('library { pypi "polars" }', "", "polars is not installed"),
        ('library { pypi "polars" pypi "dask" }', "", "neither polars nor dask is installed"),
        ('library { pypi "polars" pypi "numpy" }', "", None),
        ('library { pypi "scipy" "<1" pypi "numpy" }', "", "scipy 1.14.0 is installed, and this is about <1"),
        ("", 'needs "numpy" needs "threadpoolctl" ">=3"', None),
        ("", 'needs "polars"', "polars is not installed"),
        ("", 'needs "numpy" ">=3"', "numpy 2.1.0 is installed, and this is about >=3"),
        # What the evidence names is enough, but the contract still speaks about its own versions only.
        ('library { pypi "polars" }', 'needs "numpy"', None),
        ('library { pypi "numpy" "<2" }', 'needs "scipy"', "numpy 2.1.0 is installed, and this is about <2"),
    ],
)
def test_obstacles(bench: Bench, library: str, needs: str, obstacle: str | None) -> None:
    made = one(bench, library, needs)
    assert made.obstacle == obstacle
    assert (made.setup is None) == (obstacle is not None)


def test_versions_beside_each_other(bench: Bench) -> None:
    annotations = '@measured("numpy 2.0.0 with OpenBLAS 0.3.27", "threadpoolctl 3.5.0")'
    made = one(bench, 'library { pypi "numpy" ">=2" }', 'needs "threadpoolctl"', annotations)
    assert [(item.name, item.installed, item.measured) for item in made.distributions] == [
        ("numpy", "2.1.0", "2.0.0"),
        ("threadpoolctl", "3.5.0", "3.5.0"),
    ]


def test_names_are_compared_as_the_index_does(bench: Bench) -> None:
    made = one(bench, 'library { pypi "numpy" }', 'needs "numpy"', '@measured("NumPy 2.1.0")')
    assert [(item.name, item.measured) for item in made.distributions] == [("numpy", "2.1.0")]
