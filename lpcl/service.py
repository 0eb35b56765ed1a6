"""The one door of LPCL: a workspace is a frozen snapshot of files, and answers questions about them.

The command line and the language server use this module and nothing behind it. It prints nothing, and it runs
nothing that comes from a contract.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from lpcl.cache import world
from lpcl.check.checker import check
from lpcl.check.memo import Memo
from lpcl.check.names import Names as Names
from lpcl.compat.change import Change as ContractChange
from lpcl.compat.change import Level, deserved
from lpcl.compat.change import Release as Release
from lpcl.diagnostics.codes import CODES
from lpcl.diagnostics.diagnostic import Diagnostic, Fix, Severity, in_order
from lpcl.diagnostics.fixes import SAFE, UNSAFE, apply
from lpcl.diagnostics.suppression import MARK, Sifted, Source, Suppressed, sift
from lpcl.model.program import Declared, Program, SourceFile
from lpcl.packages import loader
from lpcl.packages.reading import Successive
from lpcl.syntax import nodes

if TYPE_CHECKING:
    from lpcl.compose.answers import Answers
    from lpcl.compose.anywhere import Anywhere
    from lpcl.compose.changes import Change
    from lpcl.compose.composition import Composition, Outcome
    from lpcl.compose.expectations import TestResult as TestResult
    from lpcl.compose.machine import MachineView as MachineView
    from lpcl.compose.single import Told
    from lpcl.compose.threads import ProcessThreads as ProcessThreads
    from lpcl.compose.why import Explained
    from lpcl.model.host import HostFacts
    from lpcl.packages.catalogue import Entry as Entry
    from lpcl.plan import Plan


_BY_VALUES = frozenset({"values"})
"""The families of codes that `Workspace.diagnostics` does not look for."""


@dataclass(frozen=True, eq=False)
class Workspace:
    """The files that were asked for (`targets`) and all that they import, as they were when it was opened.

    `missing` tells whether a path that was asked for does not exist or cannot be read.
    """

    program: Program
    targets: frozenset[SourceFile]
    missing: bool
    _loaded: loader.Loaded = field(repr=False)
    _memo: Memo | None = field(default=None, repr=False)
    _world: world.Known = field(default_factory=dict, repr=False)

    @property
    def files(self) -> tuple[SourceFile, ...]:
        """All files, those that were asked for first."""
        return self.program.files

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The text of each file by the path that findings name it by."""
        return {file.path: file.text for file in self.program.files}

    @cached_property
    def names(self) -> Names:
        """What names refer to: declarations in files, contracts with what they inherit, dependencies."""
        return Names(self.program)

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong, in order: all of it in the files asked for, and the errors of those they import.

        What comments allow is left out, and severities are as the project sets them. What values can come to
        is not looked into: see `all_diagnostics`.
        """
        return in_order([*self._loaded.findings, *self._weighed(self._sifted.kept)])

    @cached_property
    def all_diagnostics(self) -> tuple[Diagnostic, ...]:
        """The same with what the values of contracts can come to, which may take the solver."""
        sifted = sift([*self._found, *self._values], self._sources)
        return in_order([*self._loaded.findings, *self._weighed(sifted.kept)])

    @property
    def suppressed(self) -> tuple[Suppressed, ...]:
        """What comments in the files asked for allow."""
        return self._sifted.suppressed

    @cached_property
    def _sources(self) -> Mapping[str, Source]:
        return {
            file.path: Source(
                file.text,
                tuple((comment.span.start, comment.span.end) for comment in file.parsed.comments)
                if MARK in file.text
                else (),
                not file.parsed.faults,
            )
            for file in self.targets
        }

    @cached_property
    def _found(self) -> tuple[Diagnostic, ...]:
        wanted = {file.path for file in self.targets}
        with world.taken_as(self._world) if self._memo is not None else nullcontext():
            found = check(
                self.program, catalogue=self._loaded.index, practised=self._practised(), memo=self._memo
            )
        return tuple(
            item for item in found if item.severity is Severity.ERROR or item.location.path in wanted
        )

    @cached_property
    def _values(self) -> tuple[Diagnostic, ...]:
        """What values can come to in the files asked for that have no errors."""
        from lpcl.compat.implements import implementations
        from lpcl.ranges.judge import judge

        wrong = {item.location.path for item in self._found if item.severity is Severity.ERROR}
        sound = [file for file in self._practised() if file.path not in wrong]
        return (*implementations(self.program, sound), *judge(self.program, sound))

    @cached_property
    def _sifted(self) -> Sifted:
        return sift(self._found, self._sources, _BY_VALUES)

    def _practised(self) -> list[SourceFile]:
        return [file for file in self.files if file in self.targets]

    def _weighed(self, found: tuple[Diagnostic, ...]) -> Iterator[Diagnostic]:
        for item in found:
            severity = self._loaded.severities(item.location.path).get(item.code, item.severity)
            if severity is not None:
                yield item if severity is item.severity else replace(item, severity=severity)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The findings that keep a program from meaning anything, whatever a project's settings say."""
        return tuple(item for item in self.diagnostics if CODES[item.code].severity is Severity.ERROR)

    def applications(self) -> tuple[Declared, ...]:
        """The applications of the files that were asked for, in order."""
        return tuple(
            item
            for items in self.program.declarations.values()
            for item in items
            if isinstance(item.bare, nodes.Application) and item.file in self.targets
        )


