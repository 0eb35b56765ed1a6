"""What is recorded of the standard library is about it as it stands, and no contract is without grounds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lpcl import service
from lpcl.model.contracts import Contract
from lpcl.model.contracts import contract as flatten
from lpcl.packages import roots
from lpcl.syntax import nodes
from lpcl.verify import records
from lpcl.verify.weighing import Witness


@pytest.fixture(scope="module")
def library() -> Path:
    """The folder of the contracts."""
    root = roots.stdlib()
    assert root is not None
    return Path(root.folder)


@pytest.fixture(scope="module")
def witnesses(library: Path) -> tuple[Witness, ...]:
    """All contracts, each with what could be said instead of its clauses."""
    program = service.open_workspace([str(library)]).program
    declared = [item for items in program.declarations.values() for item in items]
    return tuple(
        Witness(program, flatten(program, item)) for item in declared if isinstance(item.node, nodes.Contract)
    )


@pytest.fixture(scope="module")
def kept(library: Path) -> dict[str, records.Record]:
    """What is recorded."""
    return dict(records.read(library / "verified.json"))


def _evidence(witnesses: tuple[Witness, ...]) -> Iterator[tuple[str, str, Witness]]:
    """Key and title of each piece of evidence, with its contract."""
    for witness in witnesses:
        name = witness.contract.declared.qualified
        for clause in witness.contract.evidence:
            yield records.key_of(name, clause), clause.node.title.value, witness


def test_every_record_is_about_evidence_as_it_stands(
    witnesses: tuple[Witness, ...], kept: dict[str, records.Record]
) -> None:
    titles = {key: title for key, title, _ in _evidence(witnesses)}
    stale = [
        f"{record.contract}: {record.title}"
        for key, record in kept.items()
        if titles.get(key) != record.title
    ]
    assert stale == []


def test_every_recorded_clause_exists(
    witnesses: tuple[Witness, ...], kept: dict[str, records.Record]
) -> None:
    clauses: dict[str, set[str]] = {}
    for key, _, witness in _evidence(witnesses):
        clauses.setdefault(key, set()).update(witness.clauses)
    gone = [
        f"{record.contract}: {clause}"
        for key, record in kept.items()
        for clause in record.proves
        if clause not in clauses.get(key, set())
    ]
    assert gone == []


def test_nothing_recorded_is_refuted(kept: dict[str, records.Record]) -> None:
    assert [f"{item.contract}: {item.title}" for item in kept.values() if item.outcome != "proved"] == []


def test_a_contract_without_evidence_has_a_source(witnesses: tuple[Witness, ...]) -> None:
    """What cannot be tried here says where it is written."""
    without = [
        item.contract.declared.qualified
        for item in witnesses
        if item.contract.library is not None and not item.contract.evidence and not _sources(item.contract)
    ]
    assert without == []


def _sources(contract: Contract) -> bool:
    node = contract.declared.node
    return any(
        one.name.text == "source" and len(one.args) == 2
        for one in node.walk()
        if isinstance(one, nodes.Annotation)
    )
