"""The demonstration: LPCL checks its contracts, composes a real application, and tunes it on this machine."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = Path("build") / "demo"

STEPS = (
    (
        "The contracts say what each library asks of a machine. Are they, and the demo's own file, sound?",
        ("check", "stdlib_contracts", "demo"),
        (0,),
    ),
    (
        "demo/search.py starts a worker for each CPU; each enters NumPy. What does it ask of this machine?",
        ("compose", "demo/search.lpcl"),
        (0, 1),
    ),
    (
        "A plan for the tuner: hypotheses, knobs, candidates.",
        ("build", "demo/search.lpcl", "-o", str(WORK / "plan.json")),
        (0,),
    ),
    (
        "Is it true? Run the program as it is and as it was derived, in turn, and measure.",
        ("tune", str(WORK / "plan.json"), "--fresh", "--out", str(WORK)),
        (0,),
    ),
)


def main() -> int:
    """Run every step and show its command; the exit status of the first that breaks, else 0."""
    (ROOT / WORK).mkdir(parents=True, exist_ok=True)
    # The application's command says "python": it means the one that has NumPy, which runs this.
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    for number, (why, words, fine) in enumerate(STEPS, start=1):
        print(f"\n{number}. {why}\n   $ lpclc {shlex.join(words)}\n", flush=True)
        status = subprocess.run(
            [sys.executable, "-m", "lpcl", *words], cwd=ROOT, env={**os.environ, "PATH": search}, check=False
        ).returncode
        if status not in fine:
            print(f"\nThe demonstration stops here: lpclc {words[0]} ended with status {status}.")
            return status or 1
    print(f"\nThe winner is in {WORK}: as export lines, as a .env file and as JSON.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
