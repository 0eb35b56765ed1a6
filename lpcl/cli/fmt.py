"""`lpclc fmt`: put files into the house style."""

from __future__ import annotations

import sys

import click

from lpcl.cli.output import no_files
from lpcl.format import format_text
from lpcl.format.files import NotOurs, Unreadable, decode, display, find, read, write

_STDIN = "-"


@click.command("fmt", short_help="put .lpcl files into the house style")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option("--check", is_flag=True, help="Write nothing; name the files that are not in the style.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
def command(paths: tuple[str, ...], check: bool, diff: bool) -> None:
    """Put files into the house style. What they mean does not change, and comments stay.

    PATHS are files and folders, or '-' for standard input, which goes to standard output. Without PATHS: the
    folders that [tool.lpcl] in pyproject.toml names, else the current folder. What is broken stays as it is;
    'lpclc check' tells what is wrong with it.

    Exit status: 0 all is well, 1 with --check some file is not in the style, 2 there are no files, or one
    that does not exist or cannot be read or written.
    """
    if _STDIN in paths:
        if len(paths) > 1:
            raise click.UsageError("'-' stands alone: standard input and files cannot be formatted together.")
        raise SystemExit(_standard_input(check, diff))
    files, missing = find(paths)
    for path in missing:
        click.echo(f"{path}: there is no such file or folder", err=True)
    changed = failed = 0
    for path in files:
        try:
            changed += _format(path, check, diff)
        except Unreadable as problem:
            click.echo(f"{display(path)}: cannot be read: {problem}", err=True)
            failed += 1
        except NotOurs as problem:
            click.echo(f"{display(path)}: left as it was: {problem}", err=True)
            failed += 1
        except BrokenPipeError:
            raise  # it is not the file that cannot be written
        except OSError as problem:
            click.echo(f"{display(path)}: cannot be written: {problem.strerror or problem}", err=True)
            failed += 1
    if not files and not missing:
        click.echo(no_files(paths), err=True)
    elif not diff:
        _summary(changed, len(files) - changed - failed, writing=not check)
    raise SystemExit(2 if missing or failed or not files else int(check and changed > 0))


def _format(path: str, check: bool, diff: bool) -> bool:
    """Format one file, or say what would change; whether it is not in the style."""
    before = read(path)
    after = format_text(before)
    if before == after:
        return False
    if diff:
        _show(before, after, display(path))
    elif check:
        click.echo(f"{display(path)}: not in the style")
    else:
        write(path, after)
        click.echo(f"{display(path)}: formatted")
    return True


def _standard_input(check: bool, diff: bool) -> int:
    try:
        before = decode(sys.stdin.buffer.read())
    except Unreadable as problem:
        click.echo(f"standard input cannot be read: {problem}", err=True)
        return 2
    after = format_text(before)
    if diff:
        _show(before, after, "standard input")
    elif not check:
        click.echo(after.encode("utf-8"), nl=False)
    elif before != after:
        click.echo("standard input: not in the style")
    return int(check and before != after)


def _show(before: str, after: str, name: str) -> None:
    from difflib import unified_diff

    for line in unified_diff(before.split("\n"), after.split("\n"), name, f"{name} (formatted)", lineterm=""):
        click.echo(line.removesuffix("\r"))


def _summary(changed: int, same: int, *, writing: bool) -> None:
    parts = []
    if changed:
        parts.append(f"{_files(changed)} {'formatted' if writing else 'not in the style'}")
    if same or not changed:
        parts.append(f"{_files(same)} in the style already")
    click.echo(", ".join(parts))


def _files(count: int) -> str:
    return f"{count} file" if count == 1 else f"{count} files"
