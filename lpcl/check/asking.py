"""Questions about a program, and who asked them: what makes it possible to check only what an edit touched.

Rules read their own declaration, and ask for everything else. `Answers` gives the answers for one program;
each is a value that can be compared with the answer of a later program. A declaration stands in an answer as
its mark, so that an answer differs when the declaration's text does. `Asking` notes what was asked while a
unit of work ran, and `Asked` is a program that asks: rules use it as they would use any other.

Two things are not asked for. The place of what is elsewhere: a finding that points there says so by itself.
And the file's own head, its package and imports, which every unit is taken to have read.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Protocol, TypeVar
from weakref import WeakKeyDictionary

from lpcl.model import contracts, types
from lpcl.model.program import Declared, Mark, Program, SourceFile
from lpcl.model.promises import asked
from lpcl.syntax import nodes
from lpcl.syntax.pieces import Piece, Placed
from lpcl.syntax.span import Span

Question = tuple[Any, ...]
"""The name of a method of `Answers`, and its arguments."""

Notes = dict[Question, Any]
"""Questions with the answers that they had."""

ValueT = TypeVar("ValueT")
N = TypeVar("N", bound=nodes.Node)


class Catalogue(Protocol):
    """What could be imported, whether or not it has been."""

    def packages(self) -> Iterable[str]:
        """The names of all packages that can be found."""
        ...

    def homes(self, kinds: Iterable[str], name: str) -> Iterable[str]:
        """The packages in which a declaration of one of these kinds (``resource``) has the name."""
        ...


class NoCatalogue:
    """Nothing more than the program."""

    def packages(self) -> Iterable[str]:
        """See `Catalogue.packages`."""
        return ()

    def homes(self, kinds: Iterable[str], name: str) -> Iterable[str]:
        """See `Catalogue.homes`."""
        return ()


# ------------------------------------------------------------------ what the items of a piece say


class Words:
    """The names below an item: those that expressions read, all that may refer, and those given a value."""

    def __init__(self, kinds: Mapping[type, list[Any]]) -> None:
        def of(kind: type[N]) -> Iterable[N]:
            return kinds.get(kind, ())

        read = {asked(node.path) for node in of(nodes.Reference)}
        read.update(node.control.path for node in of(nodes.Scales))
        named = {node.path for node in of(nodes.Ref)}
        named.update(node.name.text for node in of(nodes.Uses))
        given = {node.name.text for node in of(nodes.Argument)}
        limits: list[nodes.Limit | nodes.LimitBlock] = [*of(nodes.Limit), *of(nodes.LimitBlock)]
        given.update(node.target.path.rpartition(".")[2] for node in limits)
        self.read = frozenset(read)
        self.named = frozenset(named | read)
        self.given = frozenset(given)
        self.outside = frozenset(
            path.rpartition(".")[2] for path in read if "." in path and not path.startswith("machine.")
        )
        self.heads = frozenset(_beginnings(self.named))


def _beginnings(paths: Iterable[str]) -> Iterator[str]:
    """All that a path may refer to: itself, and what stands before any of its dots."""
    for path in paths:
        yield path
        while "." in path:
            path = path.rpartition(".")[0]
            yield path


_BELOW: WeakKeyDictionary[Piece, tuple[Mapping[type, list[Any]], ...]] = WeakKeyDictionary()
_WORDS: WeakKeyDictionary[Piece, tuple[Words, ...]] = WeakKeyDictionary()


def below(placed: Placed) -> tuple[Mapping[type, list[Any]], ...]:
    """The nodes of each bare item of a piece by their class, in order; each item is walked once."""
    found = _BELOW.get(placed.piece)
    if found is None:
        found = _BELOW[placed.piece] = tuple(map(nodes.by_kind, placed.bare))
    return found


def words(placed: Placed) -> tuple[Words, ...]:
    """The words of each item of a piece."""
    found = _WORDS.get(placed.piece)
    if found is None:
        found = _WORDS[placed.piece] = tuple(map(Words, below(placed)))
    return found


Reader = tuple[str, str, types.Type]
"""A control that a variable sets: its library, its name, its type."""

_READERS: WeakKeyDictionary[Piece, tuple[tuple[tuple[str, Reader], ...], ...]] = WeakKeyDictionary()


def _readers(declared: Declared) -> tuple[tuple[str, Reader], ...]:
    """The variables that set a control of a declaration, each with the control."""
    piece = declared.placed.piece
    found = _READERS.get(piece)
    if found is None:
        found = _READERS[piece] = tuple(tuple(_variables(item)) for item in declared.placed.bare)
    return found[declared.index]


def _variables(item: nodes.Item) -> Iterator[tuple[str, Reader]]:
    for member in item.members if isinstance(item, nodes.Contract | nodes.Interface) else ():
        for clause in member.clauses if isinstance(member, nodes.Control) else ():
            for name in clause.names if isinstance(clause, nodes.EnvSource) else ():
                assert isinstance(member, nodes.Control)
                assert isinstance(item, nodes.Contract | nodes.Interface)
                yield name.text, (item.name.text, member.name.text, types.of(member.type))


# ------------------------------------------------------------------ answers


class Answers:
    """The answers to all questions about one program. Each question is answered once."""

    def __init__(self, program: Program, catalogue: Catalogue) -> None:
        self.program = program
        self._catalogue = catalogue
        self._given: Notes = {}

    def answer(self, question: Question) -> Any:
        """The answer to a question."""
        try:
            return self._given[question]
        except KeyError:
            found = self._given[question] = getattr(self, question[0])(*question[1:])
            return found

    def holds(self, notes: Notes) -> bool:
        """Whether all questions still have the answers that were noted."""
        given = self._given
        for question, before in notes.items():
            now = given[question] if question in given else self.answer(question)
            if now is not before and now != before:
                return False
        return True

    @cached_property
    def files(self) -> Mapping[str, SourceFile]:
        """The files by path."""
        return {file.path: file for file in self.program.files}

    def placed(self, path: str, piece: Piece) -> Placed | None:
        """Where a piece stands in a file now; None where it is no more."""
        found: Mapping[Piece, Placed] = self.answer(("pieces", path))
        return found.get(piece)

    # -------------------------------------------------------------- the questions, by name

    def pieces(self, path: str) -> Mapping[Piece, Placed]:
        """The pieces of a file. Nobody asks for all of them."""
        file = self.files.get(path)
        return {} if file is None else {placed.piece: placed for placed in file.parsed.pieces}

    def head(self, path: str) -> tuple[Any, ...]:
        """The package and the imports of a file."""
        file = self.files.get(path)
        if file is None:
            return ()
        heads = (nodes.Package, nodes.Import)
        listed = (
            placed.piece for placed in file.parsed.pieces if any(isinstance(i, heads) for i in placed.bare)
        )
        return file.package, *listed

    def find(self, path: str, name: str) -> Mark | None:
        """What a name refers to in a file."""
        file = self.files.get(path)
        found = None if file is None else self.program.find(file, name)
        return None if found is None else found.mark

    def scope(self, path: str, name: str) -> Mark | None:
        """What a bare name refers to in a file."""
        file = self.files.get(path)
        found = None if file is None else self.program.scope(file).get(name)
        return None if found is None else found.mark

    def names(self, path: str) -> tuple[Any, ...]:
        """The bare names that mean something in a file, with what kind of thing each refers to."""
        file = self.files.get(path)
        known = {} if file is None else self.program.scope(file)
        return tuple((name, found.qualified, type(found.bare)) for name, found in known.items())

    def brought(self, path: str, number: int, name: str) -> Mark | None:
        """What an import brings in under a name."""
        found = self._imported(path, number).get(name)
        return None if found is None else found.mark

    def brings(self, path: str, number: int) -> tuple[str, ...]:
        """The names that an import brings in."""
        return tuple(self._imported(path, number))

    def _imported(self, path: str, number: int) -> Mapping[str, Declared]:
        file = self.files.get(path)
        if file is None or number >= len(file.imports):
            return {}
        return self.program.imported(file, file.imports[number])

    def declared(self, qualified: str) -> tuple[Mark, ...]:
        """The declarations of a qualified name."""
        return tuple(item.mark for item in self.program.declarations.get(qualified, ()))

    def package(self, name: str) -> tuple[Mark, ...] | None:
        """All that a package declares; None where there is no such package."""
        found = self.program.packages.get(name)
        return None if found is None else tuple(item.mark for item in found)

    def is_package(self, name: str) -> bool:
        """Whether there is a package."""
        return name in self.program.packages

    def everything(self) -> tuple[Mark, ...]:
        """All declarations."""
        return tuple(item.mark for items in self.program.declarations.values() for item in items)

    def called(self, name: str, kinds: tuple[type, ...]) -> tuple[str, ...]:
        """The qualified names of the declarations of some kinds that have a name."""
        return tuple(
            qualified
            for qualified in self._by_name.get(name, ())
            if isinstance(self.program.declarations[qualified][0].bare, kinds)
        )

    @cached_property
    def _by_name(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        for qualified, items in self.program.declarations.items():
            found.setdefault(items[0].name, []).append(qualified)
        return found

    def broken(self, path: str, piece: Piece, start: int, end: int) -> bool | None:
        """Whether there is a fault between two places, which are stated as in the text of the piece."""
        placed = self.placed(path, piece)
        if placed is None:
            return None
        first, last = start + placed.by, end + placed.by
        return any(first <= fault.span.start <= last for fault in self.files[path].parsed.faults)

    def lost(self, path: str, word: str) -> bool:
        """Whether a word may be declared in a part of a file that could not be parsed."""
        file = self.files.get(path)
        if file is None or not file.parsed.faults:
            return False
        known = self._declaring.get(path)
        if known is None:
            known = self._declaring[path] = frozenset(_declared(file.text))
        return word in known

    @cached_property
    def _declaring(self) -> dict[str, frozenset[str]]:
        return {}

    def variable(self, name: str) -> tuple[tuple[str, str] | None, tuple[types.Type, ...]]:
        """What a variable sets: the first control with its library, and the types of all controls."""
        found = self._variables.get(name)
        if found is None:
            return None, ()
        (library, control, _), *_ = (reader for _, reader in found)
        return (library, control), tuple(dict.fromkeys(kind for _, (_, _, kind) in found))

    def reader(self, name: str) -> tuple[Declared, str]:
        """The declaration and the name of the first control that a variable sets. To point at, not to ask."""
        declared, (_, control, _) = self._variables[name][0]
        return declared, control

    @cached_property
    def _variables(self) -> Mapping[str, list[tuple[Declared, Reader]]]:
        found: dict[str, list[tuple[Declared, Reader]]] = {}
        for items in self.program.declarations.values():
            for item in items:
                for name, reader in _readers(item):
                    found.setdefault(name, []).append((item, reader))
        return found

    def heirs(self, mark: Mark) -> tuple[Mark, ...]:
        """The declarations that extend one, directly or not."""
        return tuple(item.mark for item in self.heirs_of(mark))

    def heirs_of(self, mark: Mark) -> tuple[Declared, ...]:
        """The same as declarations."""
        return tuple(self._heirs.get(mark, ()))

    @cached_property
    def _heirs(self) -> Mapping[Mark, list[Declared]]:
        found: dict[Mark, list[Declared]] = {}
        for items in self.program.declarations.values():
            for item in items:
                if isinstance(item.bare, nodes.Contract | nodes.Interface) and item.bare.base is not None:
                    for ancestor in contracts.lineage(self.program, item)[:-1]:
                        found.setdefault(ancestor.mark, []).append(item)
        return found

    def read_outside(self, name: str) -> bool:
        """Whether some expression reads a name behind a dot, as in `library.threads`."""
        return name in self._outside

    @cached_property
    def _outside(self) -> frozenset[str]:
        return frozenset().union(
            *(
                found.outside
                for file in self.program.files
                for placed in file.parsed.pieces
                for found in words(placed)
            )
        )

    def named(self, name: str) -> bool:
        """Whether some path that may refer to a declaration ends in a name, as `a.b` does in `b`."""
        return name in self._named

    @cached_property
    def _named(self) -> frozenset[str]:
        return frozenset(
            path.rpartition(".")[2]
            for file in self.program.files
            for placed in file.parsed.pieces
            for found in words(placed)
            for path in found.named
        )

    def has_application(self, path: str) -> bool:
        """Whether a file declares an application."""
        file = self.files.get(path)
        return file is not None and any(
            isinstance(bare, nodes.Application) for placed in file.parsed.pieces for bare in placed.bare
        )

    def homes(self, kinds: tuple[str, ...], name: str) -> tuple[str, ...]:
        """The packages that could be imported for a declaration of one of some kinds."""
        return tuple(self._catalogue.homes(kinds, name))

    def packages(self) -> tuple[str, ...]:
        """The packages that could be imported."""
        return tuple(self._catalogue.packages())


def _declared(text: str) -> Iterator[str]:
    """The words that a text may declare, however broken it is."""
    for found in _DECLARED.finditer(text):
        yield found[1] or found[2]
    for line in _LISTING.finditer(text):
        end = text.find("\n", line.end())
        for word in _LISTED.finditer(text, line.end()):
            if 0 <= end < word.start():
                break
            yield word[1]


_DECLARING = (
    "control|pool|operation|let|signal|uses|use|"
    "resource|contract|interface|machine|application|import|package"
)
_DECLARED = re.compile(rf"\b(?:{_DECLARING})(?=\s+(\w+))|[,(](?=\s*(\w+)\s*:)")
_LISTING = re.compile(r"^.*?\b(?:env|import)\b", re.MULTILINE)
_LISTED = re.compile(r"\b(\w+)\b(?!\s*=)")


# ------------------------------------------------------------------ asking


class Asking:
    """Asks, and notes it for the unit of work that is under way."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self._notes: list[Notes] = []

    def ask(self, *question: Any) -> Any:
        """The answer to a question."""
        found = self.answers.answer(question)
        if self._notes:
            self._notes[-1][question] = found
        return found

    def add(self, notes: Notes) -> None:
        """Note what was asked for something that is used again."""
        if self._notes:
            self._notes[-1].update(notes)

    @contextmanager
    def noting(self) -> Iterator[Notes]:
        """What is asked meanwhile, and it alone."""
        notes: Notes = {}
        self._notes.append(notes)
        try:
            yield notes
        finally:
            self._notes.pop()

    def is_broken(self, file: SourceFile, span: Span) -> bool:
        """Whether the text there has a fault of syntax, so that what is missing may only be unread."""
        placed = self.piece_at(file, span.start)
        found = self.ask("broken", file.path, placed.piece, span.start - placed.by, span.end - placed.by)
        return bool(found)

    @staticmethod
    def piece_at(file: SourceFile, offset: int) -> Placed:
        """The piece of a file that holds the token at an offset."""
        placed = file.parsed.pieces
        return placed[max(bisect_right(placed, offset, key=lambda item: item.begin) - 1, 0)]


