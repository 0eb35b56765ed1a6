"""What `lpclc check` says of the values of random contracts, against trying settings.

What some setting shows has to be told, or told as not decided; what is told to be never or always so must not
be otherwise with any; and what is told to be possible has to be so with the values that are told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import Phase, given, reject, seed, settings

from lpcl.diagnostics.diagnostic import Diagnostic
from lpcl.ranges.judge import judge
from lpcl.syntax import nodes
from tests.property.contracts import contract_in, contracts, is_right, program_of
from tests.property.plain_judgement import DIVISION, Finding, Seen
from tests.property.settings_tried import Tried, read
from tests.property.test_pairs import MOST_TRIES, PROFILE, TRIES

POSSIBLE = ("demand-below-zero", "default-out-of-range", "division-by-zero")
NEVER = ("unreachable-clause", "impossible-assumption", "empty-assumption")
SHOWN = "so it is with "


def judged(text: str) -> tuple[nodes.Contract, tuple[Diagnostic, ...]]:
    """The contract, and what is said of its values. Those with errors are passed over."""
    program = program_of(text)
    if not is_right(program):
        reject()
    return contract_in(program.files[0].parsed.file), judge(program, program.files[:1])


def finding_of(told: Diagnostic) -> Finding:
    """What a diagnostic says, and of which place."""
    return DIVISION if told.code == DIVISION[0] else (told.code, told.location.start)


def seen(tried: Tried, most: int) -> Iterator[Seen]:
    """What each of some settings shows."""
    for setting in tried.settings(most):
        version, _ = tried.versions(setting)
        if version.allows():
            made = Seen()
            made.look(version)
            yield made


def is_possible(told: Diagnostic, contract: nodes.Contract) -> bool:
    """Whether some setting shows what is told, with the values that are told with it."""
    shown = next((note.removeprefix(SHOWN) for note in told.notes if note.startswith(SHOWN)), "")
    tried = Tried(contract, contract, read(shown))
    return any(finding_of(told) in one.so for one in seen(tried, MOST_TRIES))


def complain(what: str, text: str, found: tuple[Diagnostic, ...]) -> None:
    """Fail, with the contract and all that is told of it."""
    told = "\n".join(f"  {one.code} at {one.location.start}: {one.headline} {one.notes}" for one in found)
    pytest.fail(f"{what}\n{text}told:\n{told}", pytrace=False)


@PROFILE
@given(contracts())
def test_what_is_told_of_values_is_so(text: str) -> None:
    contract, found = judged(text)
    told = {finding_of(one) for one in found}
    undecided = {one.location.start for one in found if one.code == "not-decided"}
    if "impossible-assumption" in {code for code, _ in told}:
        return  # what follows from what cannot be
    for one in seen(Tried(contract, contract), TRIES):
        for code, place in one.so - told:
            if place not in undecided and not (undecided and (code, place) == DIVISION):
                complain(f"not told: {code} at {place}", text, found)
        for code, place in one.not_so & told:
            complain(f"not so: {code} at {place}", text, found)
    for diagnostic in found:
        if diagnostic.code in POSSIBLE and not is_possible(diagnostic, contract):
            complain(f"not shown: {diagnostic.headline} {diagnostic.notes}", text, found)


def test_random_contracts_break_every_rule() -> None:
    """A change of the generator, or of the rules, that loses one is noticed."""
    found: Counter[str] = Counter()
    for number in range(10):

        @seed(number)
        @settings(PROFILE, derandomize=False, max_examples=10, phases=(Phase.generate,))
        @given(contracts())
        def collect(text: str) -> None:
            found.update({one.code for one in judged(text)[1]})

        collect()
    wanted = {*POSSIBLE, *NEVER, "control-without-effect"}
    assert sorted(wanted - found.keys()) == []
