"""On which machines something is wrong, as a page that stands alone."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from lpcl.compose.anywhere import Anywhere, Somewhere
from lpcl.compose.extent import Range
from lpcl.compose.findings import Finding, Kind
from lpcl.compose.render.anywhere import bounds_of, machine, subject, where, with_amounts
from lpcl.compose.render.finding_html import finding
from lpcl.compose.render.json import finding_of
from lpcl.compose.render.markup import Child, code, element, prose
from lpcl.compose.render.page import page, section, sentence, words_of
from lpcl.compose.render.words import meaning
from lpcl.diagnostics.diagnostic import Severity

_MARKS = {Severity.ERROR: "✖", Severity.WARNING: "▲", Severity.INFO: "ℹ"}


def render(told: Anywhere) -> str:
    """The page as text."""
    main = element(
        "main",
        _verdict(told),
        _machines(told),
        section("findings", "What is wrong, and where", [_somewhere(one) for one in told.found])
        if told.found
        else None,
        _never(told),
    )
    tags = {
        tag
        for one in told.found
        if isinstance(one.shown, Finding)
        for tag in (one.shown.kind.value, one.shown.grade.value if one.shown.grade else "")
    }
    main.append(words_of(main, tags))
    main.append(
        element(
            "footer",
            element(
                "p",
                "Made by ",
                code("lpclc compose"),
                f" for {told.title}. It is computed from contracts; nothing was run or measured.",
                class_="aside",
            ),
        )
    )
    return page(f"{told.title} on any machine: {_answer(told)}", main)


def _answer(told: Anywhere) -> str:
    """The answer in one line."""
    if not told.found:
        return (
            "Nothing is wrong on any machine in range." if told.decided else "Nothing was found to be wrong."
        )
    first, *others = told.found
    more = "" if not others else f" (and {len(others)} more finding{'s' if len(others) > 1 else ''})"
    shown = first.shown
    if not isinstance(shown, Finding) or shown.kind is not Kind.OVERCOMMIT:
        return f"{subject(first)}: {where(first.extent)}{more}."
    asked = "is" if shown.certain else "may be"
    return f"More of {subject(first)} {asked} asked for than there is, {where(first.extent)}{more}."


def _verdict(told: Anywhere) -> Element:
    worst = told.found[0].shown if told.found else None
    kind = {None: "fine", Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}[
        None if worst is None else worst.severity
    ]
    about = [part.node.doc for part in told.parts if part.node.doc]
    return element(
        "header",
        element("h1", code(told.title), f" on {told.machines.base.title}"),
        [element("p", prose(text), class_="about") for text in about],
        element(
            "div",
            element(
                "p",
                element(
                    "span",
                    "✔" if worst is None else _MARKS[worst.severity],
                    class_="mark",
                    aria_hidden="true",
                ),
                " ",
                element("strong", prose(_answer(told))),
                class_="answer",
            ),
            element("p", "On the smallest of these machines: ", prose(sentence(meaning(worst))))
            if isinstance(worst, Finding)
            else None,
            element(
                "p", "There may be more: the allowed work did not suffice to look at all machines in range."
            )
            if not told.decided
            else None,
            class_=f"verdict {kind}",
        ),
    )


def _machines(told: Anywhere) -> Element:
    return section(
        "machines",
        "The machines that were looked at",
        element(
            "table",
            element(
                "tbody",
                [
                    element("tr", element("th", code(name), scope="row"), element("td", text))
                    for name, text in bounds_of(told)
                ],
            ),
            class_="facts",
        ),
    )


def _somewhere(one: Somewhere) -> Element:
    shown = one.shown
    rows: list[Child] = list(_rows(one))
    article: list[Child] = [
        element("h3", prose(f"{subject(one)}: {where(one.extent)}")),
        element("ul", rows) if rows else None,
        element("p", "The smallest of these machines: ", code(machine(one)), "."),
    ]
    if isinstance(shown, Finding):
        return element("div", article, finding(finding_of(shown)))
    helped = shown.help or "it cannot be composed there"
    return element("article", article, element("p", element("strong", "What helps: "), prose(helped), "."))


def _rows(one: Somewhere) -> Iterator[Element]:
    if one.extent is None:
        return
    for value, ranges in one.extent.rows:
        first, second = one.extent.figures
        here = with_amounts(first, (Range(value, value),))
        yield element("li", f"{here}: {with_amounts(second, ranges)}")


def _never(told: Anywhere) -> Element | None:
    if not told.never:
        return None
    names = ", ".join(resource.name for resource in told.never)
    return section(
        "never", "What is never too much", element("p", f"On no machine in range over-committed: {names}.")
    )