def open_workspace(paths: Sequence[str] = (), overlay: Mapping[str, str] | None = None) -> Workspace:
    """Read files and folders with all that they import.

    Without paths: the folders that `[tool.lpcl]` of the nearest `pyproject.toml` names, else the current
    folder.
    `overlay` gives texts that take the place of what is on disk, by path, as an editor has them.
    """
    loaded = loader.load(paths, overlay)
    return Workspace(loaded.program, loaded.targets, loaded.missing, loaded)


class Session:
    """Workspaces that are opened again and again while their texts are edited.

    Each is what `open_workspace` would give, and costs no more than what changed since the one before: files
    are parsed from the texts that they had, and findings kept where nothing they rest on changed. A workspace
    that was given out does not change.
    """

    KEPT = 32
    """So many sets of paths are kept in mind, those that were opened last."""

    def __init__(self) -> None:
        self._make = Successive()
        self._memos: dict[tuple[str, ...], Memo] = {}
        self._world: world.Known = {}

    def stale(self) -> None:
        """Something may have changed that is not in the texts: until this is said, the disk is read once."""
        self._world = {}

    def open(self, paths: Sequence[str], overlay: Mapping[str, str] | None = None) -> Workspace:
        """See `open_workspace`."""
        key = tuple(paths)
        memo = self._memos[key] = self._memos.pop(key, Memo())
        if len(self._memos) > self.KEPT:
            del self._memos[next(iter(self._memos))]
        with world.taken_as(self._world):
            loaded = loader.load(paths, overlay, self._make)
        return Workspace(loaded.program, loaded.targets, loaded.missing, loaded, memo, self._world)


@dataclass(frozen=True, slots=True)
class Mended:
    """A workspace as it was, the new texts of its files by path, and how many fixes were made."""

    before: Workspace
    texts: Mapping[str, str]
    number: int


_ROUNDS = 20
"""A fix may bring about another one; more rounds than this are not made."""


def mend(paths: Sequence[str] = (), *, unsafe: bool = False) -> Mended:
    """Apply the safe fixes to the files asked for, as texts: nothing is written.

    What they lead to is checked again; one after which something is reported that was not before is not made.
    With `unsafe`, fixes that may change the meaning are applied, too. Only new errors count then, for a file
    whose last error is mended is looked at more closely than before.
    """
    first = workspace = open_workspace(paths)
    texts: dict[str, str] = {}
    number = 0
    for _ in range(_ROUNDS):
        fixes = [item.fix for item in workspace.diagnostics if item.fix is not None]
        attempt = _attempt(workspace, fixes, paths, texts, unsafe)
        if attempt is None:  # some of them do harm: those that do so alone, or at least some of them together
            harmless = [fix for fix in fixes if _attempt(workspace, [fix], paths, texts, unsafe) is not None]
            attempt = _attempt(workspace, harmless, paths, texts, unsafe)
            attempt = attempt or _attempt(workspace, harmless[:1], paths, texts, unsafe)
        if attempt is None or not attempt[2]:
            break
        workspace, made, more = attempt
        texts.update(made)
        number += more
    return Mended(first, texts, number)


