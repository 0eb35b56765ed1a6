"""The catalogue as HTML: an index, and a page for each library with all its contracts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from lpcl.catalogue.markup import Content, Html, bar, element, link, markdown, page, share, table, together
from lpcl.catalogue.sheets import (
    ControlSheet,
    Effect,
    EvidenceSheet,
    Held,
    Notes,
    OperationSheet,
    PoolSheet,
    Sheet,
)
from lpcl.catalogue.words import MEANING, multiplies, way

INDEX = "index.html"


def file_names(libraries: Iterable[str]) -> dict[str, str]:
    """A file for each library's name: plain characters, no two alike even where case does not count."""
    found: dict[str, str] = {}
    taken = {INDEX}
    for name in libraries:
        plain = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-").lower() or "contract"
        file, number = f"{plain}.html", 2
        while file in taken:
            file, number = f"{plain}-{number}.html", number + 1
        taken.add(file)
        found[name] = file
    return found


def pages(sheets: Sequence[Sheet]) -> Mapping[str, str]:
    """The whole catalogue: file name to document. Contracts of one name share a page."""
    by_name: dict[str, list[Sheet]] = {}
    for sheet in sorted(sheets, key=lambda item: (item.name.lower(), "<" in item.versions)):
        by_name.setdefault(sheet.name, []).append(sheet)
    files = file_names(by_name)
    made = {INDEX: _index(by_name, files)}
    for name, found in by_name.items():
        made[files[name]] = library_page(found)
    return made


def library_page(found: Sequence[Sheet], index: str | None = INDEX) -> str:
    """One library: each of its contracts, one a range of versions; `index` is the page to go back to."""
    name = found[0].name
    back = element("nav", element("a", "All libraries", href=index)) if index is not None else None
    contents: Content = None
    if len(found) > 1:
        items = [
            element("li", element("a", sheet.versions or sheet.qualified, href=f"#{_anchor(sheet)}"))
            for sheet in found
        ]
        contents = together(
            [
                element("p", "Its versions differ, so there is a contract for each range:"),
                element("ul", items),
            ]
        )
    several = len(found) > 1
    return page(
        f"{name}: how it takes its threads and memory",
        back,
        element("h1", name),
        contents,
        [_contract(sheet, several=several) for sheet in found],
    )


def _anchor(sheet: Sheet) -> str:
    return f"{re.sub(r'[^A-Za-z0-9]+', '-', sheet.path)}-{sheet.line}"


def _index(by_name: Mapping[str, Sequence[Sheet]], files: Mapping[str, str]) -> str:
    rows: list[tuple[Content, ...]] = []
    for name, found in by_name.items():
        clauses = sum(sheet.coverage.clauses for sheet in found)
        covered = sum(sheet.coverage.covered for sheet in found)
        tried = [item.record for sheet in found for item in sheet.evidence if item.record is not None]
        rows.append(
            (
                element("a", name, href=files[name]),
                markdown(
                    _first_sentence(next((sheet.doc for sheet in found if sheet.doc), None)), inline=True
                ),
                "; ".join(dict.fromkeys(sheet.versions for sheet in found if sheet.versions)),
                share(covered, clauses) if clauses else "",
                max((item.date for item in tried), default=""),
            )
        )
    clauses = sum(sheet.coverage.clauses for found in by_name.values() for sheet in found)
    covered = sum(sheet.coverage.covered for found in by_name.values() for sheet in found)
    return page(
        "Contracts of libraries",
        element("h1", "How libraries take their threads and memory"),
        element(
            "p",
            "Each page says how a library is recognised, what sets it and what comes first, what it does "
            "when nothing is set, and what multiplies when it meets others.",
        ),
        element(
            "p",
            f"{len(by_name)} libraries, {covered} of {clauses} clauses covered: an experiment compares the "
            "library with the clause, and would notice another one.",
            class_="soft",
        ),
        table(("Library", "", "Versions", "Clauses covered", "Last tried"), rows),
    )


