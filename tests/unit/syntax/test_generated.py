"""The generated parser: current, equal to textX, and of one mind with grammar, nodes and phrases."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import FrozenInstanceError, fields
from pathlib import Path
from typing import Any

import pytest

from lpcl.syntax import _generated, generate, nodes, phrases, quick, rules
from lpcl.syntax.parser import parse
from lpcl.syntax.rules import Assign, Choice, Optional, Seq
from lpcl.syntax.span import Span
from tests.unit.syntax import stock

ROOT = Path(__file__).parents[3]
CORPUS = sorted(
    path
    for folder in ("tests/unit/syntax/data", "stdlib_contracts", "tests/reports")
    for path in (ROOT / folder).rglob("*.lpcl")
)
GRAMMAR = rules.read()


def test_generated_parser_is_current() -> None:
    """If this fails: `python -m lpcl.syntax.generate`."""
    assert generate.TARGET.read_text(encoding="utf-8") == generate.generate(GRAMMAR)


def test_generation_is_deterministic() -> None:
    code = (
        "import sys; from lpcl.syntax import generate, rules; "
        "sys.stdout.write(generate.generate(rules.read()))"
    )
    for seed in ("1", "2"):
        made = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert made.stdout == generate.generate(GRAMMAR)


def test_parsing_does_not_load_textx() -> None:
    code = (
        "import sys; from lpcl.syntax.parser import parse; parse('contract a {'); "
        "print([name for name in ('textx', 'arpeggio') if name in sys.modules])"
    )
    made = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stdout.strip() == "[]"


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: str(path.relative_to(ROOT)))
def test_equal_to_stock_textx(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    parsed = parse(text)
    assert parsed.faults == ()
    stock.assert_same(stock.parse(text), parsed.file)


def attributes(expr: rules.Expr) -> dict[str, str]:
    """The attributes of a rule with their kinds; `maybe` where the rule can do without."""
    match expr:
        case Assign(attribute=attribute, kind=kind):
            return {attribute: kind}
        case Seq(parts=parts):
            return {name: kind for part in parts for name, kind in attributes(part).items()}
        case Optional(part=part):
            return {name: left_out(kind) for name, kind in attributes(part).items()}
        case Choice(options=options):
            found = {name: kind for option in options for name, kind in attributes(option).items()}
            return {name: left_out(kind) for name, kind in found.items()}
        case _:
            return {}


def left_out(kind: str) -> str:
    """What an attribute's kind becomes where a text can do without it."""
    return {"some": "many", "one": "maybe"}.get(kind, kind)


DIFFERENT = {"Expression", "Tail", "Quantity", "File"}


@pytest.mark.parametrize("rule", sorted(GRAMMAR.concrete - DIFFERENT))
def test_each_rule_with_attributes_has_its_node(rule: str) -> None:
    cls = getattr(nodes, rule)
    found = {field.name: field for field in fields(cls) if field.name not in ("span", "doc")}
    expected = attributes(GRAMMAR.rules[rule])
    assert set(found) == set(expected)
    for name, kind in expected.items():
        annotation = str(found[name].type)
        if kind in ("many", "some"):
            assert annotation.startswith("tuple["), name
        elif kind == "flag":
            assert annotation == "bool", name
        elif kind == "maybe":
            assert "None" in annotation, name
        if kind == "many":
            assert found[name].default == (), name
        if kind == "maybe":
            assert found[name].default is None, name


def test_there_is_no_node_without_a_rule() -> None:
    classes = {
        name
        for name, cls in vars(nodes).items()
        if isinstance(cls, type) and issubclass(cls, nodes.Node) and cls is not nodes.Node
    }
    assert classes - GRAMMAR.concrete == {"Binary"}


@pytest.mark.parametrize("key", _generated.EXPECTED)
def test_whatever_can_be_expected_has_a_phrase(key: str) -> None:
    for phrase in phrases.of(key, _generated.TOKENS):
        assert phrase
        assert "(?" not in phrase
        assert "\\" not in phrase
        assert not any(rule in phrase.split() for rule in GRAMMAR.rules)


def test_every_kind_of_clause_has_a_phrase_with_an_example() -> None:
    for element in _generated.ELEMENTS:
        assert ", such as `" in phrases.RULES[element]


def test_no_phrase_is_for_a_rule_that_does_not_exist() -> None:
    assert set(phrases.RULES) <= set(GRAMMAR.rules)
    tokens = {key.removeprefix("token:") for key in _generated.EXPECTED if key.startswith("token:")}
    assert set(phrases.TOKENS) <= tokens


CLASSES = [
    Span,
    nodes.Binary,
    *(getattr(nodes, rule) for rule in sorted(GRAMMAR.concrete - {"Expression", "Tail"})),
]


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_a_twin_becomes_an_ordinary_node(cls: Any) -> None:
    given = {field.name: number for number, field in enumerate(fields(cls))}
    made = quick.twin(cls)()
    for name, value in given.items():
        setattr(made, name, value)
    made.__class__ = cls
    ordinary = cls(**given)
    assert type(made) is cls
    assert made == ordinary
    assert hash(made) == hash(ordinary)
    assert repr(made) == repr(ordinary)
    with pytest.raises(FrozenInstanceError):
        setattr(made, next(iter(given)), None)


def test_a_construct_that_the_generator_does_not_know_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from textx import metamodel_from_str

    monkeypatch.setattr(
        rules, "metamodel", lambda: metamodel_from_str("File: ('a' | 'b' 'c')# ; Comment: /x/;")
    )
    with pytest.raises(rules.GrammarError):
        rules.read()
