"""What a name in an expression means at its place, and of what type it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from lpcl.check.context import MANY, Context, nearest, offered
from lpcl.check.figures import figure_hint
from lpcl.model import contracts, types
from lpcl.model.machine import DERIVED, FACTS
from lpcl.model.program import SourceFile
from lpcl.syntax import nodes


@dataclass(frozen=True, slots=True)
class Value:
    """The type of an expression, and its value where that is the same everywhere."""

    type: types.Type
    constant: Fraction | bool | str | None = None


NOT_KNOWN = Value(types.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a name means nothing here. `part` is the piece of the path that is wrong."""

    code: str
    part: str
    headline: str
    help: str | None


class Deferred:
    """A name whose type follows from an expression, found when first asked for; unknown in itself.

    `needs` are the names of that kind that the expression reads. They are found first, so that a long chain
    of names takes no deep stack.
    """

    def __init__(self, infer: Callable[[], Value], needs: Callable[[], Iterable[Deferred]]) -> None:
        self._infer = infer
        self._needs = needs
        self._value: Value | None = None
        self._busy = False

    def value(self) -> Value:
        """The type, and where it is always the same the value, of what the name stands for."""
        if self._value is None and not self._busy:
            self._find()
        return NOT_KNOWN if self._value is None else self._value

    def _find(self) -> None:
        waiting = [self]
        while waiting:
            one = waiting[-1]
            if one._value is None and not one._busy:
                one._busy = True
                waiting.extend(need for need in one._needs() if need._value is None and not need._busy)
                continue
            waiting.pop()
            if one._value is None:
                one._value = one._infer()
                one._busy = False


