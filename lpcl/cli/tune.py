"""`lpclc tune`: measure an application under its present and its candidate configurations."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from lpcl.plan import Plan
    from lpcl.tune import Options

INTERRUPTED = 130
"""The exit status of a session that was stopped, as shells have it for SIGINT."""


@click.command("tune", short_help="run an application under the candidates and keep the best")
@click.argument("source", metavar="PLAN_OR_APP")
@click.argument("words", metavar="[-- COMMAND...]", nargs=-1, type=click.UNPROCESSED)
@click.option("--budget", type=int, metavar="N", help="Make at most N runs.")
@click.option(
    "--repeat", type=int, default=5, show_default=True, metavar="N", help="Runs of each configuration."
)
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="N", help="Fixes the order of the runs."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder for results and the winner [default: lpcl-tune/<application>].",
)
@click.option(
    "--resume/--fresh",
    "resume",
    default=True,
    show_default=True,
    help="Go on from an earlier session, or measure anew.",
)
@click.option(
    "--format",
    "shape",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Of the report.",
)
def command(
    source: str,
    words: tuple[str, ...],
    budget: int | None,
    repeat: int,
    seed: int,
    out: Path | None,
    resume: bool,
    shape: str,
) -> None:
    """Run an application under its present configuration and the candidates of its plan, and keep the best.

    PLAN_OR_APP is a plan, as 'lpclc build' writes it, or an application as for 'lpclc compose'. COMMAND
    replaces the command that the plan names. Runs are interleaved and repeated so that noise does not decide;
    a session that is interrupted goes on when the same command is given again.

    Exit status: 0 the session is complete, with a gain or without; 1 nothing could be measured; 2 it could
    not start; 130 it was interrupted.
    """
    from lpcl.plan import PlanError
    from lpcl.service import Unanswerable
    from lpcl.tune import Options, TuneError

    options = Options(budget=budget, repeat=repeat, seed=seed, out=out, fresh=not resume, command=words)
    try:
        _tune(load(source), options, shape)
    except (PlanError, TuneError, Unanswerable) as error:
        click.echo(f"lpclc tune: {error}", err=True)
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        click.echo("lpclc tune: interrupted; what was measured is kept", err=True)
        raise SystemExit(INTERRUPTED) from None


def load(source: str) -> Plan:
    """The plan in a file, or that of an application. Raises PlanError and Unanswerable."""
    from lpcl import service
    from lpcl.cli.composing import BROKEN, chosen, show
    from lpcl.plan import load_plan

    if source.endswith(".json"):
        return load_plan(Path(source))
    workspace, application = chosen(source, colour=False)
    made = service.plan_application(workspace, application)
    if isinstance(made, tuple):
        show(made, workspace, colour=False)
        raise SystemExit(BROKEN)
    return made


def _tune(plan: Plan, options: Options, shape: str) -> None:
    from rich.console import Console

    from lpcl.tune import tune
    from lpcl.tune.progress import ProgressBar
    from lpcl.tune.report import result_to_json, text_report

    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        with ProgressBar(Console(stderr=True)) as bar:
            result = tune(plan, options, bar)
    finally:
        signal.signal(signal.SIGTERM, before)
    if shape == "json":
        click.echo(json.dumps(result_to_json(result), indent=2, ensure_ascii=False))
    else:
        click.echo(text_report(result), nl=False)
    if result.interrupted:
        raise SystemExit(INTERRUPTED)
    if result.status == "nothing":
        raise SystemExit(1)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """Lets SIGTERM end a session as SIGINT does: the run at hand is ended, and all others are kept."""
    raise KeyboardInterrupt
