"""What commands share about printing."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from lpcl.cache.territory import REPOSITORY

colour_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Whether to use colours; auto does on a terminal.",
)


def no_files(paths: Sequence[str]) -> str:
    """What to say where no file was found to work on."""
    others = [name for path in paths or ["."] for name in _repositories(path)]
    named = f"; name what to look into, such as {others[0]}: it is a repository of its own" if others else ""
    return f"There are no .lpcl files {'in ' + ' or '.join(paths) if paths else 'here'}{named}."


def _repositories(folder: str) -> list[str]:
    """The repositories in a folder, by name."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    places = [name if folder == "." else os.path.join(folder, name) for name in names if name[0] != "."]
    return [place for place in places if os.path.exists(os.path.join(place, REPOSITORY))]


def wants_colour(choice: str) -> bool:
    """Whether to print colours: as it was asked for, else on a terminal unless NO_COLOR says otherwise."""
    if choice != "auto":
        return choice == "always"
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
