"""What to change, on a page: settings, changes of the program and the machine, and what is not enough."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from lpcl.compose.render.figures import Document, counted, figure
from lpcl.compose.render.markup import code, element, prose
from lpcl.compose.render.page import section, sentence
from lpcl.compose.render.recipe import recipe
from lpcl.compose.render.words import NOT_JUST_SET, THERE_ARE_MORE

MOST_SHAPES = 12
MOST_INSTEAD = 3


def alternatives(document: Document) -> Element:
    """The section that says what to change."""
    verdict = document["verdict"]
    changed = [one for one in document["alternatives"] if one["changes"]]
    cards = [_alternative(one, document) for one in changed]
    undecided = document["avoidable"] == "undecided" and changed
    return section(
        "alternatives",
        "What to change",
        [element("p", line) for line in verdict["outlook"]],
        element("ul", list(_advice(document)), class_="advice")
        if not (cards or document["amended"]) and verdict["alarms"]
        else None,
        element(
            "p",
            "Each of these is enough by itself. The best come first: the most CPUs in use, then the fewest "
            "changes.",
            class_="aside",
        )
        if len(cards) > 1
        else None,
        element("ol", cards, class_="cards" if len(cards) > 1 else "cards single") if cards else None,
        element("p", THERE_ARE_MORE) if document["more"] else None,
        element("p", "There may be better ones: the allowed work did not suffice to know.")
        if undecided
        else None,
        list(_amended(document)),
        list(_not_enough(document)),
    )


def _amended(document: Document) -> Iterator[Element]:
    """What would have to change in the program or on the machine, finding by finding."""
    sufficient = document["sufficient"]
    if sufficient:
        yield element("p", NOT_JUST_SET, ", by one of these:" if len(sufficient) > 1 else ":")
        yield element("ul", [element("li", prose(change["text"])) for change in sufficient])
    for one in document["amended"]:
        yield element(
            "p", element("strong", one["text"]), ", by one of these:" if len(one["by"]) > 1 else ":"
        )
        yield element("ul", [element("li", prose(change["text"])) for change in one["by"]])


def _not_enough(document: Document) -> Iterator[Element]:
    """What does not help by itself, though a figure rests on it."""
    told = document["not_enough"]
    if told:
        left = [
            element(
                "li",
                code(one["text"]),
                ": ",
                prose(one["left"]),
            )
            for one in told
        ]
        yield element("p", element("strong", "Not enough by itself"), class_="futile")
        yield element("ul", left)


def _advice(document: Document) -> Iterator[Element]:
    """What helps where no setting does, finding by finding."""
    for finding in document["findings"]:
        if finding["severity"] != "info" and finding["help"]:
            yield element("li", prose(finding["headline"]), ": ", prose(finding["help"]), ".")


def _alternative(one: Document, document: Document) -> Element:
    shape = [
        element(
            "li",
            code(item["place"]),
            f": {counted(item['value'], item['kind'].removesuffix('s'))}{' each' if item['each'] else ''}",
        )
        for item in one["shape"][:MOST_SHAPES]
    ]
    if len(one["shape"]) > MOST_SHAPES:
        shape.append(element("li", f"and {len(one['shape']) - MOST_SHAPES} more"))
    busy = f"keeps {counted(one['cpu'], 'CPU')} busy; " if one["cpu"] else ""
    now = [f"{_written_as(change)} is {figure(change['from'])} now" for change in one["changes"]]
    return element(
        "li",
        element("h3", code(one["text"])),
        element("p", sentence(f"{busy}{', '.join(now)}"), class_="aside"),
        element("div", element("pre", recipe(one["changes"], document["applications"])), class_="copy"),
        element("ul", shape, class_="shape") if shape else None,
        [
            element("p", "Instead of ", code(text), ": ", code(" or ".join(names)), ".", class_="aside")
            for text, names in _instead(one)
        ],
        class_="card",
    )


def _written_as(change: Document) -> str:
    """What a change sets, as one knows it: a variable, an option of the command, a control."""
    return str(change["apply"]).partition("{")[0].rstrip(" =") if change["apply"] else str(change["name"])


def _instead(one: Document) -> Iterator[tuple[str, list[str]]]:
    """What could be set to the same in place of what an alternative sets, each as one would write it."""
    for change in one["changes"]:
        names = one["instead"].get(change["knob"], [])
        if names:
            yield change["text"], names[:MOST_INSTEAD]
