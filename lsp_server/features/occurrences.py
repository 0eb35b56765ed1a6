"""Where something that a program declares is named: at its declarations, and wherever it is used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lpcl.model.contracts import Contract, lineage
from lpcl.model.program import Declared, SourceFile
from lpcl.syntax import nodes
from lpcl.syntax.span import Span
from lsp_server.references import Target, target
from lsp_server.surroundings import MEMBERS, Named, kind_of, members_of
from lsp_server.views import View, absolute

TOP = ("resource", "machine", "interface", "contract", "application")
"""The kinds of declaration that stand in a file itself."""

KINDS = frozenset({*TOP, *MEMBERS, "parameter"})
"""What can be followed: the names that a program gives, not those of variables or of the language."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place where the name stands; `declares` where it is given there."""

    file: SourceFile
    span: Span
    declares: bool


Place = tuple[str, int, int]


def followed(view: View, offset: int) -> Target | None:
    """What is named at an offset, if it can be followed."""
    found = target(view, offset)
    if found is None or found.kind not in KINDS or not found.found:
        return None
    return found if found.name == view.file.text[found.span.start : found.span.end] else None


def declarations(view: View, found: Target) -> tuple[Named, ...]:
    """All declarations that are one with what is meant: of all versions, promised and inherited ones."""
    made: dict[Place, Named] = {}
    for item in found.found:
        for twin in _twins(view, item):
            made[_place(twin)] = twin
    return tuple(made.values())


def occurrences(view: View, name: str, declared: tuple[Named, ...]) -> Iterator[Occurrence]:
    """The places in the files of a project where one of some declarations of a name is meant."""
    places = {_place(item) for item in declared}
    for file in view.workspace.files:
        if file not in view.workspace.targets or name not in file.text:
            continue
        here = View(absolute(file.path), file, view.workspace, view.encoding)
        seen: set[Span] = set()
        for offset in _candidates(file, name):
            meant = followed(here, offset)
            if meant is None or meant.name != name or meant.span in seen:
                continue
            if any(_place(item) in places for item in meant.found):
                seen.add(meant.span)
                place = (file.path, meant.span.start, meant.span.end)
                yield Occurrence(file, meant.span, place in places)


def _place(item: Named) -> Place:
    return item.file.path, item.span.start, item.span.end


def _candidates(file: SourceFile, name: str) -> Iterator[int]:
    """The offsets at which a path or a name in the tree has the name as one of its parts."""
    for node in file.parsed.file.walk():
        match node:
            case nodes.Name() if node.text == name:
                yield node.span.start
            case nodes.Ref() | nodes.Reference() | nodes.Import() if name in node.path.split("."):
                at = file.text.find(node.path, node.span.start, node.span.end)
                for part in node.path.split(".") if at >= 0 else ():
                    if part == name:
                        yield at
                    at += len(part) + 1


def _twins(view: View, item: Named) -> Iterator[Named]:
    yield item
    if item.kind in TOP:
        for rivals in view.workspace.program.declarations.values():
            if any(rival.file is item.file and rival.node.name.span == item.span for rival in rivals):
                yield from (
                    Named(kind_of(rival.node), rival.name, rival.node, rival.file) for rival in rivals
                )
    elif item.kind in MEMBERS and item.owner is not None:
        for relative in _family(view, item.owner.declared, item.kind, item.name):
            for member in members_of(relative):
                if kind_of(member) == item.kind and getattr(member, "name", None) == nodes.Name(item.name):
                    yield Named(item.kind, item.name, member, relative.file, view.names.contract(relative))


def _family(view: View, first: Declared, kind: str, name: str) -> Iterator[Declared]:
    """The contracts and interfaces that share a member: as bases, heirs, promises or providers."""
    having: list[tuple[Declared, set[int]]] = []
    for items in view.workspace.program.declarations.values():
        for item in items:
            if isinstance(item.node, nodes.Contract | nodes.Interface):
                whole = view.names.contract(item)
                if name in getattr(whole, MEMBERS[kind]):
                    having.append((item, {id(other.node) for other in _above(view, whole)}))
    reached = {id(first.node)}
    growing = True
    while growing:
        growing = False
        for item, above in having:
            if id(item.node) not in reached and (
                above & reached
                or any(id(other.node) in reached and id(item.node) in theirs for other, theirs in having)
            ):
                reached.add(id(item.node))
                growing = True
    return (item for item, _ in having if id(item.node) in reached)


def _above(view: View, whole: Contract) -> Iterator[Declared]:
    """What a contract or interface extends and implements."""
    for item in (whole.declared, *whole.interfaces):
        yield from lineage(view.workspace.program, item)
