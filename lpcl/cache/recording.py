"""What one run of a command asks, kept together with what it prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from lpcl.cache import observe, store
from lpcl.cache.outcomes import TOOL, command, lasting, outcome
from lpcl.cache.world import Asked, listening


@contextmanager
def recording(arguments: Sequence[str]) -> Iterator[Recording | None]:
    """Remember what is asked in here; None where nothing can be kept of the command."""
    try:
        of = command(arguments) if lasting(arguments) else None
    except OSError:
        of = None
    if of is None:
        yield None
        return
    with listening() as asked:
        yield Recording(tuple(arguments), of, asked)


class Recording:
    """What was asked so far by the command of the fingerprint `of`."""

    def __init__(self, arguments: Sequence[str], of: str, asked: Asked) -> None:
        self._arguments = arguments
        self._of = of
        self._asked = asked

    def keep(self, text: str, status: int) -> bool:
        """Keep what was printed and the exit status, and whether that was done.

        Nothing is kept where something that was asked has another answer by now.
        """
        if not self._asked.sound:
            return False
        answers = dict(self._asked.answers)
        try:
            for path in _modules():
                answers["module", path] = observe.digest(observe.module(path))
            if self._of != command(self._arguments) or not _same(answers):
                return False
        except (OSError, observe.Unobservable):
            return False
        listed = "\0".join(word for asked in answers for word in asked)
        name = outcome(self._of, [(*asked, answer) for asked, answer in answers.items()])
        kept = bytes([status]) + text.encode("utf-8", "surrogatepass")
        return store.write([(name, kept), (self._of, listed.encode("utf-8", "surrogatepass"))])


def _same(answers: Mapping[tuple[str, str], bytes]) -> bool:
    return all(
        observe.digest(observe.QUESTIONS[question](argument)) == answer
        for (question, argument), answer in answers.items()
    )


def _modules() -> list[str]:
    """The files of the loaded modules that belong neither to the tool nor to Python."""
    own = TOOL + os.sep
    python = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
    added = tuple(os.path.join(python, name) + os.sep for name in ("site-packages", "dist-packages"))
    paths = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    return sorted(
        path
        for path in paths
        if isinstance(path, str)
        and not path.startswith(own)
        and (not path.startswith(python) or path.startswith(added))
    )
