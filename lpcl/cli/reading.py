"""What the commands share that show contracts: finding them, and the records of what was tried."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lpcl import service

if TYPE_CHECKING:
    from lpcl.catalogue.sheets import Sheet
    from lpcl.model.program import Declared
    from lpcl.verify.records import Record

record_option = click.option(
    "--record",
    "records",
    multiple=True,
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="What was tried, as 'lpclc verify --record' notes it, besides the standard library's own.",
)


def read_records(files: Sequence[Path]) -> dict[str, Record]:
    """The records of the standard library and of files, later ones before earlier ones."""
    from lpcl.verify.records import read

    folder = service.stdlib_folder()
    own = Path(folder) / "verified.json" if folder is not None else None
    found: dict[str, Record] = {}
    for file in ([own] if own is not None and own.is_file() else []) + list(files):
        try:
            found.update(read(file))
        except ValueError as problem:
            raise click.UsageError(f"{file}: {problem}") from None
    return found


def read_sheets(records: Sequence[Path], libraries: Sequence[str] = ()) -> tuple[Sheet, ...]:
    """All contracts that can be found, or those of some libraries, as sheets.

    Those in broken files are named on standard error. Ends the command where there is no such library.
    """
    from lpcl.catalogue.sheets import about, sheets

    program, contracts, broken = service.contracts_to_read()
    for item in broken:
        click.echo(f"{item.origin}: {item.qualified} is left out: its file has errors", err=True)
    wanted: list[Declared] = []
    for library in libraries:
        found = about(program, contracts, library)
        if not found:
            close = get_close_matches(library, sorted({item.name for item in contracts}), n=3)
            hint = f" Did you mean {' or '.join(repr(item) for item in close)}?" if close else ""
            raise click.UsageError(f"there is no contract of '{library}'.{hint} 'lpclc list' shows all.")
        wanted.extend(item for item in found if item not in wanted)
    return sheets(program, wanted if libraries else contracts, read_records(records))
