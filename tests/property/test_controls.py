"""The values of controls against a plain evaluation, on random contracts and applications written as text."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lpcl.compose.elaborate import elaborate
from lpcl.compose.machine import MachineView
from lpcl.compose.refusal import Refusal
from lpcl.compose.settings import Settings
from lpcl.compose.structure import Activity, ProcessWorkers, Statement, members
from lpcl.compose.terms import Value
from lpcl.model.program import Program, SourceFile
from lpcl.syntax.parser import parse
from tests.property import plain_controls as plain
from tests.property.plain_controls import Application, Expression, Limit, Pin, Rejected, Set
from tests.property.test_meaning import PROFILE

_FEW = st.sampled_from([0, 0, 1, 2])


def _expressions(draw: st.DrawFn, names: tuple[str, ...]) -> Expression:
    text = draw(st.sampled_from([*map(str, range(1, 7)), *plain.FACTS, *names, *names]))
    return Expression(text, draw(st.sampled_from([None, None, 2, 4])))


def _limit(draw: st.DrawFn, targets: list[tuple[str, str]], names: tuple[str, ...]) -> Limit:
    target, control = draw(st.sampled_from(targets))
    return Limit(target, control, _expressions(draw, names), draw(st.sampled_from([0, 0, 2, 4])))


def _set(draw: st.DrawFn, names: tuple[str, ...]) -> Set:
    return Set(
        draw(st.sampled_from(plain.VARIABLES)),
        _expressions(draw, names),
        draw(st.booleans()),
        draw(st.sampled_from([0, 0, 2, 4])),
    )


def _control(draw: st.DrawFn, name: str, names: tuple[str, ...]) -> plain.Control:
    low = draw(st.sampled_from([None, 1, 2]))
    variables = draw(st.permutations(plain.VARIABLES))[: draw(st.integers(0, 3))]
    return plain.Control(
        name,
        low,
        None if low is None else low + draw(st.integers(0, 4)),
        tuple(variables),
        draw(st.sampled_from([None, "clamps", "clamps", "ignored", "rejects"])),
        _expressions(draw, names),
        draw(st.sampled_from([None, "load", "load", "first use", "each call"])),
        draw(st.sampled_from([None, "process", "thread", "call"])),
    )


def _library(draw: st.DrawFn, index: int, others: list[plain.Library]) -> plain.Library:
    uses = tuple(
        (f"dep{number}", other.name, draw(st.booleans()))
        for number, other in enumerate(others)
        if draw(st.booleans())
    )
    below = [(name, next(other for other in others if other.name == of)) for name, of, _ in uses]
    far = tuple(f"{name}.{control.name}" for name, other in below for control in other.controls)
    controls = [_control(draw, plain.CONTROLS[0], far)]
    if draw(st.booleans()):
        controls.append(_control(draw, plain.CONTROLS[1], (*far, plain.CONTROLS[0])))
    names = (*far, *(control.name for control in controls))
    targets = [("", control.name) for control in controls]
    targets += [(name, control.name) for name, other in below for control in other.controls]
    targets += [(other.name, control.name) for other in others for control in other.controls]
    targets += [(plain.INTERFACE, "threads")]

    def clause(kind: str) -> plain.Clause:
        if kind == "set":
            return _set(draw, names)
        return Pin(_expressions(draw, names)) if kind == "pin" else _limit(draw, targets, names)

    def clauses(*kinds: str) -> tuple[plain.Clause, ...]:
        return tuple(clause(draw(st.sampled_from(kinds))) for _ in range(draw(_FEW)))

    def limits() -> tuple[Limit, ...]:
        return tuple(_limit(draw, targets, names) for _ in range(draw(_FEW)))

    return plain.Library(
        f"lib{index}",
        tuple(controls),
        draw(st.booleans()),
        uses,
        clauses("set", "limit", "pin"),
        limits(),
        limits(),
        clauses("set", "set", "limit", "pin"),
        draw(st.sampled_from(["fork", "spawn", "loky"])),
        _expressions(draw, names) if draw(st.booleans()) else None,
    )


def _statement(draw: st.DrawFn, libraries: list[plain.Library], depth: int) -> plain.Statement:
    library = draw(st.sampled_from(libraries))
    kinds = ["probe", "probe", "below"]
    if depth > 0:
        kinds += ["narrow", "spread", "start", "start", "limit", "together", "block"]
    kind = draw(st.sampled_from(kinds))
    if kind == "below" and library.uses:
        return plain.Call(library.name, "below")
    if kind in ("probe", "below"):
        argument = None
        if draw(st.sampled_from([False, False, True])):
            control = draw(st.sampled_from(library.controls))
            argument = (control.name, draw(st.integers(1, 9)))
        return plain.Call(library.name, "probe", argument)
    block = _block(draw, libraries, depth - 1)
    if kind == "limit":
        targets = [(one.name, control.name) for one in libraries for control in one.controls]
        limit = _limit(draw, [*targets, (plain.INTERFACE, "threads")], ())
        return plain.Within(Limit(limit.target, limit.control, limit.value), block)
    if kind in ("together", "block"):
        return plain.Within("together" if kind == "together" else "", block)
    argument = None if kind == "narrow" else ("n", draw(st.integers(1, 3)))
    return plain.Call(library.name, kind, argument, block)


def _block(draw: st.DrawFn, libraries: list[plain.Library], depth: int) -> tuple[plain.Statement, ...]:
    return tuple(_statement(draw, libraries, depth) for _ in range(draw(st.integers(1, 3))))


@st.composite
def applications(draw: st.DrawFn) -> Application:
    """Up to three libraries that use each other, and an application."""
    libraries: list[plain.Library] = []
    for index in range(draw(st.integers(1, 3))):
        libraries.append(_library(draw, index, libraries))
    held: st.SearchStrategy[int | str] = st.sampled_from([1, 2, 3, 5, 9, 0, "3", "99", "many", ""])
    environment: dict[str, int | str] = draw(st.dictionaries(st.sampled_from(plain.VARIABLES), held))
    targets = [(one.name, control.name) for one in libraries for control in one.controls]
    limits = tuple(_limit(draw, targets, ()) for _ in range(draw(_FEW)))
    return Application(
        tuple(libraries),
        draw(st.integers(1, 8)),
        draw(st.sampled_from([None, 1, 3])),
        draw(st.sampled_from([None, "1.5", "2"])),
        environment,
        limits,
        _block(draw, libraries, 3),
    )


def _composed(application: Application) -> list[tuple[Value, ...]] | None:
    """What the elaborated application's probes report; None where a value, or a pin to no CPU, is refused."""
    text = str(application)
    parsed = parse(text)
    assert not parsed.faults, parsed.faults
    program = Program((SourceFile("random.lpcl", text, parsed),))
    facts: dict[str, Value] = {"cpus.online": application.online}
    if application.affinity is not None:
        facts["cpus.affinity"] = application.affinity
    if application.quota is not None:
        facts["cpus.quota"] = Fraction(application.quota)
    try:
        elaborated = elaborate(
            program,
            program.declarations["random.app"][0],
            MachineView("m", facts, {}),
            Settings(),
            lambda qualified, _: program.declarations[qualified][0],
        )
    except Refusal as refusal:
        if refusal.diagnostic.code in ("value-rejected", "out-of-range"):
            return None
        raise
    return list(_probes(elaborated.root.body))


