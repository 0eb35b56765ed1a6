"""Contracts as they were in a revision of a git repository, read through the `git` program.

Only `git` is run, with a list of arguments: `rev-parse`, `ls-tree` and `cat-file`, which change nothing and
run nothing of the repository.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence

from lpcl.cache.territory import passed_over


class NoRevision(Exception):
    """A revision that cannot be read; the text says why."""


def top() -> str:
    """The folder of the repository that the current folder is in. Raises `NoRevision`."""
    return _git(["rev-parse", "--show-toplevel"]).decode("utf-8", "replace").rstrip("\n")


def prefix() -> str:
    """The current folder below the repository's, with a slash behind it; empty at its top."""
    return _git(["rev-parse", "--show-prefix"]).decode("utf-8", "replace").rstrip("\n")


def texts(revision: str, paths: Sequence[str]) -> Mapping[str, str]:
    """The `.lpcl` files at or below paths of a revision, from the repository's top, with their texts.

    Folders that are passed over on the disk are passed over here, unless they are named themselves. Without
    paths: all of them. Raises `NoRevision`.
    """
    if revision.startswith("-"):
        raise NoRevision(f"{revision} is no revision")
    commit = _git(
        ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"], revision
    )
    name = commit.decode("ascii", "replace").strip()
    listed = _git(["ls-tree", "-r", "-z", "--name-only", "--full-tree", name, "--", *paths])
    files = [one for one in listed.decode("utf-8", "surrogateescape").split("\0") if one.endswith(".lpcl")]
    files = [one for one in files if any(_is_reached(one, path) for path in paths or [""])]
    asked = "".join(f"{name}:{one}\n" for one in files).encode("utf-8", "surrogateescape")
    return dict(zip(files, _contents(_git(["cat-file", "--batch"], given=asked), len(files)), strict=True))


def _is_reached(file: str, path: str) -> bool:
    if path and file != path and not file.startswith(f"{path}/"):
        return False
    *folders, _ = file[len(path) :].removeprefix("/").split("/")
    return not any(map(passed_over, folders))


def _contents(answer: bytes, number: int) -> list[str]:
    """The texts in what `git cat-file --batch` prints: a line with the size, the bytes, a line end."""
    found: list[str] = []
    position = 0
    for _ in range(number):
        end = answer.index(b"\n", position)
        size = int(answer[position:end].rsplit(b" ", 1)[1])
        found.append(answer[end + 1 : end + 1 + size].decode("utf-8-sig", "replace"))
        position = end + 1 + size + 1
    return found


def _git(arguments: list[str], revision: str = "", given: bytes = b"") -> bytes:
    try:
        run = subprocess.run(["git", *arguments], input=given, capture_output=True, check=False)
    except OSError as fault:
        raise NoRevision(f"git cannot be run: {fault.strerror or fault}") from None
    if run.returncode:
        told = run.stderr.decode("utf-8", "replace").strip().splitlines()
        why = told[0].removeprefix("fatal: ") if told else f"there is no revision {revision}"
        raise NoRevision(why)
    return run.stdout