def _first_sentence(doc: str | None) -> str | None:
    if not doc:
        return None
    paragraph = " ".join(doc.split("\n\n")[0].split())
    end = re.search(r"[.:](?=\s|$)", paragraph)
    return paragraph[: end.start()] if end else paragraph


# ------------------------------------------------------------------ one contract


def _contract(sheet: Sheet, *, several: bool) -> Html:
    parts: list[Content] = []
    if several:
        parts.append(element("h2", sheet.versions or sheet.qualified, id=_anchor(sheet)))
    parts.append(
        element(
            "p",
            together([element("code", sheet.qualified), f": line {sheet.line} of {sheet.path}"]),
            class_="soft small",
        )
    )
    parts.append(markdown(sheet.doc))
    parts.append(_glance(sheet))
    level = "h3" if several else "h2"
    for title, content in (
        ("How it is recognised", _recognised(sheet)),
        ("What sets it, and what comes first", _controls(sheet)),
        ("Its threads", _pools(sheet)),
        ("What can be done with it, and what multiplies", _operations(sheet)),
        ("What importing it does", _load(sheet)),
        ("What it holds", _demands(sheet)),
        ("What goes wrong", _hazards(sheet)),
        ("What shows it", _signals(sheet)),
        ("Evidence", _evidence(sheet)),
        ("Sources", _sources(sheet.notes)),
    ):
        if content is not None:
            mark = {"id": f"sources-{_anchor(sheet)}"} if title == "Sources" else {}
            parts += [element(level, title, **mark), content]
    return element("section", parts)


def _glance(sheet: Sheet) -> Html:
    rows: list[tuple[str, Content]] = []
    for control in sheet.controls:
        if not control.ways:
            continue
        first = [way(item) for item in control.ways[:3]]
        more = f" and {len(control.ways) - 3} more" if len(control.ways) > 3 else ""
        said: list[Content] = []
        if first:
            said += [_joined([element("code", item) for item in first], ", then "), more]
        if control.default is not None:
            said += ["; else " if first else "", element("code", control.default)]
        if control.counts is not None:
            said += [f" ({control.counts})"]
        rows.append((control.name, said))
    for pool in sheet.pools:
        rows.append((f"{pool.name} (pool)", multiplies(pool)))
    for operation in sheet.operations:
        starts = [item.text.removeprefix("workers ") for item in operation.does if item.is_workers]
        if starts:
            each = _joined([element("code", item) for item in starts], "; ")
            rows.append((operation.name, ["multiplies what runs in it: ", each]))
    if sheet.hazards:
        rows.append(
            ("beware", _joined([markdown(item.message, inline=True) for item in sheet.hazards[:4]], "; "))
        )
    if not rows:
        return Html("")
    shown = rows[:9]
    items = [(element("dt", name), element("dd", content)) for name, content in shown]
    return element("div", element("dl", items), class_="glance")


def _joined(items: Sequence[Content], between: str) -> Html:
    pieces: list[Content] = []
    for number, item in enumerate(items):
        pieces += [between if number else "", item]
    return together(pieces)


def _recognised(sheet: Sheet) -> Content:
    words = {"pypi": "distribution", "file": "shared object", "command": "program"}
    lines: list[Content] = [
        element(
            "li", f"{words[kind]} ", _joined([element("code", name) for name in names], ", "), f" {versions}"
        )
        for kind, names, versions in sheet.recognised
    ]
    if sheet.implements:
        lines.append(element("li", f"implements {', '.join(sheet.implements)}"))
    if sheet.uses:
        used = _joined([element("code", name) for name in sheet.uses], ", ")
        lines.append(element("li", "uses ", used))
    if sheet.base:
        lines.append(element("li", f"extends {', '.join(sheet.base)}"))
    return element("ul", lines, class_="plain") if lines else None


