"""Experiments that are really carried out: what is proved, what is refuted, and what goes wrong."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lpcl.verify.judgement import Outcome, Verdict
from lpcl.verify.laboratory import inherited, unsupported

if TYPE_CHECKING:
    from tests.unit.verify.conftest import Bench

pytestmark = pytest.mark.skipif(unsupported() is not None, reason=unsupported() or "")


def faults(outcome: Outcome) -> list[str | None]:
    return [item.fault for item in outcome.expectations if not item.holds]


def gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}").exists()


def test_proved(bench: Bench) -> None:
    outcome = bench.attempt(
        'python "report(a=1, b=0.1, c=True, d=chr(120))" expect a == 1 expect b == 0.1 expect c and d == "x"'
    )
    assert outcome.verdict is Verdict.PROVED
    assert outcome.reason is None
    assert [item.holds for item in outcome.expectations] == [True, True, True]
    seen = outcome.attempts[0].observation
    assert seen is not None
    assert (seen.exit_code, seen.timed_out) == (0, False)


def test_refuted_with_the_values(bench: Bench) -> None:
    outcome = bench.attempt('python "report(a=4)" expect a == 3 expect a + 1 < 2 * 2')
    assert outcome.verdict is Verdict.REFUTED
    first, second = outcome.expectations
    assert first.left is not None
    assert first.right is not None
    assert (first.text, first.left.value, first.right.value) == ("a == 3", 4, 3)
    assert second.left is not None
    assert second.right is not None
    assert (second.left.text, second.left.value, second.right.text, second.right.value) == (
        "a + 1",
        5,
        "2 * 2",
        4,
    )


def test_a_condition_that_is_no_comparison(bench: Bench) -> None:
    outcome = bench.attempt('python "report(a=4, b=False)" expect a == 4 and b')
    assert [(part.text, part.value) for part in outcome.expectations[0].parts] == [("a", 4), ("b", False)]


def test_a_name_that_was_not_reported(bench: Bench) -> None:
    outcome = bench.attempt('python "report(**dict(thread=3))" expect threads == 3')
    assert outcome.verdict is Verdict.FAILED
    assert faults(outcome) == ["`threads` was not reported (reported: thread)"]


def test_nothing_reported(bench: Bench) -> None:
    assert faults(bench.attempt('python "report(**{})" expect a == 1')) == [
        "`a` was not reported (reported: nothing)"
    ]


def test_optional_names(bench: Bench) -> None:
    outcome = bench.attempt('python "report(a=1)" expect defined(a) expect not defined(b)')
    assert outcome.verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("reported", "expected", "fault"),
    [
        ("a=True", "a == 1", "a truth is compared with a number"),
        ("a=chr(49)", "a == 1", "a text is compared with a number"),
        ("a=1", "a", "it is 1, which is neither true nor false"),
        ("a=0", "1 / a == 1", "the divisor is 0 here"),
        ("a=chr(49)", "a < 2", "`<` does not go with these values"),
    ],
)
def test_expectations_that_make_no_sense(bench: Bench, reported: str, expected: str, fault: str) -> None:
    outcome = bench.attempt(f'python "report({reported})" expect {expected}')
    assert outcome.verdict is Verdict.REFUTED
    assert faults(outcome) == [fault]


def test_several_reports(bench: Bench) -> None:
    code = 'python "report(a=1); report(b=2); report(a=3)"'
    assert bench.attempt(f"{code} expect a == 3 expect b == 2").verdict is Verdict.PROVED


@pytest.mark.parametrize("value", ["{1}", "object()", "float(chr(110) + chr(97) + chr(110))"])
def test_values_that_cannot_be_reported(bench: Bench, value: str) -> None:
    outcome = bench.attempt(f'python "report(a={value})" expect a == 1')
    assert outcome.verdict is Verdict.FAILED
    assert outcome.reason == "it ended with exit code 1"
    assert outcome.attempts[0].observation is not None
    assert "report(a=...)" in outcome.attempts[0].observation.output


def test_a_report_file_that_the_code_spoils(bench: Bench) -> None:
    code = """
        import sys
        report(a=1)
        open(report.__closure__[0].cell_contents, "a").write("nonsense")
    """
    outcome = bench.attempt(f'python """{code}""" expect a == 1')
    assert outcome.verdict is Verdict.FAILED
    assert outcome.reason == "what it reported is damaged: it was not written by `report` alone"


def test_a_flood_of_reports(bench: Bench) -> None:
    code = 'for n in range(2000): report(**{f"v{n}": "x" * 1000})'
    outcome = bench.attempt(f'python """\n{code}\n""" expect v1 == "x"')
    assert outcome.reason == "it reported more than 1048576 bytes"


def test_an_exception_counts_even_where_all_expectations_hold(bench: Bench) -> None:
    outcome = bench.attempt('python "report(a=1); raise SystemExit(3)" expect a == 1')
    assert outcome.verdict is Verdict.FAILED
    assert outcome.reason == "it ended with exit code 3"


def test_an_exit_code_that_is_expected(bench: Bench) -> None:
    outcome = bench.attempt('python "report(a=1); raise SystemExit(3)" expect a == 1 expect exit_code == 3')
    assert outcome.verdict is Verdict.PROVED


def test_the_traceback_points_into_the_contract(bench: Bench) -> None:
    outcome = bench.attempt(
        '\n\n python """\n  a = 1\n  raise ValueError("no such thing")\n""" expect exit_code == 0'
    )
    assert outcome.attempts[0].observation is not None
    assert 'probe.lpcl", line 5' in outcome.attempts[0].observation.output
    assert outcome.attempts[0].observation.output.endswith("ValueError: no such thing")


def test_code_that_is_no_python(bench: Bench) -> None:
    outcome = bench.attempt("""python "exec('report(a=')" expect a == 1""")
    assert outcome.verdict is Verdict.FAILED
    assert outcome.attempts[0].observation is not None
    assert "SyntaxError" in outcome.attempts[0].observation.output


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        ("import no_such_module_at_all; report(a=1)", Verdict.FAILED),
        ("raise ValueError; report(a=1)", Verdict.FAILED),
        ("report(**dict(b=1))", Verdict.FAILED),
        ("report(a=1); raise ValueError", Verdict.FAILED),
        ("report(a=2); raise ValueError", Verdict.REFUTED),
        ("report(a=2)", Verdict.REFUTED),
        ("report(a=True)", Verdict.REFUTED),
        ("import os; os._exit(4); report(a=1)", Verdict.FAILED),
    ],
)
def test_only_what_was_seen_refutes(bench: Bench, code: str, verdict: Verdict) -> None:
    assert bench.attempt(f'python "{code}" expect a == 1').verdict is verdict


def test_a_run_that_fails_beside_others(bench: Bench) -> None:
    code = 'python "report(a=1); 1 / given[chr(110)]" expect a == b'
    tries = 'try "fails" { let n = 0  let b = 1 } try "holds" { let n = 1  let b = 1 }'
    assert bench.attempt(f"{code} {tries}").verdict is Verdict.FAILED
    worse = f'{code} {tries} try "does not hold" {{ let n = 1  let b = 2 }}'
    assert bench.attempt(worse).verdict is Verdict.REFUTED


def test_a_crash(bench: Bench) -> None:
    code = 'python "import os; report(a=1); os.kill(os.getpid(), 11)"'
    expected = bench.attempt(f"{code} expect a == 1 expect exit_code == -11")
    assert expected.verdict is Verdict.PROVED
    unexpected = bench.attempt(f"{code} expect a == 1")
    assert (unexpected.verdict, unexpected.reason) == (Verdict.FAILED, "it ended with signal SIGSEGV")


HANG = 'timeout 1 s python "import time; report(a=1); time.sleep(600)"'


def test_a_hang(bench: Bench) -> None:
    started = time.monotonic()
    outcome = bench.attempt(f"{HANG} expect a == 1")
    assert time.monotonic() - started < 8
    assert (outcome.verdict, outcome.reason) == (Verdict.FAILED, "it took longer than 1 s and was ended")


def test_a_hang_that_is_expected(bench: Bench) -> None:
    outcome = bench.attempt(f"{HANG} expect timed_out expect a == 1")
    assert outcome.verdict is Verdict.PROVED
    assert outcome.attempts[0].observation is not None
    assert outcome.attempts[0].observation.exit_code == -9


def test_a_hang_does_not_pass_for_a_crash(bench: Bench) -> None:
    outcome = bench.attempt(f"{HANG} expect exit_code != 0")
    assert (outcome.verdict, outcome.reason) == (Verdict.FAILED, "it took longer than 1 s and was ended")


def test_children_that_outlive_the_experiment_are_ended(bench: Bench) -> None:
    code = """
        import subprocess
        child = subprocess.Popen(["sleep", "600"], start_new_session=True)
        report(pid=child.pid)
    """
    outcome = bench.attempt(f'python """{code}""" expect pid > 1')
    assert outcome.verdict is Verdict.PROVED
    assert outcome.attempts[0].observation is not None
    assert outcome.attempts[0].observation.leftovers == 1
    pid = outcome.attempts[0].observation.reported["pid"]
    assert isinstance(pid, int)
    assert gone(pid)


def test_a_tree_of_processes_that_hang_is_ended(bench: Bench) -> None:
    code = """
        import os, signal, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                report(grandchild=os.getpid())
        time.sleep(600)
    """
    outcome = bench.attempt(f'timeout 1 s python """{code}""" expect timed_out')
    assert outcome.verdict is Verdict.PROVED
    assert outcome.attempts[0].observation is not None
    pid = outcome.attempts[0].observation.reported["grandchild"]
    assert isinstance(pid, int)
    assert gone(pid)


def test_a_flood_of_output(bench: Bench) -> None:
    code = """
        import os, sys
        for _ in range(2000):
            os.write(1, b"x" * 65536)
            os.write(2, b"y" * 1000 + b"\\n")
        report(a=1)
    """
    outcome = bench.attempt(f'python """{code}""" expect a == 2')
    assert outcome.attempts[0].observation is not None
    assert outcome.attempts[0].observation.reported == {"a": 1}
    assert len(outcome.attempts[0].observation.output) <= 4096


def test_the_pinned_process_sees_fewer_cpus(bench: Bench) -> None:
    outcome = bench.attempt(
        'pin cpus = 1 python "import os; report(n=len(os.sched_getaffinity(0)))" '
        "expect n == 1 expect n == machine.cpus.affinity expect machine.cpus == 1"
    )
    assert outcome.verdict is Verdict.PROVED


def test_the_environment(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """What contracts know is not inherited, what is set counts, the rest stays, and Python is itself."""
    for name in ("KNOWN_THREADS", "UNKNOWN_THREADS", "PYTHONOPTIMIZE"):
        monkeypatch.setenv(name, "2")
    bench.write("contract other { control n: count { env KNOWN_THREADS default 1 } }", "other.lpcl")
    code = """
        import os, sys
        report(known="KNOWN_THREADS" in os.environ, unknown=os.environ["UNKNOWN_THREADS"],
               mine=os.environ["MINE"], optimized=sys.flags.optimize, cwd=len(os.listdir(".")),
               read=sys.stdin.read(), main=__name__, here=os.getcwd() in sys.path)
    """
    outcome = bench.attempt(
        f'set MINE = 7 python """{code}""" expect not known expect unknown == "2" expect mine == "7" '
        'expect optimized == 0 expect cwd == 0 expect read == "" expect main == "__main__" expect not here'
    )
    assert [item.text for item in outcome.expectations if not item.holds] == []


def test_worker_processes_find_what_the_code_defines(bench: Bench) -> None:
    code = """
        import multiprocessing
        def double(n):
            return 2 * n
        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                report(four=pool.map(double, [2])[0])
    """
    outcome = bench.attempt(f'python """{code}""" expect four == 4')
    assert outcome.verdict is Verdict.PROVED, outcome.attempts[0].observation


def test_folders_of_modules_become_absolute() -> None:
    found = inherited(
        {"PYTHONPATH": f"lib{os.pathsep}/opt/lib", "PYTHONHASHSEED": "1", "A": "b"}, frozenset()
    )
    assert found == {"PYTHONPATH": f"{os.path.abspath('lib')}{os.pathsep}/opt/lib", "A": "b"}
