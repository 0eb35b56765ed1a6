"""`lpclc check`: find mistakes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from lpcl import __version__, service
from lpcl.cli.output import colour_option, no_files, wants_colour
from lpcl.diagnostics.diagnostic import Diagnostic, FixGrade, Severity

if TYPE_CHECKING:
    from lpcl.cache.recording import Recording

FORMATS = ("text", "concise", "json", "jsonl", "sarif", "github", "junit")
FOR_PEOPLE = frozenset({"text", "concise", "github"})
"""The formats that leave remarks out unless they are asked for."""

Found = tuple[Diagnostic, ...]


@click.command("check", short_help="find mistakes in contracts, applications and tests")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option(
    "--format",
    "output",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    metavar="FORMAT",
    help="How to print the findings: text, concise (a line each), json, jsonl (a JSON object a line), sarif, "
    "github (annotations) or junit.",
)
@colour_option
@click.option("--strict", is_flag=True, help="Let warnings count as errors do.")
@click.option("--fix", is_flag=True, help="Make the changes that are safe, then report what is left.")
@click.option(
    "--unsafe-fixes",
    "unsafe",
    is_flag=True,
    help="Make the changes that may change the meaning, too, such as other names for misspelled ones.",
)
@click.option("--quick", is_flag=True, help="Leave out what takes looking at all machines and settings.")
@click.option("-v", "--verbose", is_flag=True, help="Show remarks, too, which matter less than warnings.")
@click.option("--no-cache", is_flag=True, help="Look at everything again, and keep nothing for next time.")
@click.pass_obj
def command(
    record: Recording | None,
    paths: tuple[str, ...],
    output: str,
    color: str,
    strict: bool,
    fix: bool,
    unsafe: bool,
    quick: bool,
    verbose: bool,
    no_cache: bool,
) -> None:
    """Find mistakes in files and folders: names, types, units, arguments,
    interfaces, and what values can come to.

    Without PATHS: the folders that [tool.lpcl] in pyproject.toml names, else the current folder.

    Exit status: 0 no errors, 1 errors, 2 there are no files, or one that does not exist or cannot be read.
    """
    fix = fix or unsafe
    unwritten = _fix(paths, unsafe=unsafe) if fix else False
    workspace = service.open_workspace(paths)
    found = workspace.diagnostics if quick else workspace.all_diagnostics
    least = Severity.WARNING if strict else Severity.ERROR
    shown = found
    if output in FOR_PEOPLE and not verbose:
        shown = tuple(item for item in found if item.severity is not Severity.INFO)
    if output == "text":
        coloured = wants_colour(color)
        text = _text(shown, len(found) - len(shown), workspace, coloured)
    else:
        coloured = sys.stdout.isatty()
        text = rendered(shown, workspace, output, least)
    if text:
        text = text + "\n" if coloured else click.unstyle(text + "\n")
        click.echo(text, nl=False, color=True)
    nothing = not workspace.targets and not workspace.missing
    if nothing:
        click.echo(no_files(paths), err=True)
    status = _status(found, missing=workspace.missing or unwritten or nothing, least=least)
    if record is not None and not (fix or no_cache or nothing):
        record.keep(text, status)
    raise SystemExit(status)


def _fix(paths: tuple[str, ...], *, unsafe: bool) -> bool:
    """Make the changes, and say so; whether some file could not be written."""
    mended = service.mend(paths, unsafe=unsafe)
    failures = service.save(mended)
    for path, reason in failures:
        click.echo(f"lpclc check: {path} is left as it was: {reason}", err=True)
    if mended.number and not failures:
        files = len(mended.texts)
        click.echo(
            f"{mended.number} change{'' if mended.number == 1 else 's'} "
            f"in {files} file{'' if files == 1 else 's'}.",
            err=True,
        )
    return bool(failures)


def rendered(found: Found, workspace: service.Workspace, output: str, least: Severity) -> str:
    """Findings in one of the formats for programs; those as grave as `least` fail the command."""
    texts = workspace.texts
    match output:
        case "concise":
            from lpcl.diagnostics.render import concise

            return concise.render(found, texts)
        case "github":
            from lpcl.diagnostics.render import github

            return github.render(found, texts)
        case "sarif":
            from lpcl.diagnostics.render import sarif

            return sarif.render(found, texts, __version__)
        case "junit":
            from lpcl.diagnostics.render import junit

            return junit.render(found, texts, (file.path for file in workspace.targets), least)
        case "jsonl":
            from lpcl.diagnostics.render import json

            return json.render_lines(found, texts)
        case _:
            from lpcl.diagnostics.render import json

            return json.render(found, texts, len(workspace.targets))


_SHOWN = 1000
"""So many findings are shown to people at a time."""


def _text(found: Found, hidden: int, workspace: service.Workspace, colour: bool) -> str:
    from lpcl.diagnostics.render import text

    parts = [text.render(found[:_SHOWN], workspace.texts, colour=colour)] if found else []
    if len(found) > _SHOWN:
        parts.append(f"{len(found) - _SHOWN} more not shown; --format concise shows all.\n")
    if not workspace.targets:
        return "\n".join(parts)
    parts.append(text.summary(found, {file.path for file in workspace.targets}))
    grades = [item.fix.grade for item in found if item.fix is not None and item.fix.edits]
    for grade, how in (
        (FixGrade.SAFE, "can be mended with --fix"),
        (FixGrade.UNSAFE, "may be mended with --unsafe-fixes"),
    ):
        if grade in grades:
            parts.append(f"{grades.count(grade)} {how}.")
    if hidden:
        parts.append(f"{hidden} remark{'' if hidden == 1 else 's'} not shown; --verbose shows them.")
    return "\n".join(parts)


def _status(found: Found, *, missing: bool, least: Severity) -> int:
    if missing:
        return 2
    return 1 if any(item.severity.rank <= least.rank for item in found) else 0
