"""`lpclc verify`: try a contract's evidence on the real library."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn

import click

from lpcl.cli.output import colour_option, wants_colour

if TYPE_CHECKING:
    from lpcl.diagnostics.diagnostic import Diagnostic
    from lpcl.model.host import HostFacts
    from lpcl.verify.experiments import Experiment
    from lpcl.verify.judgement import Outcome
    from lpcl.verify.selection import Selection


@click.command("verify", short_help="run a contract's evidence against the real library")
@click.argument("contracts", nargs=-1, metavar="[CONTRACTS OR PATHS]...")
@click.option("--list", "only_list", is_flag=True, help="Show what would be run, and run nothing.")
@click.option("-k", "pattern", metavar="TEXT", help="Only evidence whose contract or title contains TEXT.")
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to print what came of it.",
)
@colour_option
def command(
    contracts: tuple[str, ...], only_list: bool, pattern: str | None, output: str, color: str
) -> None:
    """Try the evidence of contracts on the installed libraries.

    CONTRACTS are names of contracts or packages, or .lpcl files and folders; without any, the project's own.

    This runs Python code that stands in the contracts, with your rights, and says so before each experiment:
    look at what you did not write yourself, '--list' shows where it is. Each experiment gets a process of its
    own, whose environment has only those thread settings that the evidence makes.

    Exit status: 0 nothing was refuted, 1 something was, 2 the command could not do its work.
    """
    from lpcl.model.host import read_host
    from lpcl.verify.experiments import prepare
    from lpcl.verify.selection import select

    selection = select(contracts)
    _insist(selection)
    host = read_host()
    found = [
        (experiment, chosen.workspace.program)
        for chosen in selection.chosen
        for experiment in prepare(chosen.workspace.program, chosen.contracts, host)
        if pattern is None
        or pattern.lower() in f"{experiment.contract.declared.qualified} {experiment.title}".lower()
    ]
    experiments = [experiment for experiment, _ in found]
    if only_list:
        _list(experiments, output)
        return
    from lpcl.verify.experiments import variables_of

    foreign = frozenset[str]().union(*(variables_of(chosen.workspace.program) for chosen in selection.chosen))
    outcomes = _run(experiments, foreign, host, output, wants_colour(color))
    raise SystemExit(_report(outcomes, host, output, wants_colour(color)))


def _insist(selection: Selection) -> None:
    """Leave with status 2 where names mean nothing or contracts are broken."""
    for name, close in selection.missing:
        hint = f" Did you mean {' or '.join(repr(item) for item in close)}?" if close else ""
        raise click.UsageError(f"there is no contract, package, file or folder '{name}'.{hint}")
    broken = list(selection.unreadable)
    for chosen in selection.chosen:
        broken += [item for item in chosen.errors if item not in broken]
    if broken:
        texts = {path: text for chosen in selection.chosen for path, text in chosen.workspace.texts.items()}
        _refuse(tuple(broken), texts)


def _refuse(errors: tuple[Diagnostic, ...], texts: dict[str, str]) -> NoReturn:
    from lpcl.diagnostics.render import text

    click.echo(text.render(errors, texts, colour=False), err=True)
    click.echo("Nothing was run: what these contracts propose to try cannot be relied on.", err=True)
    raise SystemExit(2)


def _list(experiments: list[Experiment], output: str) -> None:
    from lpcl.verify.render import json, text

    if output == "json":
        click.echo(json.listing(experiments))
    elif not experiments:
        click.echo("There is no such evidence.")
    else:
        click.echo("\n".join(text.listing(item) for item in experiments))


def _run(
    experiments: list[Experiment], foreign: frozenset[str], host: HostFacts, output: str, colour: bool
) -> list[Outcome]:
    """Carry out the experiments one after another, announcing each before it runs."""
    from lpcl.verify.render import text
    from lpcl.verify.trials import carry_out

    to_error = output == "json"
    if experiments:
        number = text.counted(len(experiments), "experiment")
        several = ", one after another" if len(experiments) > 1 else ""
        click.echo(f"Running the code of {number} with {sys.executable}{several}.", err=to_error)
    outcomes: list[Outcome] = []
    for experiment in experiments:
        click.echo(f"{experiment.label} ... ", nl=False, err=to_error)
        outcome = carry_out(experiment, foreign, host)
        click.echo(text.verdict(outcome, colour=colour), err=to_error, color=colour)
        for line in text.details(outcome):
            click.echo(line, err=to_error, color=colour)
        outcomes.append(outcome)
    return outcomes


def _report(outcomes: list[Outcome], host: HostFacts, output: str, colour: bool) -> int:
    """Print what came of it all; the exit status."""
    from lpcl.verify.judgement import Verdict
    from lpcl.verify.render import json, text

    if output == "json":
        click.echo(json.render(outcomes, host))
    elif not outcomes:
        click.echo("There is no such evidence.")
    else:
        click.echo(text.summary(outcomes, colour=colour), color=colour)
    return 1 if any(outcome.verdict is Verdict.REFUTED for outcome in outcomes) else 0
