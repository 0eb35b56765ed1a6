"""How fast an edit is parsed, checked and reported, beside all from scratch: `python -m tests.bench.editing`.

In the process, as the language server does it: a session opens the workspace with the new text and gives its
findings. Figures are processor time; of the edits the median, of the rest the best of some runs.
"""

from __future__ import annotations

import gc
import re
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

from lpcl.diagnostics.diagnostic import Diagnostic
from lpcl.packages.reading import parsed
from lpcl.service import Session, Workspace, open_workspace
from tests.bench import parsing

ROUNDS = 9


def text(lines: int) -> str:
    """A text of about so many lines without errors: each application uses the library beside it."""
    made = parsing.text(lines).replace("use joblib, ", "use ").replace(" by joblib, ", " by ")
    made = re.sub(r"    joblib\.parallel.*\{\n(.*\n)    \}\n", r"  \1", made)
    return re.sub(r"together \{ (\w+)\.train .*\}", r"together { \1.compute  \1.compute }", made)


def edits(source: str) -> dict[str, Callable[[int], str]]:
    """Kinds of edits in the middle of a text, as what they make of it in each round."""
    place = source.index("default min(", len(source) // 2)
    size = source.index("size = min(", place)

    def at(offset: int, inserted: str) -> str:
        return source[:offset] + inserted + source[offset:]

    return {
        "a clause": lambda round_: at(size + len("size = min("), f"{round_} + "),
        "what others read": lambda round_: at(place + len("default min("), f"{round_} + "),
        "a fault": lambda round_: at(place, "x" * (round_ % 7 + 1)),
        "a missing brace": lambda round_: at(place, "pool more { size threads\n" + " " * round_),
    }


def taken(action: Callable[[], object]) -> float:
    """The processor time of an action in seconds."""
    gc.collect()
    started = time.process_time()
    action()
    return time.process_time() - started


def scratch(path: str, source: str) -> Workspace:
    """The workspace and its findings, from nothing but what is on disk."""
    parsed.cache_clear()
    workspace = open_workspace([path], {path: source})
    _ = workspace.diagnostics
    return workspace


def edited(path: str, source: str, make: Callable[[int], str]) -> float:
    """The processor time of an edit of one kind in seconds, from keystroke to findings."""
    session = Session()
    times = []
    now = source
    for number in range(1, ROUNDS + 1):
        _ = session.open([path], {path: source}).diagnostics
        now = make(number)
        times.append(taken(partial(_reported, session, path, now)))
    assert scratch(path, now).diagnostics == session.open([path], {path: now}).diagnostics
    return median(times)


def _reported(session: Session, path: str, source: str) -> tuple[Diagnostic, ...]:
    return session.open([path], {path: source}).diagnostics


def main() -> None:
    """Print the table."""
    print("   lines  from scratch   edit of             report      ratio")
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "bench.lpcl"))
        Path(path).write_text("", encoding="utf-8")
        for lines in (100, 1_000, 10_000):
            source = text(lines)
            whole = min(taken(partial(scratch, path, source)) for _ in range(3))
            for kind, make in edits(source).items():
                share = edited(path, source, make)
                print(
                    f"{source.count(chr(10)):8} {whole * 1000:10.1f} ms   {kind:17}"
                    f"{share * 1000:7.1f} ms {whole / share:9.1f}"
                )


if __name__ == "__main__":
    main()
