"""Another name for something that a project declares, in all its files at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from lsprotocol import types

from lpcl.cache.territory import WHY_NOT, is_installed
from lpcl.diagnostics.diagnostic import Edit, Location
from lpcl.diagnostics.fixes import edited
from lsp_server.features.occurrences import Occurrence, declarations, followed, occurrences
from lsp_server.views import View, absolute

_NAME = re.compile(r"[^\W\d]\w*")

Opened = Callable[[dict[str, str]], View]
"""Opens the whole project, with texts in the place of what is there now, by absolute path."""


class Refused(Exception):
    """A renaming that cannot be made, and why."""


def place(view: View, offset: int) -> types.Range | None:
    """The name at an offset, if it is one that can be changed."""
    found = followed(view, offset)
    return None if found is None else view.positions.range(found.span)


def references(
    view: View, opened: Opened, offset: int, uri: Callable[[str], str], *, declaring: bool
) -> list[types.Location]:
    """Where what stands at an offset is named in the project, its declarations only if they are wanted."""
    if followed(view, offset) is None:
        return []
    project = opened({})
    found = followed(project, offset)
    if found is None:
        return []
    return [
        types.Location(uri(absolute(item.file.path)), project.positions_in(item.file).range(item.span))
        for item in occurrences(project, found.name, declarations(project, found))
        if declaring or not item.declares
    ]


def rename(
    view: View, opened: Opened, offset: int, name: str, uri: Callable[[str], str]
) -> types.WorkspaceEdit:
    """The edits that give what stands at an offset another name. Raises `Refused`.

    The project is checked as it would be: nothing may be wrong that was not before, and the name may mean
    nothing else anywhere.
    """
    project = opened({}) if followed(view, offset) is not None else None
    found = followed(project, offset) if project is not None else None
    if project is None or found is None:
        raise Refused("what stands here is not named by the project")
    if not _NAME.fullmatch(name):
        raise Refused(f"`{name}` is not a name: letters, digits and underscores, a letter first")
    if name == found.name:
        return types.WorkspaceEdit(changes={})
    declared = declarations(project, found)
    for item in declared:
        if item.file not in project.workspace.targets:
            raise Refused(
                f"`{found.name}` is declared in {item.file.path}, which is not part of this project"
            )
        if is_installed(absolute(item.file.path)):
            raise Refused(f"`{found.name}` is declared in {item.file.path}, and {WHY_NOT}")
    places = list(occurrences(project, found.name, declared))
    texts = _renamed(places, name)
    _sound(project, opened(texts), found.name, name, places)
    changes: dict[str, list[types.TextEdit]] = {}
    for place_ in places:
        where = project.positions_in(place_.file).range(place_.span)
        changes.setdefault(uri(absolute(place_.file.path)), []).append(types.TextEdit(where, name))
    return types.WorkspaceEdit(changes=changes)


def _renamed(places: list[Occurrence], name: str) -> dict[str, str]:
    """The texts with the new name, by absolute path."""
    edits: dict[str, list[Edit]] = {}
    files = {item.file.path: item.file for item in places}
    for item in places:
        location = Location(item.file.path, item.span.start, item.span.end)
        edits.setdefault(item.file.path, []).append(Edit(location, name))
    return {absolute(path): edited(files[path].text, made) for path, made in edits.items()}


def _sound(before: View, after: View, old: str, name: str, places: list[Occurrence]) -> None:
    """See to it that the new name is wrong nowhere, and means the same thing everywhere."""
    known = {item.headline.replace(old, name) for item in before.workspace.errors}
    for error in after.workspace.errors:
        if error.headline.replace(old, name) not in known:
            raise Refused(f"`{old}` cannot be called `{name}`: {error.headline}")
    moved = _moved(places, len(name) - len(old))
    path, offset = min(moved)
    found = None
    for file in after.workspace.targets:
        if file.path == path:
            found = followed(replace(after, path=absolute(path), file=file), offset)
    if found is None or moved != {
        (item.file.path, item.span.start) for item in occurrences(after, name, declarations(after, found))
    }:
        raise Refused(f"`{old}` cannot be called `{name}`: something else has that name")


def _moved(places: list[Occurrence], by: int) -> set[tuple[str, int]]:
    """Where the names stand once each is so much longer."""
    moved: set[tuple[str, int]] = set()
    number: dict[str, int] = {}
    for item in sorted(places, key=lambda item: item.span.start):
        path = item.file.path
        moved.add((path, item.span.start + by * number.get(path, 0)))
        number[path] = number.get(path, 0) + 1
    return moved
