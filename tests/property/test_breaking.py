"""Broken promises: what the comparison says against trying every value of small ranges."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings

from lpcl.check.names import Names
from lpcl.compat.change import Level
from lpcl.compat.compare import compare
from lpcl.compose.refusal import Refusal
from lpcl.compose.terms import Value
from lpcl.model.contracts import contract
from lpcl.model.program import Program, SourceFile
from lpcl.ranges.space import Space
from lpcl.ranges.world import World
from lpcl.syntax.parser import parse
from tests.property.test_ranges import DOMAIN, HEAD, numbers, truths


def program(demand: str, assumed: str, default: str) -> Program:
    """A contract with a demand, an assumption, and one more control's default."""
    text = (
        f'{HEAD}  control f: real {{ default {default} }}\n  assume {assumed} else "no"\n'
        f"  demand plain = {demand}\n}}\nresource plain: real {{ capacity 1  sharing space  exceed fails }}\n"
    )
    return Program((SourceFile("p.lpcl", text, parse(text)),))


def values(made: Program, chosen: dict[str, object]) -> tuple[Value | None, Value | None, Value | None]:
    """The demand, the assumption and the default of `f` where everything is set; None where it has none."""
    whole = contract(made, made.declarations["p.k"][0])
    world = World(Space({**chosen, "set:a": True}), Names(made), whole)  # type: ignore[dict-item]
    place = world.place(whole.declared.file)
    amount = whole.demands[0].node.amount
    default = whole.controls["f"].node.clauses[0]
    found: list[Value | None] = []
    for expression in (amount, whole.assumes[0].node.condition, default.value):  # type: ignore[union-attr]
        assert expression is not None
        try:
            found.append(world.value(expression, place))
        except Refusal:
            found.append(None)
    return found[0], found[1], found[2]


@settings(max_examples=20, deadline=None)
@given(numbers, numbers, truths(numbers), truths(numbers), numbers, numbers)
def test_what_breaks_is_what_trying_everything_finds(
    old_demand: str, new_demand: str, old_assumed: str, new_assumed: str, old_default: str, new_default: str
) -> None:
    texts = (old_demand, new_demand, old_assumed, new_assumed, old_default, new_default)
    if any("defined(a)" in text for text in texts):
        return
    old, new = program(*texts[0::2]), program(*texts[1::2])
    changes = compare((old, old.files), (new, new.files))
    assert not any(item.level is Level.UNDECIDED for item in changes)
    told = {item.rule for item in changes if item.level is Level.BREAKS}
    expected: set[str] = set()
    for chosen in product(*DOMAIN.values()):
        setting = dict(zip(DOMAIN, chosen, strict=True))
        (was, held, before), (now, holds, after) = values(old, setting), values(new, setting)
        if held is not True:
            continue
        if was is not None and now is not None and was >= 0 and now > was:  # type: ignore[operator]
            expected.add("demand")
        if holds is False:
            expected.add("assume")
        if before is not None and after is not None and before != after:
            expected.add("control-default")
    assert told == expected


@settings(max_examples=20, deadline=None)
@given(numbers, truths(numbers), numbers)
def test_a_contract_never_breaks_itself(demand: str, assumed: str, default: str) -> None:
    old, new = program(demand, assumed, default), program(demand, assumed, default)
    assert compare((old, old.files), (new, new.files)) == ()
    other = SourceFile("p.lpcl", (text := old.files[0].text + "// a word\n"), parse(text))
    again = compare((old, old.files), (Program((other,)), [other]))
    assert all(item.level is Level.NEUTRAL for item in again)
