"""`lpclc verify`: try a contract's evidence on the real library."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from lpcl.cli.output import colour_option, wants_colour

if TYPE_CHECKING:
    from lpcl.diagnostics.diagnostic import Diagnostic
    from lpcl.model.host import HostFacts
    from lpcl.verify.distributions import Installed
    from lpcl.verify.experiments import Experiment
    from lpcl.verify.judgement import Outcome
    from lpcl.verify.selection import Selection
    from lpcl.verify.session import Judge, Planned


@click.command("verify", short_help="run a contract's evidence against the real library")
@click.argument("contracts", nargs=-1, metavar="[CONTRACTS OR PATHS]...")
@click.option("--list", "only_list", is_flag=True, help="Show what would be run, and run nothing.")
@click.option(
    "--coverage",
    "only_coverage",
    is_flag=True,
    help="Show which clauses have no evidence that would notice another one, and run nothing.",
)
@click.option("-k", "pattern", metavar="TEXT", help="Only evidence whose contract or title contains TEXT.")
@click.option(
    "--install",
    is_flag=True,
    help="Try each contract in environments made for it, from the package index, in its versions.",
)
@click.option(
    "--environments",
    "folder",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where --install keeps its environments [default: lpcl/environments in the user's cache].",
)
@click.option(
    "--python",
    "interpreter",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Try the libraries that this interpreter has, such as the one of a project's environment.",
)
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json", "html"]),
    default="text",
    show_default=True,
    help="How to print what came of it.",
)
@click.option(
    "--record",
    "records",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Note there what was tried, with its date and versions, for 'lpclc doc' and 'lpclc show'.",
)
@click.option("--strict", is_flag=True, help="Exit status 1 where something is unsteady, too.")
@colour_option
def command(
    contracts: tuple[str, ...],
    only_list: bool,
    only_coverage: bool,
    pattern: str | None,
    install: bool,
    folder: Path | None,
    interpreter: Path | None,
    output: str,
    records: Path | None,
    strict: bool,
    color: str,
) -> None:
    """Try the evidence of contracts on the installed libraries.

    CONTRACTS are names of contracts or packages, or .lpcl files and folders; without any, the project's own.

    This runs Python code that stands in the contracts, with your rights, and says so before each experiment:
    look at what you did not write yourself, '--list' shows where it is. Each experiment gets a process of its
    own, whose environment has only those thread settings that the evidence makes. With '--install' packages
    are fetched first, as wheels, and it says which and where to.

    A clause is proved where experiments that hold would have been refuted, had it said something else.

    It is refuted where something that was seen contradicts it, and has failed where its code could not do its
    work: it raised an exception, it hung, it did not report what is expected. What did not hold is run once
    more before that is believed: it is unsteady where it holds then, as on a machine that is busy, and is
    neither proved nor refuted.

    Exit status: 0 nothing was refuted or failed, 1 something was or did, or was unsteady with '--strict', 2
    nothing could be tried, or shown, or the command could not do its work.
    """
    from lpcl.model.host import read_host
    from lpcl.verify.selection import select
    from lpcl.verify.session import Judge, installed_here, matching, to_install

    selection = select(contracts)
    _insist(selection)
    if only_coverage:
        _coverage(selection, output)
        return
    host = read_host()
    if interpreter is not None and install:
        raise click.UsageError("'--python' and '--install' exclude each other")
    python = sys.executable if interpreter is None else str(interpreter.absolute())
    installed = None
    if interpreter is not None:
        installed, host = _elsewhere(python, host)
    if install and not only_list:
        planned = [item for item in to_install(selection) if _meant(pattern, item)]
        made = _in_environments(planned, folder, host, to_error=output != "text")
        number = len(planned)
    else:
        experiments = matching(pattern, installed_here(selection, host, installed))
        if only_list:
            _list(experiments, output)
            if not experiments:
                _nothing(selection, pattern)
            return
        made = ((item, python) for item in experiments)
        number = len(experiments)
    judge = Judge(selection, host)
    outcomes = _run(made, number, judge, output, wants_colour(color), where=None if install else python)
    if records is not None:
        _keep(records, outcomes)
    status = _report(outcomes, judge, host, output, wants_colour(color), strict=strict)
    if not outcomes:
        _nothing(selection, pattern)
    raise SystemExit(max(status, _left_out(outcomes, hint=not install)))


def _elsewhere(python: str, host: HostFacts) -> tuple[Installed, HostFacts]:
    """What another interpreter has, and the host with its version."""
    from lpcl.verify.environments import Failed, look_at

    found = look_at(python)
    if isinstance(found, Failed):
        raise click.UsageError(f"{python}: {found.reason}")
    return found.installed, found.told(host)


def _meant(pattern: str | None, item: Planned) -> bool:
    from lpcl.verify.session import is_meant

    return is_meant(pattern, item.contract, item.clause.node.title.value)


def _in_environments(
    planned: list[Planned], folder: Path | None, host: HostFacts, *, to_error: bool
) -> Iterator[tuple[Experiment, str]]:
    """The experiments, each in its environment, which is made just before it is needed."""
    from lpcl.verify.environments import Environments, default_folder
    from lpcl.verify.session import made_ready

    def say(text: str) -> None:
        click.echo(text, err=to_error)

    environments = Environments(folder if folder is not None else default_folder(), say)
    for item in planned:
        yield made_ready(item, environments, host)


def _nothing(selection: Selection, pattern: str | None) -> NoReturn:
    """Leave with status 2, and say what there is none of: contracts, evidence, or evidence as wanted."""
    contracts = [item for chosen in selection.chosen for item in chosen.contracts]
    names = [item.qualified for item in contracts]
    if not names:
        click.echo("There are no contracts here.", err=True)
    elif pattern is None:
        some = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        click.echo(f"There is no evidence to try: {some} {'have' if names[1:] else 'has'} none.", err=True)
    else:
        click.echo(f"There is no evidence with '{pattern}' in its title or its contract's name.", err=True)
    raise SystemExit(2)


def _left_out(outcomes: list[Outcome], *, hint: bool) -> int:
    """Say how to try what is not installed; status 2 where nothing at all was shown."""
    from lpcl.verify.judgement import Verdict

    tried = [outcome for outcome in outcomes if outcome.verdict is not Verdict.NOT_TRIED]
    if hint and any(outcome.experiment.lacks for outcome in outcomes):
        click.echo(
            "What is not installed here can be tried with '--install', which makes environments for it, or "
            "with '--python FILE', where another interpreter has it.",
            err=True,
        )
    shown = [outcome for outcome in tried if outcome.verdict is not Verdict.UNSTEADY]
    if not tried:
        click.echo("Nothing was tried.", err=True)
    elif not shown:
        click.echo("Nothing was shown: what was tried held in one of two runs.", err=True)
    return 0 if shown else 2


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

    if output == "html":
        raise click.UsageError("'--list' prints text or JSON")
    if output == "json":
        click.echo(json.listing(experiments))
    elif experiments:
        click.echo("\n".join(text.listing(item) for item in experiments))


def _coverage(selection: Selection, output: str) -> None:
    from lpcl.verify.coverage import coverage
    from lpcl.verify.render import json, text

    if output == "html":
        raise click.UsageError("'--coverage' prints text or JSON")
    found = [
        item for chosen in selection.chosen for item in coverage(chosen.workspace.program, chosen.contracts)
    ]
    click.echo(json.coverage(found) if output == "json" else "\n".join(text.coverage(found)))


def _run(
    made: Iterator[tuple[Experiment, str]],
    number: int,
    judge: Judge,
    output: str,
    colour: bool,
    where: str | None,
) -> list[Outcome]:
    """Carry out the experiments one after another, announcing each before it runs."""
    from lpcl.verify.render import text

    to_error = output != "text"
    if number:
        several = ", one after another" if number > 1 else ""
        place = f" with {where}" if where is not None else ""
        click.echo(f"Running the code of {text.counted(number, 'experiment')}{place}{several}.", err=to_error)
    outcomes: list[Outcome] = []
    for experiment, python in made:
        click.echo(f"{experiment.label} ... ", nl=False, err=to_error)
        outcome = judge.outcome(experiment, python)
        click.echo(text.verdict(outcome, colour=colour), err=to_error, color=colour)
        for line in text.details(outcome):
            click.echo(line, err=to_error, color=colour)
        outcomes.append(outcome)
    return outcomes


def _keep(records: Path, outcomes: list[Outcome]) -> None:
    from lpcl.verify.records import keep

    problem = keep(records, outcomes)
    if problem is not None:
        click.echo(f"{records}: {problem}", err=True)
        raise SystemExit(2)


def _report(
    outcomes: list[Outcome], judge: Judge, host: HostFacts, output: str, colour: bool, *, strict: bool
) -> int:
    """Print what came of it all; the exit status."""
    from lpcl.verify.judgement import WRONG, Verdict
    from lpcl.verify.render import html, json, text

    if output == "json":
        click.echo(json.render(outcomes, judge.proofs(), host))
    elif output == "html":
        click.echo(html.page_of(outcomes, judge.proofs(), host))
    elif outcomes:
        click.echo(text.summary(outcomes, judge.proofs(), colour=colour), color=colour)
    wrong = (*WRONG, Verdict.UNSTEADY) if strict else WRONG
    return 1 if any(outcome.verdict in wrong for outcome in outcomes) else 0