class _Noted(Mapping[str, ValueT]):
    """A mapping that tells what is looked up in it, and when somebody looks at all of it."""

    def __init__(
        self, plain: Mapping[str, ValueT], one: Callable[[str], object], every: Callable[[], object]
    ) -> None:
        self._plain = plain
        self._one = one
        self._every = every

    def __getitem__(self, key: str) -> ValueT:
        self._one(key)
        return self._plain[key]

    def get(self, key: str, default: Any = None) -> Any:
        self._one(key)
        return self._plain.get(key, default)

    def __contains__(self, key: object) -> bool:
        self._one(str(key))
        return key in self._plain

    def __iter__(self) -> Iterator[str]:
        self._every()
        return iter(self._plain)

    def __len__(self) -> int:
        self._every()
        return len(self._plain)


class Asked(Program):
    """A program of which everything that is looked up is noted.

    Of the names of a scope or of an import that are gone through, only their names and kinds may be read.
    """

    def __init__(self, asking: Asking) -> None:
        plain = asking.answers.program
        object.__setattr__(self, "files", plain.files)
        object.__setattr__(self, "_plain", plain)
        object.__setattr__(self, "_asking", asking)

    _plain: Program
    _asking: Asking

    @cached_property
    def declarations(self) -> Mapping[str, tuple[Declared, ...]]:
        """See `Program.declarations`."""
        ask = self._asking.ask
        return _Noted(self._plain.declarations, lambda name: ask("declared", name), lambda: ask("everything"))

    @cached_property
    def packages(self) -> Mapping[str, tuple[Declared, ...]]:
        """See `Program.packages`."""
        ask = self._asking.ask
        return _Noted(self._plain.packages, lambda name: ask("package", name), lambda: ask("everything"))

    @property
    def resources(self) -> Mapping[str, Declared]:
        """See `Program.resources`."""
        self._asking.ask("everything")
        return self._plain.resources

    @property
    def flattened(self) -> dict[Declared, object]:
        """Nothing is kept: who flattens a contract looks up what it consists of."""
        return {}

    def imported(self, file: SourceFile, item: nodes.Import) -> Mapping[str, Declared]:
        """See `Program.imported`."""
        ask, path = self._asking.ask, file.path
        number = next(number for number, other in enumerate(file.imports) if other is item)
        return _Noted(
            self._plain.imported(file, item),
            lambda name: ask("brought", path, number, name),
            lambda: ask("brings", path, number),
        )

    def scope(self, file: SourceFile) -> Mapping[str, Declared]:
        """See `Program.scope`."""
        ask, path = self._asking.ask, file.path
        return _Noted(
            self._plain.scope(file), lambda name: ask("scope", path, name), lambda: ask("names", path)
        )

    def find(self, file: SourceFile, path: str) -> Declared | None:
        """See `Program.find`."""
        self._asking.ask("find", file.path, path)
        return self._plain.find(file, path)
