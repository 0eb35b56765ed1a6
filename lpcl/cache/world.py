"""Questions about the disk and the environment, which are remembered while somebody wants to know.

Whatever a check learns from outside of its own code it learns here, so that what it found can be told again
for as long as the answers stay the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import update_wrapper
from typing import Generic, ParamSpec, TypeVar, cast

from lpcl.cache import observe

P = ParamSpec("P")
R = TypeVar("R")


class Asked:
    """The questions that were asked, in order, each with the fingerprint of its answer.

    They are not `sound` where a question had two answers, or one that nothing can be held against.
    """

    def __init__(self) -> None:
        self.answers: dict[tuple[str, str], bytes] = {}
        self.sound = True

    def add(self, question: str, argument: str, fingerprint: bytes) -> None:
        """Remember one question with its answer."""
        if self.answers.setdefault((question, argument), fingerprint) != fingerprint:
            self.sound = False


_LISTENING: ContextVar[tuple[Asked, ...]] = ContextVar("listening", default=())


@contextmanager
def listening() -> Iterator[Asked]:
    """Remember the questions that are asked in here."""
    asked = Asked()
    token = _LISTENING.set((*_LISTENING.get(), asked))
    try:
        yield asked
    finally:
        _LISTENING.reset(token)


Known = dict[tuple[str, str], object]
"""Answers by question and argument."""

_KNOWN: ContextVar[Known | None] = ContextVar("known", default=None)


@contextmanager
def taken_as(known: Known) -> Iterator[None]:
    """Take the answers that are known for granted in here, and add to them what is asked besides."""
    token = _KNOWN.set(known)
    try:
        yield
    finally:
        _KNOWN.reset(token)


def _answer(question: str, argument: str) -> object:
    known = _KNOWN.get()
    if known is None:
        return observe.QUESTIONS[question](argument)
    key = (question, argument)
    if key not in known:
        known[key] = observe.QUESTIONS[question](argument)
    return known[key]


def _ask(question: str, argument: str, unobservable: object = None) -> object:
    try:
        answer = _answer(question, argument)
    except observe.Unobservable:
        for asked in _LISTENING.get():
            asked.sound = False
        return unobservable
    listeners = _LISTENING.get()
    if listeners:
        fingerprint = observe.digest(answer)
        for asked in listeners:
            asked.add(question, argument, fingerprint)
    return answer


class Once(Generic[P, R]):
    """Keeps what a function gives for each of its arguments; what it asked counts for each caller."""

    def __init__(self, function: Callable[P, R]) -> None:
        self._function = function
        self._kept: dict[object, tuple[R, Asked]] = {}
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """What the function gives, or gave before."""
        key = (args, tuple(kwargs.items()))
        if key not in self._kept:
            with listening() as asked:
                self._kept[key] = self._function(*args, **kwargs), asked
            return self._kept[key][0]
        result, asked = self._kept[key]
        for listener in _LISTENING.get():
            listener.sound = listener.sound and asked.sound
            for (question, argument), fingerprint in asked.answers.items():
                listener.add(question, argument, fingerprint)
        return result

    def cache_clear(self) -> None:
        """Forget all of it."""
        self._kept.clear()


def contents(path: str) -> bytes:
    """The bytes of a file. Raises `OSError` where it cannot be read."""
    answer = cast("bytes | tuple[int, str]", _ask("contents", path))
    if isinstance(answer, tuple):
        raise OSError(*answer, path)
    return answer


def is_folder(path: str) -> bool:
    """Whether there is such a folder."""
    return _ask("kind", path) == "folder"


def is_file(path: str) -> bool:
    """Whether there is such a file."""
    return _ask("kind", path) == "file"


def exists(path: str) -> bool:
    """Whether there is such a file, folder or something else."""
    return _ask("kind", path) != ""


def real(path: str) -> str:
    """The path without links."""
    return cast("str", _ask("real", path))


def files_below(folder: str) -> list[str]:
    """The `.lpcl` files below a folder, sorted; what `lpcl.cache.territory` passes over is left out."""
    return cast("list[str]", _ask("files_below", folder))


def files_beside(folder: str) -> list[str]:
    """The `.lpcl` files in a folder itself, sorted; none where it cannot be read."""
    return cast("list[str]", _ask("files_beside", folder))


def project_file(start: str) -> str | None:
    """The `pyproject.toml` in the folder `start` or the closest one above it."""
    return cast("str", _ask("project_file", start)) or None


def package_folders(module: str) -> list[str]:
    """The folders of an importable package, found without importing it or its parents."""
    return cast("list[str]", _ask("package_folders", module))


def offers() -> list[tuple[str, str, str]] | None:
    """What installed distributions state in our group: value, name, distribution and version, sorted.

    None where some of them are kept in a way that only `importlib.metadata` knows.
    """
    return cast("list[tuple[str, str, str]] | None", _ask("offers", "", None))


def version(distribution: str) -> str | bool | None:
    """The version of an installed distribution, None where there is none.

    False where some distributions are kept in a way that only `importlib.metadata` knows.
    """
    return cast("str | bool | None", _ask("version", distribution, False))
