"""Generated texts: the parser builds what stock textX builds, and finds its way when a clause is broken.

The texts are drawn from the grammar itself, rule by rule, so that a new rule is tried as soon as it exists.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from textx.exceptions import TextXSyntaxError

from lpcl.syntax import _generated, first, rules
from lpcl.syntax.parser import parse
from lpcl.syntax.rules import (
    Ahead,
    Assign,
    Choice,
    Expr,
    Keyword,
    Mark,
    Optional,
    Seq,
    Token,
    Use,
)
from tests.unit.syntax import stock

GRAMMAR = rules.read()
NAMES = [
    "a",
    "threads",
    "OMP_NUM_THREADS",
    "size",
    "première",
    "名前",
    "env",
    "x1",
    "_y",
    "default",
    "python",
]
TEXTS = ['""', '"a b"', '"with \\" and \\\\"', '"//"', '"{"', '"""\n  two\n    lines\n"""', '"""a "b" c"""']
NUMBERS = ["0", "1", "64", "1_000", "0.5", "10.25", "٣"]
BLANKS = [
    " ",
    " ",
    " ",
    "\n",
    "\n  ",
    "\t",
    "\r\n",
    " // remark\n",
    " /* c */ ",
    "\n/// documented\n",
    "  \r",
]


class Writer:
    """Writes a random text of a rule; `depth` bounds how far expressions and blocks nest."""

    def __init__(self, pick: Callable[[int], int]) -> None:
        self.pick = pick
        self.tokens: list[str] = []

    def choose(self, options: list[str]) -> str:
        return options[self.pick(len(options))]

    def write(self, expr: Expr, depth: int) -> None:
        match expr:
            case Keyword(word=word):
                self.tokens.append(word)
            case Mark(mark=mark):
                self.tokens.append(mark)
            case Token():
                self.tokens.append(self.token(expr))
            case Use(rule=rule):
                self.write(GRAMMAR.rules[rule], depth - 1)
            case Seq(parts=parts):
                for part in parts:
                    self.write(part, depth)
            case Choice(options=options):
                shallow = [option for option in options if not nests(option)]
                options = tuple(shallow) if depth <= 0 and shallow else options
                self.write(options[self.pick(len(options))], depth)
            case Optional(part=part):
                if depth > 0 and self.pick(2):
                    self.write(part, depth)
            case Assign(kind="one", part=part):
                self.write(part, depth)
            case Assign(kind="flag", part=part):
                if self.pick(2):
                    self.write(part, depth)
            case Assign(kind=kind, part=part, separator=separator):
                least = 1 if kind == "some" else 0
                for number in range(least + (self.pick(3) if depth > 0 else 0)):
                    if number and separator:
                        self.tokens.append(separator)
                    self.write(part, depth)
            case Ahead():
                pass

    def token(self, token: Token) -> str:
        listed = first.words(token.pattern)
        if listed:
            return self.choose(list(listed))
        if token.name == "StringToken":
            return self.choose(TEXTS)
        if token.name == "Number":
            return self.choose(NUMBERS)
        if token.name == "Word":
            return self.choose(NAMES)
        return ".".join(self.choose(NAMES) for _ in range(1 + self.pick(3)))


def nests(option: Expr) -> bool:
    return isinstance(option, Use) and option.rule in {
        "Unary", "Conditional", "Parenthesis", "Call", "Together", "LimitBlock", "Block"
    }  # fmt: skip


def written(pick: Callable[[int], int], rule: str, depth: int) -> str:
    """A random text of a rule, with random blanks and comments between its tokens."""
    writer = Writer(pick)
    writer.write(Use(rule), depth)
    text = ""
    for token in writer.tokens:
        text += token + (writer.choose(BLANKS) if not token.endswith(("(", "@")) or pick(2) else "")
    return text


def compare(text: str) -> bool:
    """Hold our tree against textX's; whether the text is in the language (not every drawn one is)."""
    try:
        expected = stock.parse(text)
    except TextXSyntaxError:
        assert parse(text).faults
        return False
    parsed = parse(text)
    if any(fault.headline.startswith("comparisons do not chain") for fault in parsed.faults):
        return False
    assert parsed.faults == ()
    stock.assert_same(expected, parsed.file)
    return True


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_generated_declarations_are_equal(data: st.DataObject) -> None:
    def pick(count: int) -> int:
        return data.draw(st.integers(0, count - 1))

    assume(compare(written(pick, "Item", 7)))


@pytest.mark.parametrize("seed", range(40))
def test_many_generated_files_are_equal(seed: int) -> None:
    rng = random.Random(seed)
    good = 0
    for _ in range(8):
        good += compare(written(rng.randrange, "File", 9))
    assert good


@pytest.mark.parametrize("rule", sorted(set(_generated.ELEMENTS) - {"Item"}))
def test_every_kind_of_clause_is_drawn_and_equal(rule: str) -> None:
    """Each clause is tried inside a declaration that can hold it."""
    around = {
        "ResourceClause": "resource a: count {{ {} }}",
        "Fact": "machine a {{ {} }}",
        "InterfaceMember": "interface a {{ {} }}",
        "ContractMember": "contract a {{ {} }}",
        "LibraryEntry": "contract a {{ library {{ {} }} }}",
        "ControlClause": "contract a {{ control a: count {{ {} }} }}",
        "PoolClause": "contract a {{ pool a {{ {} }} }}",
        "OperationClause": "contract a {{ operation a {{ {} }} }}",
        "WorkerClause": "contract a {{ operation a {{ workers threads 2 {{ {} }} }} }}",
        "LoadClause": "contract a {{ on load {{ {} }} }}",
        "EvidenceClause": 'contract a {{ evidence "a" {{ {} }} }}',
        "TryClause": 'contract a {{ evidence "a" {{ try {{ {} }} }} }}',
        "ApplicationMember": "application a {{ {} }}",
        "TestClause": 'test "a" {{ {} }}',
        "Statement": "application a {{ run {{ {} }} }}",
    }[rule]
    rng = random.Random(rule)
    good = sum(compare(around.format(written(rng.randrange, rule, 6))) for _ in range(40))
    assert good >= 20


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_what_textx_refuses_has_a_fault_and_what_it_takes_has_none(data: st.DataObject) -> None:
    def pick(count: int) -> int:
        return data.draw(st.integers(0, count - 1))

    text = written(pick, "Item", 6)
    at = pick(len(text) + 1)
    end = min(len(text), at + pick(6))
    compare(
        text[:at] + data.draw(st.sampled_from(["", "", ",", "}", "{", "=", "x ", "(", '"', "1"])) + text[end:]
    )
