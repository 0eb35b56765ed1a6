"""A finding on a page: what it is, how it adds up, who is in it, what helps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element

from lpcl.compose.figures import no_limit
from lpcl.compose.render.bars import squares
from lpcl.compose.render.explained import condition, steps
from lpcl.compose.render.figures import Document, clause_text, figure
from lpcl.compose.render.markup import Child, code, element, prose
from lpcl.compose.render.page import sentence
from lpcl.compose.render.words import NOBODY
from lpcl.compose.resources import CPU

MOST_PARTICIPANTS = 8
SEVERITIES = {"error": "error", "warning": "warning", "info": "note", None: "fine"}
"""The class of what is so grave."""


def finding(finding: Document) -> Element:
    """What was found, with all that shows it."""
    return element(
        "article",
        element("h3", prose(finding["headline"])),
        element("p", [element("span", tag, class_="tag") for tag in tags_of(finding)], class_="tags"),
        element("p", prose(sentence(finding["meaning"]))),
        list(_squares(finding)),
        ledger(finding) if finding["ledger"] else None,
        condition(finding),
        limit(finding),
        reasons(finding),
        steps(finding),
        _participants(finding),
        [element("p", element("strong", "Note: "), prose(note), ".") for note in finding["notes"]],
        element("p", element("strong", "What helps: "), prose(finding["help"]), ".")
        if finding["help"]
        else None,
        class_=f"finding {SEVERITIES[finding['severity']]}",
    )


def tags_of(finding: Document) -> list[str]:
    """How grave it is, of which kind, and what comes of it, in single words."""
    effect = None if finding["effect"] is None else finding["effect"].replace("_", " ")
    possible = None if finding["certain"] else "possible"
    tags = (finding["severity"], finding["kind"], possible, finding["grade"], effect)
    return [tag for tag in tags if tag is not None]


def _squares(finding: Document) -> Iterator[Element]:
    if finding["resource"] == CPU and finding["ledger"] and not finding["background"]:
        drawn = squares(finding["ledger"], finding["capacity"])
        if drawn is not None:
            yield element("figure", drawn[0], element("figcaption", sentence(drawn[1])))


def ledger(finding: Document) -> Element:
    """Who asks for how much, in a table with the sum below."""
    several = any(entry["copies"] != 1 for entry in finding["ledger"])
    worded = any(entry["how"] for entry in finding["ledger"])
    hidden = {*(() if worded else ("how",)), *(() if several else ("in each", "processes"))}
    heads = ("Who", "in which process", "how", "in each", "processes", "total", "said by")
    head = tuple(one for one in heads if one not in hidden)
    unit, numbers = finding["unit"], ("in each", "processes", "total")

    def row(entry: Document) -> Element:
        cells = (
            ("in", entry["process"]),
            ("how", prose(entry["how"])),
            ("in each", figure(entry["each"], unit)),
            ("processes", f"× {figure(entry['copies'])}"),
            ("total", f"= {figure(entry['total'], unit)}"),
        )
        return element(
            "tr",
            element("th", _who(entry["who"]), scope="row"),
            [
                element("td", text, data_label=label, class_="n" if label in numbers else None)
                for label, text in cells
                if label not in hidden
            ],
            element(
                "td",
                code(clause_text(entry["clause"])) if entry["clause"] else None,
                data_label="said by",
                class_="clause",
            ),
        )

    whole = element(
        "tr",
        element("th", "all together", scope="row", colspan=str(len(head) - 2)),
        element("td", f"= {figure(finding['demand'], unit)}", class_="n", data_label="total"),
        element("td"),
    )
    return element(
        "table",
        element("caption", "Who asks for how much"),
        element(
            "thead",
            element(
                "tr",
                [element("th", text, scope="col", class_="n" if text in numbers else None) for text in head],
            ),
        ),
        element("tbody", [row(entry) for entry in finding["ledger"]]),
        element("tfoot", whole),
        class_="ledger",
    )


def _who(name: str) -> list[Child]:
    return prose(name) if "`" in name or " " in name else [code(name)]


def limit(finding: Document) -> Element | None:
    """What there is, and what of it others use."""
    clause = finding["clause"]
    said: list[Child] = [" (", code(clause_text(clause)), ")"] if clause is not None else []
    if finding["kind"] == "overcommit":
        capacity = figure(finding["capacity"], finding["unit"])
        why = f": {finding['capacity_from']}" if finding["capacity_from"] not in (None, "", capacity) else ""
        beside = ""
        if finding["background"]:
            beside = f"{figure(finding['background'], finding['unit'])} in use by others besides. "
        return element("p", beside, element("strong", f"Capacity {capacity}"), prose(why), said)
    return element("p", "Said by ", code(clause_text(clause))) if clause is not None else None


def reasons(finding: Document) -> Element | None:
    """Where the figures come from, to be opened."""
    seen: list[Document] = []
    for entry in (*finding["ledger"], *filter(None, [finding.get("condition")])):
        seen.extend(item for item in entry["because"] if item not in seen)
    if not seen:
        return None
    return element(
        "div", element("p", element("strong", "Where the figures come from")), _chain(seen), class_="why"
    )


def _chain(reasons: Any) -> Element:
    return element(
        "ul",
        [
            element(
                "li",
                prose(item["control"]) if "`" in item["control"] else code(item["control"]),
                " = ",
                code("no limit" if no_limit(item["value"]) else figure(item["value"], item["unit"])),
                ": ",
                prose(item["text"]),
                [" (", code(clause_text(item["clause"])), ")"] if item["clause"] else None,
                _chain(item["because"]) if item["because"] else None,
            )
            for item in reasons
        ],
    )


def _participants(finding: Document) -> Element | None:
    if not finding["participants"]:
        return None
    sets = []
    for one in finding["participants"]:
        names = Counter(f"{place['library']}.{place['operation']}" for place in one)
        if names not in sets:
            sets.append(names)
    items = [_set(names, alone=finding["kind"] == "overcommit") for names in sets]
    more = None if finding["all_participants_known"] else element("p", "There may be more.")
    title = element("strong", "Who is in it: ")
    if len(items) == 1:
        return element("p", title, items[0], ". There may be more." if more is not None else ".")
    return element(
        "div",
        element("p", title, "each of these suffices"),
        element("ul", [element("li", one) for one in items]),
        more,
    )


def _set(names: Counter[str], *, alone: bool) -> list[Child]:
    if not names:
        return [NOBODY]
    shown: list[Child] = []
    for position, (name, times) in enumerate(list(names.items())[:MOST_PARTICIPANTS]):
        last = position == len(names) - 1
        shown += ["" if position == 0 else " and " if last else ", ", code(name)]
        if times > 1:
            shown.append(f" in {times} places")
    if len(names) > MOST_PARTICIPANTS:
        shown.append(f" and {len(names) - MOST_PARTICIPANTS} more")
    if alone:
        shown.append(" by itself" if names.total() == 1 else ", only together")
    return shown
