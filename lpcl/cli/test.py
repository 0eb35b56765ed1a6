"""`lpclc test`: run the tests that are written in LPCL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from lpcl import service
from lpcl.cli.composing import BROKEN, show
from lpcl.cli.output import colour_option, no_files, wants_colour
from lpcl.diagnostics.diagnostic import Location, Severity
from lpcl.diagnostics.places import Places

if TYPE_CHECKING:
    from lpcl.compose.expectations import Judgement
    from lpcl.diagnostics.render.github import Annotation

VERSION = 1
"""Of the shape of the JSON object."""
FORMATS = ("text", "json", "junit", "github")
FOR_PEOPLE = frozenset({"text", "github"})
"""The formats that end with how many tests passed and failed."""


@click.command("test", short_help="run the tests that are written in LPCL")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option("-k", "keyword", default="", metavar="TEXT", help="Only tests whose titles hold this text.")
@click.option("-v", "--verbose", is_flag=True, help="Name the tests that pass, too.")
@click.option(
    "--format",
    "output",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="How to print the results; github is annotations of those that fail.",
)
@colour_option
def command(paths: tuple[str, ...], keyword: str, verbose: bool, output: str, color: str) -> None:
    """Compose the applications that tests name and hold the findings against what the tests expect.

    Nothing of the applications is run. Without PATHS: as for 'lpclc check'.

    Exit status: 0 every test passes, 1 some fail, 2 files are broken or there are no tests.
    """
    colour = wants_colour(color)
    workspace = service.open_workspace(paths)
    broken = bool(workspace.errors) or workspace.missing
    if broken and output == "text":
        show(workspace.errors, workspace, colour)
        raise SystemExit(BROKEN)
    results = () if broken else service.run_tests(workspace, keyword)
    if output == "text":
        passed, failed = _print(results, workspace, colour, verbose)
    else:
        listed = tuple(results)
        passed = sum(result.passed for result in listed)
        failed = len(listed) - passed
        told = _RENDERERS[output](listed, workspace)
        if told:
            click.echo(told)
    if passed + failed == 0:
        if not workspace.targets and not workspace.missing:
            click.echo(no_files(paths), err=True)
        elif not broken:
            named = f" with '{keyword}' in their titles" if keyword else ""
            click.echo(f"There are no tests here{named}.", err=True)
        raise SystemExit(BROKEN)
    if output in FOR_PEOPLE:
        click.echo(f"{passed} passed, {failed} failed")
    raise SystemExit(1 if failed else 0)


def _print(
    results: Iterable[service.TestResult], workspace: service.Workspace, colour: bool, verbose: bool
) -> tuple[int, int]:
    """Print each result as it comes, and count those that passed and that failed."""
    places = Places(workspace.texts)
    passed = failed = 0
    for result in results:
        if result.passed:
            passed += 1
            if verbose:
                click.echo(f"ok    {result.title}")
            continue
        failed += 1
        click.echo(f"FAIL  {result.title}  ({_line(places, result.location)})")
        if result.diagnostics:
            show(result.diagnostics, workspace, colour)
        for line in _failures(places, result):
            click.echo(f"      {line}")
    return passed, failed


def _failures(places: Places, result: service.TestResult) -> Iterable[str]:
    """What is not as it was expected, and what was found instead."""
    for judgement in result.judgements:
        if not judgement.met:
            yield f"{judgement.application}: {judgement.expected}  ({_line(places, judgement.location)})"
            yield "but found:" if judgement.found else "but found nothing"
            yield from (f"  {line}" for line in judgement.found)


def _line(places: Places, location: Location) -> str:
    region = places.region(location)
    return f"{location.path}:{region.line}" if region else location.path


def _json(results: Sequence[service.TestResult], workspace: service.Workspace) -> str:
    import json

    from lpcl.diagnostics.render.json import document

    places = Places(workspace.texts)

    def place(location: Location) -> dict[str, Any]:
        region = places.region(location)
        return {"path": location.path, "line": region.line if region else None}

    tests = [
        {
            "title": result.title,
            **place(result.location),
            "passed": result.passed,
            "expectations": [
                {
                    "application": one.application,
                    "expected": one.expected,
                    **place(one.location),
                    "met": one.met,
                    "found": list(one.found),
                }
                for one in result.judgements
            ],
            "findings": document(result.diagnostics, workspace.texts, 0)["findings"],
        }
        for result in results
    ]
    passed = sum(result.passed for result in results)
    whole = {
        "version": VERSION,
        "tests": tests,
        "findings": document(workspace.errors, workspace.texts, 0)["findings"],
        "summary": {"passed": passed, "failed": len(results) - passed},
    }
    return json.dumps(whole, indent=2, ensure_ascii=False)


def _junit(results: Sequence[service.TestResult], workspace: service.Workspace) -> str:
    from lpcl.diagnostics.render import junit

    if workspace.errors:
        return junit.render(workspace.errors, workspace.texts, ())
    places = Places(workspace.texts)
    suites: dict[str, list[junit.Case]] = {}
    for result in results:
        region = places.region(result.location)
        lines = [item.headline for item in result.diagnostics] + list(_failures(places, result))
        case = junit.Case(
            result.title,
            region.line if region else None,
            None if result.passed else lines[0],
            "\n".join(lines),
        )
        suites.setdefault(result.location.path, []).append(case)
    return junit.document("lpclc test", suites)


def _github(results: Sequence[service.TestResult], workspace: service.Workspace) -> str:
    """Errors where they stand, and beside each expectation that is not met what was found instead."""
    from lpcl.diagnostics.render import github

    if workspace.errors:
        return github.render(workspace.errors, workspace.texts)
    told: list[str] = []
    for result in results:
        if result.diagnostics:
            told.append(github.render(result.diagnostics, workspace.texts))
        unmet = [one for one in result.judgements if not one.met]
        if unmet:
            told.append(github.document((_annotation(result.title, one) for one in unmet), workspace.texts))
    return "\n".join(told)


def _annotation(title: str, judgement: Judgement) -> Annotation:
    from lpcl.diagnostics.render.github import Annotation

    found = ["but found:", *judgement.found] if judgement.found else ["but found nothing"]
    message = "\n".join([f"{judgement.application}: {judgement.expected}", *found])
    return Annotation(Severity.ERROR, judgement.location, f"test failed: {title}", message)


_RENDERERS = {"json": _json, "junit": _junit, "github": _github}
