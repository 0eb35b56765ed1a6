"""The structure of an application as nested boxes: a process in a frame, an operation in what calls it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any
from xml.etree.ElementTree import Element

from lpcl.compose.render.figures import Document, clause_text, counted, figure
from lpcl.compose.render.markup import code, element
from lpcl.compose.render.picture import (
    OMITTED,
    doing,
    holding,
    load,
    name_of,
    process_load,
    pruned,
    started_process,
)

MOST_OPERATIONS = 250


def boxes(document: Document) -> Element:
    """The machine with the processes that run on it and everything below them."""
    structure, cpus = pruned(document["structure"], MOST_OPERATIONS), document["structure"]["cpus"]
    known = cpus is not None
    return element(
        "div",
        element(
            "div",
            element("span", "machine", class_="what"),
            element("strong", document["machine"]["name"]),
            element("span", counted(cpus, "CPU"), class_="aside") if known else None,
            element(
                "span",
                f"{figure(structure['runnable'])} runnable in all",
                class_=_heat(structure["runnable"], cpus),
            )
            if known
            else None,
            class_="head",
        ),
        [_process(document, process) for process in structure["processes"]],
        class_="machine",
    )


def _owner(library: Document) -> str:
    """The library that carries this copy for itself, if one does."""
    return f" of {library['of']}" if library["of"] is not None else ""


def _process(document: Document, process: Document) -> Element:
    cpus = counted(process["cpus"], "CPU")
    pinned = f"pinned to {cpus}" if process["pinned"] else f"may use {cpus}"
    loaded = [
        element("li", code(item["library"]), _owner(item), f" holds: {holding(document, item['holds'])}")
        for item in process["libraries"]
        if item["holds"]
    ]
    loaded += [
        element("li", code(item["library"]), _owner(item), " keeps ", _pools(item["pools"]))
        for item in process["libraries"]
        if any(pool["threads"] for pool in item["pools"])
    ]
    if process["holds"]:
        loaded.append(element("li", f"each holds: {holding(document, process['holds'])}"))
    several = process["copies"] not in (0, 1)
    state = "idle" if not process["copies"] else "several" if several else None
    return element(
        "div",
        element(
            "div",
            element("span", "process", class_="what"),
            element("strong", process["name"]),
            element("span", f"× {figure(process['copies'])}", class_="copies") if several else None,
            element("span", process_load(process), class_=_heat(process["runnable"], process["cpus"])),
            element("span", pinned, class_="aside"),
            class_="head",
        ),
        element("ul", loaded, class_="loaded") if loaded else None,
        _steps(document, process["steps"], process["cpus"]),
        class_="process" if state is None else f"process {state}",
    )


def _pools(pools: Any) -> str:
    return ", ".join(
        f"{counted(pool['threads'], 'thread')} in the pool {pool['name']}"
        for pool in pools
        if pool["threads"]
    )


def _heat(runnable: Any, cpus: Any) -> str:
    if not Fraction(runnable):
        return "load none"
    return "load hot" if Fraction(runnable) > Fraction(cpus) else "load"


def _steps(document: Document, steps: Any, cpus: Any) -> Element | None:
    if not steps:
        return None
    return element("ol", [element("li", list(_step(document, one, cpus))) for one in steps], class_="steps")


def _step(document: Document, step: Document, cpus: Any) -> Iterator[Element]:
    if step["kind"] == OMITTED:
        yield element("p", f"and {counted(step['count'], 'more operation')}, not drawn", class_="omitted")
    elif step["kind"] == "together":
        yield element(
            "div",
            element("p", "at the same time", class_="what"),
            element(
                "div",
                [
                    element("div", _steps(document, member, cpus), class_="member")
                    for member in step["members"]
                ],
                class_="members",
            ),
            class_="together",
        )
    else:
        yield _operation(document, step, cpus)


def _each(operation: Document) -> str:
    return "" if operation["callers"] in (0, 1) else "each "


def _operation(document: Document, operation: Document, cpus: Any) -> Element:
    shown, held = load(operation), holding(document, operation["holds"])
    process = started_process(operation)
    inner = _steps(document, operation["steps"], cpus) if process is None else _process(document, process)
    runs = None
    if process is None and operation["steps"]:
        several = operation["workers"] or operation["pool"]
        runs = element("p", "each of these threads runs:" if several else "it calls:", class_="runs")
    head = [
        code(name_of(operation), title=clause_text(operation["clause"])),
        element("span", shown, class_=_heat(operation["runnable"], cpus)) if shown else None,
    ]
    if not operation["callers"]:
        would = f"; each would hold: {held}" if held else ""
        head.append(element("span", f"no thread is here at that moment{would}", class_="aside"))
        if inner is None:
            return element("div", element("div", head, class_="head"), class_="operation idle")
        return element("details", element("summary", head), runs, inner, class_="operation idle")
    return element(
        "div",
        element("div", head, class_="head"),
        element("p", doing(operation) + (f"; {_each(operation)}holds: {held}" if held else "")),
        runs,
        inner,
        class_="operation",
    )
