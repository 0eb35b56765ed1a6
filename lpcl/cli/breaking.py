"""`lpclc breaking`: whether new contracts keep what the old ones promise."""

from __future__ import annotations

import click

from lpcl import service


@click.command("breaking", short_help="say which promises of contracts a new version breaks")
@click.argument("old", required=False)
@click.argument("new", required=False)
@click.option(
    "--against",
    metavar="REVISION",
    help="Compare with this git revision: give NEW alone, or nothing for the project's contracts.",
)
@click.option("--from", "version", metavar="VERSION", help="The version of OLD, to name the next one.")
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="How to print the changes.",
)
@click.option("-v", "--verbose", is_flag=True, help="Show changes that change nothing for users, too.")
def command(
    old: str | None,
    new: str | None,
    against: str | None,
    version: str | None,
    output: str,
    verbose: bool,
) -> None:
    """Compare the contracts of OLD with those of NEW: what breaks their users, with the values that show it,
    what adds to them, and which version number that deserves.

    OLD and NEW are files, folders, REVISION:PATH of the git repository around, or installed distributions
    (NAME or NAME==VERSION).

    Exit status: 0 nothing breaks, 1 something breaks or is not decided, 2 OLD or NEW cannot be compared.
    """
    if against is not None and new is not None:
        raise click.UsageError("with --against, give NEW alone")
    if against is None and (old is None or new is None):
        raise click.UsageError("say what to compare: OLD NEW, or --against REVISION [NEW]")
    try:
        found = service.compare_contracts(old, new, against, version)
    except service.Unanswerable as problem:
        click.echo(f"lpclc breaking: {problem}", err=True)
        raise SystemExit(2) from None
    if found.errors:
        from lpcl.diagnostics.render import concise

        click.echo(concise.render(found.errors, found.texts), err=True)
        click.echo("lpclc breaking: contracts with errors cannot be compared", err=True)
        raise SystemExit(2)
    printed = _rendered(found, output, verbose)
    if printed:
        click.echo(printed)
    raise SystemExit(1 if found.release is service.Release.MAJOR else 0)


def _rendered(found: service.Compared, output: str, verbose: bool) -> str:
    if output == "json":
        from lpcl.compat.render import json

        return json.render(found.changes, found.release, found.following, found.old, found.new)
    if output == "github":
        from lpcl.compat.render import github

        return github.render(found.shown(verbose))
    from lpcl.compat.render import text

    shown = found.shown(verbose)
    told = text.render(shown)
    summary = text.summary(found.changes, found.release, found.following, len(found.changes) - len(shown))
    return f"{told}\n\n{summary}" if told else summary
