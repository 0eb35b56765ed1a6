"""Two versions of contracts, compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lpcl.check.checker import check
from lpcl.compat.change import Change, Level, Release, deserved
from lpcl.diagnostics.diagnostic import Diagnostic, Severity, in_order
from lpcl.packages import loader
from lpcl.service.selection import Unanswerable


@dataclass(frozen=True)
class Compared:
    """Changes between two versions of contracts, or the `errors` that keep them from being compared.

    `following` is the version that follows the old one, where that is known.
    """

    old: str
    new: str
    changes: tuple[Change, ...]
    release: Release
    following: str | None
    errors: tuple[Diagnostic, ...]
    texts: Mapping[str, str]

    def shown(self, verbose: bool) -> tuple[Change, ...]:
        """The changes that people see: those that are neutral only with `verbose`."""
        return tuple(item for item in self.changes if verbose or item.level is not Level.NEUTRAL)


def compare_contracts(
    old: str | None, new: str | None, against: str | None = None, version: str | None = None
) -> Compared:
    """Compare two versions of contracts; with `against`, what `old` names now with what it was in a revision.

    Raises `Unanswerable` for what names no contracts. Reading a revision runs `git`.
    """
    from lpcl.compat import sides
    from lpcl.compat.compare import compare
    from lpcl.compat.release import following

    try:
        if against is None:
            assert old is not None
            assert new is not None
            before, after = sides.open_side(old, new), sides.open_side(new, old)
        else:
            paths = [old] if old is not None else sides.project_folders() or ["."]
            before = sides.at_revision(against, [sides.below_top(path) for path in paths])
            after = sides.open_paths(paths)
    except sides.NoSide as problem:
        raise Unanswerable(str(problem)) from None
    errors = [*_errors(before.loaded), *_errors(after.loaded)]
    texts = {file.path: file.text for side in (before, after) for file in side.loaded.program.files}
    if errors:
        return Compared(before.label, after.label, (), Release.NONE, None, in_order(errors), texts)
    changes = compare(
        (before.loaded.program, before.loaded.targets), (after.loaded.program, after.loaded.targets)
    )
    release = deserved(changes)
    stated = version or before.version
    number = None if stated is None else following(stated, release)
    if version is not None and number is None:
        raise Unanswerable(f"{version} is not a version number, such as 1.4.2")
    return Compared(before.label, after.label, changes, release, number, (), texts)


def _errors(loaded: loader.Loaded) -> list[Diagnostic]:
    found = [*loaded.findings, *check(loaded.program, catalogue=loaded.index)]
    return [item for item in found if item.severity is Severity.ERROR]
