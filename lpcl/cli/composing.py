"""What the commands that compose an application share: choosing it, and saying why it cannot be composed."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn, TypeVar

import click

from lpcl import service
from lpcl.cache.territory import shown_path
from lpcl.diagnostics.diagnostic import Diagnostic
from lpcl.model.program import Declared

BROKEN = 2

FunctionT = TypeVar("FunctionT", bound=Callable[..., None])


def machine_option(function: FunctionT) -> FunctionT:
    """`--machine`."""
    return click.option(
        "--machine", metavar="NAME", help="Compose it on this machine instead of its own; 'host' is this one."
    )(function)


def set_option(function: FunctionT) -> FunctionT:
    """`--set`, which may be given more than once."""
    return click.option(
        "--set",
        "choices",
        multiple=True,
        metavar="NAME=VALUE",
        help="Set a variable, a control of the application, by its name or its argument (--set --jobs=2), or "
        "LIBRARY.CONTROL. NAME= unsets a variable; APP:NAME=VALUE is for one of several applications.",
    )(function)


def chosen(spec: str, colour: bool, machine: str | None = None) -> tuple[service.Workspace, Declared]:
    """The application that the command line names; ends the command where what it needs is broken."""
    workspace, (application,) = chosen_together((spec,), colour, machine)
    return workspace, application


def chosen_together(
    specs: Sequence[str], colour: bool, machine: str | None = None
) -> tuple[service.Workspace, tuple[Declared, ...]]:
    """The applications that the command line names; ends the command where what they need is broken."""
    workspace, applications = service.select_applications(specs)
    ready = service.ready(workspace, applications, machine)
    if isinstance(ready, service.Blocked):
        show(ready.errors, workspace, colour)
        click.echo(_blocked(specs, {item.file.path for item in applications}, ready), err=True)
        raise SystemExit(BROKEN)
    return ready


def _blocked(specs: Sequence[str], own: set[str], blocked: service.Blocked) -> str:
    """Which files keep applications from being composed, and why they do, in a sentence."""
    names = " and ".join(specs)
    its, needs = ("its", "it needs") if len(specs) == 1 else ("their", "they need")
    elsewhere = [(shown_path(path), wanted) for path, wanted in blocked.files if path not in own and wanted]
    if len(elsewhere) < len(blocked.files):
        elsewhere_too = "".join(
            f", and those in {path}, of which {needs} {_some(w)}" for path, w in elsewhere
        )
        return f"{names} cannot be composed before {its} errors are mended{elsewhere_too}."
    parts = (f"{_some(wanted)} of {path}" for path, wanted in elsewhere)
    return f"{names} cannot be composed before these errors are mended: {needs} {' and '.join(parts)}."


def _some(names: Sequence[str]) -> str:
    """A few names: `a`, `a and b`, `a, b and 3 more`."""
    quoted = [f"`{name}`" for name in names]
    *first, last = quoted if len(names) <= 3 else [*quoted[:2], f"{len(names) - 2} more"]
    return f"{', '.join(first)} and {last}" if first else last


def show(found: Sequence[Diagnostic], workspace: service.Workspace, colour: bool) -> None:
    """Print diagnostics to standard error."""
    from lpcl.diagnostics.render import text

    click.echo(text.render(tuple(found), workspace.texts, colour=colour), err=True, color=colour)


def write(command: str, output: Path, text: str) -> None:
    """Write a file whole or not at all; ends the command where it cannot be written."""
    try:
        partial = output.with_name(f".{output.name}.part")
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, output)
    except OSError as problem:
        refuse(command, f"{output} cannot be written: {problem.strerror or problem}")


def refuse(command: str, problem: object) -> NoReturn:
    """End the command with one line of why."""
    click.echo(f"lpclc {command}: {problem}", err=True)
    raise SystemExit(BROKEN)
