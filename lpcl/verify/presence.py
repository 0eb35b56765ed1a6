"""Whether the commands and shared objects that an experiment needs are there. Nothing is run or loaded."""

from __future__ import annotations

import os
import shutil
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from lpcl.syntax import nodes


def absent(evidence: nodes.Evidence) -> str | None:
    """Why an experiment cannot be tried here, for want of a command or a shared object, or None."""
    for clause in evidence.clauses:
        if isinstance(clause, nodes.NeedsOfSystem):
            name = clause.name.value
            if clause.kind == "command" and shutil.which(name) is None:
                return f"the command {name} is not on the search path"
            if clause.kind == "file" and not any((folder / name).is_file() for folder in library_folders()):
                return f"{name} lies nowhere where the loader looks"
    return None


def present(evidence: nodes.Evidence) -> tuple[str, ...]:
    """What an experiment finds of the system: shared objects by the names of the files behind their links.

    Such a name often has the version in it (`libopenblasp-r0.3.21.so`); a command is named as it is called.
    """
    found = []
    for clause in evidence.clauses:
        if isinstance(clause, nodes.NeedsOfSystem):
            name = clause.name.value
            files = [folder / name for folder in library_folders() if clause.kind == "file"]
            found.append(next((file.resolve().name for file in files if file.is_file()), name))
    return tuple(found)


def library_folders() -> Iterator[Path]:
    """Where shared objects are looked for: `LD_LIBRARY_PATH`, then the folders of the system."""
    for entry in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep):
        if entry:
            yield Path(entry)
    multiarch = sysconfig.get_config_var("MULTIARCH")
    for root in ("/usr/local/lib", "/lib", "/usr/lib", "/lib64", "/usr/lib64"):
        if multiarch:
            yield Path(root, multiarch)
        yield Path(root)