def _controls(sheet: Sheet) -> Content:
    if not sheet.controls:
        return None
    return table(
        ("Control", "Set by, the first that is set wins", "Else", "Range", "Read", "Invalid values"),
        [_control(item) for item in sheet.controls],
        [[markdown(item.doc), _basis(sheet, item.name, item.notes)] for item in sheet.controls],
    )


def _control(item: ControlSheet) -> tuple[Content, ...]:
    ways = element("span", "nothing from outside", class_="soft")
    if item.ways:
        ways = element("ol", [element("li", element("code", way(one))) for one in item.ways], class_="ways")
    default: list[Content] = [element("code", item.default)] if item.default is not None else ["nothing"]
    if item.counts is not None:
        default.append(element("div", item.counts, class_="soft small"))
    reach = {"thread": "holds for the calling thread", "call": "holds for the call"}.get(item.scope)
    read: list[Content] = [f"at {item.read}" if item.read else "at first use"]
    if reach is not None:
        read.append(element("div", reach, class_="soft small"))
    by_variable = any(one.kind == "env" for one in item.ways)
    return (
        element("strong", item.name),
        ways,
        default,
        element("code", item.type),
        read,
        MEANING["invalid"].get(item.invalid or "ignored", "") if by_variable else "",
    )


def _pools(sheet: Sheet) -> Content:
    lets = [
        element("li", element("code", f"{name} = {value}"), " ", markdown(doc, inline=True))
        for name, value, doc in sheet.lets
    ]
    values = element("ul", lets, class_="plain") if lets else None
    if not sheet.pools:
        return together(["No pool of its own. Values that are computed:", values]) if lets else None
    made = table(
        ("Pool", "Threads at work", "Callers at once", "Made", "Idle", "After a fork"),
        [_pool(item) for item in sheet.pools],
        [[markdown(item.doc), _basis(sheet, item.name, item.notes)] for item in sheet.pools],
    )
    return together([made, values])


def _pool(item: PoolSheet) -> tuple[Content, ...]:
    size: list[Content] = [element("code", item.size)] if item.size is not None else ["as its operations say"]
    size.append(element("div", MEANING["caller"][item.caller], class_="soft small"))
    if item.existing is not None:
        existing = element("code", item.existing)
        size.append(element("div", "beside its callers exist ", existing, class_="small"))
    return (
        element("strong", item.name),
        size,
        [multiplies(item), element("div", MEANING["threads"][item.threads], class_="soft small")],
        f"at {item.created}",
        item.idle,
        MEANING["fork"][item.fork],
    )


def _operations(sheet: Sheet) -> Content:
    if not sheet.operations:
        return None
    return together([_operation(sheet, item) for item in sheet.operations])


def _operation(sheet: Sheet, item: OperationSheet) -> Html:
    parameters = element("code", f"({', '.join(item.parameters)})") if item.parameters else None
    does: Content = element("p", "Nothing beside its caller's own thread.", class_="soft")
    if item.does:
        does = element("ul", [_effect(one) for one in item.does], class_="plain")
    return element(
        "div",
        element("p", element("strong", item.name), " ", parameters, class_="name"),
        does,
        markdown(item.doc),
        _basis(sheet, item.name, item.notes),
        class_="operation",
    )


def _effect(effect: Effect) -> Html:
    inner = element("ul", [element("li", element("code", one)) for one in effect.inner], class_="plain")
    return element("li", element("code", effect.text), [" each with:", inner] if effect.inner else None)


def _load(sheet: Sheet) -> Content:
    if not sheet.on_load:
        return None
    lines = [element("li", element("code", line)) for line in sheet.on_load]
    basis = _basis(sheet, "on load", sheet.on_load_notes)
    return together([markdown(sheet.on_load_doc), element("ul", lines, class_="plain"), basis])


def _demands(sheet: Sheet) -> Content:
    lines = [
        element(
            "li",
            element("code", item.text),
            markdown(item.doc),
            _basis(sheet, f"demand {item.resource}", item.notes),
        )
        for item in sheet.demands
    ]
    return element("ul", lines, class_="plain") if lines else None