def _probes(statement: Statement) -> Iterator[tuple[Value, ...]]:
    """What the probes below a statement report, in the order in which one executor meets them."""
    if isinstance(statement, Activity):
        if statement.place.operation == "probe":
            yield tuple(item.low for item in statement.demands)
        if isinstance(statement.workers, ProcessWorkers):
            yield from _probes(statement.workers.process.body)
        if statement.body is not None:
            yield from _probes(statement.body)
    else:
        for member in members(statement):
            yield from _probes(member)


def _pinned_by_a_variable(held: int) -> Application:
    """An application whose library pins its process to as many CPUs as a variable says."""
    threads = plain.Control("threads", None, None, ("A",), None, Expression("1"), None, None)
    pin = Pin(Expression("threads"))
    library = plain.Library("lib0", (threads,), False, (), (pin,), (), (), (), "fork", None)
    return Application((library,), 2, None, None, {"A": held}, (), (plain.Call("lib0", "probe"),))


@PROFILE
@given(applications())
@example(_pinned_by_a_variable(0))
@example(_pinned_by_a_variable(1))
def test_controls_have_the_values_that_the_rule_gives(application: Application) -> None:
    expected: list[tuple[int, ...]] | None
    try:
        expected = plain.Plain(application).values()
    except Rejected:
        expected = None
    found = _composed(application)
    if found != expected:
        pytest.fail(f"evaluated {expected}, elaborated {found}\n{application}", pytrace=False)
