"""The catalogue as HTML: an index, and a page for each library with all its contracts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from lpcl.catalogue import minute
from lpcl.catalogue.markup import (
    Content,
    Html,
    bar,
    breakable,
    element,
    link,
    markdown,
    page,
    share,
    table,
    together,
)
from lpcl.catalogue.phrases import code
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
from lpcl.catalogue.terms import KERNEL, Term, terms
from lpcl.catalogue.words import MEANING, clause, exists, multiplies, way

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
    """The whole catalogue: file name to document. Contracts of one name share a page, the newest first."""
    by_name: dict[str, list[Sheet]] = {}
    for sheet in sorted(sheets, key=lambda item: item.name.lower()):
        by_name.setdefault(sheet.name, []).append(sheet)
    for found in by_name.values():
        found.sort(key=_newest, reverse=True)
    files = file_names(by_name)
    made = {INDEX: _index(by_name, files)}
    for name, found in by_name.items():
        made[files[name]] = library_page(found, files=files)
    return made


def _newest(sheet: Sheet) -> tuple[bool, tuple[int, ...]]:
    """Orders contracts of one library by the version up to which they speak; one without an end is newest."""
    ends = re.findall(r"<=?\s*([\d.]+)", sheet.versions)
    return not ends, max((tuple(int(one) for one in end.split(".") if one) for end in ends), default=())


def library_page(
    found: Sequence[Sheet], index: str | None = INDEX, files: Mapping[str, str] | None = None
) -> str:
    """One library: each of its contracts, one a range of versions; `index` is the page to go back to, and
    `files` are the pages of the libraries that have one."""
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
        [_contract(sheet, several=several, files=files or {}) for sheet in found],
        _words(terms(found)),
    )


def _words(found: Sequence[Term]) -> Content:
    """What the words of a page's expressions mean."""
    if not found:
        return None
    rows: list[tuple[Content, ...]] = [
        (
            element("code", item.word),
            [
                markdown(item.meaning, inline=True),
                [" (", link(item.address, "kernel.org"), ")"] if item.address else None,
            ],
        )
        for item in found
    ]
    return together([element("h2", "Words", id="words"), table(("Word", "What it means"), rows)])


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
                element("ul", [element("li", one) for one in _ranges(found)], class_="bare"),
                share(covered, clauses) if clauses else "",
                element("span", max((item.date for item in tried), default=""), class_="share"),
            )
        )
    clauses = sum(sheet.coverage.clauses for found in by_name.values() for sheet in found)
    covered = sum(sheet.coverage.covered for found in by_name.values() for sheet in found)
    return page(
        "Contracts of libraries",
        element("h1", "How libraries take their threads and memory"),
        element(
            "p",
            "Each page begins with the questions that people bring: what sets the number of threads and what "
            "comes first, what it is when nothing is set, what becomes of it when several callers, processes "
            "or libraries meet. Below that stands each fact with what it rests on: an experiment with its "
            "day and its versions, or a page about it.",
        ),
        element(
            "p",
            f"{len(by_name)} libraries. {covered} of {clauses} facts are held to an experiment, which would "
            "fail if the library did anything else.",
            class_="soft",
        ),
        table(("Library", "", "Versions", "Facts under experiment", "Last tried"), rows),
        _variables(by_name, files),
    )


def _ranges(found: Sequence[Sheet]) -> list[str]:
    return list(dict.fromkeys(sheet.versions for sheet in found if sheet.versions))


def _variables(by_name: Mapping[str, Sequence[Sheet]], files: Mapping[str, str]) -> Content:
    """Environment variables and who reads, and who sets, each of them."""
    read: dict[str, dict[str, None]] = {}
    made: dict[str, dict[str, None]] = {}
    for name, found in by_name.items():
        for sheet in found:
            for control in sheet.controls:
                for one in control.ways:
                    if one.kind == "env":
                        read.setdefault(one.name, {})[name] = None
            for variable in sheet.sets:
                made.setdefault(variable, {})[name] = None
    names = sorted({*read, *made})
    if not names:
        return None

    def linked(libraries: Iterable[str]) -> Html:
        return _joined([element("a", one, href=files[one]) for one in libraries], ", ")

    rows = [(element("code", one), linked(read.get(one, ())), linked(made.get(one, ()))) for one in names]
    return together(
        [
            element("h2", "Environment variables", id="variables"),
            table(("Variable", "Read by", "Set by, for itself or its children"), rows),
        ]
    )


def _first_sentence(doc: str | None) -> str | None:
    if not doc:
        return None
    paragraph = " ".join(doc.split("\n\n")[0].split())
    end = re.search(r"[.:](?=\s|$)", paragraph)
    return paragraph[: end.start()] if end else paragraph


# ------------------------------------------------------------------ one contract