def _signals(sheet: Sheet) -> Content:
    lines = [
        element(
            "li",
            element("strong", name),
            " ",
            element("code", one),
            markdown(doc),
            _basis(sheet, f"signal {name}", notes),
        )
        for name, one, doc, notes in sheet.signals
    ]
    return element("ul", lines, class_="plain") if lines else None


def _hazards(sheet: Sheet) -> Content:
    lines: list[Content] = []
    for item in sheet.hazards:
        how = f" ({item.effect.replace('_', ' ')})" if item.effect else ""
        lines.append(
            element(
                "li",
                markdown(item.message, inline=True),
                f"{how}, when ",
                element("code", item.condition),
                markdown(item.doc),
                _basis(sheet, f'hazard "{item.message}"', item.notes),
            )
        )
    for message, condition in sheet.assumes:
        lines.append(
            element("li", "assumed: ", element("code", condition), ", else ", markdown(message, inline=True))
        )
    return element("ul", lines, class_="plain") if lines else None


def _evidence(sheet: Sheet) -> Content:
    covered = sheet.coverage
    parts: list[Content] = []
    if covered.clauses:
        parts.append(
            element(
                "p",
                bar(covered.covered, covered.clauses),
                f"{covered.covered} of {covered.clauses} clauses are covered: "
                "an experiment would notice another one.",
                class_="soft",
            )
        )
    if sheet.evidence:
        rows = [_experiment(item) for item in sheet.evidence]
        parts.append(table(("Experiment", "About", "Tried"), rows))
    missing = [*covered.named, *covered.open]
    if missing:
        names = _joined([element("code", name) for name in missing], ", ")
        parts.append(element("p", "Not covered: ", names, class_="soft small"))
    return together(parts) if parts else None


def _experiment(item: EvidenceSheet) -> tuple[Content, ...]:
    record = item.record
    tried: list[Content] = []
    if record is not None:
        tried = [
            element("span", record.outcome, class_=record.outcome.replace(" ", "-")),
            f" {record.date}",
            element("div", ", ".join(record.versions), class_="soft small"),
        ]
    elif item.measured:
        tried = ["measured with ", ", ".join(item.measured)]
    return (
        [element("div", item.title), markdown(item.doc)],
        _joined([element("code", name) for name in item.about], ", "),
        tried,
    )


def _sources(notes: Notes) -> Content:
    lines = [element("li", link(item.address, item.title)) for item in notes.sources]
    if notes.measured:
        lines.append(element("li", f"measured with {', '.join(notes.measured)}"))
    return element("ul", lines, class_="plain") if lines else None


def _basis(sheet: Sheet, member: str, notes: Notes) -> Content:
    """What a row rests on: pages, what it was measured with, and which clauses of it experiments proved."""
    told: list[Content] = [link(item.address, item.title) for item in notes.sources]
    if notes.measured:
        told.append(f"measured with {', '.join(notes.measured)}")
    held = sheet.held.get(member)
    if held is not None and held.proved:
        told.append(_proved(held))
    elif not told and sheet.notes != Notes():
        told.append(element("a", "sources of the whole contract", href=f"#sources-{_anchor(sheet)}"))
    return element("div", _joined(told, "; "), class_="soft small") if told else None


def _proved(held: Held) -> Html:
    """Which clauses were proved, when and with what, and which are left."""
    number = len(held.proved) + len(held.left)
    which = "all clauses" if not held.left else f"{len(held.proved)} of {number} clauses"
    if number == 1:
        which = "it"
    versions = f" with {', '.join(held.versions)}" if held.versions else ""
    left: Content = None
    if held.left:
        names = _joined([element("code", one) for one in held.left[:_LEFT]], ", ")
        left = together([", not ", names, " and more" if len(held.left) > _LEFT else ""])
    return together([element("span", "proved", class_="proved"), f" {which} {held.date}{versions}", left])


_LEFT = 6
"""Clauses that are not proved, as many as a row names."""
