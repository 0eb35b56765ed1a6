"""Contracts as they were in a revision of a git repository, read through the `git` program.

Only `git` is run, with a list of arguments: `rev-parse`, `ls-tree` and `cat-file`, which change nothing and
run nothing of the repository.
"""

from __future__ import annotations

import posixpath
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lpcl.cache.territory import passed_over


class NoRevision(Exception):
    """A revision that cannot be read; the text says why."""


def top() -> str:
    """The folder of the repository that the current folder is in. Raises `NoRevision`."""
    return _git(["rev-parse", "--show-toplevel"]).decode("utf-8", "replace").rstrip("\n")


def prefix() -> str:
    """The current folder below the repository's, with a slash behind it; empty at its top."""
    return _git(["rev-parse", "--show-prefix"]).decode("utf-8", "replace").rstrip("\n")


@dataclass(frozen=True, slots=True)
class _Entry:
    """A file of a revision: the hash of what it holds, and whether that is the path that it is a link to."""

    path: str
    hash: str
    is_link: bool


def texts(revision: str, paths: Sequence[str]) -> Mapping[str, bytes]:
    """The `.lpcl` files at or below paths of a revision, from the repository's top, with what they hold.

    Folders that are passed over on the disk are passed over here, unless they are named themselves. Without
    paths: all of them. A link is read where the file that it leads to is in the revision, and passed over
    where that is among the others. Raises `NoRevision`.
    """
    if revision.startswith("-"):
        raise NoRevision(f"{revision} is no revision")
    commit = _git(
        ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"], revision
    )
    name = commit.decode("ascii", "replace").strip()
    entries = {
        entry.path: entry
        for entry in _entries(name, paths)
        if entry.path.endswith(".lpcl") and any(_is_reached(entry.path, path) for path in paths or [""])
    }
    held = _contents(entries.values())
    for entry in [entry for entry in entries.values() if entry.is_link]:
        place = posixpath.dirname(entry.path)
        target = posixpath.normpath(
            posixpath.join(place, held.pop(entry.path).decode("utf-8", "surrogateescape"))
        )
        if target not in entries:
            held[entry.path] = _at_the_end(name, entry, target)
    return {path: held[path] for path in entries if path in held}


def _at_the_end(name: str, link: _Entry, target: str) -> bytes:
    """What the file holds that a link leads to. Raises `NoRevision` where the revision has none there."""
    found = (
        []
        if target.startswith(("/", "../"))
        else [one for one in _entries(name, [target]) if one.path == target]
    )
    if not found or found[0].is_link:
        raise NoRevision(f"{link.path} is a link to {target}, and there is no such file in the revision")
    return _contents(found)[target]


def _entries(name: str, paths: Sequence[str]) -> list[_Entry]:
    """The files and links at or below paths of a commit; without paths, all of them."""
    listed = _git(["ls-tree", "-r", "-z", "--full-tree", name, "--", *paths])
    found: list[_Entry] = []
    for line in listed.decode("utf-8", "surrogateescape").split("\0"):
        about, _, path = line.partition("\t")
        if path and about.split()[1] == "blob":
            found.append(_Entry(path, about.split()[2], about.startswith("12")))
    return found


def _is_reached(file: str, path: str) -> bool:
    if path and file != path and not file.startswith(f"{path}/"):
        return False
    *folders, _ = file[len(path) :].removeprefix("/").split("/")
    return not any(map(passed_over, folders))


def _contents(entries: Iterable[_Entry]) -> dict[str, bytes]:
    """What files hold, by path: `git cat-file --batch` prints for each a line with the size, the bytes, a
    line end.
    """
    wanted = list(entries)
    answer = _git(["cat-file", "--batch"], given="".join(f"{one.hash}\n" for one in wanted).encode("ascii"))
    found: dict[str, bytes] = {}
    position = 0
    for entry in wanted:
        end = answer.index(b"\n", position)
        size = int(answer[position:end].rsplit(b" ", 1)[1])
        found[entry.path] = answer[end + 1 : end + 1 + size]
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
