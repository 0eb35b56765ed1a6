"""The questions that people bring to a library's page, answered from its contract in a few lines each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from lpcl.catalogue import prose
from lpcl.catalogue.phrases import code
from lpcl.catalogue.sheets import Borrowed, ControlSheet, PoolSheet, Sheet
from lpcl.catalogue.words import MEANING, exists, multiplies, way

CONTROLS, THREADS, OPERATIONS = "controls", "threads", "operations"
LOADING, HELD, WRONG, SHOWN = "loading", "held", "wrong", "shown"
"""Sections of a page, in which an answer's facts stand with their sources."""

_FEW = 6
"""Lines of an answer; what is more stands in its section."""
_WAYS = 6
"""Ways to set a control that an answer names."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A question, its answer in lines of Markdown, what the documentation adds to it, and the section where
    all that stands with its sources."""

    question: str
    lines: tuple[str, ...]
    added: tuple[str, ...]
    section: str


def answers(sheet: Sheet, *, every: bool = False) -> tuple[Answer, ...]:
    """The questions that the contract answers, always in one order; with `every`, all lines of each."""
    found: list[Answer] = []
    for question, lines, added, section in _QUESTIONS:
        here = list(lines(sheet))
        if section == WRONG:
            told = " ".join(one.replace("**", "") for item in found for one in item.added)
            here = [one for one in here if one not in told]
        if here:
            found.append(
                Answer(
                    question,
                    tuple(here) if every else _few(here),
                    tuple(dict.fromkeys(added(sheet))),
                    section,
                )
            )
    return tuple(found)


def _few(lines: Sequence[str]) -> tuple[str, ...]:
    if len(lines) <= _FEW + 1:
        return tuple(lines)
    return (*lines[:_FEW], f"and {len(lines) - _FEW} more below")


@dataclass(frozen=True, slots=True)
class _Pool:
    """A pool, of its own or another library's, with what it is called here and the size that is asked for."""

    name: str
    sheet: PoolSheet
    size: str | None


def _pools(sheet: Sheet) -> list[_Pool]:
    own = [_Pool(code(item.name), item, None) for item in sheet.pools]
    return own + [_Pool(_borrowed_name(item), item.pool, item.size) for item in sheet.borrowed]


def _borrowed_name(item: Borrowed) -> str:
    own = ", a copy of its own" if item.private else ""
    return f"{code(item.pool.name)} of {item.library}{own}"


def _by_answer(sheet: Sheet, told: Callable[[_Pool], str]) -> Iterator[str]:
    """What is told of each pool; pools of which the same is told are named together."""
    found: dict[str, list[str]] = {}
    every = _pools(sheet)
    for item in every:
        found.setdefault(told(item), []).append(item.name)
    for answer, names in found.items():
        alone = len(every) == 1 and not sheet.borrowed
        yield answer if alone else f"{', '.join(names)}: {answer}"


def _grouped(told: Iterable[tuple[str, str]], count: int) -> Iterator[str]:
    """Names by what is told of them; a single one needs no name."""
    found: dict[str, list[str]] = {}
    for name, answer in told:
        found.setdefault(answer, []).append(name)
    for answer, names in found.items():
        yield answer if count == 1 else f"{', '.join(map(code, names))}: {answer}"


def _by_variable(sheet: Sheet) -> list[ControlSheet]:
    return [item for item in sheet.controls if any(one.kind == "env" for one in item.ways)]


def _set(sheet: Sheet) -> Iterator[str]:
    for control in sheet.controls:
        if control.ways:
            yield _chain(code(control.name), control)
    for item in sheet.borrowed:
        for control in item.controls[:2]:
            yield _chain(f"{code(f'{item.alias}.{control.name}')} ({item.library})", control)
    for operation in sheet.operations:
        if operation.arguments:
            yield f"{code(operation.name)}: its arguments {', '.join(operation.arguments)}"


def _chain(name: str, control: ControlSheet) -> str:
    first = ", then ".join(code(way(item)) for item in control.ways[:_WAYS])
    more = f" and {len(control.ways) - _WAYS} more" if len(control.ways) > _WAYS else ""
    return f"{name}: {first}{more}; else {control.default_words}"


def _read(sheet: Sheet) -> Iterator[str]:
    found = _by_variable(sheet)
    yield from _grouped(
        ((item.name, MEANING["read"][item.read or "first use"]) for item in found), len(found)
    )