def _contract(sheet: Sheet, *, several: bool, files: Mapping[str, str]) -> Html:
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
    level = "h3" if several else "h2"
    sections = [
        (part, title, content)
        for part, title, content in (
            (minute.CONTROLS, "What sets it, and what comes first", _controls(sheet)),
            (minute.THREADS, "Its threads", _pools(sheet)),
            (minute.OPERATIONS, "What can be done with it, and what multiplies", _operations(sheet)),
            (minute.LOADING, "What loading it does", _load(sheet)),
            (minute.HELD, "What it holds", _demands(sheet)),
            (minute.WRONG, "What goes wrong", _hazards(sheet)),
            (minute.SHOWN, "What shows it", _signals(sheet)),
            ("recognised", "How it is recognised", _recognised(sheet, files)),
            ("evidence", "Evidence", _evidence(sheet)),
            ("sources", "Sources", _sources(sheet.notes)),
        )
        if content is not None
    ]
    parts.append(_glance(sheet, {part for part, *_ in sections}))
    for part, title, content in sections:
        parts += [element(level, title, id=_part(sheet, part)), content]
    return element("section", parts)


def _part(sheet: Sheet, part: str) -> str:
    return f"{part}-{_anchor(sheet)}"


def _glance(sheet: Sheet, sections: set[str]) -> Html:
    """The questions that people bring, with answers; each leads to where its facts stand with sources."""
    items: list[Content] = []
    for answer in minute.answers(sheet):
        question: Content = answer.question
        section = answer.section if answer.section in sections else minute.OPERATIONS
        if section in sections:
            question = element("a", answer.question, href=f"#{_part(sheet, section)}")
        lines = [element("div", markdown(line, inline=True)) for line in answer.lines]
        lines += [
            element("div", markdown(line, inline=True), class_="soft small") for line in answer.added[:_ADDED]
        ]
        items.append((element("dt", question), element("dd", lines)))
    return element("div", element("dl", items), class_="glance") if items else Html("")


def _joined(items: Sequence[Content], between: str) -> Html:
    pieces: list[Content] = []
    for number, item in enumerate(items):
        pieces += [between if number else "", item]
    return together(pieces)


def _recognised(sheet: Sheet, files: Mapping[str, str]) -> Content:
    words = {"pypi": "distribution", "file": "shared object", "command": "program"}
    lines: list[Content] = [
        element(
            "li", f"{words[kind]} ", _joined([element("code", name) for name in names], ", "), f" {versions}"
        )
        for kind, names, versions in sheet.recognised
    ]
    if sheet.implements:
        lines.append(element("li", f"serves wherever {', '.join(sheet.implements)} is wanted"))
    if sheet.uses:
        used = [
            element("a", one.text, href=files[one.library])
            if one.library in files
            else element("span", one.text)
            for one in sheet.uses
        ]
        lines.append(element("li", "uses ", _joined(used, ", ")))
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
    default: list[Content] = [markdown(item.default_words, inline=True)]
    if item.counts is not None:
        default.append(element("div", item.counts, class_="soft small"))
    reach = {"thread": "holds for the calling thread", "call": "holds for the call"}.get(item.scope)
    by_variable = any(one.kind == "env" for one in item.ways)
    read: list[Content] = [MEANING["read"][item.read or "first use"] if by_variable or item.read else None]
    if reach is not None:
        read.append(element("div", reach, class_="soft small"))
    return (
        element("strong", item.name),
        ways,
        breakable(default),
        breakable(markdown(item.values, inline=True)),
        read,
        MEANING["invalid"].get(item.invalid or "ignored", "") if by_variable else "",
    )


def _pools(sheet: Sheet) -> Content:
    made: list[Content] = []
    if sheet.pools:
        made.append(
            table(
                ("Pool", "Threads at work", "Callers at once", "Made", "Idle", "After a fork"),
                [_pool(item) for item in sheet.pools],
                [[markdown(item.doc), _basis(sheet, item.name, item.notes)] for item in sheet.pools],
            )
        )
    elif sheet.lets:
        made.append(element("p", "It keeps no threads of its own."))
    if sheet.lets:
        made.append(
            table(
                ("Value", "How it is computed", "CPUs it counts"),
                [
                    (
                        element("strong", item.name),
                        breakable(markdown(item.words, inline=True)),
                        item.counts or "",
                    )
                    for item in sheet.lets
                ],
                [[markdown(item.doc), _basis(sheet, item.name, Notes())] for item in sheet.lets],
            )
        )
    return together(made) if made else None


