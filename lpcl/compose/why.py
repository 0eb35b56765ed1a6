"""Why one value is what it is: where each process has it from, what counts before what, and what it rests on.

A value is a control, a `let` or a pool of a library, a control of the application, an environment variable, a
figure of the machine, or a resource, of which it is asked how much is wanted of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fractions import Fraction

from lpcl.compose.assess import ledger_of
from lpcl.compose.composition import Composition
from lpcl.compose.elaborate import ApplicationScope
from lpcl.compose.evaluate import evaluate
from lpcl.compose.figures import COUNTED, FigureKind
from lpcl.compose.findings import Entry
from lpcl.compose.grounds import pin_ground
from lpcl.compose.kinds import Names, figure_of_fact
from lpcl.compose.linker import Runtime
from lpcl.compose.machine import MachineView
from lpcl.compose.pins import who, whom
from lpcl.compose.pools import sized
from lpcl.compose.reckoning import in_figures
from lpcl.compose.refusal import Refusal
from lpcl.compose.resources import capacity_reason
from lpcl.compose.said import Said
from lpcl.compose.scopes import ContractScope, Here, resolve
from lpcl.compose.settings import EnvValue
from lpcl.compose.starts import FREE
from lpcl.compose.structure import Activity, Process, Resolution, activities, processes
from lpcl.compose.terms import Value
from lpcl.model.machine import DERIVED, FACTS
from lpcl.model.program import Origin
from lpcl.model.quantities import Dimension, show
from lpcl.syntax import nodes

_DEFAULT = "its default"


class BadQuestion(ValueError):
    """A question about nothing that the application has; its text says what there is."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The value in one process, or of one place of it, with what it comes from and what that rests on.

    `ledger` are the lines that add up to it, where it is an amount of a resource.
    """

    where: str
    value: Value
    kind: FigureKind
    how: str
    origin: Origin | None = None
    because: tuple[Resolution, ...] = ()
    ledger: tuple[Entry, ...] = ()


@dataclass(frozen=True)
class Explained:
    """A value with its readings. `ways` are the ways to set it, those that count before others first."""

    name: str
    what: str
    readings: tuple[Reading, ...]
    ways: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()


def explain(composition: Composition, name: str) -> Explained:
    """Where a value of a composition comes from. Raises `BadQuestion`."""
    for find in (_fact, _of_library, _of_application, _let_of_application, _variable, _resource):
        try:
            found = find(composition, name)
        except Refusal as refusal:
            raise BadQuestion(f"{name} has no value there: {refusal.diagnostic.headline}") from None
        if found is not None:
            return found
    if name == f"machine.{FREE}":
        raise BadQuestion(
            f"{name} is what others have left when something starts, and differs from place to place"
        )
    known = sorted(set(names_of(composition)))
    close = get_close_matches(name, known, n=3)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(known)}"
    raise BadQuestion(f"nothing here is called {name or repr(name)}: {hint}")


def names_of(composition: Composition) -> Iterator[str]:
    """Everything that can be explained, some of it more than once."""
    for runtime in _libraries(composition):
        contract = runtime.contract
        yield from (
            f"{runtime.name}.{name}" for name in (*contract.controls, *contract.pools, *contract.lets)
        )
        yield from (variable for control in contract.controls.values() for variable in _names(control.node))
    for part in composition.parts:
        for member in part.node.members:
            if isinstance(member, nodes.Control | nodes.Environment | nodes.Let):
                yield member.name.text
    yield from (f"machine.{fact}" for fact in (*FACTS, *DERIVED))
    yield from (item.sum.resource.name for item in composition.assessment.demands)


def _libraries(composition: Composition) -> tuple[Runtime, ...]:
    """The libraries that any of the processes has loaded, each version and each copy of one once."""
    found = {
        (library.contract.declared, library.key): Runtime(library.contract, library.key, {})
        for process in processes(composition.elaborated.root)
        for library in process.loaded
    }
    return tuple(found.values())


def _names(control: nodes.Control) -> tuple[str, ...]:
    return tuple(n.text for c in control.clauses if isinstance(c, nodes.EnvSource) for n in c.names)


# ------------------------------------------------------------------ figures of the machine


def _fact(composition: Composition, name: str) -> Explained | None:
    fact = name.removeprefix("machine.")
    if not name.startswith("machine.") or fact not in (*FACTS, *DERIVED):
        return None
    machine = composition.machine
    value = machine.fact(fact)
    meaning = DERIVED[fact] if fact in DERIVED else FACTS[fact].meaning
    if value is None:
        limit = fact in FACTS and FACTS[fact].limit
        without = "limits nothing" if limit else "is not known"
        raise BadQuestion(f"{machine.title} does not state {fact} ({meaning}), which therefore {without}")
    kind = figure_of_fact(fact)
    readings = [Reading("", value, kind, _stated(machine, fact), machine.origins.get(fact))]
    for here in composition.elaborated.built:
        seen = here.state.machine.fact(fact)
        if seen is not None and (seen != value or (fact in _NARROWED and here.state.machine.pins)):
            readings.append(_pinned(here, fact, seen, kind))
    return Explained(name, meaning, tuple(readings))


_NARROWED = ("cpus", "cpus.affinity")
"""The figures of which a process that is pinned has its own."""


def _stated(machine: MachineView, fact: str) -> str:
    if fact in machine.sources:
        return f"read from {machine.sources[fact]}"
    if fact in machine.facts:
        return f"stated by {machine.title}"
    if fact in DERIVED:
        return _derived(machine, fact)
    follows = FACTS[fact].follows
    return f"follows from machine.{follows}, since {machine.title} does not state it"


def _derived(machine: MachineView, fact: str) -> str:
    """How a figure is put together from others, with these put in."""
    text = DERIVED[fact].partition(": ")[2]
    figures = re.sub(r"[a-z]+\.[a-z.]+", lambda found: _figure(machine, found[0]), text)
    return f"{text} = {figures}"


def _figure(machine: MachineView, fact: str) -> str:
    value = machine.fact(fact)
    return fact if value is None else figure_of_fact(fact).show(value)


def _pinned(here: Here, fact: str, seen: Value, kind: FigureKind) -> Reading:
    """A figure as a process sees it that has been given fewer CPUs."""
    machine = here.state.machine
    affinity = machine.fact("cpus.affinity")
    pin = next((one for one in reversed(machine.pins) if one.count == affinity), None)
    if pin is None:
        return Reading(here.state.name, seen, kind, "as the process is pinned")
    ground = pin_ground(pin)
    by = f"{who(pin)} pins {whom(pin)} to {kind.show(pin.count)}"
    how = f"{_derived(machine, fact)}, where {by}" if fact in DERIVED else by
    return Reading(here.state.name, seen, kind, how, pin.said.origin, (ground,))


# ------------------------------------------------------------------ what libraries have


def _of_library(composition: Composition, name: str) -> Explained | None:
    head, _, member = name.rpartition(".")
    if not head:
        return None
    called = [one for one in _libraries(composition) if head in (one.name, one.key)]
    if not called:
        return None
    contracts = [one.contract for one in called]
    keys = {one.key for one in called}
    nodes_of = [one.controls[member].node for one in contracts if member in one.controls]
    if nodes_of:
        return _control(composition, f"{called[0].name}.{member}", nodes_of, member, keys)
    if any(member in one.pools for one in contracts):
        return _pool(composition, name, member, keys)
    if any(member in one.lets for one in contracts):
        return _let(composition, name, member, keys)
    every = dict.fromkeys(one for each in contracts for one in (*each.controls, *each.pools, *each.lets))
    have = ", ".join(every) or "no controls or pools"
    raise BadQuestion(f"{head} has no control or pool {member or repr(member)}: it has {have}")


def _control(
    composition: Composition, title: str, versions: Sequence[nodes.Control], member: str, keys: set[str]
) -> Explained:
    readings = list(_read(composition.elaborated.root, title))
    if not readings:
        readings = [
            reading
            for here, runtime in _loaded(composition, keys)
            if member in runtime.contract.controls and (reading := _unread(here, runtime, member)) is not None
        ]
    variables = [name for reading in readings for way in reading.because for name in way.variables]
    ways = dict.fromkeys(way for node in versions for way in _ways(title, node))
    if _DEFAULT in ways:  # after the variables of every version
        ways = dict.fromkeys([*(way for way in ways if way != _DEFAULT), _DEFAULT])
    return Explained(title, "a control", _merged(readings), tuple(ways), tuple(dict.fromkeys(variables)))


def _read(root: Process, title: str) -> Iterator[Reading]:
    """Every place where the control decides something."""
    for process in processes(root):
        for library in process.loaded:
            for _, _, reasons in library.pools:
                yield from _among(reasons, title, process.name)
            for held in library.demands:
                yield from _among(held.reasons, title, process.name)
        for activity in activities(process.body):
            for reasons in _reasons(activity):
                yield from _among(reasons, title, f"{process.name}, {activity.place}")


def _reasons(activity: Activity) -> Iterator[tuple[Resolution, ...]]:
    yield activity.grounds
    if activity.pool is not None:
        yield activity.pool.reasons
    if activity.workers is not None:
        yield activity.workers.reasons
    yield from (held.reasons for held in activity.demands)


def _among(reasons: Sequence[Resolution], title: str, where: str) -> Iterator[Reading]:
    for reason in reasons:
        if reason.control == title:
            yield _reading(where, reason)
        yield from _among(reason.because, title, where)


def _reading(where: str, reason: Resolution) -> Reading:
    return Reading(where, reason.value, reason.kind, reason.how, reason.origin, (reason,))


def _unread(here: Here, runtime: Runtime, member: str) -> Reading | None:
    found = resolve(runtime, member, here, {})
    return None if found is None else _reading(f"{here.state.name}, where nothing reads it", found)


def _loaded(composition: Composition, keys: set[str]) -> Iterator[tuple[Here, Runtime]]:
    for here in composition.elaborated.built:
        for key, runtime in here.state.loaded.items():
            if key in keys and here.condition is not False:
                yield here, runtime


def _merged(readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """Readings that say the same of one process, put together."""
    by_process: dict[str, list[Reading]] = {}
    for reading in readings:
        by_process.setdefault(reading.where.partition(", ")[0], []).append(reading)
    merged: list[Reading] = []
    for process, several in by_process.items():
        if len({(one.value, one.how) for one in several}) == 1:
            where = several[0].where if len({one.where for one in several}) == 1 else process
            merged.append(replace(several[0], where=where))
            continue
        merged.extend({(one.where, one.value, one.how): one for one in several}.values())
    return tuple(merged)


def _ways(title: str, node: nodes.Control) -> Iterator[str]:
    calls = [c.text.value for c in node.clauses if isinstance(c, nodes.ApiSource)]
    arguments = [c.text.value for c in node.clauses if isinstance(c, nodes.ArgumentSource)]
    yield f"an argument of the call{': ' + ', '.join(arguments) if arguments else ''}"
    yield f"a limit around it: limit {title} = ...{', in the program ' + ', '.join(calls) if calls else ''}"
    yield from _names(node)
    for clause in node.clauses:
        if isinstance(clause, nodes.Default):
            yield _DEFAULT


def _pool(composition: Composition, name: str, member: str, keys: set[str]) -> Explained:
    readings: list[Reading] = []
    pools = {f"{key}.{member}" for key in keys}
    for process in processes(composition.elaborated.root):
        for activity in activities(process.body):
            use = activity.pool
            if use is None or use.said is None or use.pool.key not in pools:
                continue
            where = f"{process.name}, {activity.place}"
            readings.append(_size(where, name, use.said, use.reasons))
    if not readings:
        for here, runtime in _loaded(composition, keys):
            if member not in runtime.contract.pools:
                continue
            reasons: list[Resolution] = []
            _, said = sized(runtime, member, here, reasons)
            where = f"{here.state.name}, where nothing runs on it"
            readings.append(_size(where, name, said, reasons))
    return Explained(name, "a pool", _merged(readings))


def _size(where: str, name: str, said: Said, reasons: Sequence[Resolution]) -> Reading:
    own = _reckoned(name, COUNTED, said, reasons, said.origin)
    return _reading(where, replace(own, how=f"size {own.how}"))


def _reckoned(
    name: str, kind: FigureKind, said: Said, reasons: Sequence[Resolution], origin: Origin
) -> Resolution:
    """What an expression comes to, with the figures that it is reckoned from."""
    return Resolution(
        name,
        said.value,
        said.text,
        origin,
        kind=kind,
        because=tuple(reasons),
        facts=said.facts,
        figures=in_figures(said),
        given=True,
    )


def _let(composition: Composition, name: str, member: str, keys: set[str]) -> Explained:
    readings: list[Reading] = []
    for here, runtime in _loaded(composition, keys):
        if member not in runtime.contract.lets:
            continue
        clause = runtime.contract.lets[member]
        scope = ContractScope(runtime, clause.file, here)
        value = evaluate(clause.node.value, scope)
        kind = Names(scope.afresh()).figure(clause.node.value)
        said = scope.said(clause.node.value, value)
        own = _reckoned(name, kind, said, scope.reasons, clause.origin)
        readings.append(_reading(here.state.name, own))
    return Explained(name, "a value that the contract names", _merged(readings))


def _amount(value: Value, dimension: Dimension) -> str:
    return show(value, dimension) if isinstance(value, int | Fraction) else str(value)


def _text(origin: Origin) -> str:
    return " ".join(origin.file.text[origin.span.start : origin.span.end].split())


# ------------------------------------------------------------------ what the application has


def _of_application(composition: Composition, name: str) -> Explained | None:
    readings: list[Reading] = []
    ways: list[str] = []
    for part in composition.parts:
        stated = composition.stated(part)
        for member in part.node.members:
            if not isinstance(member, nodes.Control) or member.name.text != name:
                continue
            ground = stated.grounds[name]
            how = ground.how.removeprefix("its ")
            readings.append(_reading(part.label, replace(ground, how=how, set_with=())))
            for clause in member.clauses:
                if isinstance(clause, nodes.ArgumentSource):
                    ways.append(f"the command's argument {clause.text.value}")
                elif isinstance(clause, nodes.Default):
                    ways.append(_DEFAULT)
    if not readings:
        return None
    return Explained(name, "a control of the application", tuple(readings), tuple(dict.fromkeys(ways)))


def _let_of_application(composition: Composition, name: str) -> Explained | None:
    readings: list[Reading] = []
    for part in composition.parts:
        scope = composition.stated(part).afresh()
        if name in scope.lets:
            node = scope.lets[name]
            said = _said(node.value, scope)
            origin = Origin(scope.file, node.span)
            readings.append(_reading(part.label, _reckoned(name, COUNTED, said, scope.reasons, origin)))
    return Explained(name, "a value that the application names", tuple(readings)) if readings else None


def _said(expression: nodes.Expression, scope: ApplicationScope) -> Said:
    return scope.said(expression, evaluate(expression, scope))


def _variable(composition: Composition, name: str) -> Explained | None:
    readers: list[str] = []
    for runtime in _libraries(composition):
        for control in runtime.contract.controls.values():
            if name in _names(control.node):
                readers.append(f"{runtime.name}.{control.node.name.text}")
    readings: list[Reading] = []
    stated = dict(_stated_by_applications(composition, name))
    for here in composition.elaborated.built:
        held = here.state.env.get(name)
        if held is None or held.present is False:
            readings.append(Reading(here.state.name, "not set", COUNTED, "nothing sets it"))
        else:
            readings.append(_reading(here.state.name, _set_to(name, held, stated)))
    if not readers and all(reading.value == "not set" for reading in readings):
        return None
    read = f", read by {', '.join(dict.fromkeys(readers))}" if readers else ", which no library here reads"
    return Explained(name, f"an environment variable{read}", tuple(readings))


def _set_to(name: str, held: EnvValue, stated: Mapping[Origin, Resolution]) -> Resolution:
    """Who sets a variable to what it holds, one of the clauses of applications among them."""
    if held.origin is not None and held.origin in stated:
        return stated[held.origin]
    return Resolution(name, held.value, held.how.strip(" ()") or "set by the application", held.origin)


def _stated_by_applications(composition: Composition, name: str) -> Iterator[tuple[Origin, Resolution]]:
    """What applications set a variable to, where they reckon it, by the clause that does it."""
    for part in composition.parts:
        for member in part.node.members:
            if not isinstance(member, nodes.Environment) or member.name.text != name:
                continue
            scope = composition.stated(part).afresh()
            said = _said(member.value, scope)
            if not said.is_literal:
                origin = Origin(scope.file, member.span)
                own = _reckoned(name, COUNTED, said, scope.reasons, origin)
                yield origin, replace(own, how=f"set by the application to {own.how}")


def _resource(composition: Composition, name: str) -> Explained | None:
    readings: list[Reading] = []
    for demanded in composition.assessment.demands:
        resource = demanded.sum.resource
        if name not in (resource.name, resource.qualified):
            continue
        why, _ = capacity_reason(resource, composition.machine)
        capacity = demanded.sum.capacity
        limit = f"of {_amount(capacity, resource.dimension)}{': ' + why if why else ''}"
        readings.append(
            Reading(
                demanded.sum.where,
                demanded.high,
                FigureKind(resource.dimension),
                f"at the busiest moment, {limit}",
                None,
                (),
                ledger_of(composition.elaborated.root, demanded),
            )
        )
    return Explained(name, "a resource", tuple(readings)) if readings else None