def _invalid(sheet: Sheet) -> Iterator[str]:
    found = _by_variable(sheet)
    yield from _grouped(
        ((item.name, MEANING["invalid"][item.invalid or "ignored"]) for item in found), len(found)
    )


def _counted(sheet: Sheet) -> Iterator[str]:
    into = {name for item in sheet.lets if item.counts for name in re.findall(r"\w+", item.value)}
    own: list[tuple[str, str | None]] = [
        (item.name, item.counts) for item in sheet.controls if item.name not in into
    ]
    own += [(item.name, item.counts) for item in sheet.lets]
    own += [(item.name, item.counts) for item in sheet.pools]
    yield from _grouped([(name, counts) for name, counts in own if counts is not None], 2)
    for item in sheet.borrowed:
        told = [(f"{item.alias}.{one.name}", one.counts) for one in item.controls]
        told += [(f"{item.alias}.{one.name}", one.counts) for one in item.lets]
        counted = [(name, counts) for name, counts in told if counts is not None]
        yield from (f"{line} ({item.library})" for line in _grouped(counted, 2))


def _loading(sheet: Sheet) -> Iterator[str]:
    if sheet.is_program:
        return
    made = [code(item.name) for item in sheet.pools if item.created == "load"]
    if made:
        yield f"starts the threads of {', '.join(made)}"
    yield from sheet.on_load_words
    for item in sheet.brought:
        if item.pools:
            yield f"loads {item.library}, which starts the threads of {', '.join(map(code, item.pools))}"
        yield from (f"loads {item.library}, which {line}" for line in item.on_load)
    brings = any(item.pools or item.on_load for item in sheet.brought)
    if _tried(sheet) and not made and not sheet.on_load and not brings:
        own = "starts none of its pools' threads, and sets nothing" if sheet.pools else None
        yield own or "starts no threads and sets nothing, as far as is known"


def _tried(sheet: Sheet) -> bool:
    """Whether an experiment looked at the library: only then what nobody speaks of is known not to be."""
    return any(item.record is not None and item.record.outcome == "proved" for item in sheet.evidence)


def _at_work(sheet: Sheet) -> Iterator[str]:
    values = {code(item.name): item.words for item in sheet.lets}

    def size(item: _Pool) -> str:
        said = item.size or item.sheet.size_words or "as many as its operations say"
        return f"{said}, which is {values[said]}" if said in values else said

    yield from _by_answer(sheet, size)
    if _tried(sheet) and not _pools(sheet) and not any(_starts(sheet)):
        yield "none of its own: each caller computes by itself"


def _exist(sheet: Sheet) -> Iterator[str]:
    yield from _by_answer(sheet, lambda item: exists(item.sheet, item.size))
    yield from _demanded(sheet, lambda resource: resource in ("threads", "processes"))


def _demanded(sheet: Sheet, wanted: Callable[[str], bool]) -> Iterator[str]:
    """What operations, and each of their workers, demand of some resources."""
    for operation in sheet.operations:
        for effect in operation.does:
            if effect.kind == "demand" and wanted(effect.subject):
                yield f"{code(operation.name)}: {effect.words}"
            for written, words in zip(effect.inner, effect.inner_words, strict=True):
                clause, _, rest = written.partition(" ")
                if clause == "demand" and wanted(rest.partition(" ")[0]):
                    yield f"{code(operation.name)}, each of its workers: {words}"


def _callers(sheet: Sheet) -> Iterator[str]:
    yield from _by_answer(sheet, lambda item: multiplies(item.sheet))


def _idle(sheet: Sheet) -> Iterator[str]:
    yield from _by_answer(sheet, lambda item: item.sheet.idle_words)


def _fork(sheet: Sheet) -> Iterator[str]:
    yield from _by_answer(sheet, lambda item: MEANING["fork"][item.sheet.fork])


def _starts(sheet: Sheet) -> Iterator[str]:
    for operation in sheet.operations:
        lets = {item.subject: item.words for item in operation.does if item.kind == "let"}
        for effect in operation.does:
            if effect.is_workers:
                said = lets.pop(effect.subject, None)
                yield f"{code(operation.name)} {effect.words}{f'; {said}' if said else ''}"


def _children(sheet: Sheet) -> Iterator[str]:
    yield from dict.fromkeys(_inherited(sheet))


