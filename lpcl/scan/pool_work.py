"""Which operations ran on the pools whose threads were seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from lpcl.model.contracts import Contract
from lpcl.scan.calls import figures as figures_of
from lpcl.scan.calls import is_figure, may_start
from lpcl.scan.evaluation import Predicted
from lpcl.scan.question import Question
from lpcl.scan.recognition import OWN, UNKNOWN, Key
from lpcl.scan.steps import AnyStep, Limited, Step
from lpcl.syntax import nodes


@dataclass(frozen=True, eq=False)
class Effect:
    """An operation that runs on pools: the threads that it adds to its process, and the pools themselves."""

    step: AnyStep
    operation: str
    added: Mapping[Key, int]
    used: frozenset[Key]
    hint: int


def effects(
    asked: Question, loads: tuple[Step, ...], base: Predicted, others: dict[str, tuple[str, ...]]
) -> list[Effect]:
    """What each operation that runs on pools adds, those with the same effect put together.

    `others` is given the operations that have the effect of another one.
    """
    found: dict[tuple[object, ...], list[Effect]] = {}
    for name, contract in asked.source.contracts.items():
        for operation in contract.operations.values():
            if may_start(operation.node) or name in asked.source.ambient:
                continue
            for effect in _variants(asked, name, contract, operation.node, loads, base):
                key = name, tuple(sorted(effect.added.items(), key=str)), effect.used
                found.setdefault(key, []).append(effect)
    made = []
    for alike in found.values():
        first = max(alike, key=lambda effect: effect.hint)
        others.setdefault(first.operation, tuple(e.operation for e in alike if e is not first))
        made.append(first)
    return made


def _variants(
    asked: Question,
    name: str,
    contract: Contract,
    operation: nodes.Operation,
    loads: tuple[Step, ...],
    base: Predicted,
) -> Iterator[Effect]:
    hint = asked.hint(name, operation)
    bare = Step(f"{name}.{operation.name.text}")
    plain = _effect(asked, bare, loads, base, hint, bare.operation)
    if plain is not None:
        yield plain
        if all(_pending(asked, key, base) in (number, None) for key, number in plain.added.items()):
            return
    pending = {_pending(asked, key, base) or 0 for key in (plain.added if plain else asked.group.seen.counts)}
    figures = sorted({number + more for number in pending if number for more in (0, 1)})
    ways: list[AnyStep] = [
        Step(bare.operation, ((parameter, figure),))
        for parameter in figures_of(contract, operation)
        for figure in figures
    ]
    ways += [
        Limited(f"{name}.{control}", figure, (bare,))
        for control, clause in contract.controls.items()
        if is_figure(clause.node.type)
        for figure in figures
    ]
    for way in ways:
        effect = _effect(asked, way, loads, base, hint, bare.operation)
        if (
            effect is not None
            and effect.added
            and all(_pending(asked, key, base) == number for key, number in effect.added.items())
        ):
            yield effect
            return


def _pending(asked: Question, key: Key, base: Predicted) -> int | None:
    """The threads of a runtime that loading alone does not account for; None where owners are not
    known.
    """
    if UNKNOWN in asked.group.seen.counts and key not in asked.group.seen.counts:
        return None
    return max(0, asked.group.seen.counts.get(key, 0) - base.counts.get(key, 0))


def _effect(
    asked: Question, step: AnyStep, loads: tuple[Step, ...], base: Predicted, hint: int, operation: str
) -> Effect | None:
    found = asked.predict((*loads, step))
    if found is None or not found.used - base.used:
        return None
    added = {
        key: number - base.counts.get(key, 0)
        for key, number in found.counts.items()
        if number != base.counts.get(key, 0)
    }
    return Effect(step, operation, added, found.used - base.used, hint)


def sets_of_work(asked: Question, base: Predicted, effects: list[Effect]) -> list[tuple[Effect, ...]]:
    """The sets of operations that could have made the pools' threads, or kept them busy."""
    seen = asked.group.seen
    unknown = seen.counts.get(UNKNOWN, 0)
    wanted = [
        key
        for key in dict.fromkeys([*seen.counts, *base.counts])
        if key not in (OWN, UNKNOWN) and (seen.counts.get(key, 0) > base.counts.get(key, 0) or seen.busy(key))
    ]
    possible = [
        effect
        for effect in effects
        if unknown or all(seen.counts.get(key, 0) for key, number in effect.added.items() if number > 0)
    ]
    choices = [
        sorted(
            (effect for effect in possible if key in effect.used),
            key=lambda effect: (len(effect.used), -effect.hint),
        )[:6]
        for key in wanted
    ]
    sets = [()] if unknown or not wanted else []
    found: dict[tuple[Effect, ...], None] = dict.fromkeys(sets)
    for combination in product(*[choice for choice in choices if choice]):
        found[tuple(dict.fromkeys(combination))] = None
    if unknown:
        for effect in possible:
            found[(effect,)] = None
    found.setdefault((), None)
    return list(found)[:40]