def save(mended: Mended) -> tuple[tuple[str, str], ...]:
    """Write the new texts; the paths of files that could not be written, each with the reason."""
    from lpcl.packages.writing import replace as replace_text

    reasons = (
        (path, replace_text(path, mended.before.texts[path], text)) for path, text in mended.texts.items()
    )
    return tuple((path, reason) for path, reason in reasons if reason is not None)


def _attempt(
    before: Workspace, fixes: Sequence[Fix], paths: Sequence[str], texts: Mapping[str, str], unsafe: bool
) -> tuple[Workspace, Mapping[str, str], int] | None:
    """The workspace after some fixes, with the texts that changed; None where something new is wrong then."""
    own = {file.path: file.text for file in before.targets}
    made = apply(fixes, own, UNSAFE if unsafe else SAFE)
    if not made.number:
        return before, {}, 0
    after = open_workspace(paths, {**texts, **made.texts})
    new = _tally(after, unsafe) - _tally(before, unsafe)
    return None if new else (after, made.texts, made.number)


def _tally(workspace: Workspace, errors: bool) -> Counter[tuple[str, str, str]]:
    found = workspace.errors if errors else workspace.diagnostics
    return Counter((item.location.path, item.code, item.headline) for item in found)


class Unanswerable(ValueError):
    """A question that cannot be asked as it was put; its text says why and what would be right."""


def select_application(spec: str) -> tuple[Workspace, Declared]:
    """The application that `spec` names, with its workspace.

    `spec` is a file that declares one application, ``FILE:NAME``, or the name of an application in the
    project's own folders. Raises `Unanswerable`; the workspace's errors are for the caller to look at.
    """
    path, name = _place_of(spec)
    workspace = open_workspace(() if path is None else (path,))
    if workspace.missing:
        raise Unanswerable(f"{path}: there is no such file, or it cannot be read")
    applications = workspace.applications()
    if not name and len(applications) == 1:
        return workspace, applications[0]
    found = [item for item in applications if name in (item.name, item.qualified)]
    if len(found) == 1:
        return workspace, found[0]
    names = ", ".join(dict.fromkeys(item.name for item in applications)) or "none"
    if not name:
        wanted = (
            f"say which with {path}:NAME" if applications else "declare one with `application name { ... }`"
        )
        raise Unanswerable(f"{path} declares {len(applications)} applications ({names}): {wanted}")
    if found:
        files = ", ".join(f"{item.file.path}:{name}" for item in found)
        raise Unanswerable(f"several applications are called {name}: say which of {files}")
    from difflib import get_close_matches

    close = get_close_matches(name, [item.name for item in applications], n=1)
    hint = f"did you mean {close[0]}?" if close else f"there are {names}"
    raise Unanswerable(f"there is no application {name}: {hint}")


def _place_of(spec: str) -> tuple[str | None, str]:
    """The path, None for the project's own folders, and the name that tell which application is meant."""
    path, _, name = spec.rpartition(":") if ":" in spec else (spec, "", "")
    return (path, name) if path.endswith(".lpcl") or "/" in path else (None, spec)


def select_applications(specs: Sequence[str]) -> tuple[Workspace, tuple[Declared, ...]]:
    """The applications that `specs` name, in one workspace with all their files; see `select_application`."""
    chosen = [select_application(spec) for spec in specs]
    if len(chosen) == 1:
        workspace, application = chosen[0]
        return workspace, (application,)
    paths = [_place_of(spec)[0] for spec in specs]
    if None in paths and any(path is not None for path in paths):
        whole: tuple[str, ...] = tuple(dict.fromkeys(found.file.path for _, found in chosen))
    else:
        whole = tuple(dict.fromkeys(path for path in paths if path is not None))
    workspace = open_workspace(whole)
    return workspace, tuple(
        next(item for item in workspace.applications() if _is_same(item, found)) for _, found in chosen
    )


def _is_same(item: Declared, other: Declared) -> bool:
    return (item.file.path, item.qualified) == (other.file.path, other.qualified)


@dataclass(frozen=True)
class Compared:
    """Changes between two versions of contracts, or the `errors` that keep them from being compared.

    `following` is the version that follows the old one, where that is known.
    """

    old: str
    new: str
    changes: tuple[ContractChange, ...]
    release: Release
    following: str | None
    errors: tuple[Diagnostic, ...]
    texts: Mapping[str, str]

    def shown(self, verbose: bool) -> tuple[ContractChange, ...]:
        """The changes that people see: those that are neutral only with `verbose`."""
        return tuple(item for item in self.changes if verbose or item.level is not Level.NEUTRAL)


