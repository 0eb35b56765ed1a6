"""The evidence of a few contracts of the standard library, tried on the libraries that are installed."""

from __future__ import annotations

import pytest

from lpcl.model.host import read_host
from lpcl.verify.experiments import prepare, variables_of
from lpcl.verify.judgement import Outcome, Verdict, judge, without_trial
from lpcl.verify.laboratory import observe, unsupported
from lpcl.verify.render.text import details
from lpcl.verify.selection import select

pytestmark = [
    pytest.mark.world,
    pytest.mark.skipif(unsupported() is not None, reason=unsupported() or ""),
]


def outcomes(name: str) -> list[Outcome]:
    """What comes of the evidence of a contract."""
    host = read_host()
    found = []
    for chosen in select([name]).chosen:
        program = chosen.workspace.program
        assert [item.headline for item in chosen.errors] == []
        for experiment in prepare(program, chosen.contracts, host):
            outcome = without_trial(experiment)
            if outcome is None:
                assert experiment.setup is not None
                seen = observe(experiment.setup, variables_of(program))
                outcome = judge(experiment, experiment.setup, seen, host)
            found.append(outcome)
    return found


@pytest.mark.parametrize("name", ["openblas", "libgomp", "numpy", "joblib", "numba"])
def test_no_clause_is_refuted(name: str) -> None:
    found = outcomes(name)
    refuted = [
        "\n".join([item.experiment.label, *details(item)])
        for item in found
        if item.verdict is Verdict.REFUTED
    ]
    assert not refuted, "\n".join(refuted)
    if not any(item.verdict is Verdict.PROVED for item in found):
        reasons = {item.reason for item in found if item.verdict is Verdict.NOT_TRIED}
        assert reasons, f"{name} has no evidence"
        pytest.skip("; ".join(sorted(filter(None, reasons))))
