"""What a command printed and how it ended, told again where nothing that it depends on has changed.

An outcome is kept under the fingerprint of the command, the tool, and all questions that the run asked with
their answers. Which questions those are is kept under the fingerprint of the command and the tool alone: they
are asked again, and where all of the answers are the same, a run would do the same again.
"""

from __future__ import annotations

import os
import sys

from lpcl.cache import observe, store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TOOL = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""The folder of the package `lpcl`."""

_PAGES = os.path.join(os.path.dirname(TOOL), "docs", "diagnostics")
"""Where the pages of the codes are while they are not in the package."""

_PLAIN = frozenset({"utf-8", "utf8"})


def command(arguments: Sequence[str]) -> str:
    """The fingerprint of a command: its words, where and how it runs, and the tool. Raises `OSError`."""
    return observe.digest(
        (
            tuple(arguments),
            os.getcwd(),
            sys.stdout.isatty(),
            bool(os.environ.get("NO_COLOR")),
            os.environ.get("TERM") == "dumb",
            sys.version,
            str(sys.flags),
            tuple(sys.path),
            tuple(_sources()),
        )
    ).hex()


def _sources() -> list[tuple[str, int, int]]:
    """The files of the tool, by what Python itself tells by whether a source has changed: size and time."""
    found: list[tuple[str, int, int]] = []
    folders = [TOOL, _PAGES] if os.path.isdir(_PAGES) else [TOOL]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if not entry.is_dir():
                    about = entry.stat()
                    found.append((entry.path, about.st_size, about.st_mtime_ns))
                elif entry.name != "__pycache__":
                    folders.append(entry.path)
    found.sort()
    return found


def outcome(of: str, answers: Iterable[tuple[str, str, bytes]]) -> str:
    """The fingerprint of a command with all that it asked and the answers."""
    return observe.digest((of, *answers)).hex()


def known(arguments: Sequence[str]) -> tuple[bytes, int] | None:
    """The bytes that a command would print and its exit status, where they are known."""
    if not lasting(arguments):
        return None
    try:
        of = command(arguments)
        listed = store.read(of)
        if listed is None:
            return None
        words = iter(listed.decode("utf-8", "surrogatepass").split("\0"))
        asked = [
            (question, argument, observe.digest(observe.QUESTIONS[question](argument)))
            for question, argument in zip(words, words, strict=True)
        ]
        kept = store.read(outcome(of, asked))
        if kept is None:
            return None
        text = kept[1:].decode("utf-8", "surrogatepass")
        return text.encode(sys.stdout.encoding, sys.stdout.errors or "strict"), kept[0]
    except (OSError, ValueError, KeyError, observe.Unobservable):
        return None


def lasting(arguments: Sequence[str]) -> bool:
    """Whether a command may be answered from what was found before: it changes nothing, and prints UTF-8."""
    return (
        list(arguments[:1]) == ["check"]
        and "--fix" not in arguments
        and "--unsafe-fixes" not in arguments
        and "--no-cache" not in arguments
        and "_LPCLC_COMPLETE" not in os.environ
        and (getattr(sys.stdout, "encoding", None) or "").lower() in _PLAIN
    )
