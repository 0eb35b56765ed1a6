"""The evidence of a few contracts of the standard library, tried on the libraries that are installed."""

from __future__ import annotations

import pytest

from lpcl.model.host import read_host
from lpcl.verify.experiments import prepare, variables_of
from lpcl.verify.judgement import Outcome, Verdict
from lpcl.verify.laboratory import unsupported
from lpcl.verify.render.text import details
from lpcl.verify.selection import select
from lpcl.verify.trials import carry_out

pytestmark = [
    pytest.mark.world,
    pytest.mark.skipif(unsupported() is not None, reason=unsupported() or ""),
]


TITLES = {
    "openblas": ("the variables, their order", "the call passes"),
    "libgomp": ("the variables, what they may hold", "a region inside a team"),
    "numpy": ("the wheel carries a BLAS",),
    "joblib": ("loky's workers have cpus / n_jobs", "inner_max_num_threads sets them all"),
    "numba": ("the variable, what it refuses", "set_num_threads holds"),
}
"""The beginnings of the titles that are tried: quick ones that do not depend on a quiet machine.

`lpclc verify` tries the others.
"""


def outcome(name: str, beginning: str) -> Outcome:
    """What comes of one piece of a contract's evidence."""
    host = read_host()
    found = [
        (experiment, chosen.workspace.program)
        for chosen in select([name]).chosen
        for experiment in prepare(chosen.workspace.program, chosen.contracts, host)
        if experiment.title.startswith(beginning)
    ]
    assert found, f"{name} has no evidence whose title begins with {beginning!r}"
    experiment, program = found[0]
    return carry_out(experiment, variables_of(program), host)


@pytest.mark.parametrize(
    ("name", "beginning"), [(name, title) for name, titles in TITLES.items() for title in titles]
)
def test_what_the_contract_says_is_so(name: str, beginning: str) -> None:
    found = outcome(name, beginning)
    if found.verdict is Verdict.NOT_TRIED:
        pytest.skip(found.reason or "")
    assert found.verdict is Verdict.PROVED, "\n".join(details(found))


@pytest.mark.parametrize("name", TITLES)
def test_contracts_with_evidence_are_sound(name: str) -> None:
    """Nothing in them keeps `lpclc verify` from running, and no experiment is faulty in itself."""
    host = read_host()
    for chosen in select([name]).chosen:
        assert [item.headline for item in chosen.errors] == []
        found = prepare(chosen.workspace.program, chosen.contracts, host)
        assert [item.fault for item in found if item.fault is not None] == []