def _pool(item: PoolSheet) -> tuple[Content, ...]:
    size: list[Content] = [markdown(item.size_words or "as many as its operations say", inline=True)]
    size.append(element("div", MEANING["caller"][item.caller], class_="soft small"))
    existing = markdown(exists(item), inline=True)
    size.append(element("div", "threads that exist: ", existing, class_="small"))
    if item.counts is not None:
        size.append(element("div", item.counts, class_="soft small"))
    return (
        element("strong", item.name),
        breakable(size),
        [multiplies(item), element("div", MEANING["threads"][item.threads], class_="soft small")],
        MEANING["created"][item.created],
        breakable(markdown(item.idle_words, inline=True)),
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
    inner = element(
        "ul", [element("li", markdown(one, inline=True)) for one in effect.inner_words], class_="plain"
    )
    return element(
        "li", markdown(effect.words, inline=True), [", each with:", inner] if effect.inner else None
    )


def _load(sheet: Sheet) -> Content:
    if not sheet.on_load:
        return None
    lines = [element("li", markdown(line, inline=True)) for line in sheet.on_load_words]
    basis = _basis(sheet, "on load", sheet.on_load_notes)
    said = [markdown(sheet.on_load_doc), element("ul", lines, class_="plain"), basis]
    return element("div", said, class_="operation")


def _demands(sheet: Sheet) -> Content:
    lines = [
        element(
            "li",
            markdown(item.words, inline=True),
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
            element("strong", item.name),
            ": ",
            markdown(item.words, inline=True),
            markdown(item.doc),
            _basis(sheet, f"signal {item.name}", item.notes, "process." in item.text),
        )
        for item in sheet.signals
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
    for one in sheet.assumes:
        lines.append(
            element(
                "li",
                "counted on is ",
                element("code", one.condition),
                ", else: ",
                markdown(one.message, inline=True),
                markdown(one.doc),
                _basis(sheet, f'assume "{one.message}"', one.notes),
            )
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
                f"{covered.covered} of {covered.clauses} facts are held to an experiment, which would fail "
                "if the library did anything else.",
                class_="soft",
            )
        )
    if sheet.evidence:
        rows = [_experiment(item) for item in sheet.evidence]
        parts.append(table(("Experiment", "About", "Tried"), rows))
    missing = [*covered.named, *covered.open]
    if missing:
        parts.append(element("p", "Not held to one: ", _by_member(missing), class_="soft small"))
    return together(parts) if parts else None


def _by_member(names: Iterable[str]) -> Html:
    """Clauses by the member that they belong to, in words."""
    found: dict[str, list[str]] = {}
    for name in names:
        alone = name.startswith(("demand ", "hazard ", "signal ", "assume "))
        member, _, rest = ("", "", name) if alone else name.partition(".")
        found.setdefault(member, []).append(clause(rest) if rest else "its value")
    told = [
        f"{code(member)}: {', '.join(rest)}" if member else ", ".join(rest) for member, rest in found.items()
    ]
    return markdown("; ".join(told), inline=True)


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
    else:
        tried = [element("span", "not yet", class_="soft")]
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


def _basis(sheet: Sheet, member: str, notes: Notes, kernel: bool = False) -> Content:
    """What a row rests on: pages, what it was measured with, and which facts of it experiments proved.

    What has nothing of its own rests on what the whole contract does, or, where it is the kernel that
    measures, on the kernel's own page.
    """
    told: list[Content] = [link(item.address, item.title) for item in notes.sources]
    if notes.measured:
        told.append(f"measured with {', '.join(notes.measured)}")
    held = sheet.held.get(member)
    if held is not None and held.proved:
        told.append(_proved(held))
    if not told and kernel:
        told.append(link(KERNEL, "Linux: scheduler statistics"))
    elif not told and sheet.notes != Notes():
        told = ["with the whole contract: ", _joined(_told(sheet.notes), "; ")]
        return element("div", told, class_="soft small basis")
    return element("div", _joined(told, "; "), class_="soft small basis") if told else None


def _told(notes: Notes) -> list[Content]:
    told: list[Content] = [link(item.address, item.title) for item in notes.sources]
    return [*told, f"measured with {', '.join(notes.measured)}"] if notes.measured else told


def _proved(held: Held) -> Html:
    """Which facts were proved, when and with what, and which are left."""
    which = "" if not held.left else f" {len(held.proved)} of {len(held.proved) + len(held.left)} facts"
    versions = f" with {', '.join(held.versions)}" if held.versions else ""
    left: Content = None
    if held.left:
        names = markdown(", ".join(clause(one) for one in held.left[:_LEFT]), inline=True)
        left = together(["; not tried: ", names, " and more" if len(held.left) > _LEFT else ""])
    return together([element("span", "proved", class_="proved"), f"{which} on {held.date}{versions}", left])


_ADDED = 4
"""Sentences of the documentation, as many as an answer has."""
_LEFT = 6
"""Facts that are not proved, as many as a row names."""
