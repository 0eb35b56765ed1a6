"""Every word that the grammar has for a clause is told in a reader's terms."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import lpcl.grammar
from lpcl.catalogue.words import MEANING

GRAMMAR = (Path(lpcl.grammar.__file__).parent / "lpcl.tx").read_text()
RULES = {
    "invalid": "InvalidPolicy",
    "caller": "CallerRoleName",
    "threads": "CouplingKind",
    "fork": "ForkEffect",
}


@pytest.mark.parametrize("clause", RULES)
def test_every_word_has_a_meaning(clause: str) -> None:
    found = re.search(rf"^{RULES[clause]}: /\(\?:(.*)\)\\b/;$", GRAMMAR, re.MULTILINE)
    assert found is not None
    words = {word.replace("\\s+", " ") for word in found[1].split("|")}
    assert set(MEANING[clause]) == words
