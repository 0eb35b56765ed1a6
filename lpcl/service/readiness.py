"""Whether applications can be composed, whatever is wrong beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lpcl.diagnostics.diagnostic import Diagnostic
from lpcl.model.program import Declared, Program
from lpcl.service.workspace import Workspace
from lpcl.syntax import nodes


@dataclass(frozen=True)
class Blocked:
    """What keeps applications from being composed.

    `files` are the files with errors, each with the names of what the applications need of it.
    """

    errors: tuple[Diagnostic, ...]
    files: tuple[tuple[str, tuple[str, ...]], ...]


def ready(
    workspace: Workspace, applications: Sequence[Declared], machine: str | None = None
) -> tuple[Workspace, tuple[Declared, ...]] | Blocked:
    """The applications in a workspace without errors, for all that they rest on; `machine` is one they may
    be composed for. Files with errors that hold nothing of it are not in the workspace.
    """
    if not workspace.errors:
        return workspace, tuple(applications)
    from lpcl.check.needed import needed, obstacles

    program = workspace.program
    machines = (
        item
        for items in program.declarations.values()
        for item in items
        if isinstance(item.bare, nodes.Machine) and machine in (item.name, item.qualified)
    )
    wanted = needed(program, [*applications, *machines])
    own = {file.path: wanted.names(file) for file in wanted.files}
    texts = workspace.texts
    unread = [item for item in workspace.errors if item.location.path not in texts or item.code == "encoding"]
    errors = [item for item in unread if item.code == "bad-configuration"]
    errors += obstacles(program, wanted, workspace.catalogue)
    if errors:  # which may be because of what could not be read
        errors = list(dict.fromkeys([*unread, *errors]))
        places = dict.fromkeys(item.location.path for item in errors)
        return Blocked(tuple(errors), tuple((path, own.get(path, ())) for path in places))
    wrong = {item.location.path for item in workspace.errors}
    files = tuple(file for file in program.files if file.path in own or file.path not in wrong)
    targets = workspace.targets.intersection(files)
    sound = replace(workspace, program=Program(files), targets=targets)
    return sound, tuple(_same(sound.program, item) for item in applications)


def _same(program: Program, item: Declared) -> Declared:
    return next(one for one in program.declarations[item.qualified] if one.file is item.file)
