"""What commands share about printing."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

colour_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Whether to use colours; auto does on a terminal.",
)


def no_files(paths: Sequence[str]) -> str:
    """What to say where no file was found to work on."""
    return f"There are no .lpcl files {'in ' + ' or '.join(paths) if paths else 'here'}."


def wants_colour(choice: str) -> bool:
    """Whether to print colours: as it was asked for, else on a terminal unless NO_COLOR says otherwise."""
    if choice != "auto":
        return choice == "always"
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
