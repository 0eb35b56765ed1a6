"""The lies of `make lies`: other texts that can be read, about clauses as `verify` names them."""

from __future__ import annotations

from collections import Counter

import pytest

from lpcl.model.contracts import Contract
from lpcl.model.contracts import contract as flatten
from lpcl.syntax.parser import parse
from lpcl.verify.lies import clauses
from lpcl.verify.selection import select
from tests.world.lies import KINDS, Tried, report, seeds


def contracts(name: str) -> list[Contract]:
    """The contracts of that name in the standard library."""
    return [
        flatten(chosen.workspace.program, item)
        for chosen in select([name]).chosen
        for item in chosen.contracts
    ]


@pytest.mark.parametrize("name", ["openblas", "joblib", "numba", "multiprocessing", "polars", "gunicorn"])
def test_every_lie_is_another_text_about_a_clause_that_verify_knows(name: str) -> None:
    number = 0
    for contract in contracts(name):
        known = clauses(contract)
        for seed in seeds(contract):
            assert seed.clause in known, seed
            assert seed.kind in KINDS
            assert seed.text != seed.file.text, seed
            assert parse(seed.text).faults == (), str(seed)
            number += 1
    assert number > 10


def test_all_kinds_of_lies_are_told_about_the_standard_library() -> None:
    names = ("openblas", "libgomp", "joblib", "multiprocessing", "numba", "threadpoolctl", "sklearn")
    told = Counter(seed.kind for name in names for one in contracts(name) for seed in seeds(one))
    assert set(told) == set(KINDS)


def test_the_report_counts_by_kind_and_names_what_nobody_noticed() -> None:
    (contract, *_) = contracts("openblas")
    first, second, *_ = [seed for seed in seeds(contract) if seed.kind == "variable"]
    text = report([Tried(first, "openblas", True, True), Tried(second, "openblas", False)])
    head, *rows = text.splitlines()
    assert head.split() == ["proved", "clauses", "other", "clauses"]
    assert rows[0].split() == ["variable", "1", "of", "1", "0", "of", "1"]
    assert str(second) in rows[-1]
    assert str(first) not in text
