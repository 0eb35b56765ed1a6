"""The server's words of the language are those of the grammar, block by block."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from lpcl.check.declarations import _ANNOTATIONS
from lpcl.check.expressions import FUNCTIONS
from lpcl.model.types import NAMED, START_METHODS, unit_dimension
from lpcl.syntax.rules import Assign, Choice, Expr, Grammar, Keyword, Optional, Seq, Token, Use, read
from lsp_server import vocabulary
from lsp_server.tokens import _HEADS

CLAUSE_RULES = {
    "file": "Item",
    "interface": "InterfaceMember",
    "contract": "ContractMember",
    "library": "LibraryEntry",
    "control": "ControlClause",
    "pool": "PoolClause",
    "operation": "OperationClause",
    "workers": "WorkerClause",
    "on load": "LoadClause",
    "evidence": "EvidenceClause",
    "try": "TryClause",
    "resource": "ResourceClause",
    "application": "ApplicationMember",
    "run": "Statement",
    "test": "TestClause",
}
VALUE_RULES = {
    ("control", "read at"): "ReadMoment",
    ("control", "invalid"): "InvalidPolicy",
    ("control", "scope"): "ScopeReach",
    ("pool", "callers"): "CallersPolicyName",
    ("pool", "caller"): "CallerRoleName",
    ("pool", "threads"): "CouplingKind",
    ("pool", "created at"): "CreationMoment",
    ("pool", "idle"): "IdleKind",
    ("pool", "fork"): "ForkEffect",
    ("operation", "workers"): "WorkerKind",
    ("workers", "caller"): "CallerRoleName",
    ("resource", "sharing"): "SharingMode",
    ("resource", "exceed"): "ExceedEffect",
    ("file", "per"): "ResourceScope",
    ("test", "as"): "Grade",
    ("test", "expect no"): "FindingKind",
}


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    """The grammar file's rules."""
    return read()


def sequences(grammar: Grammar, expression: Expr) -> Iterator[list[str]]:
    """The leading keywords of everything that an expression can be, as far as they are fixed."""
    match expression:
        case Choice(options):
            for option in options:
                yield from sequences(grammar, option)
        case Use(rule):
            yield from sequences(grammar, grammar.rules[rule])
        case Keyword(word):
            yield [word]
        case Token(_, pattern):
            yield from [[word] for word in words_of(pattern)] or [[]]
        case Assign(_, "one", part):
            yield from sequences(grammar, part) if not isinstance(part, Use) else ([],)
        case Seq(parts):
            yield from _sequence(grammar, list(parts))
        case _:
            yield []


def _sequence(grammar: Grammar, parts: list[Expr]) -> Iterator[list[str]]:
    while parts and isinstance(parts[0], Assign) and parts[0].attribute == "annotations":
        parts = parts[1:]
    if not parts:
        yield []
        return
    head, *rest = parts
    if isinstance(head, Optional) or (isinstance(head, Assign) and head.kind in ("flag", "many")):
        part = head.part
        yield from _sequence(grammar, [part, *rest])
        yield from _sequence(grammar, rest)
        return
    for first in sequences(grammar, head):
        if not first:
            yield []
        elif isinstance(head, Keyword | Seq | Choice | Assign | Token):
            for after in _sequence(grammar, rest):
                yield first + after


def words_of(pattern: str) -> list[str]:
    """The words that a regular expression of alternatives lists."""
    found = re.fullmatch(r"\(\?:(.*)\)(?:\\b|\(\?!\\w\))", pattern)
    return [word.replace(r"\s+", " ") for word in found[1].split("|")] if found else []


def first_words(grammar: Grammar, rule: str) -> set[str]:
    """The words by which a rule's alternatives begin."""
    return {words[0] for words in sequences(grammar, Use(rule)) if words}


@pytest.mark.parametrize("block", sorted(CLAUSE_RULES))
def test_clauses_are_those_of_the_grammar(grammar: Grammar, block: str) -> None:
    ours = {word.partition(" ")[0] for word in vocabulary.CLAUSES[block]}
    assert ours == first_words(grammar, CLAUSE_RULES[block])


def test_every_block_has_its_rule() -> None:
    assert set(vocabulary.CLAUSES) == set(CLAUSE_RULES)


def test_clauses_of_two_words_are_so_in_the_grammar(grammar: Grammar) -> None:
    for block, rule in CLAUSE_RULES.items():
        starts = {" ".join(words[:2]) for words in sequences(grammar, Use(rule))}
        for clause in vocabulary.CLAUSES[block]:
            if " " in clause:
                assert clause in starts, f"{clause} in {block}"


@pytest.mark.parametrize(("block", "words"), sorted(VALUE_RULES))
def test_values_are_those_of_the_grammar(grammar: Grammar, block: str, words: str) -> None:
    pattern = next(part.pattern for part in tokens_of(grammar) if part.name == VALUE_RULES[block, words])
    assert set(vocabulary.VALUES[block][words]) == set(words_of(pattern))


def tokens_of(grammar: Grammar) -> Iterator[Token]:
    """All match rules that the grammar uses."""
    waiting: list[Expr] = list(grammar.rules.values())
    while waiting:
        match waiting.pop():
            case Token() as token:
                yield token
            case Seq(parts) | Choice(parts):
                waiting += parts
            case Optional(part) | Assign(_, _, part):
                waiting.append(part)


def test_expectations_are_those_of_the_grammar(grammar: Grammar) -> None:
    second = {words[1] for words in sequences(grammar, Use("Expectation")) if len(words) > 1}
    assert set(vocabulary.VALUES["test"]["expect"]) == second


def test_start_methods_hazards_types_units_functions_and_annotations() -> None:
    assert set(vocabulary.VALUES["workers"]["start"]) == set(START_METHODS.members)
    assert set(vocabulary.TYPES) == set(NAMED)
    assert set(vocabulary.FUNCTIONS) == set(FUNCTIONS)
    assert set(vocabulary.ANNOTATIONS) == set(_ANNOTATIONS)


def test_units_are_units_of_the_grammar(grammar: Grammar) -> None:
    pattern = next(part.pattern for part in tokens_of(grammar) if part.name == "Unit")
    for unit in vocabulary.UNITS:
        assert re.fullmatch(pattern, unit), unit
        unit_dimension(unit)


def test_hazard_effects_are_those_of_the_grammar(grammar: Grammar) -> None:
    pattern = next(part.pattern for part in tokens_of(grammar) if part.name == "HazardEffect")
    assert set(vocabulary.HAZARD_EFFECTS) == set(words_of(pattern))


def test_blocks_that_can_be_entered_are_known() -> None:
    entered = {kind for heads in _HEADS.values() for kind in heads.values()}
    assert entered - {"machine", "bindings", "settings"} <= set(vocabulary.CLAUSES)
