"""Findings of a composition as workflow commands, which GitHub shows beside the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterator

from lpcl.compose.answers import Answers
from lpcl.compose.composition import Composition
from lpcl.compose.findings import Finding
from lpcl.compose.refusal import location
from lpcl.compose.render import words
from lpcl.compose.render.devices import findings_together
from lpcl.compose.render.text import Paint, title_of
from lpcl.compose.structure import Resolution
from lpcl.diagnostics.render import github
from lpcl.model.program import Origin


def render(told: Answers) -> str:
    """One command a finding, each a line, and a last line that says how it is, ending in a newline."""
    texts: dict[str, str] = {}
    found: list[github.Annotation] = []
    for finding in findings_together(told.findings):
        origin = place(finding, told.composition)
        texts[origin.file.path] = origin.file.text
        title = title_of(finding, Paint(colour=False))
        found.append(github.Annotation(finding.severity, location(origin), title, _message(finding)))
    lines = [github.document(found, texts)] if found else []
    return "\n".join([*lines, f"{told.composition.title}: {words.verdict(told)}"]) + "\n"


def place(finding: Finding, composition: Composition) -> Origin:
    """Where a finding is shown in a file of the applications.

    It is the last statement that leads to it, else who is in it, else what its figures come from, else the
    name of the application.
    """
    own = {part.declared.file.path for part in composition.parts}
    mine = (one for one in _origins(finding) if one is not None and one.file.path in own)
    declared = composition.declared
    return next(mine, Origin(declared.file, composition.node.name.span))


def _origins(finding: Finding) -> Iterator[Origin | None]:
    yield from (step.origin for step in reversed(finding.steps))
    yield from (one.origin for places in finding.participants for one in places)
    for entry in finding.ledger:
        yield entry.origin
        yield from _reasons(entry.reasons)


def _reasons(reasons: tuple[Resolution, ...]) -> Iterator[Origin | None]:
    for reason in reasons:
        yield reason.origin
        yield from _reasons(reason.because)


def _message(finding: Finding) -> str:
    lines = [finding.headline, f"{words.meaning(finding)}."]
    lines[1] = lines[1][:1].upper() + lines[1][1:]
    if finding.help:
        lines.append(f"help: {finding.help}")
    return "\n".join(lines)
