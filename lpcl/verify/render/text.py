"""Outcomes as a person reads them in a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from lpcl.cache.territory import shown_path
from lpcl.verify.coverage import Coverage, State
from lpcl.verify.distributions import Distribution
from lpcl.verify.experiments import Experiment
from lpcl.verify.judgement import WRONG, Attempt, Expectation, Outcome, Part, Verdict
from lpcl.verify.session import Proof
from lpcl.verify.values import shown

_COLOURS = {
    Verdict.PROVED: "32",
    Verdict.REFUTED: "1;31",
    Verdict.FAILED: "31",
    Verdict.UNSTEADY: "33",
    Verdict.NOT_TRIED: "33",
}
_TAIL = 12
"""Lines of a refuted or failed experiment's output that are shown."""


def listing(experiment: Experiment) -> str:
    """One line for an experiment that is not run: what it is, where it stands, whether it could be tried."""
    if experiment.obstacle is not None:
        state = f"not tried: {experiment.obstacle}"
    else:
        state = experiment.fault or installed(experiment.distributions) or "can be tried"
    return f"{experiment.label}\n    {experiment.origin}  {state}"


def verdict(outcome: Outcome, *, colour: bool = False) -> str:
    """The end of the line that an experiment was announced on."""
    word = _painted(outcome.verdict, colour)
    if outcome.verdict is Verdict.NOT_TRIED:
        return f"{word}: {outcome.reason}"
    took = f"{outcome.seconds:.1f} s" if outcome.seconds is not None else ""
    facts = [took, installed(outcome.experiment.distributions)]
    return "  ".join([word, *(fact for fact in facts if fact)])


def details(outcome: Outcome) -> Iterator[str]:
    """Why an experiment did not hold, and which of its runs were left out, line by line."""
    if outcome.verdict in (*WRONG, Verdict.UNSTEADY):
        yield f"    at {outcome.experiment.origin}"
        if outcome.reason is not None and not outcome.attempts:
            yield f"    {outcome.reason}"
    if outcome.verdict is Verdict.NOT_TRIED:
        return
    for attempt in outcome.attempts:
        if attempt.verdict is Verdict.NOT_TRIED:
            yield f"    {attempt.trial.title}: not tried: {attempt.reason}"
        elif attempt.verdict is not Verdict.PROVED:
            yield from (f"    {line}" for line in _shortcoming(attempt))


def _shortcoming(attempt: Attempt) -> Iterator[str]:
    if attempt.trial.title is not None:
        yield f"try: {attempt.trial.title}"
    first, *second = attempt.runs
    yield from _of_run(first)
    for again in second:
        if attempt.verdict is Verdict.UNSTEADY:
            yield "run once more, it held"
        elif list(_of_run(again)) == list(_of_run(first)):
            yield "run once more, it was the same"
        else:
            yield "run once more:"
            yield from _of_run(again)


def _of_run(attempt: Attempt) -> Iterator[str]:
    if attempt.reason is not None:
        yield attempt.reason
    for item in attempt.expectations:
        if not item.holds:
            yield f"expect {item.text}    (line {item.line})"
            yield from (f"    {line}" for line in _explained(item))
    observation = attempt.observation
    if observation is not None and observation.leftovers:
        left = counted(observation.leftovers, "process", "processes")
        yield f"it left {left} behind, which {'was' if observation.leftovers == 1 else 'were'} ended"
    if observation is not None and observation.output:
        yield "the last that it wrote:"
        yield from (f"  | {line}" for line in observation.output.splitlines()[-_TAIL:])


def counted(number: int, one: str, several: str | None = None) -> str:
    """A number of things: `1 experiment`, `3 experiments`."""
    return f"{number} {one if number == 1 else several or one + 's'}"


def summary(outcomes: Sequence[Outcome], proofs: Sequence[Proof], *, colour: bool = False) -> str:
    """How many experiments there are of each kind; then how many clauses they prove."""
    counts = Counter(outcome.verdict for outcome in outcomes)
    tried = ", ".join(f"{counts[kind]} {_painted(kind, colour and counts[kind] > 0)}" for kind in Verdict)
    if not any(item.clauses for item in proofs):
        return f"experiments: {tried}"
    proved = sum(len(item.proved) for item in proofs)
    of = sum(len(item.clauses) for item in proofs)
    contracts = f" of {counted(len(proofs), 'contract')}" if len(proofs) != 1 else ""
    return f"experiments: {tried}\nclauses{contracts}: {proved} of {of} proved{_because(counts, proved)}"


def _because(counts: Counter[Verdict], proved: int) -> str:
    """What makes a clause proved, and why experiments that hold may prove none."""
    if proved:
        return ": had one of them said something else, an experiment would have been refuted"
    if counts[Verdict.PROVED]:
        return (
            ": what holds would hold as well, had any of them said something else."
            "\nAn experiment proves the clauses whose values it compares with, such as `self.threads`; "
            "figures alone show facts of the library."
        )
    return ""


def coverage(found: Sequence[Coverage]) -> Iterator[str]:
    """Contract by contract, the clauses without evidence that would notice another one; then the whole."""
    if not found:
        yield "There are no clauses here that could have evidence."
        return
    for item in found:
        yield f"{item.contract.declared.qualified}  ({shown_path(item.contract.declared.file.path)})"
        of = counted(len(item.clauses), "clause")
        yield f"    {item.number(State.COVERED)} of {of} covered ({_share([item])})"
        named = [one for one in item.clauses if one.state is State.NAMED]
        if named:
            yield "    named by evidence that would hold as well, were this said instead:"
            yield from (f"        {one.clause}: {', or '.join(one.unnoticed)}" for one in named)
        bare = [one.clause for one in item.clauses if one.state is State.OPEN]
        if bare:
            yield "    without evidence:"
            yield from (f"        {name}" for name in bare)
    covered = sum(item.number(State.COVERED) for item in found)
    total = counted(sum(len(item.clauses) for item in found), "clause")
    yield f"{covered} of {total} of {counted(len(found), 'contract')} covered ({_share(found)})"


def _share(found: Sequence[Coverage]) -> str:
    total = sum(len(item.clauses) for item in found)
    return f"{100 * sum(item.number(State.COVERED) for item in found) // total} %"


def installed(distributions: Sequence[Distribution]) -> str:
    """The installed versions, and what was measured where that was another."""
    return ", ".join(
        f"{item.name} {item.installed}"
        + (f" (measured with {item.measured})" if item.measured not in (None, item.installed) else "")
        for item in distributions
    )


def _explained(item: Expectation) -> Iterator[str]:
    if item.fault is not None:
        yield item.fault
    elif item.left is not None and item.right is not None:
        sides = [f"{part.text} is {shown(part.value)}" for part in (item.left, item.right) if _tells(part)]
        yield ", ".join(sides) or "it does not hold"
    else:
        yield ", ".join(f"{part.text} is {shown(part.value)}" for part in item.parts) or "it does not hold"


def _tells(part: Part) -> bool:
    """Whether the value of a piece says more than its text."""
    return part.text != shown(part.value)


def _painted(kind: Verdict, colour: bool) -> str:
    return f"\x1b[{_COLOURS[kind]}m{kind.value}\x1b[0m" if colour else kind.value
