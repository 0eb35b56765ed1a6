"""How long a command takes from start to end, beside what is known: `python -m tests.bench.starting`.

Each run is a process of its own; the commands take turns, and the least processor time of each counts. The
modules are compiled, as they are once installed. An `lpclc` beside Python is measured, too.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.composing import typical

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "stdlib_contracts"
ROUNDS = 15

STOCK = """
import sys
from textx import LanguageDesc, register_language
from textx.cli import textx
from {module} import metamodel
register_language(LanguageDesc("lpcl", pattern="*.lpcl", metamodel=metamodel))
textx(["check", "--language", "lpcl", *sys.argv[1:]])
"""
"""`textx check` with our grammar, which keeps names as text, or with one in which textX resolves them."""

PARSED = "textx check, names as text"
RESOLVED = "textx check, names resolved"
WHOLE = "lpclc check --no-cache"
QUICK = "lpclc check --no-cache --quick"
COMPOSED = "lpclc compose, 6 libraries"
"""A typical application: six libraries with four controls each, whose settings are in order."""


def commands(script: str | None, application: str) -> dict[str, list[str]]:
    """What is compared, by name; `script` is the installed command, None for the module."""
    python = [sys.executable, "-c"]
    ours = [script] if script is not None else [sys.executable, "-m", "lpcl"]
    files = sorted(map(str, LIBRARY.rglob("*.lpcl")))
    return {
        "python -c pass": [*python, "pass"],
        "python -c 'import click'": [*python, "import click"],
        "lpclc --version": [*ours, "--version"],
        "lpclc check, again": [*ours, "check", str(LIBRARY)],
        WHOLE: [*ours, "check", "--no-cache", str(LIBRARY)],
        QUICK: [*ours, "check", "--no-cache", "--quick", str(LIBRARY)],
        COMPOSED: [*ours, "compose", application, "--set", "OMP_NUM_THREADS=8"],
        PARSED: [*python, STOCK.format(module="lpcl.syntax.rules"), *files],
        RESOLVED: [*python, STOCK.format(module="tests.bench.resolving"), *files],
    }


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """The processor time of one process. Raises `RuntimeError` where it fails."""
    started = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    if started.returncode:
        raise RuntimeError(f"{command[:4]} ends with {started.returncode}")
    return used.ru_utime + used.ru_stime


def measure(script: str | None, rounds: int) -> dict[str, float]:
    """The least time of each command."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "LPCL_CACHE_DIR": os.path.join(folder, "cache")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment["PYTHONPYCACHEPREFIX"] = os.path.join(folder, "compiled")
        application = Path(folder, "application.lpcl")
        application.write_text(typical())
        compared = commands(script, str(application))
        for command in compared.values():  # compiles the modules, and fills the cache
            seconds(command, environment)
        best = dict.fromkeys(compared, float("inf"))
        for _ in range(rounds):
            for name, command in compared.items():
                best[name] = min(best[name], seconds(command, environment))
    return best


def main(rounds: int = ROUNDS) -> None:
    """Print the tables."""
    script = Path(sys.executable).with_name("lpclc")
    for name, path in (("python -m lpcl", None), (str(script.name), str(script))):
        if path is not None and not script.exists():
            continue
        best = measure(path, rounds)
        click = best["python -c 'import click'"]
        print(f"{name}:")
        for command, spent in best.items():
            print(f"  {command:<31} {spent * 1000:7.1f} ms {spent / click:7.2f} times the import of click")
        for stock in (PARSED, RESOLVED):
            quick, whole = best[stock] / best[QUICK], best[stock] / best[WHOLE]
            print(f"  {stock}: {quick:.1f} times as long as --quick, {whole:.1f} times as the whole check")


if __name__ == "__main__":
    main()
