"""What a finding means to somebody who has never seen one, in every form of output the same."""

from __future__ import annotations

from collections.abc import Sequence

from lpcl.compose.alternatives import Alternative
from lpcl.compose.answers import Answers
from lpcl.compose.findings import Finding, Grade, Kind
from lpcl.compose.knobs import Knob
from lpcl.compose.resources import CPU
from lpcl.compose.solver import Verdict
from lpcl.compose.terms import Term, Value
from lpcl.diagnostics.diagnostic import Severity
from lpcl.model.quantities import BYTES, PLAIN, ratio, show

_GRADES = {
    Grade.COLLAPSE: "they wait for each other, so that those without a CPU hold up all others: "
    "often many times slower than with fewer threads",
    Grade.SLOW: "they take CPUs from each other while their teams wait: slower than with fewer threads",
    Grade.MILD: "each has work of its own and takes turns: somewhat slower than with fewer threads",
}
_EFFECTS = {
    "hangs": "the program would stop there and wait for ever",
    "aborts": "the program would end there with an error",
    "wrong_results": "the program would go on with wrong results",
}


def meaning(finding: Finding) -> str:
    """What it comes to when the application runs, in one sentence without its full stop."""
    match finding.kind:
        case Kind.OVERCOMMIT:
            return _too_much(finding)
        case Kind.HAZARD:
            return _EFFECTS.get(finding.effect or "", "the program would not do what it should")
        case Kind.ASSUMPTION:
            return "the contract, and with it the figures for this library, holds only where this is so"
        case Kind.SERIALIZED:
            return (
                "no CPU is over-committed, but the callers that wait gain nothing from running side by side"
            )
        case Kind.UNDERUSE:
            return "nothing goes wrong, but CPUs stay idle"


def _too_much(finding: Finding) -> str:
    assert finding.demand is not None
    assert finding.capacity is not None
    asked = show(finding.demand + finding.background, finding.dimension)
    there = show(finding.capacity, finding.dimension)
    if finding.resource == CPU:
        upto = "" if finding.certain else "up to "
        cpus = "1 CPU" if finding.capacity == 1 else f"{there} CPUs"
        what = f"{upto}{asked} threads would want to run at the same moment on {cpus}"
        return what if finding.grade is None else f"{what}; {_GRADES[finding.grade]}"
    much = (
        f"{asked} {finding.resource_name}" if _is_counted(finding) else f"{asked} of {finding.resource_name}"
    )
    if not finding.certain:
        return f"if each took as much as it may, it would be {much}, of {there}; only these bounds are known"
    if finding.severity is Severity.ERROR:
        are = "is" if finding.dimension == BYTES or finding.capacity == 1 else "are"
        need = f"{much} would be needed at the same moment"
        return f"{need} and there {are} only {there}: a request for more fails"
    return f"{much} would be asked for at the same moment, of {there}: everybody slows down"


def _is_counted(finding: Finding) -> bool:
    """Whether the resource is named for the things that are counted, such as ``files``."""
    return finding.dimension == PLAIN and str(finding.resource_name).endswith("s")


def verdict(told: Answers) -> str:
    """The answer in one line: the gravest finding, or that there is none and how many CPUs have work."""
    if not told.alarms:
        return f"Nothing is wrong as it stands; {_busy(told)} busy."
    gravest = told.alarms[0]
    more = len(told.alarms) - 1
    others = "" if not more else " (and 1 more finding)" if more == 1 else f" (and {more} more findings)"
    return f"{_short(gravest)}{others}."


def _busy(told: Answers) -> str:
    demands = told.composition.assessment.demands
    cpu = next((item for item in demands if item.sum.resource.qualified == CPU), None)
    if cpu is None or isinstance(cpu.sum.capacity, Term | str):
        return "no CPU is"
    used = min(cpu.high, cpu.sum.capacity)
    return (
        f"{show(used)} of {show(cpu.sum.capacity)} {_cpus(cpu.sum.capacity)} {'is' if used == 1 else 'are'}"
    )


def _short(finding: Finding) -> str:
    match finding.kind:
        case Kind.OVERCOMMIT:
            assert finding.demand is not None
            assert finding.capacity is not None
            demand = finding.demand + finding.background
            asked = show(demand, finding.dimension)
            there = show(finding.capacity, finding.dimension)
            where = "" if finding.where == "machine" else f" {placed(finding.where)}"
            times = ratio(demand, finding.capacity)
            may = "Too" if finding.certain else "Possibly too"
            if finding.resource == CPU:
                return f"{may} many threads{where}: {asked} for {there} {_cpus(finding.capacity)} ({times})"
            what = f"{'many' if _is_counted(finding) else 'much'} {finding.resource_name}"
            return f"{may} {what}{where}: {asked} of {there} ({times})"
        case Kind.HAZARD:
            effects = {"hangs": "It would hang", "aborts": "It would abort", "wrong_results": "Wrong results"}
            what = finding.headline.removesuffix(": it hangs")
            return f"{effects.get(finding.effect or '', 'A hazard')}: {what}"
        case Kind.ASSUMPTION:
            return f"What a contract assumes does not hold: {finding.headline}"
        case Kind.SERIALIZED:
            return f"Threads would wait for each other: {finding.headline}"
        case Kind.UNDERUSE:
            return f"CPUs stay idle: {finding.headline}"


def placed(where: str) -> str:
    """Where a sum is counted, as part of a sentence."""
    process = where.removeprefix("process: ")
    if process == where:
        return f"on {where}"
    return f"in each of the {process}" if process.startswith("workers of ") else f"in {process}"


def _cpus(count: Value) -> str:
    return "CPU" if count == 1 else "CPUs"


def outlook(
    alarms: Sequence[Finding], decided: Verdict, alternatives: Sequence[Alternative], knobs: Sequence[Knob]
) -> tuple[str, ...]:
    """What stands above the alternatives, or in their place."""
    if decided is Verdict.NO:
        if knobs:
            return (
                "No setting of the variables and arguments is free of findings: "
                "the program or the machine has to change.",
            )
        return ("There is nothing to set from outside: the program or the machine has to change.",)
    if not alternatives:
        return ("Whether some setting is free of findings is not decided: the allowed work did not suffice.",)
    best = alternatives[0]
    cpus = "1 CPU" if best.cpu == 1 else f"{show(best.cpu)} CPUs"
    if not alarms and not best.changes:
        lines = (f"Nothing is wrong with it as it stands; it keeps {cpus} busy.",)
        return lines if len(alternatives) == 1 else (*lines, "Just as good:")
    each = ", each by itself" if sum(bool(one.changes) for one in alternatives) > 1 else ""
    return (f"What would be right{each}, keeping {cpus} busy:",)
