"""Carries out an experiment: all of its runs, one after another, and what comes of them.

A busy machine can keep a run from showing what is so. A run that did not hold is therefore made once more, in
another process, before it is believed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from lpcl.model.host import HostFacts
from lpcl.verify.experiments import Experiment, Trial
from lpcl.verify.judgement import WRONG, Outcome, Verdict, judge, once_more, without_trial
from lpcl.verify.laboratory import Observation, observe, unsupported


def carry_out(
    experiment: Experiment, foreign: frozenset[str], host: HostFacts, python: str = sys.executable
) -> Outcome:
    """Run an experiment with an interpreter; `foreign` are variables that its runs must not inherit."""
    known = without_trial(experiment)
    if known is not None:
        return known
    obstacle = unsupported()
    if obstacle is not None:
        return Outcome(experiment, Verdict.NOT_TRIED, obstacle)
    first = judge(experiment, _runs(experiment.trials, foreign, python), host)
    if first.verdict not in WRONG:
        return first
    doubted = [attempt.trial if attempt.verdict in WRONG else None for attempt in first.attempts]
    return once_more(first, judge(experiment, _runs(doubted, foreign, python), host))


def _runs(trials: Iterable[Trial | None], foreign: frozenset[str], python: str) -> list[Observation | None]:
    """What is seen of each run; None for one that is not to be made, or that cannot be."""
    setups = [None if trial is None else trial.setup for trial in trials]
    return [None if setup is None else observe(setup, foreign, python) for setup in setups]
