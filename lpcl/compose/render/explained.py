"""The condition behind a finding, and the statements that lead to it, on the page of a composition."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from lpcl.compose.render.figures import Document, clause_text
from lpcl.compose.render.markup import Child, code, element, prose


def condition(finding: Document) -> Element | None:
    """The condition of an assumption that fails, or of a hazard, in figures."""
    item = finding.get("condition")
    if item is None:
        return None
    needs = "What it needs" if finding["kind"] == "assumption" else "When it is so"
    rows = [(needs, item["text"])]
    reckoned = [(("holds" if one["holds"] else "does not hold"), one["text"]) for one in item["comparisons"]]
    if item["with_values"] not in (item["text"], *(text for _, text in reckoned)):
        rows.append(("with its values", item["with_values"]))
    rows += reckoned
    return element(
        "table",
        element("caption", "The condition"),
        element(
            "tbody",
            [
                element("tr", element("th", label, scope="row"), element("td", element("code", text)))
                for label, text in rows
            ],
        ),
        class_="ledger",
    )


def steps(finding: Document) -> Element | None:
    """The statements of the application that lead to a finding, visible beside it."""
    told = [list(_step(one)) for one in finding.get("steps", ())]
    if not told:
        return None
    if len(told) == 1:
        return element("p", element("strong", "Where: "), told[0], ".")
    title = element("p", element("strong", "How it comes about"))
    return element("div", title, element("ol", [element("li", one) for one in told]), class_="why")


def _step(step: Document) -> Iterator[Child]:
    yield from prose(step["text"])
    if step["clause"]:
        yield from (" (", code(clause_text(step["clause"])), ")")
