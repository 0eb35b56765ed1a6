"""`lpclc test`: run the tests that are written in LPCL."""

from __future__ import annotations

import click

from lpcl import service
from lpcl.cli.composing import BROKEN, show
from lpcl.cli.output import colour_option, wants_colour


@click.command("test", short_help="run the tests that are written in LPCL")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option("-k", "keyword", default="", metavar="TEXT", help="Only tests whose titles hold this text.")
@click.option("-v", "--verbose", is_flag=True, help="Name the tests that pass, too.")
@colour_option
def command(paths: tuple[str, ...], keyword: str, verbose: bool, color: str) -> None:
    """Compose the applications that tests name and hold the findings against what the tests expect.

    Nothing of the applications is run. Without PATHS: as for 'lpclc check'.

    Exit status: 0 every test passes, 1 some fail, 2 files are broken or there are no tests.
    """
    colour = wants_colour(color)
    workspace = service.open_workspace(paths)
    if workspace.errors or workspace.missing:
        show(workspace.errors, workspace, colour)
        raise SystemExit(BROKEN)
    passed = failed = 0
    for result in service.run_tests(workspace, keyword):
        if result.passed:
            passed += 1
            if verbose:
                click.echo(f"ok    {result.title}")
            continue
        failed += 1
        click.echo(f"FAIL  {result.title}  ({_line(workspace, result.location.path, result.location.start)})")
        if result.diagnostics:
            show(result.diagnostics, workspace, colour)
        for judgement in result.judgements:
            if not judgement.met:
                place = _line(workspace, judgement.location.path, judgement.location.start)
                click.echo(f"      {judgement.application}: {judgement.expected}  ({place})")
                click.echo("      but found:" if judgement.found else "      but found nothing")
                for line in judgement.found:
                    click.echo(f"        {line}")
    if passed + failed == 0:
        click.echo("There are no tests here.", err=True)
        raise SystemExit(BROKEN)
    click.echo(f"{passed} passed, {failed} failed")
    raise SystemExit(1 if failed else 0)


def _line(workspace: service.Workspace, path: str, offset: int) -> str:
    return f"{path}:{workspace.texts[path].count(chr(10), 0, offset) + 1}"
