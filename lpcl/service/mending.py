"""The fixes that findings offer, applied to a workspace and checked again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from lpcl.diagnostics.diagnostic import Fix, FixGrade
from lpcl.diagnostics.fixes import SAFE, UNSAFE, apply
from lpcl.service.workspace import Workspace, open_workspace


@dataclass(frozen=True, slots=True)
class Mended:
    """A workspace as it was, the new texts of its files by path, and how many fixes were made."""

    before: Workspace
    texts: Mapping[str, str]
    number: int


_ROUNDS = 20
"""A fix may bring about another one; more rounds than this are not made."""


def mend(paths: Sequence[str] = (), *, unsafe: bool = False) -> Mended:
    """Apply the safe fixes to the files asked for, as texts: nothing is written.

    What they lead to is checked again; one after which something is reported that was not before is not made.
    With `unsafe`, fixes that may change the meaning are applied, too. Only new errors count then, for a file
    whose last error is mended is looked at more closely than before. Until there are no errors, what offers
    such a fix without being one is left: it may be wrong because of what is.
    """
    first = workspace = open_workspace(paths)
    texts: dict[str, str] = {}
    number = 0
    for _ in range(_ROUNDS):
        fixes = _offers(workspace)
        attempt = _attempt(workspace, fixes, paths, texts, unsafe)
        if attempt is None:  # some of them do harm: those that do so alone, or at least some of them together
            harmless = _harmless(partial(_attempt, workspace, paths=paths, texts=texts, unsafe=unsafe), fixes)
            attempt = _attempt(workspace, harmless, paths, texts, unsafe)
            attempt = attempt or _attempt(workspace, harmless[:1], paths, texts, unsafe)
        if attempt is None or not attempt[2]:
            break
        workspace, made, more = attempt
        texts.update(made)
        number += more
    return Mended(first, texts, number)


def _harmless(attempt: Callable[[Sequence[Fix]], object], fixes: Sequence[Fix]) -> list[Fix]:
    """Of fixes that do harm together, those of the halves, and of their halves, that do none."""
    if len(fixes) < 2:
        return []
    halves = fixes[: len(fixes) // 2], fixes[len(fixes) // 2 :]
    return [
        fix for half in halves for fix in (half if attempt(half) is not None else _harmless(attempt, half))
    ]


def _offers(workspace: Workspace) -> list[Fix]:
    errors = set(map(id, workspace.errors))
    return [
        item.fix
        for item in workspace.diagnostics
        if item.fix is not None and (item.fix.grade is FixGrade.SAFE or id(item) in errors or not errors)
    ]


def save(mended: Mended) -> tuple[tuple[str, str], ...]:
    """Write the new texts; the paths of files that could not be written, each with the reason."""
    from lpcl.packages.writing import replace as replace_text

    reasons = (
        (path, replace_text(path, mended.before.texts[path], text)) for path, text in mended.texts.items()
    )
    return tuple((path, reason) for path, reason in reasons if reason is not None)


def _attempt(
    before: Workspace, fixes: Sequence[Fix], paths: Sequence[str], texts: Mapping[str, str], unsafe: bool
) -> tuple[Workspace, Mapping[str, str], int] | None:
    """The workspace after some fixes, with the texts that changed; None where something new is wrong then."""
    own = {file.path: file.text for file in before.targets}
    made = apply(fixes, own, UNSAFE if unsafe else SAFE)
    if not made.number:
        return before, {}, 0
    after = open_workspace(paths, {**texts, **made.texts})
    new = _tally(after, unsafe) - _tally(before, unsafe)
    return None if new else (after, made.texts, made.number)


def _tally(workspace: Workspace, errors: bool) -> Counter[tuple[str, str, str]]:
    found = workspace.errors if errors else workspace.diagnostics
    return Counter((item.location.path, item.code, item.headline) for item in found)
