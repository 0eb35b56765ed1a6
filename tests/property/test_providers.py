"""Whether contracts keep what their interfaces promise: what is told against what users would notice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import Phase, given, reject, seed, settings

from lpcl.check.names import Names
from lpcl.compat.change import Change, Level
from lpcl.compat.compare import members
from lpcl.compat.implements import implementations
from lpcl.compat.pair import Pair, Side
from lpcl.syntax import nodes
from tests.property.contracts import contract_in, is_right, program_of, providers
from tests.property.plain_always import always
from tests.property.plain_broken import Broken
from tests.property.plain_providers import completed, ranges
from tests.property.plain_under import under
from tests.property.plain_values import Setting
from tests.property.settings_tried import Tried, read
from tests.property.test_pairs import EXAMPLES, MOST_TRIES, PROFILE, TOLD_WITH, TRIES


def broken_with(
    interface: nodes.Interface, provider: nodes.Contract, tried: Tried, setting: Setting
) -> Iterator[Broken]:
    """What is noticed with a setting of what the interface speaks of."""
    promised = {one.name.text for one in interface.members}
    old, new = tried.versions(setting)
    found = [*always(old, new), *under(old, new)]
    if old.in_ranges() and new.in_ranges():
        found += ranges(interface, replace(new, node=provider))
    yield from (one for one in found if one.member in promised and not _is_open(one, interface))


def _is_open(broken: Broken, interface: nodes.Interface) -> bool:
    """Whether the interface leaves open what is noticed: other variables, sizes that it does not state."""
    member = next(one for one in interface.members if one.name.text == broken.member)
    names = {one.text for one in member.walk() if isinstance(one, nodes.Name)}
    if broken.rule == "control-setting" and broken.about.startswith("`"):
        return broken.about.strip("`") not in names
    sized = any(isinstance(one, nodes.Size) for one in interface.walk()) or any(
        isinstance(one, nodes.RunsOn) and one.size is not None for one in member.walk()
    )
    return broken.rule == "operation-size" and not sized


def name_of(change: Change, interface: nodes.Interface) -> str:
    """The member of the interface that a change is about."""
    assert change.old is not None
    start = change.old.span.start
    return next(one.name.text for one in interface.members if one.span.start <= start < one.span.end)


def shows(change: Change, broken: Broken, interface: nodes.Interface) -> bool:
    """Whether a broken promise is what a change tells, with its figures."""
    texts = (broken.about, broken.was, broken.now)
    same = change.rule == broken.rule and name_of(change, interface) == broken.member
    return same and all(text in change.headline for text in texts)


def says(change: Change, broken: Broken, interface: nodes.Interface) -> bool:
    """Whether a change tells of a broken promise, itself or with another."""
    if name_of(change, interface) != broken.member:
        return False
    same = change.rule == broken.rule and broken.about in change.headline
    return same or change.rule in TOLD_WITH.get(broken.rule, ())


def compared(text: str) -> tuple[nodes.Interface, nodes.Contract, list[Change]]:
    """The interface, its provider, and what is told of them. Those with errors are passed over."""
    program = program_of(text)
    if not is_right(program):
        reject()
    file = program.files[0]
    names = Names(program)
    sides = [Side(names, names.contract(program.declarations[name][0])) for name in ("p.i", "p.k")]
    pair = Pair(sides[0], sides[1], strict=False)
    members(pair, frozenset())
    told = [one for one in pair.changes if one.level in (Level.BREAKS, Level.UNDECIDED)]
    assert bool(implementations(program, [file])) is bool(told)
    interface = next(one for one in file.parsed.file.items if isinstance(one, nodes.Interface))
    return interface, contract_in(file.parsed.file), told


def controls_of(node: nodes.Interface | nodes.Contract) -> frozenset[str]:
    """The names of the controls."""
    return frozenset(one.name.text for one in node.members if isinstance(one, nodes.Control))


def complain(what: str, text: str, told: list[Change]) -> None:
    """Fail, with both and all that is told of them."""
    listed = "\n".join(f"  {one.rule}: {one.headline}, at {one.witness}" for one in told)
    pytest.fail(f"{what}\n{text}told:\n{listed}", pytrace=False)


@settings(PROFILE, max_examples=EXAMPLES // 2)
@given(providers())
def test_a_provider_is_told_what_it_does_not_keep(text: str) -> None:
    interface, provider, told = compared(text)
    before, after = completed(interface, provider)
    tried = Tried(before, after, unset=controls_of(provider) - controls_of(interface))
    for setting in tried.settings(TRIES):
        at_defaults = tried.versions(setting)[1].at_defaults()
        for broken in broken_with(interface, after, tried, setting):
            if not at_defaults and broken.rule != "control-default":
                continue  # another default for what nothing sets is told, and nothing that follows
            if not any(says(change, broken, interface) for change in told):
                complain(f"not told: {broken}, at {setting}", text, told)
    for change in told:
        shown = replace(tried, witness=read(change.witness))
        if change.level is Level.BREAKS and not any(
            shows(change, broken, interface)
            for setting in shown.settings(MOST_TRIES)
            for broken in broken_with(interface, after, shown, setting)
        ):
            complain(f"not so: {change.rule}: {change.headline}, at {change.witness}", text, told)


WANTED = {
    *("control-range", "control-default", "control-setting", "control-precedence", "control-read"),
    *("control-scope", "control-invalid"),
    *("pool-size", "pool-existing", "pool-callers", "pool-caller", "pool-coupling", "pool-created"),
    *("pool-fork", "pool-idle"),
    *("operation-way", "workers", "parameter-range", "parameter-default", "demand", "assume"),
}
"""The rules by which an interface can be broken."""

RARE = {"operation-size", "setting"}
"""Those that need both to say something of the same workers or size."""


def test_random_providers_break_every_rule() -> None:
    """A change of the generator, or of the comparison, that loses one is noticed."""
    found: Counter[str] = Counter()
    for number in range(8):

        @seed(number)
        @settings(PROFILE, derandomize=False, max_examples=10, phases=(Phase.generate,))
        @given(providers())
        def collect(text: str) -> None:
            found.update({change.rule for change in compared(text)[2]})

        collect()
    assert sorted(WANTED - found.keys()) == []
    assert sorted(found.keys() - WANTED - RARE) == []
