"""What does not hold is run once more, in another process, before it is believed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lpcl.model.host import read_host
from lpcl.verify import records
from lpcl.verify.judgement import Verdict, judge, once_more
from lpcl.verify.laboratory import Observation, unsupported
from lpcl.verify.selection import select
from lpcl.verify.session import Judge, installed_here

if TYPE_CHECKING:
    from tests.unit.verify.conftest import Bench

pytestmark = pytest.mark.skipif(unsupported() is not None, reason=unsupported() or "")

HOLDS, REFUTES, FAILS = "report(a=1)", "report(a=2)", "raise ValueError; report(a=1)"


def in_turn(folder: Path, steps: Sequence[str], name: str = "runs") -> str:
    """The clause for code that takes another step each time that it runs, the last one again and again."""
    file = folder / name
    lines = ["import os, pathlib", f"file = pathlib.Path({str(file)!r})"]
    lines += [
        "with file.open('a') as stream: stream.write(f'{os.getpid()}\\n')",
        f"steps = {list(steps)!r}",
        "exec(steps[min(len(file.read_text().split()), len(steps)) - 1])",
    ]
    return 'python """\n' + "\n".join(lines) + '\n"""'


def runs(folder: Path, name: str = "runs") -> list[str]:
    """The processes in which the code ran."""
    return folder.joinpath(name).read_text().split()


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        (HOLDS, None, Verdict.PROVED),
        (REFUTES, REFUTES, Verdict.REFUTED),
        (FAILS, FAILS, Verdict.FAILED),
        (REFUTES, HOLDS, Verdict.UNSTEADY),
        (FAILS, HOLDS, Verdict.UNSTEADY),
        (REFUTES, FAILS, Verdict.FAILED),
        (FAILS, REFUTES, Verdict.FAILED),
    ],
)
def test_what_two_runs_come_to(bench: Bench, first: str, second: str | None, verdict: Verdict) -> None:
    steps = [first] if second is None else [first, second]
    outcome = bench.attempt(f"{in_turn(bench.folder, steps)} expect a == 1")
    assert outcome.verdict is verdict
    made = runs(bench.folder)
    assert len(made) == len(set(made)) == len(steps)
    (attempt,) = outcome.attempts
    assert len(attempt.runs) == len(steps)
    seen = [run.observation.seconds for run in attempt.runs if run.observation is not None]
    assert outcome.seconds == sum(seen)


def test_a_run_that_takes_too_long_once(bench: Bench) -> None:
    slow = f"import time; report(a=1); time.sleep(0 if len({str(bench.folder)!r}) == 0 else 30)"
    code = in_turn(bench.folder, [slow, HOLDS])
    assert bench.attempt(f"{code} timeout 1.5 s expect a == 1").verdict is Verdict.UNSTEADY


def test_only_what_did_not_hold_is_run_again(bench: Bench) -> None:
    code = (
        'python """\nimport pathlib\n'
        f"file = pathlib.Path({str(bench.folder)!r}, str(given['n']))\n"
        "with file.open('a') as stream: stream.write('ran\\n')\n"
        "report(a=given['n'] * len(file.read_text().split()))\n"
        '"""'
    )
    tries = 'try "holds" { let n = 1 expect a == 1 } try "once not" { let n = 2 expect a == 4 }'
    outcome = bench.attempt(f"{code} {tries}")
    assert [item.verdict for item in outcome.attempts] == [Verdict.PROVED, Verdict.UNSTEADY]
    assert outcome.verdict is Verdict.UNSTEADY
    assert (len(runs(bench.folder, "1")), len(runs(bench.folder, "2"))) == (1, 2)


def test_what_is_refuted_twice_outweighs_what_is_unsteady(bench: Bench) -> None:
    code = in_turn(bench.folder, [REFUTES, REFUTES, HOLDS, REFUTES])
    tries = 'try "one" { expect a == 1 } try "two" { expect a == 1 }'
    outcome = bench.attempt(f"{code} {tries}")
    assert [item.verdict for item in outcome.attempts] == [Verdict.UNSTEADY, Verdict.REFUTED]
    assert outcome.verdict is Verdict.REFUTED


def test_a_second_run_that_cannot_be_made_leaves_it_failed(bench: Bench) -> None:
    refuted = bench.attempt(f'python "{REFUTES}" expect a == 1')
    unseen = Observation(0, False, {}, None, 0.0, "", 0, failure="it cannot be watched")
    nothing = judge(refuted.experiment, [unseen], read_host())
    outcome = once_more(refuted, nothing)
    assert outcome.verdict is Verdict.FAILED
    assert [item.verdict for item in outcome.attempts[0].runs] == [Verdict.REFUTED, Verdict.FAILED]


def contract(code: str) -> str:
    return f"""contract probe {{
  control size: int in 1..9 {{ env PROBE_SIZE  default 1 }}
  evidence "its size" {{ {code} expect a == self.size }}
}}"""


def test_what_is_unsteady_proves_nothing(bench: Bench) -> None:
    def proofs(steps: Sequence[str]) -> set[str]:
        file = bench.write(contract(in_turn(bench.folder, steps, "-".join(map(str, map(len, steps))))))
        selection, host = select([str(file)]), read_host()
        (experiment,) = installed_here(selection, host)
        everything = Judge(selection, host)
        everything.outcome(experiment)
        (proof,) = everything.proofs()
        return set(proof.proved)

    assert proofs([HOLDS]) == {"size.default"}
    assert proofs([REFUTES, HOLDS]) == set()


def test_what_is_unsteady_leaves_the_record_of_before(bench: Bench) -> None:
    """The same text was proved once; one of two runs says nothing against that."""
    code = in_turn(bench.folder, [HOLDS, REFUTES, HOLDS, REFUTES])
    kept = bench.folder / "records.json"
    outcomes = []
    for _ in range(3):
        outcome = bench.attempt_file(contract(code), "its size")
        assert records.keep(kept, [outcome]) is None
        (record,) = records.read(kept).values()
        outcomes.append((outcome.verdict, record.outcome))
    assert outcomes == [
        (Verdict.PROVED, "proved"),
        (Verdict.UNSTEADY, "proved"),
        (Verdict.REFUTED, "refuted"),
    ]
