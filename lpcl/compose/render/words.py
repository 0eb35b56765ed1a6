"""What a finding means to somebody who has never seen one, in every form of output the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from lpcl.compose.alternatives import Alternative
from lpcl.compose.amends import Amended
from lpcl.compose.answers import Answers
from lpcl.compose.composition import Composition
from lpcl.compose.findings import Finding, Grade, Kind
from lpcl.compose.helping import singular
from lpcl.compose.meaning import number
from lpcl.compose.render.devices import findings_together
from lpcl.compose.resources import CPU, THREADS, Resource
from lpcl.compose.solver import Verdict
from lpcl.compose.structure import Place
from lpcl.compose.sums import placed
from lpcl.compose.terms import Number, Term, Value
from lpcl.diagnostics.diagnostic import Severity
from lpcl.model.quantities import BYTES, PLAIN, ratio, show

MOST_PARTICIPANTS = 8

_GRADES = {
    Grade.COLLAPSE: "collapse: a team goes on only when all its threads are done, so that each thread "
    "without a CPU holds up all others; often many times slower than with fewer threads",
    Grade.SLOW: "slow: teams in several processes take CPUs from each other, and a team goes on only when "
    "all its threads are done; slower than with fewer threads",
    Grade.MILD: "mild: each thread has work of its own and holds up no other, they take turns; somewhat "
    "slower than with fewer threads",
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
            return _not_met(finding)
        case Kind.SERIALIZED:
            return (
                "no CPU is over-committed, but the callers that wait gain nothing from running side by side"
            )
        case Kind.UNDERUSE:
            return "nothing goes wrong, but CPUs stay idle"


def _not_met(finding: Finding) -> str:
    library = "this library" if finding.condition is None else finding.condition.library
    return (
        f"a condition that the contract of {library} counts on does not hold here: what comes of it stands "
        f"above, and the figures for {library} may be other than its contract says"
    )


def _too_much(finding: Finding) -> str:
    assert finding.demand is not None
    assert finding.capacity is not None
    asked = show(finding.demand + finding.background, finding.dimension)
    there = show(finding.capacity, finding.dimension)
    if finding.resource == CPU:
        upto = "" if finding.certain else "up to "
        cpus = "is 1 CPU" if finding.capacity == 1 else f"are {there} CPUs"
        counted = "1 thread" if asked == "1" else f"{asked} threads"
        what = f"{upto}{counted} would be runnable at the same moment, each in need of a CPU"
        what = f"{what}, and there {cpus}"
        return what if finding.grade is None else f"{what}. {_capital(_GRADES[finding.grade])}"
    if finding.resource == THREADS and finding.certain:
        return (
            f"{asked} threads would exist at the same moment, at work or idle, and only {there} may: "
            "starting one more fails"
        )
    name = finding.resource_name or ""
    much = f"{asked} of {name}"
    if _is_counted(finding):
        much = f"{asked} {singular(name) if asked == '1' else name}"
    if not finding.certain:
        return f"if each took as much as it may, it would be {much}, of {there}; only these bounds are known"
    if finding.severity is Severity.ERROR:
        are = "is" if finding.dimension == BYTES or finding.capacity == 1 else "are"
        need = f"{much} would be needed at the same moment"
        then = "" if finding.notes else ": what goes beyond that fails"
        return f"{need} and there {are} only {there}{then}"
    return (
        f"{much} would be asked for at the same moment, of {there}. "
        "Mild: all that need it slow down in proportion"
    )


NOBODY = "nobody: what is always there is too much by itself"
"""A set of participants without members: others, or the program's own thread, need more than there is."""


def participants(places: Sequence[Place], *, alone: bool) -> str:
    """A minimal set of participants: the operations, with how often where that is more than once."""
    if not places:
        return NOBODY
    counts = Counter(str(place) for place in places)
    names = [name if times == 1 else f"{name} in {times} places" for name, times in counts.items()]
    if len(names) > MOST_PARTICIPANTS:
        names = [*names[:MOST_PARTICIPANTS], f"{len(names) - MOST_PARTICIPANTS} more"]
    *others, last = names
    shown = f"{', '.join(others)} and {last}" if others else last
    return f"{shown} {'by itself' if len(places) == 1 else 'together'}" if alone else shown


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _is_counted(finding: Finding) -> bool:
    """Whether the resource is named for the things that are counted, such as ``files``."""
    return finding.dimension == PLAIN and str(finding.resource_name).endswith("s")


