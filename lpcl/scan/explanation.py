"""Which operations explain what was seen: those whose predicted threads are the ones that were there.

For each kind of process the candidates are the operations of the recognised contracts: ones that start the
child processes, ones that start the threads of its own, ones that run on the pools whose threads were seen.
Each combination is composed, and the one comes first whose threads agree best, by whose they are; among
equals the one that the program's own text speaks for, then the simplest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from lpcl.scan.arranging import arranged, bodies, without_starts
from lpcl.scan.children import chosen
from lpcl.scan.evaluation import Around, Evaluator, Predicted
from lpcl.scan.grouping import Group
from lpcl.scan.own_threads import Threads, thread_ways
from lpcl.scan.pool_work import Effect, effects, sets_of_work
from lpcl.scan.question import Explained, Question, Source, mismatch
from lpcl.scan.recognition import OWN, UNKNOWN, Key
from lpcl.scan.steps import AnyStep, Step

_MOST = 300
"""Combinations that are composed for one kind of process."""


def explain(
    group: Group,
    evaluator: Evaluator,
    sources: Mapping[int, Source],
    around: Sequence[Around] = (),
    loaded: frozenset[str] = frozenset(),
) -> Explained:
    """The steps that explain a kind of process and those below it.

    `sources` are by the id of the process; `loaded` are the libraries that the process that starts it has.
    """
    source = sources[group.process.id]
    inherited = loaded if group.method in ("fork", "forkserver") else frozenset()
    asked = Question(group, evaluator, source, tuple(around), inherited)
    others: dict[str, tuple[str, ...]] = {}
    best = _best(asked, others)
    children = []
    for start, child in zip(best.starts, group.children, strict=True):
        inner = Around((*best.before, *without_starts(best.work, best.starts)), start)
        children.append(
            explain(child, evaluator, sources, (*around, inner), inherited | frozenset(source.loads))
        )
    more = {
        key: seen - best.predicted.counts.get(key, 0)
        for key, seen in group.seen.counts.items()
        if seen > best.predicted.counts.get(key, 0)
    }
    room = max(0, group.seen.total - best.predicted.total)
    unexplained: dict[Key, int] = {}
    for key, number in sorted(more.items(), key=lambda item: -item[1]):
        if room > 0:
            unexplained[key] = min(room, number)
            room -= unexplained[key]
    return Explained(
        group,
        best.before,
        best.work,
        best.starts,
        tuple(children),
        best.predicted,
        others,
        unexplained,
    )


@dataclass(frozen=True)
class _Candidate:
    before: tuple[AnyStep, ...]
    work: tuple[AnyStep, ...]
    starts: tuple[Step, ...]
    predicted: Predicted
    order: tuple[object, ...]


def _best(asked: Question, others: dict[str, tuple[str, ...]]) -> _Candidate:
    """The combination that explains the process best; `others` is given what would do so as well."""
    loads = asked.loads()
    base = asked.predict(loads)
    if base is None:
        loads, base = (), asked.predict(())
    if base is None:
        raise Inexplicable(asked.group.process.id)
    starts = chosen(asked, loads, others)
    held = asked.predict((*loads, *starts)) or base
    found = effects(asked, loads, base, others)
    return min(_candidates(asked, loads, starts, held, base, found), key=lambda one: one.order)


def _candidates(
    asked: Question,
    loads: tuple[Step, ...],
    starts: tuple[Step, ...],
    held: Predicted,
    base: Predicted,
    found: list[Effect],
) -> Iterator[_Candidate]:
    count = 0
    ways = thread_ways(asked, loads, held)
    for work, threads in product(sets_of_work(asked, base, found), ways):
        for place, body in bodies(asked, work, threads, found):
            steps = arranged(asked, body, starts)
            predicted = asked.predict((*loads, *steps))
            count += 1
            if predicted is not None:
                order = _order(asked, predicted, work, threads, place)
                yield _Candidate(loads, steps, starts, predicted, order)
        if count > _MOST:
            break
    predicted = asked.predict((*loads, *starts)) or base
    yield _Candidate(loads, starts, starts, predicted, (*_mismatch(asked, predicted), 9))


def _order(
    asked: Question, predicted: Predicted, work: tuple[Effect, ...], threads: Threads, place: int
) -> tuple[object, ...]:
    hint = threads.hint + sum(effect.hint for effect in work)
    idle = sum(
        asked.group.seen.busy(key) and key not in predicted.used
        for key in asked.group.seen.counts
        if key not in (OWN, UNKNOWN)
    )
    idle += asked.group.seen.busy(UNKNOWN) and not predicted.used
    needless = sum(not any(map(asked.group.seen.busy, effect.used)) for effect in work)
    return (
        *_mismatch(asked, predicted),
        idle,
        needless,
        place,
        -hint,
        threads.rank,
        len(work),
        _spelled(work, threads),
    )


def _mismatch(asked: Question, predicted: Predicted) -> tuple[int, int]:
    return mismatch(asked.group.seen, predicted), abs(predicted.total - asked.group.seen.total)


class Inexplicable(Exception):
    """A process for which not even its loaded libraries compose; holds its id."""


def _spelled(work: tuple[Effect, ...], threads: Threads) -> str:
    return f"{[effect.operation for effect in work]} {threads.step.operation if threads.step else ''}"