def compare_contracts(
    old: str | None, new: str | None, against: str | None = None, version: str | None = None
) -> Compared:
    """Compare two versions of contracts; with `against`, what `old` names now with what it was in a revision.

    Raises `Unanswerable` for what names no contracts. Reading a revision runs `git`.
    """
    from lpcl.compat import sides
    from lpcl.compat.compare import compare
    from lpcl.compat.release import following

    try:
        if against is None:
            assert old is not None
            assert new is not None
            before, after = sides.open_side(old, new), sides.open_side(new, old)
        else:
            paths = [old] if old is not None else sides.project_folders() or ["."]
            before = sides.at_revision(against, [sides.below_top(path) for path in paths])
            after = sides.open_paths(paths)
    except sides.NoSide as problem:
        raise Unanswerable(str(problem)) from None
    errors = [*_errors(before.loaded), *_errors(after.loaded)]
    texts = {file.path: file.text for side in (before, after) for file in side.loaded.program.files}
    if errors:
        return Compared(before.label, after.label, (), Release.NONE, None, in_order(errors), texts)
    changes = compare(
        (before.loaded.program, before.loaded.targets), (after.loaded.program, after.loaded.targets)
    )
    release = deserved(changes)
    stated = version or before.version
    number = None if stated is None else following(stated, release)
    if version is not None and number is None:
        raise Unanswerable(f"{version} is not a version number, such as 1.4.2")
    return Compared(before.label, after.label, changes, release, number, (), texts)


def _errors(loaded: loader.Loaded) -> list[Diagnostic]:
    found = [*loaded.findings, *check(loaded.program, catalogue=loaded.index)]
    return [item for item in found if item.severity is Severity.ERROR]


def contracts() -> tuple[Entry, ...]:
    """All contracts that can be found from the current folder."""
    from lpcl.packages.catalogue import catalogue

    return catalogue(loader.everything())


def contracts_to_read() -> tuple[Program, tuple[Declared, ...], tuple[Declared, ...]]:
    """All contracts that can be found from the current folder, with their program, for a reader.

    What only others extend is left out: it is in each of them. Contracts in files with faults of syntax come
    separately, last: what is left of them need not mean what was meant.
    """
    from lpcl.packages.versions import requirements

    program = loader.everything()
    found = [
        item
        for _, items in sorted(program.declarations.items())
        for item in items
        if isinstance(item.node, nodes.Contract)
    ]
    bases = {
        id(base)
        for item in found
        if isinstance(item.node, nodes.Contract) and item.node.base is not None
        for base in [program.find(item.file, item.node.base.path)]
    }
    whole = [item for item in found if not item.file.parsed.faults]
    read = tuple(item for item in whole if id(item) not in bases or requirements(item))
    return program, read, tuple(item for item in found if item.file.parsed.faults)


def stdlib_folder() -> str | None:
    """Where the standard library's contracts are; None where it is not installed."""
    from lpcl.packages import roots

    root = roots.stdlib()
    return None if root is None else root.folder


def contracts_of(workspace: Workspace, application: Declared) -> tuple[Entry, ...]:
    """The contracts of the names that an application uses, and of those that these lead to."""
    from lpcl.check.context import Context
    from lpcl.check.reach import items, reach
    from lpcl.packages.catalogue import catalogue

    node = application.node
    assert isinstance(node, nodes.Application)
    found = reach(Context(workspace.program), application.file, node)
    stated: dict[str, str] = {}
    for item in items(node):
        declared = workspace.program.find(application.file, item.library.path)
        if declared is not None and item.version is not None:
            stated[declared.qualified] = item.version.value
    names = [item.qualified for item in (*found.used.values(), *found.all.values())]
    return catalogue(workspace.program, names, stated)


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


def host_machine() -> MachineView:
    """The machine that the tools run on."""
    from lpcl.model.host import read_host

    return machine_view(read_host())


def machine_view(facts: HostFacts) -> MachineView:
    """A machine whose figures were read from the kernel."""
    from lpcl.compose.machine import MachineView

    return MachineView(
        "host",
        {path: reading.value for path, reading in facts.readings.items()},
        {},
        {path: reading.source for path, reading in facts.readings.items()},
    )


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


def known_program() -> Program:
    """All files that can be found from the current folder, those of the standard library among them."""
    return loader.everything()


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
