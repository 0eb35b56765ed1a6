"""`lpclc explain`: tell what a code means."""

from __future__ import annotations

import click

from lpcl.diagnostics.pages import known_codes, page, suggestion


@click.command("explain", short_help="tell what a code of a finding means")
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """Print the page of a code: what it means, why it matters, a wrong and a right example.

    Without CODE: all codes with a line each.
    """
    if code is None:
        click.echo(known_codes())
        return
    text = page(code)
    if text is None:
        close = suggestion(code)
        hint = f" Did you mean '{close}'?" if close else " 'lpclc explain' lists the codes."
        raise click.UsageError(f"there is no code '{code}'.{hint}")
    click.echo(text.rstrip("\n"))