def _inherited(sheet: Sheet) -> Iterator[str]:
    inner = tuple(f"holds {code(item.name)} " for item in sheet.controls if not item.ways)
    several = [item for item in sheet.operations if any(one.is_workers for one in item.does)]
    for operation in several:
        for effect in operation.does:
            if effect.kind != "workers" or " processes " not in effect.words:
                continue
            given = [line for line in effect.inner_words if line.startswith(("sets ", "holds ", "bound to "))]
            given = [line for line in given if not line.startswith(inner)]
            yield from (f"{code(operation.name)}: {line}" for line in given)
            if not any(line.startswith("sets ") for line in given):
                yield f"{code(operation.name)}: sets no variable for them; they have those of their parent"
    if several:
        return
    borrowed = any(way.kind == "env" for item in sheet.borrowed for one in item.controls for way in one.ways)
    if _by_variable(sheet) or borrowed:
        yield "have their parent's variables, so each has as many threads again"


def _held(sheet: Sheet) -> Iterator[str]:
    yield from (item.words for item in sheet.demands)
    yield from _demanded(sheet, lambda resource: resource not in ("cpu", "threads", "processes"))


def _beware(sheet: Sheet) -> Iterator[str]:
    for hazard in sheet.hazards:
        how = f" ({hazard.effect.replace('_', ' ')})" if hazard.effect else ""
        yield f"{hazard.message}{how}, when {code(hazard.condition)}"
    for operation in sheet.operations:
        for effect in operation.does:
            if effect.kind in ("hazard", "assume"):
                yield f"{code(operation.name)}: {effect.words.removeprefix('beware: ')}"
    for item in sheet.assumes:
        yield f"counted on is {code(item.condition)}, else: {item.message}"
    docs = [sheet.doc, sheet.on_load_doc, *(one.doc for one in sheet.controls)]
    docs += [*(one.doc for one in sheet.pools), *(one.doc for one in sheet.operations)]
    for doc in docs:
        yield from prose.stressed(doc)


def _shown(sheet: Sheet) -> Iterator[str]:
    yield from (f"{code(item.name)}: {item.words}" for item in sheet.signals)


def _nothing(_: Sheet) -> Iterator[str]:
    return iter(())


def _added_to_invalid(sheet: Sheet) -> Iterator[str]:
    for item in _by_variable(sheet):
        yield from (f"{code(item.name)}: {one}" for one in prose.about(item.doc, prose.INVALID))


def _added_to_loading(sheet: Sheet) -> Iterator[str]:
    for doc in (sheet.doc, sheet.on_load_doc, *(item.doc for item in sheet.pools)):
        yield from prose.about(doc, prose.LOADING)


def _added_to_pools(pattern: str) -> Callable[[Sheet], Iterator[str]]:
    def added(sheet: Sheet) -> Iterator[str]:
        yield from prose.about(sheet.doc, pattern)
        every = _pools(sheet)
        for item in every:
            name = "" if len(every) == 1 and not sheet.borrowed else f"{item.name}: "
            yield from (f"{name}{one}" for one in prose.about(item.sheet.doc, pattern))
        for operation in sheet.operations:
            yield from (f"{code(operation.name)}: {one}" for one in prose.about(operation.doc, pattern))

    return added


_Told = Callable[[Sheet], Iterator[str]]

_QUESTIONS: tuple[tuple[str, _Told, _Told, str], ...] = (
    ("What sets it", _set, _nothing, CONTROLS),
    ("When that is read", _read, _nothing, CONTROLS),
    ("Invalid values", _invalid, _added_to_invalid, CONTROLS),
    ("CPUs it counts", _counted, _nothing, CONTROLS),
    ("Loading it", _loading, _added_to_loading, LOADING),
    ("Threads at work", _at_work, _nothing, THREADS),
    ("Threads that exist", _exist, _nothing, THREADS),
    ("k callers at once", _callers, _nothing, THREADS),
    ("Idle threads", _idle, _added_to_pools(prose.IDLE), THREADS),
    ("After a fork", _fork, _added_to_pools(prose.FORK), THREADS),
    ("What multiplies", _starts, _nothing, OPERATIONS),
    ("Child processes", _children, _nothing, OPERATIONS),
    ("What it holds", _held, _nothing, HELD),
    ("Beware", _beware, _nothing, WRONG),
    ("How it shows", _shown, _nothing, SHOWN),
)
