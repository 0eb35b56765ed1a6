"""`lpclc scan`: watch a program run, and write the application file that describes it."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from lpcl.scan.observation import Observation
    from lpcl.scan.recognition import Contracts

BROKEN = 2


@click.command(
    "scan",
    short_help="watch a program run, and write the application that it is",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="[--] [COMMAND]...")
@click.option("--pid", type=click.IntRange(min=1), metavar="N", help="Watch this running process instead.")
@click.option(
    "-o",
    "--output",
    "path",
    metavar="FILE",
    help="Where to write the application; '-' is standard output.  [default: scan.lpcl]",
)
@click.option("--force", is_flag=True, help="Write over a file that is there already.")
@click.option(
    "--duration",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Watch for so long, then end the command; a process named by --pid is left as it is.",
)
@click.option(
    "--interval",
    type=click.FloatRange(min=0.001, max=10),
    default=0.02,
    show_default=True,
    metavar="SECONDS",
    help="How often to look; less often where looking costs too much.",
)
def command(
    command: tuple[str, ...],
    pid: int | None,
    path: str | None,
    force: bool,
    duration: float | None,
    interval: float,
) -> None:
    """Watch COMMAND run, or the process N, and write an application file that describes what was seen.

    The command is run as it would be alone, with your rights: it has the terminal, its input and its output
    are its own, and its exit status becomes that of lpclc. Nothing of the contracts is run. The file says
    which libraries ran in how many processes and threads, and in its comments what was inferred and what
    could not be known; 'lpclc compose' takes it from there.

    Exit status: that of the command (128 and the signal's number where a signal ended it); 127 there is no
    such command, 126 it cannot be run, 2 lpclc could not do its work. With --pid, or when --duration ended
    the command: 0.
    """
    if bool(command) == (pid is not None):
        raise click.UsageError("give the command to watch after '--', or a process with --pid")
    if not sys.platform.startswith("linux"):
        _refuse("programs can be watched on Linux alone: what is needed stands under /proc there")
    path = path or "scan.lpcl"
    _insist(path, force)
    from lpcl.scan.reconstruction import Unwritable, known_contracts, reconstruct
    from lpcl.scan.summary import summary
    from lpcl.scan.watching import Unwatchable

    contracts = known_contracts()
    try:
        observation = _watch(command, pid, contracts, interval, duration)
    except Unwatchable as problem:
        _refuse(str(problem), problem.status)
    target = os.path.join(os.curdir, "scan.lpcl") if path == "-" else path
    try:
        scanned = reconstruct(observation, contracts, target, command or None)
    except Unwritable as problem:
        _refuse(str(problem))
    _write(path, scanned.text)
    for line in summary(observation, scanned, path):
        click.echo(f"lpclc scan: {line}", err=True)
    raise SystemExit(observation.status or 0)


def _watch(
    command: tuple[str, ...], pid: int | None, contracts: Contracts, interval: float, duration: float | None
) -> Observation:
    from lpcl.scan.watching import watch_command, watch_process

    if pid is not None:
        return watch_process(pid, contracts.variables, interval, duration)
    return watch_command(command, contracts.variables, interval, duration)


def _insist(path: str, force: bool) -> None:
    """Leave before anything is run where the file could not be written afterwards."""
    if path == "-":
        return
    if not path.endswith(".lpcl"):
        _refuse(f"'{path}' is no name for an application file: it has to end in .lpcl")
    folder = os.path.dirname(path) or os.curdir
    if not os.path.isdir(folder):
        _refuse(f"there is no folder {folder}")
    if os.path.isdir(path):
        _refuse(f"{path} is a folder")
    if os.path.lexists(path) and not force:
        _refuse(f"{path} is there already: name another file with -o, or write over it with --force")
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        _refuse(f"{path} cannot be written: permission denied")


def _write(path: str, text: str) -> None:
    if path == "-":
        click.echo(text, nl=False)
        return
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as fault:
        _refuse(f"cannot write {path}: {fault.strerror}")


def _refuse(problem: str, status: int = BROKEN) -> NoReturn:
    click.echo(f"lpclc scan: {problem}", err=True)
    raise SystemExit(status)
