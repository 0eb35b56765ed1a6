"""What is kept of experiments: one record for each piece of evidence that a contract has."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lpcl.model.host import read_host
from lpcl.verify import records
from lpcl.verify.experiments import prepare, variables_of
from lpcl.verify.selection import select
from lpcl.verify.trials import carry_out

if TYPE_CHECKING:
    from tests.unit.verify.conftest import Bench

TEXT = """
contract base {{ evidence "it holds" {{ python "report(a=1)" expect a == 1 }} }}
contract child extends base {{ evidence "it holds" {{ python "report(a={a})" expect a == {a} }} }}
"""


def kept(bench: Bench, file: Path, a: int, *, backwards: bool = False) -> list[tuple[str, str]]:
    """What is kept of the heir, by contract and key, once it has been tried alone."""
    chosen = select([str(bench.write(TEXT.format(a=a)))]).chosen[0]
    heir = [item for item in chosen.contracts if item.name == "child"]
    experiments = prepare(chosen.workspace.program, heir, read_host())
    assert len(experiments) == 2
    for made in experiments[::-1] if backwards else experiments:
        outcome = carry_out(made, variables_of(made.program), read_host())
        assert records.keep(file, [outcome]) is None
    return sorted((record.contract, key) for key, record in records.read(file).items())


def test_evidence_that_has_the_title_of_inherited_evidence_has_a_record_of_its_own(
    bench: Bench, tmp_path: Path
) -> None:
    file = tmp_path / "kept.json"
    first = kept(bench, file, 2)
    assert [contract for contract, _ in first] == ["child", "child"]
    assert kept(bench, file, 2, backwards=True) == first


def test_what_evidence_was_before_is_not_kept(bench: Bench, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    first = kept(bench, file, 2)
    second = kept(bench, file, 3)
    assert [contract for contract, _ in second] == ["child", "child"]
    assert len(set(first) & set(second)) == 1
