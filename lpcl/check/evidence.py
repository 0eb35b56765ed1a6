"""Rules of evidence: an experiment on a library, its runs, and what it expects of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lpcl.check import applications, members, python_code, signals
from lpcl.check.context import Context, listed, name_span, nearest, offered
from lpcl.check.declarations import once, unique
from lpcl.check.expressions import Typer
from lpcl.check.places import deferred
from lpcl.check.reach import reach
from lpcl.check.scopes import NOT_KNOWN, Deferred, Problem, Scope, Value
from lpcl.model import contracts, types
from lpcl.model.program import SourceFile
from lpcl.model.promises import (
    CONTROL_PARTS,
    CONTROL_WORDS,
    DEMAND,
    ENVIRONMENT,
    HAZARDS,
    LOAD,
    OWN,
    POOL_FUNCTIONS,
    POOL_PARTS,
    POOL_WORDS,
    PREDICTED,
    acted_out,
    plain,
)
from lpcl.syntax import nodes

_EVIDENCE_WORDS: dict[type[nodes.Node], str] = {
    nodes.Pin: "pin",
    nodes.Quota: "quota",
    nodes.Timeout: "timeout",
    nodes.PythonCode: "python",
    nodes.Run: "run",
}
_INTERPRETER: Mapping[str, Mapping[str, types.Type]] = {"python": {"minor": types.COUNT}}
_ENDING: Mapping[str, Value] = {"exit_code": Value(types.INT), "timed_out": Value(types.BOOL)}
_TRY_WORDS: dict[type[nodes.Node], str] = {nodes.Pin: "pin", nodes.Quota: "quota"}


@dataclass(eq=False)
class ExpectationScope(Scope):
    """Names in an expectation: what was reported, the contract's own values, and what is predicted."""

    speaker: Scope | None = None
    runs: bool = False

    def lookup(self, path: str) -> Value | Problem:
        """See `Scope.lookup`."""
        head, _, rest = path.partition(".")
        if rest and head == OWN:
            return self._promised(rest)
        if rest and head == PREDICTED:
            return self._predicted(rest)
        return super().lookup(path)

    def function(self, path: str) -> Value | Problem | None:
        """See `Scope.function`: `self.POOL.active(callers)` and `self.POOL.exist(callers)`."""
        head, _, rest = path.partition(".")
        if not rest or head != OWN:
            return None
        holder, _, word = rest.rpartition(".")
        found = self._member(holder) if holder else None
        if isinstance(found, Problem):
            return found
        if isinstance(found, nodes.Pool):
            if word in POOL_FUNCTIONS:
                return Value(POOL_FUNCTIONS[word])
            help_text = offered(word, POOL_FUNCTIONS, "a pool has")
            return Problem("unknown-function", word, f"a pool has no function `{word}`", help_text)
        return Problem("unknown-function", word, f"`{path}` is no function: only pools have some", None)

    def words(self, path: str) -> tuple[str, ...]:
        """The texts that a name can stand for where it is a clause with a few words; else none."""
        head, _, rest = path.partition(".")
        holder, _, part = rest.rpartition(".")
        found = self._member(holder) if head == OWN and holder else None
        if isinstance(found, nodes.Pool):
            return POOL_WORDS.get(part, ())
        return CONTROL_WORDS.get(part, ()) if isinstance(found, nodes.Control) else ()

    def _promised(self, path: str) -> Value | Problem:
        head, _, rest = path.partition(".")
        if head == LOAD and rest and self._owner_has_not(LOAD):
            return Value(types.STRING)
        if head == DEMAND and rest:
            return self._resource(rest)
        holder, _, word = path.rpartition(".")
        found = self._member(path) if self._target(holder) is not None else None
        if isinstance(found, nodes.Control):
            return Value(plain(types.of(found.type)))
        if isinstance(found, Value):
            return found
        if isinstance(found, nodes.Pool):
            return Problem(
                "unknown-member", path, f"`{path}` is a pool, not a value", offered("", POOL_PARTS, "it has")
            )
        around = self._member(holder) if holder else found
        if isinstance(around, nodes.Control):
            own = plain(types.of(around.type)) if word == "default" else CONTROL_PARTS.get(word)
            return Value(own) if own is not None else _no_part("control", word, CONTROL_PARTS)
        if isinstance(around, nodes.Pool):
            part = POOL_PARTS.get(word)
            return Value(part) if part is not None else _no_part("pool", word, POOL_PARTS)
        if found is None and self._target(holder) is None:
            return self._no_target(holder)
        return found if found is not None else NOT_KNOWN

    def _owner_has_not(self, name: str) -> bool:
        owner = self.speaker.owner if self.speaker is not None else None
        return owner is None or name not in {*owner.controls, *owner.pools, *owner.lets}

    def _member(self, path: str) -> nodes.Control | nodes.Pool | Value | Problem | None:
        """What a dotted name is in the contract or in a library that it knows."""
        holder, _, name = path.rpartition(".")
        target = self._target(holder)
        return self._no_target(holder) if target is None else self._of(target, name, own=not holder)

    def _target(self, holder: str) -> contracts.Contract | None:
        """The library of that name; the contract itself without one."""
        speaker = self.speaker
        assert speaker is not None
        return speaker.library(holder) if holder else speaker.owner

    def _no_target(self, holder: str) -> Problem:
        owner = self.speaker.owner if self.speaker is not None else None
        assert owner is not None
        close = nearest(holder, {*owner.uses, *owner.controls, *owner.pools})
        return Problem(
            "unknown-member",
            holder,
            f"`{owner.name}` has no `{holder}`",
            f"did you mean `{close}`?" if close else None,
        )

    def _of(
        self, target: contracts.Contract, name: str, *, own: bool
    ) -> nodes.Control | nodes.Pool | Value | Problem | None:
        if name in target.controls:
            return target.controls[name].node
        if name in target.pools:
            return target.pools[name].node
        if own and name in target.lets:
            assert self.speaker is not None
            value = self.speaker.lookup(name)
            return Value(plain(value.type)) if isinstance(value, Value) else value
        known = {*target.controls, *target.pools, *(target.lets if own else ())}
        if self.context.is_excused(target, name, known):
            return None
        return Problem(
            "unknown-member",
            name,
            f"`{target.name}` has no control, pool or `let` called `{name}`",
            offered(name, known, "it has"),
        )

    def _predicted(self, path: str) -> Value | Problem:
        if not self.runs:
            return Problem(
                "unknown-name",
                PREDICTED,
                "nothing is predicted: the evidence has no `run`",
                "say what the Python code does, in operations: `run { library.operation }`",
            )
        if path == HAZARDS:
            return Value(types.COUNT)
        if path.startswith(f"{ENVIRONMENT}."):
            return Value(types.STRING)
        if "." in path:
            found = self._member(path)
            if isinstance(found, nodes.Control):
                return Value(plain(types.of(found.type)))
            return found if isinstance(found, Problem) else NOT_KNOWN
        return self._resource(path)

    def _resource(self, name: str) -> Value | Problem:
        found = self.context.find(self.file, name) or self.context.find(self.file, f"lpcl.core.{name}")
        if found is not None and isinstance(found.node, nodes.Resource):
            return Value(plain(types.of(found.node.type)))
        if self.context.may_be_imported(self.file, name):
            return NOT_KNOWN
        return Problem(
            "unknown-declaration",
            name,
            f"there is no resource `{name}`",
            "import it, such as with `import lpcl.core.*`",
        )