def verdict(told: Answers) -> str:
    """The answer in one line: the gravest finding, or that there is none and how many CPUs have work."""
    if not told.alarms:
        return f"Nothing is wrong as it stands; {_busy(told)} busy."
    gravest, *further = findings_together(told.alarms)
    more = len(further)
    others = "" if not more else " (and 1 more finding)" if more == 1 else f" (and {more} more findings)"
    return f"{_short(gravest)}{others}."


def _busy(told: Answers) -> str:
    used, there = _at_work(told.composition)
    return (
        f"{show(used)} of {show(there)} {_cpus(there)} {'is' if used == 1 else 'are'}"
        if there
        else "no CPU is"
    )


def _at_work(composition: Composition) -> tuple[Number, Number]:
    """How many CPUs have work as it stands, and how many there are: 0 where that is not known."""
    demands = composition.assessment.demands
    cpu = next((item for item in demands if item.sum.resource.qualified == CPU), None)
    if cpu is None or isinstance(cpu.sum.capacity, Term | str):
        return 0, 0
    return min(cpu.high, cpu.sum.capacity), cpu.sum.capacity


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
                there = f"{there} {_cpus(finding.capacity)}"
                return f"{may} many runnable threads{where}: {asked} for {there} ({times})"
            if finding.resource == THREADS:
                return f"{may} many existing threads{where}: {asked} of {there} ({times})"
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


def _cpus(count: Value) -> str:
    return "CPU" if count == 1 else "CPUs"


def outlook(
    composition: Composition, decided: Verdict, alternatives: Sequence[Alternative]
) -> tuple[str, ...]:
    """What stands above the alternatives, or in their place."""
    alarms = composition.assessment.alarms
    if decided is Verdict.NO:
        change = "the program or the machine has to change"
        if composition.knobs:
            return (f"No environment variable and no argument of the command is enough: {change}.",)
        return (f"There is no environment variable and no argument of the command to set: {change}.",)
    if not alternatives:
        return ("Whether some setting is free of findings is not decided: the allowed work did not suffice.",)
    best = alternatives[0]
    cpus = _share_of(best.cpu, composition.machine.fact("cpus"))
    each = ", each by itself" if sum(bool(one.changes) for one in alternatives) > 1 else ""
    if not alarms:
        use = _at_work(composition)[0] if best.changes else best.cpu
        busy = f"; it keeps {_share_of(use, composition.machine.fact('cpus'))} busy" if use else ""
        lines = (f"Nothing is wrong with it as it stands{busy}.",)
        if best.changes:
            return (*lines, f"What would keep {cpus} busy{each}:")
        return lines if len(alternatives) == 1 else (*lines, "Just as good:")
    busy = f", keeping {cpus} busy" if best.cpu else ""
    return (f"What would be right{each}{busy}:",)


def _share_of(used: Value, cpus: Value | None) -> str:
    """Some of the CPUs of a machine; how many it has is said where not all of them are used."""
    if cpus is None or isinstance(cpus, str) or number(used) >= number(cpus):
        return f"{show(number(used))} {_cpus(used)}"
    return f"{show(number(used))} of {show(number(cpus))} {_cpus(cpus)}"


THERE_ARE_MORE = "There are more that keep as many CPUs busy."
"""What stands behind the alternatives where not all of them are told."""
NOT_JUST_SET = "Instead, the program or the machine could change"
"""What stands above the changes that no setting makes, where there are settings that are right."""


def amended_finding(one: Amended) -> str:
    """Which finding it is that a change of the program or the machine would remove."""
    if one.finding.resource_name is None:
        return one.finding.headline
    where = "" if one.finding.where == "machine" else f" {placed(one.finding.where)}"
    return f"{one.finding.resource_name}{where}"


def fullest(told: Answers) -> str:
    """Of a composition without alarms: what is asked for most, against what there is; empty for nothing."""
    item = told.composition.assessment.fullest
    if item is None:
        return ""
    name, dimension = item.sum.resource.name, item.sum.resource.dimension
    where = "" if item.sum.where == "machine" else f" {placed(item.sum.where)}"
    asked, there = show(item.high, dimension), show(number(item.sum.capacity), dimension)
    return f"Nearest to its capacity is {name}{where}, with {asked} of {there}:"


def summary(resource: Resource) -> str:
    """What a resource is, in a few words: the beginning of what its declaration says."""
    about = re.split(r"[.:(](?:\s|$)|\s\(", resource.node.doc or "", maxsplit=1)[0].strip()
    first, _, _ = about.partition(" ")
    return about if first[1:] != first[1:].lower() else about[:1].lower() + about[1:]
