"""What applications mean on machines: compositions, values, tests, plans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lpcl.diagnostics.diagnostic import Diagnostic
from lpcl.model.program import Declared
from lpcl.service.hosts import host_machine
from lpcl.service.selection import Unanswerable
from lpcl.service.workspace import Workspace

if TYPE_CHECKING:
    from lpcl.compose.answers import Answers
    from lpcl.compose.anywhere import Anywhere
    from lpcl.compose.changes import Change
    from lpcl.compose.composition import Composition, Outcome
    from lpcl.compose.expectations import TestResult
    from lpcl.compose.machine import MachineView
    from lpcl.compose.single import Told
    from lpcl.compose.threads import ProcessThreads
    from lpcl.compose.why import Explained
    from lpcl.plan import Plan


def compose_application(
    workspace: Workspace, application: Declared, machine: str | None = None, choices: Sequence[str] = ()
) -> Outcome:
    """Compose one application; see `compose_applications`."""
    return compose_applications(workspace, (application,), machine, choices)


def compose_applications(
    workspace: Workspace,
    applications: Sequence[Declared],
    machine: str | None = None,
    choices: Sequence[str] = (),
) -> Outcome:
    """Compose applications that run at once, on the named machine (or ``host``) instead of their own, with
    some settings chosen.

    `choices` are texts such as ``OMP_NUM_THREADS=4``, or ``trainer:OMP_NUM_THREADS=4`` for one of several.
    Raises `Unanswerable` for a machine or a choice that does not exist; what keeps the applications from
    having a meaning is in the outcome.
    """
    from lpcl.compose.choices import BadChoice, chosen_parts
    from lpcl.compose.composition import Outcome, compose_together, machine_named
    from lpcl.compose.refusal import Refusal

    host = host_machine()
    application = applications[0]
    try:
        parts = chosen_parts(workspace.program, applications, choices)
        view = None if machine is None else machine_named(workspace.program, application, machine, host)
    except BadChoice as problem:
        raise Unanswerable(str(problem)) from None
    except Refusal as refusal:
        return Outcome(None, (refusal.diagnostic,))
    if isinstance(view, tuple):
        are = "is" if len(view) == 1 else "are"
        raise Unanswerable(f"there is no machine {machine}: there {are} {', '.join(view)}")
    return compose_together(workspace.program, parts, view, host)


def compose_anywhere(
    workspace: Workspace,
    applications: Sequence[Declared],
    machine: str | None = None,
    choices: Sequence[str] = (),
    ranges: Sequence[str] = (),
) -> Anywhere | tuple[Diagnostic, ...] | None:
    """What is wrong with applications, and on which machines in range; None where a single machine is meant.

    `machine` is ``any``, or a machine some of whose figures are ranges; `ranges` are texts such as
    ``cpus.online=1..64``. What keeps the applications from having a meaning comes as diagnostics. Raises
    `Unanswerable`.
    """
    from lpcl.compose.anywhere import anywhere
    from lpcl.compose.choices import BadChoice, chosen_parts
    from lpcl.compose.ranging import common_machines
    from lpcl.compose.refusal import Refusal

    try:
        machines = common_machines(workspace.program, applications, machine, host_machine(), ranges)
        if machines is None:
            return None
        return anywhere(workspace.program, chosen_parts(workspace.program, applications, choices), machines)
    except BadChoice as problem:
        raise Unanswerable(str(problem)) from None
    except Refusal as refusal:
        return (refusal.diagnostic,)


def answers_of(composition: Composition) -> Answers:
    """All questions about a composition, answered."""
    from lpcl.compose.answers import answers

    return answers(composition)


def tell(composition: Composition, asked: Sequence[str]) -> Told:
    """The answers to some of the questions about a composition, by their names in `lpcl.compose.single`."""
    from lpcl.compose import single

    return single.tell(composition, asked)


def explain_value(composition: Composition, name: str) -> tuple[Explained, tuple[Change, ...]]:
    """Where a value of a composition comes from, and what would change it. Raises `Unanswerable`."""
    from lpcl.compose.changes import changes
    from lpcl.compose.why import BadQuestion, explain

    try:
        explained = explain(composition, name)
    except BadQuestion as problem:
        raise Unanswerable(str(problem)) from None
    return explained, changes(composition, explained)


def run_tests(workspace: Workspace, keyword: str = "") -> Iterator[TestResult]:
    """Judge the tests of the files that were asked for whose titles hold `keyword`, one after the other."""
    from lpcl.compose.expectations import all_tests, run_test

    host = host_machine()
    for file, test in all_tests(workspace.program, workspace.targets):
        if keyword in test.title.value:
            yield run_test(workspace.program, file, test, host)


def thread_counts(
    workspace: Workspace, application: Declared, machine: MachineView
) -> tuple[ProcessThreads, ...] | tuple[Diagnostic, ...]:
    """The threads that each class of an application's processes has on a machine, parents before children.

    What keeps the application from having a meaning is given instead; nothing where it is not decided.
    """
    from lpcl.compose.composition import contract_chooser
    from lpcl.compose.meaning import TooManyOptions
    from lpcl.compose.refusal import Refusal
    from lpcl.compose.threads import thread_counts as count

    try:
        chooser = contract_chooser(workspace.program, application)
        return count(workspace.program, application, machine, chooser)
    except Refusal as refusal:
        return (refusal.diagnostic,)
    except TooManyOptions:
        return ()


def most_threads(workspace: Workspace, application: Declared) -> int | None:
    """The most threads that an application has at one moment, in all its processes, on its own machine.

    None where it has no meaning, or where that is not decided.
    """
    from lpcl.compose.meaning import TooManyOptions, peak
    from lpcl.compose.measures import ThreadMeasure

    outcome = compose_application(workspace, application)
    if outcome.composition is None:
        return None
    try:
        return int(peak(outcome.composition.elaborated.root, ThreadMeasure()).amount)
    except TooManyOptions:
        return None


def plan_application(
    workspace: Workspace, application: Declared, machine: str | None = None, choices: Sequence[str] = ()
) -> Plan | tuple[Diagnostic, ...]:
    """The plan of an application, or what keeps it from having one. Raises `Unanswerable`."""
    from lpcl.compose.answers import answers
    from lpcl.compose.planning import plan_of

    outcome = compose_application(workspace, application, machine, choices)
    if outcome.composition is None:
        return outcome.diagnostics
    return plan_of(answers(outcome.composition))
