"""`lpclc doc`: the contracts as pages to browse."""

from __future__ import annotations

from pathlib import Path

import click

from lpcl.cli.reading import read_sheets, record_option

_MARK = "lpcl-catalogue.txt"


@click.command("doc", short_help="write the contracts as pages to browse")
@click.argument("libraries", metavar="[LIBRARY]...", nargs=-1)
@click.option(
    "-o",
    "--output",
    "folder",
    metavar="DIR",
    default="lpcl-doc",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to write the pages.",
)
@record_option
def command(libraries: tuple[str, ...], folder: Path, records: tuple[Path, ...]) -> None:
    """Write the contracts that can be found as pages: an index, and one a library.

    LIBRARY is as for 'lpclc show'; without any, all of them are written.

    The pages need no other file and no network. Pages that an earlier run wrote there and that are no longer
    among them are removed; any other file is left alone.

    Exit status: 0 the pages are written, 2 they could not be.
    """
    from lpcl.catalogue.pages import INDEX, pages

    made = pages(read_sheets(records, libraries))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        mark = folder / _MARK
        earlier = mark.read_text(encoding="utf-8").split() if mark.is_file() else []
        for name, text in made.items():
            (folder / name).write_text(text, encoding="utf-8")
        for name in earlier:
            if name not in made and "/" not in name and name.endswith(".html"):
                (folder / name).unlink(missing_ok=True)
        mark.write_text("".join(f"{name}\n" for name in sorted(made)), encoding="utf-8")
    except OSError as problem:
        click.echo(f"{problem.filename or folder}: {problem.strerror}", err=True)
        raise SystemExit(2) from None
    number = len(made) - 1
    click.echo(f"{number} {'library' if number == 1 else 'libraries'} in {folder / INDEX}")
