"""What a condition can be: the engine against trying every value of small ranges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

from hypothesis import event, given, settings
from hypothesis import strategies as st

from lpcl.check.names import Names
from lpcl.compose.refusal import Refusal
from lpcl.compose.solver import Verdict
from lpcl.compose.terms import Plain, Value
from lpcl.model.contracts import contract
from lpcl.model.program import Program, SourceFile
from lpcl.ranges.ask import can, confirmed
from lpcl.ranges.question import Question
from lpcl.ranges.space import Space
from lpcl.ranges.world import World
from lpcl.syntax import nodes
from lpcl.syntax.parser import parse

NUMBERS = {"a": (-2, 3), "b": (0, 4), "c": (1, 3)}
DOMAIN: dict[str, list[Plain]] = {
    **{f"control:{name}": list(range(low, high + 1)) for name, (low, high) in NUMBERS.items()},
    "control:d": [False, True],
    "control:e": ["fast", "slow"],
}
HEAD = (
    "package p\ncontract k {\n"
    + "".join(
        f"  control {name}: int in {low}..{high} {{ default {high} }}\n"
        for name, (low, high) in NUMBERS.items()
    )
    + "  control d: bool { default true }\n  control e: {fast, slow} { default fast }\n"
)

leaves = st.one_of(st.sampled_from(sorted(NUMBERS)), st.integers(-3, 5).map(lambda n: f"({n})"))


Truths = Callable[[st.SearchStrategy[str]], st.SearchStrategy[str]]


def grown(inner: st.SearchStrategy[str], conditions: Truths | None = None) -> st.SearchStrategy[str]:
    pair = st.tuples(inner, inner)
    return st.one_of(
        st.tuples(st.sampled_from(["+", "-", "*", "/", "div", "mod"]), pair).map(
            lambda made: f"({made[1][0]} {made[0]} {made[1][1]})"
        ),
        st.tuples(st.sampled_from(["min", "max"]), pair).map(
            lambda made: f"{made[0]}({made[1][0]}, {made[1][1]})"
        ),
        st.tuples(st.sampled_from(["floor", "ceil", "abs"]), inner).map(lambda made: f"{made[0]}({made[1]})"),
        st.tuples((conditions or truths)(inner), pair).map(
            lambda made: f"(if {made[0]} then {made[1][0]} else {made[1][1]})"
        ),
    )


WORDS = ("d", "(e == fast)", "(e != slow)", "defined(a)")


def truths(numbers: st.SearchStrategy[str], words: Sequence[str] = WORDS) -> st.SearchStrategy[str]:
    compared = st.tuples(numbers, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), numbers).map(
        lambda made: f"({' '.join(made)})"
    )
    base = st.one_of(compared, st.sampled_from(words))
    return st.recursive(
        base,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(["and", "or", "implies"]), inner).map(
                lambda made: f"({' '.join(made)})"
            ),
            inner.map(lambda made: f"(not {made})"),
        ),
        max_leaves=3,
    )


numbers = st.recursive(leaves, grown, max_leaves=5)


def assumed(text: str) -> Callable[[Space], Value]:
    """What the first assumption of `p.k` comes to in a space."""
    program = Program((SourceFile("p.lpcl", text, parse(text)),))
    names = Names(program)
    whole = contract(program, program.declarations["p.k"][0])
    node = whole.assumes[0].node.condition

    def build(space: Space) -> Value:
        world = World(space, names, whole)
        return world.value(node, world.place(whole.declared.file))

    return build


@settings(max_examples=60, deadline=None)
@given(truths(numbers))
def test_the_engine_agrees_with_trying_everything(condition: str) -> None:
    text = f'{HEAD}  assume {condition} else "no"\n}}\n'
    build = assumed(text)
    expected = any(
        holds(build, dict(zip(DOMAIN, values, strict=True))) for values in product(*DOMAIN.values())
    )
    shown = can(build)
    assert shown.verdict is not Verdict.UNDECIDED
    assert shown.yes == expected
    assert can(build, witness=False).yes == expected
    if shown.yes:
        assert shown.values is not None
        assert confirmed(build, shown.values)
        assert str(can(build)) == str(shown)


WIDE = """package p
contract k {
  control many: int in 1..65536 { default machine.cpus.affinity }
  control any: int { default 4 }
  control few: count in 0..many { default many div 2 }
  control part: share { default 0.5 }
  control on: bool { default true }
  control how: {fast, slow, careful} { default fast }
  let both = min(many, machine.cpus.online) + few
"""

wide_leaves = st.one_of(
    st.sampled_from(["many", "any", "few", "both", "machine.cpus.online", "machine.cpus", "part * few"]),
    st.sampled_from([0, 1, 2, 7, 64, 1024, 65536, -3]).map(lambda n: f"({n})"),
)


def wide_truths(numbers: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    words = ["on", "(how == fast)", "(how != slow)", "defined(any)", "(on == defined(few))"]
    return truths(numbers, words)


wide = st.recursive(wide_leaves, lambda inner: grown(inner, wide_truths), max_leaves=6)


@settings(max_examples=150, deadline=None)
@given(wide_truths(wide), st.lists(wide_truths(wide), max_size=2))
def test_what_is_plain_is_what_the_solver_says(condition: str, others: list[str]) -> None:
    """Over ranges too wide to try everything, and under what is assumed beside it."""
    text = f'{WIDE}  assume {" and ".join([condition, *others])} else "no"\n}}\n'
    build = assumed(text)
    try:
        question = Question.of(build)
    except Refusal as refusal:
        if refusal.diagnostic.code != "division-by-zero":
            raise
        return
    plainly = question.plainly().verdict
    event(f"plainly {plainly.value}")
    if plainly is not Verdict.UNDECIDED:
        assert question.solver().check() in (plainly, Verdict.UNDECIDED)


def holds(build: object, values: dict[str, Plain]) -> bool:
    """Whether a condition holds where everything has a value; a division by 0 has none."""
    if "control:a" in values:
        unset = values["control:a"] == NUMBERS["a"][1]
        return any(
            _true(build, {**values, "set:a": is_set}) for is_set in ([False, True] if unset else [True])
        )
    return _true(build, values)


def _true(build: object, values: dict[str, Plain]) -> bool:
    assert callable(build)
    try:
        return build(Space(values)) is True
    except Refusal as refusal:
        if refusal.diagnostic.code != "division-by-zero":
            raise
        return False


def test_what_is_plain_is_shown_without_the_solver() -> None:
    """A solver that may do next to nothing keeps nothing from being told."""
    text = f'{HEAD}  assume a * b * c == 12 else "no"\n}}\n'
    program = Program((SourceFile("p.lpcl", text, parse(text)),))
    whole = contract(program, program.declarations["p.k"][0])

    def build(space: Space) -> Value:
        world = World(space, Names(program), whole)
        return world.value(whole.assumes[0].node.condition, world.place(whole.declared.file))

    shown = can(build, work=1)
    assert shown.yes
    assert shown.values is not None
    assert confirmed(build, shown.values)


def test_a_condition_is_read_as_it_stands() -> None:
    text = f'{HEAD}  assume a div b > 1 else "no"\n}}\n'
    assert isinstance(parse(text).file.items[1], nodes.Contract)
