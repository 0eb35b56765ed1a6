"""A composition as a page that stands alone: nothing is loaded, nothing runs that the reader needs.

A pure function of the document. What comes from contracts and applications is text: see
`lpcl.compose.render.markup`. The page forbids itself scripts but for the one it is made with.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any
from xml.etree.ElementTree import Element

from lpcl.compose.render.bars import bar, squares
from lpcl.compose.render.boxes import boxes
from lpcl.compose.render.encode import unit
from lpcl.compose.render.explained import condition, steps
from lpcl.compose.render.figures import (
    Document,
    asked,
    clause_text,
    counted,
    figure,
    is_over,
    resource_name,
)
from lpcl.compose.render.glossary import needed
from lpcl.compose.render.markup import Child, code, element, prose, written
from lpcl.compose.render.recipe import recipe
from lpcl.compose.render.text import no_limit
from lpcl.compose.render.words import NOT_JUST_SET
from lpcl.compose.resources import CPU
from lpcl.compose.sums import placed
from lpcl.model.machine import FACTS

MOST_SHAPES = 12
MOST_PARTICIPANTS = 8
MOST_INSTEAD = 3
_SEVERITIES = {"error": "error", "warning": "warning", "info": "note", None: "fine"}
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
        _alternatives(document),
        _others(document),
    )
    main.append(words_of(main, {tag for found in document["findings"] for tag in _tags(found)}))
    main.append(_machine(document))
    return page(f"{name}: {document['verdict']['text']}", main)


def page(title: str, main: Element) -> str:
    """A page around its contents."""
    script = _asset("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'"
    return written(
        element(
            "html",
            element(
                "head",
                element("meta", charset="utf-8"),
                element("meta", http_equiv="Content-Security-Policy", content=policy),
                element("meta", name="viewport", content="width=device-width, initial-scale=1"),
                element("meta", name="color-scheme", content="light dark"),
                element("title", title),
                element("style", _asset("page.css")),
            ),
            element("body", main, element("script", script)),
            lang="en",
        )
    )


@cache
def _asset(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def section(name: str, title: str, *content: Child | Iterable[Child]) -> Element:
    """A part of the page under a heading that can be linked to."""
    return element("section", element("h2", title, id=name), *content, aria_labelledby=name)


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
        remedy = ["What to change: ", " ".join(verdict["outlook"])]
        remedy += [" What helps: ", *prose(helped), "."] if helped else []
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
            class_=f"verdict {_SEVERITIES[severity]}",
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


def sentence(text: str) -> str:
    """A clause as a sentence."""
    return text[:1].upper() + text[1:] + "."


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
        _ledger({**told, "demand": told["high"]}),
        _limit({**told, "kind": "overcommit"}),
        _reasons(told),
    )


def finding(finding: Document) -> Element:
    """What was found, with all that shows it."""
    return element(
        "article",
        element("h3", prose(finding["headline"])),
        element("p", [element("span", tag, class_="tag") for tag in _tags(finding)], class_="tags"),
        element("p", prose(sentence(finding["meaning"]))),
        list(_squares(finding)),
        _ledger(finding) if finding["ledger"] else None,
        condition(finding),
        _limit(finding),
        _reasons(finding),
        steps(finding),
        _participants(finding),
        [element("p", element("strong", "Note: "), prose(note), ".") for note in finding["notes"]],
        element("p", element("strong", "What helps: "), prose(finding["help"]), ".")
        if finding["help"]
        else None,
        class_=f"finding {_SEVERITIES[finding['severity']]}",
    )


def _tags(finding: Document) -> list[str]:
    effect = None if finding["effect"] is None else finding["effect"].replace("_", " ")
    possible = None if finding["certain"] else "possible"
    tags = (finding["severity"], finding["kind"], possible, finding["grade"], effect)
    return [tag for tag in tags if tag is not None]


def _squares(finding: Document) -> Iterator[Element]:
    if finding["resource"] == CPU and finding["ledger"] and not finding["background"]:
        drawn = squares(finding["ledger"], finding["capacity"])
        if drawn is not None:
            yield element("figure", drawn[0], element("figcaption", sentence(drawn[1])))


def _ledger(finding: Document) -> Element:
    head = ("Who", "in which process", "how", "each", "copies", "total", "said by")
    unit = finding["unit"]

    def row(entry: Document) -> Element:
        cells = (
            ("in", entry["process"]),
            ("how", prose(entry["how"])),
            ("each", figure(entry["each"], unit)),
            ("copies", f"× {figure(entry['copies'])}"),
            ("total", f"= {figure(entry['total'], unit)}"),
        )
        return element(
            "tr",
            element("th", _who(entry["who"]), scope="row"),
            [
                element(
                    "td", text, data_label=label, class_="n" if label in ("each", "copies", "total") else None
                )
                for label, text in cells
            ],
            element(
                "td",
                code(clause_text(entry["clause"])) if entry["clause"] else None,
                data_label="said by",
                class_="clause",
            ),
        )

    numbers = ("each", "copies", "total")
    whole = element(
        "tr",
        element("th", "all together", scope="row", colspan="5"),
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


def _limit(finding: Document) -> Element | None:
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


def _reasons(finding: Document) -> Element | None:
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
        return ["what is always there"]
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


# ------------------------------------------------------------------ what to change


def _alternatives(document: Document) -> Element:
    verdict = document["verdict"]
    changed = [one for one in document["alternatives"] if one["changes"]]
    cards = [_alternative(one, document) for one in changed]
    undecided = document["avoidable"] == "undecided" and changed
    return section(
        "alternatives",
        "What to change",
        [element("p", line) for line in verdict["outlook"]],
        element("ul", list(_advice(document)), class_="advice") if not cards and verdict["alarms"] else None,
        element(
            "p",
            "Each of these is enough by itself. The best come first: the most CPUs in use, then the fewest "
            "changes.",
            class_="aside",
        )
        if len(cards) > 1
        else None,
        element("ol", cards, class_="cards") if cards else None,
        element("p", "There may be better ones: the allowed work did not suffice to know.")
        if undecided
        else None,
        list(_not_enough(document)),
        list(_amended(document)),
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


def words_of(main: Element, tags: set[str]) -> Element:
    """The words of a page that somebody may not have met, with what they mean."""
    text = " ".join(main.itertext())
    explained = [
        part
        for word, meaning in needed(text, tags)
        for part in (element("dt", word), element("dd", prose(meaning)))
    ]
    return section("words", "Words", element("dl", explained))


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
