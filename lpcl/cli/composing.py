"""What the commands that compose an application share: choosing it, and saying why it cannot be composed."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn, TypeVar

import click

from lpcl import service
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
        help="Set a variable, a control of the application, or LIBRARY.CONTROL. NAME= unsets a variable.",
    )(function)


def chosen(spec: str, colour: bool) -> tuple[service.Workspace, Declared]:
    """The application that the command line names; ends the command where its files are broken."""
    workspace, (application,) = chosen_together((spec,), colour)
    return workspace, application


def chosen_together(specs: Sequence[str], colour: bool) -> tuple[service.Workspace, tuple[Declared, ...]]:
    """The applications that the command line names; ends the command where their files are broken."""
    workspace, applications = service.select_applications(specs)
    if workspace.errors:
        show(workspace.errors, workspace, colour)
        names = " and ".join(specs)
        its = "its" if len(specs) == 1 else "their"
        click.echo(f"{names} cannot be composed before {its} errors are mended.", err=True)
        raise SystemExit(BROKEN)
    return workspace, applications


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