def _no_part(kind: str, word: str, parts: Mapping[str, types.Type]) -> Problem:
    return Problem("unknown-member", word, f"a {kind} has no `{word}`", offered(word, parts, "it has"))


def check(scope: Scope, node: nodes.Evidence) -> None:
    """Check an experiment: its settings, its requirements, its runs, and what it expects."""
    context, file = scope.context, scope.file
    where = f'the evidence "{node.title.value}"'
    once(context, file, node.clauses, _EVIDENCE_WORDS, where)
    _named_once(context, file, node.clauses, where)
    names = _lets(scope, node.clauses, {})
    runs = any(isinstance(clause, nodes.Run) for clause in node.clauses)
    _clauses(scope, node.clauses, names, runs=runs)
    expects = any(isinstance(clause, nodes.ExpectValue) for clause in node.clauses)
    for clause in node.clauses:
        match clause:
            case nodes.Needs():
                if clause.versions is not None:
                    signals.constraint(context, file, clause.versions)
            case nodes.Run():
                _run(scope, node, clause)
            case nodes.PythonCode():
                python_code.check(context, file, clause.code)
            case nodes.Try():
                title = "a `try`" if clause.title is None else f'the try "{clause.title.value}"'
                once(context, file, clause.clauses, _TRY_WORDS, title)
                _named_once(context, file, clause.clauses, title)
                _clauses(scope, clause.clauses, _lets(scope, clause.clauses, names), runs=runs)
                expects = expects or any(isinstance(item, nodes.ExpectValue) for item in clause.clauses)
    python_code.unreported(context, file, node.clauses, frozenset(names))
    _subjects(scope, node)
    if context.is_broken(file, node.span):
        return
    codes = any(isinstance(clause, nodes.PythonCode) for clause in node.clauses)
    for there, word, example in (
        (codes, "python", 'add `python """..."""`, which calls `report(name=value)`'),
        (expects, "expect", "add `expect ...` over what the Python code reports"),
    ):
        if not there:
            context.report(
                "missing-clause", file, node.title.span, f"{where} has no `{word}`", help_text=example
            )


