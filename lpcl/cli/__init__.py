"""The command line: one module a command, imported when the command is run."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import NoReturn

import click

from lpcl import __version__

COMMANDS = {
    "check": "find mistakes in contracts, applications and tests",
    "scan": "watch a program run, and write the application that it is",
    "compose": "say what an application asks of a machine, and what is too much",
    "why": "say where a value comes from, and what would change it",
    "build": "write the plan of what a tuner may try",
    "tune": "run an application under the candidates and keep the best",
    "verify": "run a contract's evidence against the real library",
    "test": "run the tests that are written in LPCL",
    "breaking": "say which promises of contracts a new version breaks",
    "fmt": "put .lpcl files into the house style",
    "new": "write files to begin with",
    "list": "show the contracts that can be found",
    "show": "show what a library's contract says",
    "doc": "write the contracts as pages to browse",
    "machine": "show the figures of this machine and where they come from",
    "explain": "tell what a code of a finding means",
}
"""Each command's line in the help. Its module, `lpcl.cli.<name>`, holds a click command called `command`."""

_MODULES = {"list": "lpcl.cli.list_command"}


def _module(name: str) -> str:
    return _MODULES.get(name, f"lpcl.cli.{name}")


class _Commands(click.Group):
    """A group that imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in COMMANDS if find_spec(_module(name)) is not None]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command = import_module(_module(cmd_name)).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        if name not in self.list_commands(ctx) and not name.startswith("-"):
            from difflib import get_close_matches

            close = get_close_matches(name, self.list_commands(ctx), n=1)
            hint = f" Did you mean '{close[0]}'?" if close else " 'lpclc --help' lists the commands."
            raise click.UsageError(f"there is no command '{name}'.{hint}", ctx=ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit status: 0 all is well, 1 there are findings, 2 the command could not do its work.",
)
@click.version_option(__version__, "-V", "--version", message="lpclc %(version)s")
def cli() -> None:
    """Contracts say what libraries ask of a machine; lpclc finds the combinations that ask for too much.

    A first look: 'lpclc check' finds mistakes in the .lpcl files of the current project.
    """


def main() -> NoReturn:
    """Run the command line; a fault of the tool itself becomes a message, never a traceback."""
    from lpcl.cache.recording import recording

    try:
        with recording(sys.argv[1:]) as record:
            cli.main(prog_name="lpclc", standalone_mode=True, obj=record)
    except (SystemExit, KeyboardInterrupt):
        raise
    except BrokenPipeError:
        # The reader of our output has gone, as `| head` does: nothing more to say, and nothing to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
    except BaseException as fault:
        _internal_error(fault)
    raise SystemExit(0)


def _internal_error(fault: BaseException) -> NoReturn:
    if os.environ.get("LPCL_DEBUG", "") not in ("", "0"):
        import traceback

        traceback.print_exception(fault)
    print(
        f"lpclc: internal error: {type(fault).__name__}: {fault}\n"
        f"This is a fault of lpclc {__version__}, not of your files. Please report it, with the command\n"
        "that you ran and the files that it read. LPCL_DEBUG=1 in the environment shows where it happened.",
        file=sys.stderr,
    )
    raise SystemExit(2)
