"""Amounts against capacities, drawn: a bar for each resource, a square for each thread."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any
from xml.etree.ElementTree import Element

from lpcl.compose.render.figures import Document, asked, figure, is_over
from lpcl.compose.render.markup import element

MOST_SQUARES = 384
_PER_ROW = 32
_STEP = 12


def bar(demand: Document) -> Element:
    """What is asked for as a length beside the capacity as a mark; what is beyond it stands out."""
    low, high = Fraction(demand["low"]), Fraction(demand["high"])
    background, capacity = Fraction(demand["background"]), Fraction(demand["capacity"])
    whole = max(background + high, capacity) or Fraction(1)

    def at(amount: Fraction) -> str:
        return _short(amount * 1000 / whole)

    def part(start: Fraction, end: Fraction, kind: str) -> Element | None:
        if end <= start:
            return None
        return element("rect", x=at(start), y="6", width=at(end - start), height="20", class_=kind)

    def parts(start: Fraction, end: Fraction, kind: str) -> list[Element | None]:
        split = min(max(capacity, start), end)
        return [part(start, split, kind), part(split, end, f"{kind} beyond")]

    mark = min(capacity * 1000 / whole, Fraction(997))
    return element(
        "svg",
        element("rect", x="0", y="6", width="1000", height="20", class_="track"),
        parts(Fraction(0), background, "others"),
        parts(background, background + low, "sure"),
        parts(background + low, background + high, "maybe"),
        element("rect", x=_short(mark), y="0", width="3", height="32", class_="mark"),
        viewBox="0 0 1000 32",
        preserveAspectRatio="none",
        role="img",
        aria_label=f"{asked(demand)} of {figure(demand['capacity'], demand['unit'])}: "
        f"{ {'over': 'too much', 'possibly': 'possibly too much', 'within': 'fits'}[is_over(demand)] }",
        class_="bar",
    )


def squares(ledger: Sequence[Document], capacity: Any) -> tuple[Element, str] | None:
    """A square for each runnable thread, those beyond the CPUs standing out, and a caption; None where there
    are none.
    """
    total = sum(math.ceil(Fraction(entry["total"])) for entry in ledger)
    cpus = math.floor(Fraction(capacity))
    if total < 1:
        return None
    each = -(-total // MOST_SQUARES)
    count, served = -(-total // each), cpus // each
    rows = -(-count // _PER_ROW)
    drawn = [
        element(
            "rect",
            x=str(1 + index % _PER_ROW * _STEP),
            y=str(1 + index // _PER_ROW * _STEP),
            width="10",
            height="10",
            rx="2",
            class_="has" if index < served else "lacks",
        )
        for index in range(count)
    ]
    what = "one square for each runnable thread" if each == 1 else f"one square for {each} runnable threads"
    width = min(count, _PER_ROW) * _STEP
    svg = element(
        "svg",
        drawn,
        viewBox=f"0 0 {width} {rows * _STEP}",
        width=str(width * 3 // 2),
        height=str(rows * _STEP * 3 // 2),
        role="img",
        aria_label=f"{total} runnable threads, of which {min(cpus, total)} have a CPU",
        class_="squares",
    )
    return svg, f"{what}: {min(cpus, total)} have a CPU at a time, {max(0, total - cpus)} have none"


def _short(amount: Fraction) -> str:
    """A length with at most two decimals."""
    text = f"{float(round(amount, 2)):.2f}"
    return text.rstrip("0").rstrip(".")
