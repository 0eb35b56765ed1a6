"""In which order the steps of a process stand, and which of them go on at the same time."""

from __future__ import annotations

from collections.abc import Iterator

from lpcl.scan.grouping import BUSY
from lpcl.scan.own_threads import Threads
from lpcl.scan.pool_work import Effect
from lpcl.scan.question import COMPUTE, WAIT, Question
from lpcl.scan.recognition import OWN, UNKNOWN
from lpcl.scan.steps import AnyStep, AtOnce, InTurn, Step


def bodies(
    asked: Question, work: tuple[Effect, ...], threads: Threads, effects: list[Effect]
) -> Iterator[tuple[int, tuple[AnyStep, ...]]]:
    steps = tuple(effect.step for effect in work)
    if threads.step is None:
        yield 0, steps or _silent(asked, effects)
        return
    if threads.alone:
        yield 0, (*steps, threads.step)
        return
    seen = asked.group.seen
    busy = seen.run.get(OWN, 0.0) + seen.run.get(UNKNOWN, 0.0)
    start = threads.step
    mostly_threads = busy >= seen.main_run
    if not steps:
        alone = (_silent(asked, effects) or (COMPUTE,)) if busy > BUSY else (WAIT,)
        yield 0, (Step(start.operation, start.arguments, alone),)
        return
    yield (0 if mostly_threads else 1), (Step(start.operation, start.arguments, steps),)
    rest = COMPUTE if busy > BUSY else WAIT
    yield (1 if mostly_threads else 0), (*steps, Step(start.operation, start.arguments, (rest,)))


def _silent(asked: Question, effects: list[Effect]) -> tuple[AnyStep, ...]:
    """The work of a busy process that shows in no pool: an operation that the text speaks for, else its
    own.
    """
    if asked.group.seen.main_run <= BUSY and not asked.group.seen.busy(OWN):
        return ()
    if asked.group.children and asked.group.method is None:
        return ()
    fitting = [effect for effect in effects if not effect.added and effect.hint > 1]
    best = max(fitting, key=lambda effect: effect.hint, default=None)
    return (COMPUTE,) if best is None else (best.step,)


def arranged(asked: Question, body: tuple[AnyStep, ...], chosen: tuple[Step, ...]) -> tuple[AnyStep, ...]:
    """The own work of a process and the starts of its children, in their order, or at once."""
    if not chosen:
        return body
    rows: list[list[Step]] = []
    ends, shortest = -1.0, 0.0
    for step, child in zip(chosen, asked.group.children, strict=True):
        length = max(child.last - child.first, 0.001)
        if rows and min(ends, child.last) - child.first > 0.3 * min(length, shortest):
            rows[-1].append(step)
            ends, shortest = max(ends, child.last), min(length, shortest)
        else:
            rows.append([step])
            ends, shortest = child.last, length
    starts: list[AnyStep] = [item[0] if len(item) == 1 else AtOnce(tuple(item)) for item in rows]
    beside = [step for step in body if isinstance(step, Step) and step.block is not None]
    if beside and _threads_beside_children(asked):
        alone = [step for step in body if step not in beside]
        return (*alone, AtOnce((*beside, starts[0] if len(starts) == 1 else InTurn(tuple(starts)))))
    return (*body, *starts)


def _threads_beside_children(asked: Question) -> bool:
    """Whether threads of the process's own were there for most of the time of its children."""
    first, last = asked.group.children[0].first, max(child.last for child in asked.group.children)
    lives = [(thread.first, thread.last) for thread in asked.group.process.threads if not thread.main]
    return any(min(last, end) - max(first, start) > 0.5 * (last - first) for start, end in lives)


def without_starts(work: tuple[AnyStep, ...], starts: tuple[Step, ...]) -> tuple[AnyStep, ...]:
    """Steps without those that start processes, wherever they stand."""
    kept: list[AnyStep] = []
    for step in work:
        match step:
            case Step() if step in starts:
                continue
            case AtOnce():
                kept.extend(without_starts(step.members, starts))
            case InTurn():
                kept.extend(without_starts(step.steps, starts))
            case _:
                kept.append(step)
    return tuple(kept)
