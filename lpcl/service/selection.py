"""Which application is meant by what somebody wrote on a command line."""

from __future__ import annotations

from collections.abc import Sequence

from lpcl.model.program import Declared
from lpcl.service.workspace import Workspace, open_workspace


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
    if not found and any(file.parsed.faults for file in workspace.targets):
        what = f"no application {name}" if name else "no application"
        raise Unanswerable(
            f"{what} can be made out in {path or 'the project'}, which has faults of syntax: "
            f"'lpclc check{f' {path}' if path else ''}' shows them"
        )
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
