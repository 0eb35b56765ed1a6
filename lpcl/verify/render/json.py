"""Outcomes as a JSON document, for programs."""

from __future__ import annotations

import json
import platform
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from lpcl.compose.terms import Value
from lpcl.model.host import HostFacts
from lpcl.verify.coverage import Coverage, State
from lpcl.verify.experiments import Experiment, Trial
from lpcl.verify.judgement import Attempt, Expectation, Outcome, Part, Verdict
from lpcl.verify.session import Proof

VERSION = 4
"""Of the document's shape; it grows when a program that reads the old shape would misread the new one."""


def listing(experiments: Sequence[Experiment]) -> str:
    """What could be tried."""
    return _document(
        evidence=[
            {**_experiment(item), "trials": [_trial(trial) for trial in item.trials]} for item in experiments
        ]
    )


def coverage(found: Sequence[Coverage]) -> str:
    """Which clauses have evidence."""
    return _document(
        contracts=[
            {
                "contract": item.contract.declared.qualified,
                "file": item.contract.declared.file.path,
                **{state.value: item.number(state) for state in State},
                "clauses": [
                    {
                        "clause": one.clause,
                        "state": one.state.value,
                        "evidence": list(one.evidence),
                        "unnoticed": list(one.unnoticed),
                    }
                    for one in item.clauses
                ],
            }
            for item in found
        ]
    )


def render(outcomes: Sequence[Outcome], proofs: Sequence[Proof], host: HostFacts) -> str:
    """What was tried, what came of it, and which clauses it proves."""
    counts = Counter(outcome.verdict for outcome in outcomes)
    return _document(
        python=platform.python_version(),
        executable=sys.executable,
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        host={path: _value(reading.value) for path, reading in host.readings.items()},
        evidence=[_outcome(item) for item in outcomes],
        contracts=[
            {
                "contract": item.contract.declared.qualified,
                "file": item.contract.declared.file.path,
                "proved": list(item.proved),
                "clauses": len(item.clauses),
            }
            for item in proofs
        ],
        summary={kind.value.replace(" ", "_"): counts[kind] for kind in Verdict},
    )


def _document(**members: Any) -> str:
    return json.dumps({"version": VERSION, **members}, indent=2, ensure_ascii=False)


def _experiment(item: Experiment) -> dict[str, Any]:
    return {
        "contract": item.contract.declared.qualified,
        "title": item.title,
        "file": item.origin.file.path,
        "line": item.origin.file.line(item.origin.span.start),
        "about": [ref.path for ref in item.clause.node.subjects],
        "distributions": [
            {
                "name": distribution.name,
                "needs": distribution.constraint or None,
                "installed": distribution.installed,
                "measured": distribution.measured,
            }
            for distribution in item.distributions
        ],
        "obstacle": item.obstacle,
        "fault": item.fault,
    }


def _trial(trial: Trial) -> dict[str, Any]:
    setup = trial.setup
    return {
        "title": trial.title,
        "set": dict(setup.variables) if setup is not None else None,
        "given": {n: _value(v) for n, v in setup.given.items()} if setup is not None else None,
        "pin": setup.cpus if setup is not None else None,
        "quota": float(setup.quota) if setup is not None and setup.quota is not None else None,
        "timeout": _value(setup.seconds) if setup is not None else None,
        "obstacle": trial.obstacle,
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        **_experiment(outcome.experiment),
        "outcome": outcome.verdict.value.replace(" ", "_"),
        "reason": outcome.reason,
        "proves": list(outcome.proves),
        "trials": [_attempt(item) for item in outcome.attempts],
    }


def _attempt(attempt: Attempt) -> dict[str, Any]:
    return {
        **_trial(attempt.trial),
        **_seen(attempt),
        "earlier": _seen(attempt.earlier) if attempt.earlier is not None else None,
    }


def _seen(attempt: Attempt) -> dict[str, Any]:
    seen = attempt.observation
    return {
        "outcome": attempt.verdict.value.replace(" ", "_"),
        "reason": attempt.reason,
        "expectations": [_expectation(item) for item in attempt.expectations],
        "exit_code": seen.exit_code if seen is not None else None,
        "timed_out": seen.timed_out if seen is not None else None,
        "reported": {n: _value(v) for n, v in seen.reported.items()} if seen is not None else None,
        "seconds": round(seen.seconds, 3) if seen is not None else None,
        "leftovers": seen.leftovers if seen is not None else None,
        "output": seen.output if seen is not None else None,
    }


def _expectation(item: Expectation) -> dict[str, Any]:
    return {
        "text": item.text,
        "line": item.line,
        "holds": item.holds,
        "left": _value(item.left.value) if item.left is not None else None,
        "right": _value(item.right.value) if item.right is not None else None,
        "values": _parts(item.parts),
        "fault": item.fault,
    }


def _parts(parts: Sequence[Part]) -> dict[str, Any]:
    return {part.text: _value(part.value) for part in parts}


def _value(value: Value) -> Any:
    """A value as JSON has it; a fraction as the nearest double."""
    return float(value) if isinstance(value, Fraction) else value
