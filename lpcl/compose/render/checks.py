"""A condition in figures, and the statements that lead to a finding, in lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from lpcl.compose.conditions import Checked
from lpcl.compose.findings import Finding, Kind
from lpcl.compose.stories import told


def labels(finding: Finding) -> tuple[str, str, str]:
    """What stands before a condition, before it with its values, and before what that comes to."""
    needs = "what it needs" if finding.kind is Kind.ASSUMPTION else "when it is so"
    return needs, "with its values", "which comes to"


def condition_rows(finding: Finding) -> Iterator[tuple[str, str]]:
    """The condition, with its values, and what that comes to: each with what stands before it."""
    item = finding.checked
    if item is None:
        return
    needs, values, comes = labels(finding)
    yield needs, item.text
    outcome = _outcome(item)
    if item.with_values != item.text:
        plain = len(item.comparisons) == 1 and item.comparisons[0].text == item.with_values
        yield values, outcome if plain else item.with_values
        if plain:
            return
    yield comes, outcome


def _outcome(item: Checked) -> str:
    return "; ".join(
        one.text if one.plain else f"{one.text}: {'holds' if one.holds else 'does not hold'}"
        for one in item.comparisons
    )


def condition_lines(finding: Finding, width: int) -> Iterator[str]:
    """The same in lines that fit a terminal."""
    rows = list(condition_rows(finding))
    left = max((len(label) for label, _ in rows), default=0)
    for label, text in rows:
        yield from _fitting(text, width, f"  {label.ljust(left)}  ", left + 4)


def step_lines(finding: Finding, width: int) -> Iterator[str]:
    """The statements that lead to it, numbered where there are several."""
    steps = list(told(finding.steps))
    if len(steps) == 1:
        yield from _fitting(_placed(*steps[0]), width, "  ", 2)
        return
    if steps:
        yield "  how it comes about"
    for number, step in enumerate(steps, start=1):
        yield from _fitting(_placed(*step), width, f"    {number}. ", 7)


def _fitting(text: str, width: int, first: str, further: int) -> list[str]:
    return wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=" " * further,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _placed(text: str, where: str) -> str:
    return f"{text}  ({where})" if where else text
