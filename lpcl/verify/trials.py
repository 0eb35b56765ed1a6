"""Carries out an experiment: all of its runs, one after another, and what comes of them."""

from __future__ import annotations

import sys

from lpcl.model.host import HostFacts
from lpcl.verify.experiments import Experiment
from lpcl.verify.judgement import Outcome, Verdict, judge, without_trial
from lpcl.verify.laboratory import observe, unsupported


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
    seen = [
        None if trial.setup is None else observe(trial.setup, foreign, python) for trial in experiment.trials
    ]
    return judge(experiment, seen, host)
