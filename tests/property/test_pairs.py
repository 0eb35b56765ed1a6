"""Whether a contract may replace another: what is told against what a user of the old one would notice.

Random pairs of contracts with every kind of clause. What breaks under some setting that is tried has to be
told, or told as not decided, and what is told to break has to break under the settings that are told.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import pytest
from hypothesis import HealthCheck, Phase, given, reject, seed, settings
from hypothesis import strategies as st

from lpcl.compat.change import Change, Level
from lpcl.compat.compare import compare
from lpcl.syntax import nodes
from tests.property.contracts import Pairing, contract_in, is_right, pairs, program_of
from tests.property.plain_always import always, beside
from tests.property.plain_broken import Broken
from tests.property.plain_under import under
from tests.property.plain_values import Setting
from tests.property.settings_tried import Tried, read

EXAMPLES = int(os.environ.get("LPCL_EXAMPLES", "240")) // 4
PROFILE = settings(
    max_examples=EXAMPLES,
    derandomize="LPCL_EXAMPLES" not in os.environ,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
)
TRIES = 120
"""Settings of each pair that are tried."""

MOST_TRIES = 20_000
"""Settings that are tried to see what is told to break, of those that agree with what is told."""

TOLD_WITH = {
    "pool-existing": ("pool-size", "pool-caller"),
    "control-range": ("control-type",),
    "control-default": ("control-range", "control-type"),
    "parameter-range": ("parameter-type",),
    "parameter-default": ("parameter-type",),
}
"""By rule, those that tell it as well."""


@dataclass(frozen=True)
class Case:
    """Two files that each declare the contract `k`, and what is told of them."""

    old: nodes.File
    new: nodes.File
    changes: tuple[Change, ...]

    @property
    def tried(self) -> Tried:
        """The contracts, with settings to try."""
        return Tried(contract_in(self.old), contract_in(self.new))


def compared(pair: Pairing) -> Case:
    """What is told of a pair. Pairs with errors are passed over."""
    programs = program_of(pair.old), program_of(pair.new)
    if not all(map(is_right, programs)):
        reject()
    old, new = ((program, program.files[:1]) for program in programs)
    return Case(old[1][0].parsed.file, new[1][0].parsed.file, compare(old, new))


def member_of(change: Change, tried: Tried) -> str:
    """The declaration, or the member of the contract, that a change is about; empty for the contract."""
    name = change.subject.rpartition(".")[2]
    if name != "k":
        return name
    for place, node in ((change.new, tried.new), (change.old, tried.old)):
        for member in node.members if place is not None else ():
            assert place is not None
            if member.span.start <= place.span.start <= place.span.end <= member.span.end:
                if isinstance(member, nodes.OnLoad):
                    return "on load"
                named = getattr(member, "name", None)
                return named.text if isinstance(named, nodes.Name) else ""
    return ""


def says(change: Change, broken: Broken, tried: Tried) -> bool:
    """Whether a change tells of a broken promise."""
    rules = (broken.rule, *TOLD_WITH.get(broken.rule, ()))
    return (
        change.rule in rules
        and member_of(change, tried) == broken.member
        and (broken.about in change.headline or change.rule != broken.rule)
    )


def shows(change: Change, broken: Broken, tried: Tried) -> bool:
    """Whether a broken promise is what a change tells, with its figures."""
    return (
        change.rule == broken.rule
        and member_of(change, tried) == broken.member
        and all(text in change.headline for text in (broken.about, broken.was, broken.now))
    )


def noticed(case: Case, chance: int = 0) -> Iterator[tuple[Broken, Setting]]:
    """What breaks with some of the settings, each with one that shows it.

    Where the two versions have other defaults for what nothing sets, that is told, and nothing that follows.
    """
    tried = case.tried
    for number, setting in enumerate(tried.settings(TRIES, chance)):
        if number > 0 and not tried.versions(setting)[1].at_defaults():
            continue
        for broken in _with(case, tried, setting, everything=number == 0):
            yield broken, setting


def _with(case: Case, tried: Tried, setting: Setting, *, everything: bool = True) -> Iterator[Broken]:
    """What breaks with a setting; with `everything` also what breaks with any."""
    yield from beside(case.old, case.new, setting)
    versions = tried.versions(setting)
    if everything:
        yield from always(*versions)
    yield from under(*versions)


def taken(change: Change) -> dict[str, str]:
    """The figure that is told to be taken no more, by the control or parameter that took it."""
    found = re.match(r"`(\w+)`.* no longer takes (~?-?\d[^,]*)$", change.headline)
    return {} if found is None else {found[1]: found[2]}


def is_shown(change: Change, case: Case) -> bool:
    """Whether a change that is told to break something does, with what is told."""
    told = replace(case.tried, witness={**read(change.witness), **taken(change)})
    return any(
        shows(change, broken, told)
        for number, setting in enumerate(told.settings(MOST_TRIES))
        for broken in _with(case, told, setting, everything=number == 0)
    )


def complain(what: str, pair: Pairing, changes: Iterable[Change]) -> None:
    """Fail, with the pair and all that is told of it."""
    told = "\n".join(f"  {one.level.value}: {one.rule}: {one.headline}, at {one.witness}" for one in changes)
    pytest.fail(f"{what}\n{pair}told:\n{told}", pytrace=False)


@PROFILE
@given(pairs())
def test_what_breaks_is_told_and_what_is_told_breaks(pair: Pairing) -> None:
    case = compared(pair)
    told = [one for one in case.changes if one.level in (Level.BREAKS, Level.UNDECIDED)]
    for broken, setting in noticed(case):
        if not any(says(change, broken, case.tried) for change in told):
            complain(f"not told: {broken}, at {setting}", pair, case.changes)
    for change in told:
        if change.level is Level.BREAKS and not is_shown(change, case):
            complain(f"not so: {change.rule}: {change.headline}, at {change.witness}", pair, case.changes)


WANTED = {
    *("declaration-added", "declaration-removed", "kind", "machine", "resource", "wording", "deprecated"),
    *("library", "uses", "uses-added", "uses-removed", "signal-added", "signal-removed", "signal-source"),
    *("signal-type", "interface-added", "interface-dropped"),
    *("control-added", "control-removed", "control-type", "control-range", "control-default"),
    *("control-setting", "control-precedence", "control-read", "control-scope", "control-invalid"),
    *("pool-added", "pool-removed", "pool-size", "pool-existing", "pool-callers", "pool-caller"),
    *("pool-coupling", "pool-created", "pool-fork", "pool-idle", "pool-nested"),
    *("operation-added", "operation-removed", "operation-way", "operation-size", "operation-calls"),
    "workers",
    *("parameter-added", "parameter-removed", "parameter-type", "parameter-range", "parameter-default"),
    *("demand", "setting", "assume", "hazard"),
}
"""The rules of a comparison."""


RUNS = 12
"""Short runs of their own, which are less alike than the examples of a long one."""


def test_random_pairs_break_every_rule() -> None:
    """A change of the generator, or of the comparison, that loses one is noticed."""
    found: Counter[str] = Counter()
    for number in range(RUNS):

        @seed(number)
        @settings(PROFILE, derandomize=False, max_examples=10, phases=(Phase.generate,))
        @given(st.one_of(pairs(12, 24), pairs(12, 24), pairs(1, 1)))
        def collect(pair: Pairing) -> None:
            found.update({change.rule for change in compared(pair).changes})

        collect()
    assert sorted(WANTED - found.keys()) == []
    assert sorted(found.keys() - WANTED) == []
