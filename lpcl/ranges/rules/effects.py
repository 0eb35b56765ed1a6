"""A control that is read, and yet changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from lpcl.compose.terms import Value, apply, conjunction, negation, settle
from lpcl.model import contracts
from lpcl.model.program import Declared
from lpcl.ranges.readings import Reading, guarded, readings
from lpcl.ranges.rules.subject import Subject
from lpcl.ranges.space import Free
from lpcl.ranges.world import World
from lpcl.syntax import nodes


def check(subject: Subject) -> None:
    """Judge the controls of a contract that no interface promises, and that nobody else reads."""
    node = subject.declared.node
    if not isinstance(node, nodes.Contract) or not any(isinstance(m, nodes.Control) for m in node.members):
        return
    promised = {
        name for item in subject.contract.interfaces for name in subject.context.contract(item).controls
    }
    measured = {
        node.path
        for clause in subject.contract.signals.values()
        for node in clause.node.walk()
        if isinstance(node, nodes.Reference)
    }
    own = tuple(contracts.lineage(subject.context.program, subject.declared))
    every = list(_all_readings(subject))
    for member in node.members:
        if isinstance(member, nodes.Control):
            name = member.name.text
            if name not in promised | measured and not subject.read.outside(own, name):
                _control(subject, member, every)


def _all_readings(subject: Subject) -> Iterator[tuple[Reading, Declared]]:
    for declared in contracts.lineage(subject.context.program, subject.declared):
        for reading in readings(declared):
            if reading.role != "let":
                yield reading, declared


def _control(subject: Subject, control: nodes.Control, every: list[tuple[Reading, Declared]]) -> None:
    name = control.name.text
    read = [item for item in every if _mentions(subject, item[0], name)]
    if not read:
        return  # what nothing reads has a finding of its own
    decided = True
    for reading, declared in read:
        ask = partial(_differs, reading=reading, declared=declared, name=name)
        answer = subject.can_by_itself(ask, witness=False)
        if answer.yes:
            return
        decided = decided and answer.no
    if any(_never(subject, reading, declared) for reading, declared in read):
        return  # what never counts has a finding of its own
    if decided:
        subject.report(
            "control-without-effect",
            control.name.span,
            f"`{name}` is read, but none of its values makes a difference",
            help_text="say what depends on it, or remove it",
        )
    else:
        subject.undecided(control.name.span, f"whether `{name}` makes a difference")


def _never(subject: Subject, reading: Reading, declared: Declared) -> bool:
    """Whether the guards of an expression never hold."""

    def holds(world: World) -> Value:
        return guarded(reading, world, world.place(declared.file, reading.operation))

    return bool(reading.guards) and subject.can(holds, witness=False).no


def _mentions(subject: Subject, reading: Reading, name: str) -> bool:
    """Whether an expression reads the control, through `let`s, too."""
    seen: set[str] = set()
    stack: list[nodes.Node] = [reading.expression]
    operation = reading.operation.node if reading.operation is not None else None
    hidden = {item.name.text for item in operation.parameters} if operation is not None else set()
    own = {c.name.text: c.value for c in operation.clauses if isinstance(c, nodes.Let)} if operation else {}
    lets = {**{key: clause.node.value for key, clause in subject.contract.lets.items()}, **own}
    while stack:
        for node in stack.pop().walk():
            if isinstance(node, nodes.Reference) and node.path not in seen and node.path not in hidden:
                seen.add(node.path)
                if node.path in lets:
                    stack.append(lets[node.path])
    return name in seen


def _differs(world: World, reading: Reading, declared: Declared, name: str) -> Value:
    """Whether another value of the control makes an expression another one."""
    place = world.place(declared.file, reading.operation)
    if reading.role == "existing" and isinstance(reading.clause, nodes.Pool):
        size = next((c.value for c in reading.clause.clauses if isinstance(c, nodes.Size)), None)
        place = replace(place, size=size)
    world.control(name)
    one = world.value(reading.expression, place)
    here = guarded(reading, world, place)
    item = world.space.free[f"control:{name}"]
    twin = _twin(world, item, name)
    other: dict[str, Value] = {item.id: twin}
    told = {item.id: name for item in world.space.free.values() if item.id.startswith("set:")}
    if f"set:{name}" in told:
        return True
    return conjunction(here, settle(here, other), apply("!=", one, settle(one, other)))


def _twin(world: World, item: Free, name: str) -> Value:
    """Another value of the control, which is usually not the one that it has where nothing sets it."""
    this = world.control(name)
    other = replace(
        item,
        id=f"{item.id}'",
        words=item.words[::-1],
        first=(3, 5, *item.first),
        usual=lambda: negation(this) if item.kind == "truth" else None,
    )
    twin = world.space.value(other)
    clause = world.contract.controls[name]
    low, high = world.ends(clause.node.type, world.place(clause.file))
    for op, end in ((">=", low), ("<=", high)):
        if end is not None and hasattr(end, "op"):
            world.space.bind(partial(apply, op, twin, end))
    return twin