@dataclass(eq=False)
class Scope:
    """Names at one place: its own, those of the contract around it, the machine's, and controls of others.

    `groups` are further dotted names by their first part (`process.rss`). `anything` lets unknown bare names
    pass, as in evidence, whose names are whatever its Python reports. Without `foreign` the controls of
    libraries cannot be read.
    """

    context: Context
    file: SourceFile
    names: dict[str, Value | Deferred] = field(default_factory=dict)
    parent: Scope | None = None
    owner: contracts.Contract | None = None
    groups: Mapping[str, Mapping[str, types.Type]] = field(default_factory=dict)
    foreign: bool = True
    anything: bool = False

    def child(self, names: Mapping[str, Value | Deferred]) -> Scope:
        """A scope in which `names` are known too, before those of this one."""
        return Scope(
            self.context,
            self.file,
            dict(names),
            parent=self,
            owner=self.owner,
            groups=self.groups,
            foreign=self.foreign,
            anything=self.anything,
        )

    def known(self) -> set[str]:
        """The bare names that mean something here."""
        names = set(self.names)
        return names | self.parent.known() if self.parent is not None else names

    def knows(self, name: str) -> bool:
        """Whether a bare name means something here."""
        return name in self.names or (self.parent is not None and self.parent.knows(name))

    def alike(self, members: Iterable[str]) -> set[str]:
        """What a bare name may be a slip for: what is known here, and some members; nothing if it is much."""
        number = 0
        scope: Scope | None = self
        while scope is not None:
            number += len(scope.names)
            scope = scope.parent
        return {*self.known(), *members} if number <= MANY else set()

    def deferred(self, name: str) -> Deferred | None:
        """What a bare name stands for, where that follows from an expression."""
        entry = self.names.get(name)
        if entry is None:
            return None if self.parent is None else self.parent.deferred(name)
        return entry if isinstance(entry, Deferred) else None

    def lookup(self, path: str) -> Value | Problem:
        """What `path` means, or why it means nothing."""
        if "." not in path:
            return self._bare(path)
        head, _, rest = path.partition(".")
        if head == "machine":
            return _fact(rest)
        if head in self.groups:
            return self._grouped(head, rest)
        return self._control(path)

    def function(self, path: str) -> Value | Problem | None:
        """What a call of `path` gives, or what is wrong with it; None where there is no such function."""
        return None

    def _bare(self, name: str) -> Value | Problem:
        entry = self.names.get(name)
        if isinstance(entry, Value):
            return entry
        if entry is not None:
            return entry.value()
        if self.parent is not None:
            return self.parent.lookup(name)
        if self.anything:
            return NOT_KNOWN
        return self._unknown(name)

    def is_excused(self, name: str, known: Iterable[str]) -> bool:
        """Whether a bare name that means nothing may be one that the text was to declare."""
        if self.owner is None:
            return self.context.may_be_lost(self.file, name)
        return self.context.is_excused(self.owner, name, known)

    def _unknown(self, name: str) -> Problem:
        help_text = None
        if name.upper() == name and len(name) > 2 and not name.isdigit():
            help_text = "an environment variable is read through the control that it sets"
        elif name == "machine":
            help_text = "say which figure, such as `machine.cpus.online`"
        elif (found := self.context.find(self.file, name)) is not None:
            kind = type(found.node).__name__.lower()
            return Problem("unknown-name", name, f"`{name}` is {article(kind)}, not a value", None)
        return Problem("unknown-name", name, f"`{name}` is not known here", help_text)

    def _grouped(self, head: str, rest: str) -> Value | Problem:
        members = self.groups[head]
        if rest in members:
            return Value(members[rest])
        return Problem(
            "unknown-measurement",
            rest,
            f"`{head}` has no measurement `{rest}`",
            offered(rest, members, "it has"),
        )

    def _control(self, path: str) -> Value | Problem:
        holder, _, name = path.rpartition(".")
        target = self.library(holder)
        if target is None:
            if self._is_dependency(holder) or self.context.may_be_imported(self.file, holder):
                return NOT_KNOWN
            if holder in ("process", "cgroup", "pressure"):
                return Problem(
                    "unknown-name",
                    holder,
                    f"`{path}` is measured while a program runs",
                    "only a signal's source can read it",
                )
            return self._no_holder(holder)
        control = target.controls.get(name)
        if control is not None and not self.foreign:
            return Problem(
                "unknown-name",
                path,
                f"the value of `{path}` differs from process to process",
                "only contracts can read it; `limit` and `with` can set it",
            )
        if control is not None:
            return Value(types.of(control.node.type))
        if self.context.is_excused(target, name, target.controls):
            return NOT_KNOWN
        return Problem(
            "unknown-member",
            name,
            f"`{target.name}` has no control `{name}`",
            offered(name, target.controls, "its controls"),
        )

    def _no_holder(self, holder: str) -> Problem:
        if self.anything:
            known: Iterable[str] = ("machine",)
        else:
            uses = self.owner.uses if self.owner is not None else {}
            known = {"machine", *uses, *self.context.program.scope(self.file)}
        close = nearest(holder, known)
        return Problem(
            "unknown-name",
            holder,
            f"`{holder}` is not known here",
            f"did you mean `{close}`?"
            if close
            else "a library has to be imported before its controls are read",
        )

    def _is_dependency(self, name: str) -> bool:
        return self.owner is not None and name in self.owner.uses

    def library(self, path: str) -> contracts.Contract | None:
        """The contract or interface that `path` names here: a dependency, or one that the file knows."""
        if self.owner is not None and self._is_dependency(path):
            found = self.context.dependency(self.owner.uses[path]).seen
        else:
            found = self.context.find(self.file, path)
        if found is not None and isinstance(found.node, nodes.Contract | nodes.Interface):
            return self.context.contract(found)
        return None


def article(word: str) -> str:
    """The word with `a` or `an`."""
    return f"an {word}" if word[:1] in "aeio" else f"a {word}"


def _fact(path: str) -> Value | Problem:
    fact = FACTS.get(path)
    if fact is not None:
        return Value(types.NumberType(fact.dimension, fact.whole))
    if path in DERIVED:
        return Value(types.REAL)
    if path == "gpu.memory.free":
        return Value(types.SIZE)
    return Problem(
        "unknown-figure",
        path,
        f"a machine has no figure `{path}`",
        figure_hint(path, [*FACTS, *DERIVED]),
    )
