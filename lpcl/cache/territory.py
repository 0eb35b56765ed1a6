"""Which folders hold what people write, and which hold what programs put there.

Whatever looks for the files of a project goes by this: folders of tools, of virtual environments, of what
is installed, and other repositories are passed over on the way down. A folder that is named itself is looked
into all the same, but what is installed is never rewritten: the next installation would undo it.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

INSTALLED = frozenset({"site-packages", "dist-packages"})
"""Where installers put packages."""

MADE = frozenset({"__pycache__", "__pypackages__", "node_modules", "build", "_build", "dist"})
"""Where tools put what they make, and what they fetch."""

ENVIRONMENTS = frozenset({"pyvenv.cfg", "conda-meta"})
"""What lies at the top of a virtual environment, whatever its name."""

REPOSITORY = ".git"
"""What lies at the top of a repository: a folder in a clone, a file in a submodule and in a working tree."""

_MARKS = ENVIRONMENTS | {REPOSITORY}

WHY_NOT = "it is part of an installed package: change it where it comes from, or copy it into the project"
"""Why an installed file is not rewritten, whoever asks for it."""


def passed_over(name: str) -> bool:
    """Whether a folder of this name is not looked into: hidden, or of tools, or of what is installed."""
    return name.startswith(".") or name in MADE or name in INSTALLED


def is_elsewhere(names: Iterable[str]) -> bool:
    """Whether a folder that holds these names is a virtual environment, or a repository of its own."""
    return not _MARKS.isdisjoint(names)


def is_reached(path: str, folder: str, exists: Callable[[str], bool]) -> bool:
    """Whether a file below a folder is found on the way down from there; `exists` looks at the disk."""
    *below, _ = os.path.relpath(path, folder).split(os.sep)
    places = [os.path.join(folder, *below[: depth + 1]) for depth in range(len(below))]
    return not any(map(passed_over, below)) and not any(
        exists(os.path.join(place, mark)) for place in places for mark in _MARKS
    )


_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_STDLIB = os.path.join(_ROOT, "stdlib_contracts", "")


def shown_path(path: str) -> str:
    """A path as people are shown it: what is installed without the folders that lead there.

    The standard library's files are called the same wherever they are, and a project's own keep paths that
    can be opened. What is made for other programs has whole paths.
    """
    if path.startswith(_STDLIB):
        return os.path.relpath(path, _ROOT).replace(os.sep, "/")
    parts = path.replace("\\", "/").split("/")
    places = [place for place, part in enumerate(parts[:-1]) if part in INSTALLED]
    return "/".join(parts[places[-1] + 1 :]) if places else path


def is_installed(path: str) -> bool:
    """Whether a file was put where it is by an installer; links are followed."""
    return not INSTALLED.isdisjoint(os.path.realpath(path).split(os.sep))
