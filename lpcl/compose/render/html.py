"""A composition as a page that stands alone: nothing is loaded, nothing runs that the reader needs.

A pure function of the document. What comes from contracts and applications is text: see
`lpcl.compose.render.markup`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from xml.etree.ElementTree import Element

from lpcl.compose.render.bars import bar
from lpcl.compose.render.boxes import boxes
from lpcl.compose.render.encode import unit
from lpcl.compose.render.figures import (
    Document,
    asked,
    counted,
    figure,
    is_over,
    resource_name,
)
from lpcl.compose.render.finding_html import SEVERITIES, finding, ledger, limit, reasons, tags_of
from lpcl.compose.render.markup import Child, code, element, prose
from lpcl.compose.render.page import page, section, sentence, words_of
from lpcl.compose.render.remedies_html import alternatives
from lpcl.compose.resources import CPU
from lpcl.compose.sums import placed
from lpcl.model.machine import FACTS

_MARKS = {"error": "✖", "warning": "▲", "info": "ℹ", None: "✔"}


def render(document: Document) -> str:
    """The page as text."""
    name = str(document["title"])
    main = element(
        "main",
        _verdict(document, name),
        _demands(document),
        _structure(document),
        _findings(document),
        _calm(document),
        alternatives(document),
        _others(document),
    )
    main.append(words_of(main, {tag for found in document["findings"] for tag in tags_of(found)}))
    main.append(_machine(document))
    return page(f"{name}: {document['verdict']['text']}", main)


# ------------------------------------------------------------------ the verdict


def _verdict(document: Document, name: str) -> Element:
    verdict, machine = document["verdict"], document["machine"]
    severity = verdict["severity"]
    cpus = f", {counted(machine['cpus'], 'CPU')}" if machine["cpus"] is not None else ""
    gravest = document["findings"][0] if document["findings"] else None
    best = next((one for one in document["alternatives"] if one["changes"]), None)
    remedy: list[Child] = []
    if verdict["alarms"] and best is not None:
        remedy = ["What to change: ", code(best["text"]), " ", _more(document)]
    elif verdict["alarms"]:
        helped = gravest["help"] if gravest is not None else None
        change = next((change["text"] for one in document["amended"] for change in one["by"]), None)
        remedy = ["What to change: ", " ".join(verdict["outlook"])]
        if change is not None:
            remedy += [" For instance: ", *prose(change), "."]
        elif helped:
            remedy += [" What helps: ", *prose(helped), "."]
    links = [("demands", "What it asks for"), ("structure", "How it is built")]
    if document["findings"]:
        links.append(("findings", "Why"))
    elif document["fullest"]:
        links.append(("why", "Why"))
    links += [("alternatives", "What to change"), ("words", "Words")]
    return element(
        "header",
        element("h1", code(name), " on ", prose(machine["title"]), cpus),
        [element("p", line, class_="about") for line in _about(document)],
        element(
            "div",
            element(
                "p",
                element("span", _MARKS[severity], class_="mark", aria_hidden="true"),
                " ",
                element("strong", prose(verdict["text"])),
                class_="answer",
            ),
            element("p", prose(sentence(gravest["meaning"]))) if gravest is not None else None,
            element("p", remedy, class_="remedy") if remedy else None,
            class_=f"verdict {SEVERITIES[severity]}",
        ),
        element(
            "nav",
            [element("a", text, href=f"#{target}") for target, text in links],
            aria_label="On this page",
        ),
    )


def _about(document: Document) -> Iterator[list[Child]]:
    for one in document["applications"]:
        if one["about"]:
            several = len(document["applications"]) > 1
            yield [code(one["label"]) if several else None, ": " if several else None, *prose(one["about"])]


def _more(document: Document) -> Element | None:
    others = sum(1 for one in document["alternatives"] if one["changes"]) - 1
    text = "how" if not others else f"how, and {counted(others, 'other way')}"
    return element("a", text, href="#alternatives")


# ------------------------------------------------------------------ resources


def _demands(document: Document) -> Element:
    rows = [
        element(
            "tr",
            element("th", _resource(document, item), scope="row"),
            element("td", bar(_with_taken(item)) if item["capacity"] is not None else "", class_="drawn"),
            element(
                "td",
                element("strong", _whole(item)),
                f" of {figure(item['capacity'], item['unit'])}",
                class_="amount",
            ),
            element("td", _state(item), class_="state"),
            class_=is_over(item),
        )
        for item in document["demands"]
        if Fraction(item["high"])
        or item["resource"] == CPU
        or is_over(item) != "within"
        or item.get("too_little_left")
    ]
    unchecked = ", ".join(resource_name(document, name) for name in document["not_checked"])
    return section(
        "demands",
        "What it asks for at its busiest moment",
        element(
            "p",
            "The mark on each bar is the capacity: how much there is. What reaches beyond it is too much.",
            class_="aside",
        ),
        element(
            "table",
            element(
                "thead",
                element(
                    "tr", [element("th", text, scope="col") for text in ("Resource", "", "Asked for", "")]
                ),
            ),
            element("tbody", rows),
            class_="demands",
        ),
        element(
            "p",
            f"Not checked, since the machine does not say how much there is: {unchecked}.",
            class_="aside",
        )
        if unchecked
        else None,
    )


def _resource(document: Document, demand: Document) -> list[Child]:
    resource = {item["id"]: item for item in document["resources"]}.get(demand["resource"], {})
    about, summary = resource.get("about"), resource.get("summary")
    where = demand["where"]
    return [
        element("span", resource_name(document, demand["resource"]), title=about),
        element("span", f" {summary}", class_="summary") if summary else None,
        None if where == "machine" else element("span", f" {placed(where)}", class_="aside"),
    ]


def _whole(demand: Document) -> str:
    beside = demand["background"]
    if not beside and demand.get("taken"):
        return f"{asked(demand)} and {figure(demand['taken'], demand['unit'])} taken by others"
    return asked(demand) + (f" and {figure(beside, demand['unit'])} of others" if beside else "")


def _with_taken(demand: Document) -> Document:
    """The demand to be drawn, with what others have taken by what an assumption says."""
    return {**demand, "background": demand["background"] or demand.get("taken") or 0}


def _state(demand: Document) -> str:
    state = is_over(demand)
    if state == "within":
        return "too little left" if demand.get("too_little_left") else "fits"
    return "too much" if state == "over" else "possibly too much"


# ------------------------------------------------------------------ the structure


def _structure(document: Document) -> Element:
    moment = "The numbers are those of the moment at which most threads are runnable."
    return section(
        "structure",
        "How it is built, and where threads are runnable",
        element(
            "p",
            "A frame is a process, a box an operation of a library, and a box in it what that operation "
            f"calls or starts. From top to bottom is one after the other. {moment}",
            class_="aside",
        ),
        boxes(document),
    )


# ------------------------------------------------------------------ findings


def _findings(document: Document) -> Element | None:
    if not document["findings"]:
        return None
    return section(
        "findings", "Why: what was found, and how it adds up", [finding(one) for one in document["findings"]]
    )


def _calm(document: Document) -> Element | None:
    """Where nothing is wrong, how what comes nearest to its capacity adds up."""
    told = document["fullest"]
    if told is None:
        return None
    return section(
        "why",
        "Why: how the busiest moment adds up",
        element("p", sentence(told["text"].rstrip(":"))),
        ledger({**told, "demand": told["high"]}),
        limit({**told, "kind": "overcommit"}),
        reasons(told),
    )


# ------------------------------------------------------------------ the rest


def _others(document: Document) -> Element | None:
    lines = []
    for one in document["can_happen"]:
        name = resource_name(document, one["resource"])
        if one["answer"] == "yes" and one["text"] is not None:
            lines.append(
                element(
                    "p",
                    "To be avoided, since it would over-commit ",
                    name,
                    ": ",
                    code(one["text"]),
                )
            )
        elif one["answer"] == "undecided":
            lines.append(
                element(
                    "p",
                    f"Whether other settings could over-commit {name} is not decided: "
                    "the allowed work did not suffice.",
                )
            )
    return section("others", "What other settings could do", lines) if lines else None


def _machine(document: Document) -> Element:
    names = " and ".join(one["name"] for one in document["applications"])
    machine = document["machine"]
    rows = []
    for name, value in machine["facts"].items():
        fact = FACTS.get(name)
        shown = figure(value, "" if fact is None else unit(fact.dimension))
        rows.append(
            element(
                "tr",
                element("th", code(name), scope="row"),
                element("td", shown, class_="n"),
                element("td", "" if fact is None else fact.meaning, class_="aside"),
            )
        )
    return element(
        "footer",
        element(
            "details",
            element("summary", f"The machine: {machine['name']}"),
            element("table", element("tbody", rows), class_="facts"),
        ),
        element(
            "p",
            "Made by ",
            code("lpclc compose"),
            f" for {names}. It is computed from contracts; nothing was run or measured.",
            class_="aside",
        ),
    )