def _named_once(context: Context, file: SourceFile, clauses: tuple[nodes.Node, ...], where: str) -> None:
    named = ((item.name, "let") for item in clauses if isinstance(item, nodes.Let))
    unique(context, file, named, where)


def _lets(
    scope: Scope, clauses: tuple[nodes.Node, ...], outer: dict[str, Value | Deferred]
) -> dict[str, Value | Deferred]:
    """The values that a run has names for, those of the evidence before those of a `try`."""
    names = dict(outer)
    plainly = Scope(scope.context, scope.file, dict(names), groups=_INTERPRETER)
    for clause in clauses:
        if isinstance(clause, nodes.Let):
            names[clause.name.text] = plainly.names[clause.name.text] = deferred(clause.value, plainly)
    return names


def _clauses(
    scope: Scope, clauses: tuple[nodes.Node, ...], names: dict[str, Value | Deferred], *, runs: bool
) -> None:
    context, file = scope.context, scope.file
    fixed = Typer(Scope(context, file, dict(names), groups=_INTERPRETER))
    expectation = ExpectationScope(
        context,
        file,
        {**_ENDING, **names},
        anything=True,
        groups=_INTERPRETER,
        speaker=scope,
        runs=runs,
    )
    reported = Typer(expectation)
    for clause in clauses:
        match clause:
            case nodes.SetVariable():
                members.set_variable(fixed, clause)
            case nodes.Pin():
                fixed.require(clause.value, types.COUNT, "the number of CPUs to which a process is pinned")
            case nodes.Quota():
                fixed.require(clause.value, types.REAL, "the CPU time that a control group allows")
            case nodes.Limit():
                inside = scope.child(names)
                inside.groups = _INTERPRETER
                members.limit(Typer(inside), clause.target, clause.value)
                members.guard(fixed, clause.guard)
            case nodes.Let():
                fixed.infer(clause.value)
            case nodes.Timeout():
                fixed.require(clause.value, types.DURATION, "a time limit")
            case nodes.ExpectValue():
                reported.require(clause.condition, types.BOOL, "what is expected")
                _words(expectation, clause.condition)


_QUOTED = '`"{}"`'


def _words(scope: ExpectationScope, condition: nodes.Expression) -> None:
    """A clause that is compared with a text has to be able to say so: else the outcome is always the same."""
    for node in condition.walk():
        if not isinstance(node, nodes.Binary) or node.op not in ("==", "!="):
            continue
        for name, text in ((node.left, node.right), (node.right, node.left)):
            if not isinstance(name, nodes.Reference) or not isinstance(text, nodes.Text):
                continue
            words = scope.words(name.path)
            if words and text.value not in words:
                scope.context.report(
                    "type-mismatch",
                    scope.file,
                    text.span,
                    f'`{name.path}` is never "{text.value}"',
                    help_text=f"it is {listed([_QUOTED.format(word) for word in words], 'or')}",
                )


def _run(scope: Scope, node: nodes.Evidence, clause: nodes.Run) -> None:
    """The program that is acted out has to mean something: libraries that are known, operations they have."""
    owner = scope.owner
    assert owner is not None
    application = acted_out(node, owner.name)
    assert application is not None
    context, file = scope.context, scope.file
    for use in application.members:
        for used in use.items if isinstance(use, nodes.Use) else ():
            found = context.find(file, used.library.path)
            if found is None and not context.may_be_imported(file, used.library.path.partition(".")[0]):
                context.report(
                    "unknown-declaration",
                    file,
                    clause.span,
                    f"there is no library `{used.library.path}` here",
                    help_text="import its contract at the top of the file",
                )
    found_libraries = reach(context, file, application)
    if isinstance(owner.declared.node, nodes.Contract):
        found_libraries.used[owner.name] = owner.declared
    names = _lets(scope, node.clauses, {})
    for item in node.clauses:
        if isinstance(item, nodes.Try):
            names = {**_lets(scope, item.clauses, {}), **names}
    plainly = Scope(context, file, dict(names), foreign=False)
    applications.block(Typer(plainly), clause.block, found_libraries, {})


def _subjects(scope: Scope, node: nodes.Evidence) -> None:
    """The clauses that the evidence is said to be about have to exist."""
    owner = scope.owner
    assert owner is not None
    for ref in node.subjects:
        holder, _, name = ref.path.rpartition(".")
        target = scope.library(holder) if holder else owner
        known = _named(target) if target is not None else set()
        if name not in known and not scope.context.is_excused(target or owner, name, known):
            close = nearest(name, known)
            scope.context.report(
                "unknown-member",
                scope.file,
                name_span(ref, name),
                f"`{owner.name}` has no clause `{ref.path}`",
                help_text=f"did you mean `{close}`?" if close else None,
            )


def _named(target: contracts.Contract) -> set[str]:
    return {
        *target.controls,
        *target.pools,
        *target.operations,
        *target.uses,
        *target.lets,
        *target.signals,
    }
