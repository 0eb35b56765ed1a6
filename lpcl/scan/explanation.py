"""Which operations explain what was seen: those whose predicted threads are the ones that were there.

For each kind of process the candidates are the operations of the recognised contracts: ones that start the
child processes, ones that start the threads of its own, ones that run on the pools whose threads were seen.
Each combination is composed, and the one comes first whose threads agree best, by whose they are; among
equals the one that the program's own text speaks for, then the simplest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from lpcl.model.contracts import Contract
from lpcl.scan.evaluation import Around, Evaluator, Predicted
from lpcl.scan.grouping import BUSY, Group, Seen
from lpcl.scan.program_text import ProgramText
from lpcl.scan.recognition import OWN, UNKNOWN, Key
from lpcl.scan.steps import AnyStep, AtOnce, InTurn, Limited, Step, Value
from lpcl.syntax import nodes

_MOST = 300
"""Combinations that are composed for one kind of process."""

_METHODS = {"fork": "fork", "spawn": "spawn", "forkserver": "forkserver", "loky": "loky", "exec": "spawn"}

WAIT, COMPUTE = Step("system.wait"), Step("system.compute")


@dataclass(frozen=True)
class Explained:
    """A kind of process with the steps that explain it, what is predicted then, and what else would do so.

    `others` are operations that would explain the threads of a step as well, by that step's operation.
    `unexplained` is how many threads more were seen than any contract accounts for, by whose they are.
    """

    group: Group
    before: tuple[AnyStep, ...]
    work: tuple[AnyStep, ...]
    starts: tuple[Step, ...]
    children: tuple[Explained, ...]
    predicted: Predicted
    others: Mapping[str, tuple[str, ...]]
    unexplained: Mapping[Key, int]
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Source:
    """What a kind of process can do: the contracts that speak about it, by the names that operations are
    called by.
    """

    loads: tuple[str, ...]
    contracts: Mapping[str, Contract]
    ambient: frozenset[str]
    text: ProgramText


@dataclass(frozen=True, eq=False)
class _Effect:
    """An operation that runs on pools: the threads that it adds to its process, and the pools themselves."""

    step: AnyStep
    operation: str
    added: Mapping[Key, int]
    used: frozenset[Key]
    hint: int


@dataclass(frozen=True)
class _Threads:
    """A way to explain threads that belong to the interpreter or to nobody known."""

    step: Step | None
    hint: int
    rank: int


@dataclass(frozen=True)
class _Candidate:
    before: tuple[AnyStep, ...]
    work: tuple[AnyStep, ...]
    starts: tuple[Step, ...]
    predicted: Predicted
    order: tuple[object, ...]


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
    search = _Search(group, evaluator, source, tuple(around), inherited)
    best = search.best()
    children = []
    for start, child in zip(best.starts, group.children, strict=True):
        inner = Around((*best.before, *_without_starts(best.work, best.starts)), start)
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
        search.others,
        unexplained,
    )


def _without_starts(work: tuple[AnyStep, ...], starts: tuple[Step, ...]) -> tuple[AnyStep, ...]:
    """Steps without those that start processes, wherever they stand."""
    kept: list[AnyStep] = []
    for step in work:
        match step:
            case Step() if step in starts:
                continue
            case AtOnce():
                kept.extend(_without_starts(step.members, starts))
            case InTurn():
                kept.extend(_without_starts(step.steps, starts))
            case _:
                kept.append(step)
    return tuple(kept)


@dataclass
class _Search:
    group: Group
    evaluator: Evaluator
    source: Source
    around: tuple[Around, ...]
    inherited: frozenset[str]
    others: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def best(self) -> _Candidate:
        """The combination that explains the process best."""
        loads = self._loads()
        base = self._predict(loads) or self._predict(())
        if base is None:
            raise Inexplicable(self.group.process.id)
        if self._predict(loads) is None:
            loads = ()
        starts = [self._starters(child, loads) for child in self.group.children]
        chosen = self._starts(starts, loads)
        held = self._predict((*loads, *chosen)) or base
        effects = self._effects(loads, base)
        candidates = list(self._candidates(loads, chosen, held, base, effects))
        return min(candidates, key=lambda one: one.order)

    def _predict(self, steps: tuple[AnyStep, ...]) -> Predicted | None:
        found = self.evaluator.predict(steps, self.around)
        return _as_mapped(found[0], self.group.mapped) if found else None

    def _loads(self) -> tuple[Step, ...]:
        """The libraries that the process has loaded; those that a fork gave it are there without that."""
        return tuple(Step(f"{name}.load") for name in self.source.loads if name not in self.inherited)

    # ------------------------------------------------------------------ child processes

    def _starters(self, child: Group, loads: tuple[Step, ...]) -> list[tuple[int, Step]]:
        """The operations that start such children, each with how well it fits, the best first."""
        found: dict[Step, int] = {}
        for name, contract in self.source.contracts.items():
            if name == "system" and child.method == "exec":
                continue  # what is left where no other contract has such an operation
            for operation in contract.operations.values():
                if not _may_start(operation.node) or not _fits(child, name, self.source.ambient, self.group):
                    continue
                for step in _instances(name, contract, operation.node, child.at_once, child.method or ""):
                    if _counts_as(self._with_block(loads, step), child):
                        found[step] = self._hint(name, operation.node)
                        break
        ranked = sorted(found.items(), key=lambda item: self._start_order(item[0], item[1], child, loads))
        return [(hint, step) for step, hint in ranked]

    def _with_block(self, loads: tuple[Step, ...], step: Step) -> tuple[Predicted, ...] | None:
        return self.evaluator.predict((*loads, Step(step.operation, step.arguments, (WAIT,))), self.around)

    def _start_order(
        self, step: Step, hint: int, child: Group, loads: tuple[Step, ...]
    ) -> tuple[object, ...]:
        found = self._with_block(loads, step)
        assert found is not None
        seen = self.group.seen.counts.get(OWN, 0)
        held = found[0].counts.get(OWN, 0)
        wrong_helpers = abs(found[0].helpers - len(self.group.helpers)) if self.group.python else 0
        own = step.operation.startswith("system.")
        return (wrong_helpers, max(0, held - seen), -hint, abs(held - seen), own, step.operation)

    def _starts(self, candidates: list[list[tuple[int, Step]]], loads: tuple[Step, ...]) -> tuple[Step, ...]:
        chosen: list[Step] = []
        for child, ranked in zip(self.group.children, candidates, strict=True):
            if ranked:
                step = ranked[0][1]
                mine = self._start_order(step, 0, child, loads)[:2]
                same = [
                    s.operation for _, s in ranked[1:] if self._start_order(s, 0, child, loads)[:2] == mine
                ]
                own = self._start_order(step, 0, child, loads)[3]
                same = [
                    s.operation
                    for _, s in ranked[1:]
                    if s.operation in same and self._start_order(s, 0, child, loads)[3] == own
                ]
                self.others.setdefault(step.operation, tuple(dict.fromkeys(same)))
            else:
                step = _by_hand(child, self.group)
            chosen.append(Step(step.operation, step.arguments, (WAIT,), place=len(chosen) + 1))
        return tuple(chosen)

    def _hint(self, name: str, operation: nodes.Operation) -> int:
        """How much of what an operation is called by stands in the program's text."""
        names = self.source.text.names
        lowered = {item.lower() for item in names}
        words = set(re.findall(r"[A-Za-z_]*[A-Z_][A-Za-z_]*[a-z]\w*", operation.doc or ""))
        score = 2 * len(words & names) + (operation.name.text.replace("_", "") in lowered)
        parts = operation.name.text.split("_")
        return score + sum(part in lowered for part in parts if len(part) > 3) + (name in names)

    # ------------------------------------------------------------------ pools

    def _effects(self, loads: tuple[Step, ...], base: Predicted) -> list[_Effect]:
        """What each operation that runs on pools adds, those with the same effect put together."""
        found: dict[tuple[object, ...], list[_Effect]] = {}
        for name, contract in self.source.contracts.items():
            for operation in contract.operations.values():
                if _may_start(operation.node) or name in self.source.ambient:
                    continue
                for effect in self._variants(name, contract, operation.node, loads, base):
                    key = name, tuple(sorted(effect.added.items(), key=str)), effect.used
                    found.setdefault(key, []).append(effect)
        effects = []
        for alike in found.values():
            first = max(alike, key=lambda effect: effect.hint)
            self.others.setdefault(first.operation, tuple(e.operation for e in alike if e is not first))
            effects.append(first)
        return effects

    def _variants(
        self,
        name: str,
        contract: Contract,
        operation: nodes.Operation,
        loads: tuple[Step, ...],
        base: Predicted,
    ) -> Iterator[_Effect]:
        hint = self._hint(name, operation)
        bare = Step(f"{name}.{operation.name.text}")
        plain = self._effect(bare, loads, base, hint, bare.operation)
        if plain is not None:
            yield plain
            if all(self._pending(key, base) in (number, None) for key, number in plain.added.items()):
                return
        pending = {
            self._pending(key, base) or 0 for key in (plain.added if plain else self.group.seen.counts)
        }
        figures = sorted({number + more for number in pending if number for more in (0, 1)})
        ways: list[AnyStep] = [
            Step(bare.operation, ((parameter, figure),))
            for parameter in _figures(contract, operation)
            for figure in figures
        ]
        ways += [
            Limited(f"{name}.{control}", figure, (bare,))
            for control, clause in contract.controls.items()
            if _is_figure(clause.node.type)
            for figure in figures
        ]
        for way in ways:
            effect = self._effect(way, loads, base, hint, bare.operation)
            if (
                effect is not None
                and effect.added
                and all(self._pending(key, base) == number for key, number in effect.added.items())
            ):
                yield effect
                return

    def _pending(self, key: Key, base: Predicted) -> int | None:
        """The threads of a runtime that loading alone does not account for; None where owners are not
        known.
        """
        if UNKNOWN in self.group.seen.counts and key not in self.group.seen.counts:
            return None
        return max(0, self.group.seen.counts.get(key, 0) - base.counts.get(key, 0))

    def _effect(
        self, step: AnyStep, loads: tuple[Step, ...], base: Predicted, hint: int, operation: str
    ) -> _Effect | None:
        found = self._predict((*loads, step))
        if found is None or not found.used - base.used:
            return None
        added = {
            key: number - base.counts.get(key, 0)
            for key, number in found.counts.items()
            if number != base.counts.get(key, 0)
        }
        return _Effect(step, operation, added, found.used - base.used, hint)

    def _work(self, base: Predicted, effects: list[_Effect]) -> list[tuple[_Effect, ...]]:
        """The sets of operations that could have made the pools' threads, or kept them busy."""
        seen = self.group.seen
        unknown = seen.counts.get(UNKNOWN, 0)
        wanted = [
            key
            for key in dict.fromkeys([*seen.counts, *base.counts])
            if key not in (OWN, UNKNOWN)
            and (seen.counts.get(key, 0) > base.counts.get(key, 0) or seen.busy(key))
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
        found: dict[tuple[_Effect, ...], None] = dict.fromkeys(sets)
        for combination in product(*[choice for choice in choices if choice]):
            found[tuple(dict.fromkeys(combination))] = None
        if unknown:
            for effect in possible:
                found[(effect,)] = None
        found.setdefault((), None)
        return list(found)[:40]

    # ------------------------------------------------------------------ threads

    def _thread_ways(self, loads: tuple[Step, ...], held: Predicted) -> list[_Threads]:
        """The ways to start the interpreter's threads that child processes do not account for."""
        seen = self.group.seen.counts
        own = seen.get(OWN, 0) - held.counts.get(OWN, 0)
        numbers = [number for number in dict.fromkeys((own, own + seen.get(UNKNOWN, 0))) if number > 0]
        if not numbers:
            return [_Threads(None, 0, 0)]
        ways: dict[Step, _Threads] = {}
        for name, contract in self.source.contracts.items():
            for operation in contract.operations.values():
                if not _may_start(operation.node):
                    continue
                for number in numbers:
                    for step in self._thread_steps(name, contract, operation.node, loads, number):
                        ways[step] = _Threads(step, self._hint(name, operation.node), _rank(step))
        return [*ways.values(), _Threads(None, 0, 2)]

    def _thread_steps(
        self, name: str, contract: Contract, operation: nodes.Operation, loads: tuple[Step, ...], number: int
    ) -> Iterator[Step]:
        bare = f"{name}.{operation.name.text}"
        enumerated = list(_enumerations(operation))
        figures: list[str | None] = [*_figures(contract, operation)]
        for parameter in figures or [None]:
            for more in enumerated:
                probe = Step(bare, ((parameter, 2), *more) if parameter else more, (WAIT,))
                found = self._predict((*loads, probe))
                base = self._predict(loads)
                if found is None or base is None or not found.workers or found.helpers:
                    continue
                beside = found.counts.get(OWN, 0) - base.counts.get(OWN, 0) - found.workers
                if parameter is None:
                    if found.workers + beside == number:
                        yield Step(bare, more)
                    continue
                if found.workers != 2 or number - beside < 2 - (name == "system"):
                    continue
                figure = number - beside
                yield Step(bare, ((parameter, figure), *more))

    # ------------------------------------------------------------------ all together

    def _candidates(
        self,
        loads: tuple[Step, ...],
        chosen: tuple[Step, ...],
        held: Predicted,
        base: Predicted,
        effects: list[_Effect],
    ) -> Iterator[_Candidate]:
        count = 0
        ways = self._thread_ways(loads, held)
        for work, threads in product(self._work(base, effects), ways):
            for place, body in self._inner(work, threads, effects):
                steps = self._arranged(body, chosen)
                predicted = self._predict((*loads, *steps))
                count += 1
                if predicted is not None:
                    order = self._order(predicted, work, threads, place)
                    yield _Candidate(loads, steps, chosen, predicted, order)
            if count > _MOST:
                break
        predicted = self._predict((*loads, *chosen)) or base
        yield _Candidate(loads, chosen, chosen, predicted, (*self._mismatch(predicted), 9))

    def _inner(
        self, work: tuple[_Effect, ...], threads: _Threads, effects: list[_Effect]
    ) -> Iterator[tuple[int, tuple[AnyStep, ...]]]:
        steps = tuple(effect.step for effect in work)
        if threads.step is None:
            yield 0, steps or self._silent(effects)
            return
        seen = self.group.seen
        busy = seen.run.get(OWN, 0.0) + seen.run.get(UNKNOWN, 0.0)
        start = threads.step
        mostly_threads = busy >= seen.main_run
        if not steps:
            alone = (self._silent(effects) or (COMPUTE,)) if busy > BUSY else (WAIT,)
            yield 0, (Step(start.operation, start.arguments, alone),)
            return
        yield (0 if mostly_threads else 1), (Step(start.operation, start.arguments, steps),)
        rest = COMPUTE if busy > BUSY else WAIT
        yield (1 if mostly_threads else 0), (*steps, Step(start.operation, start.arguments, (rest,)))

    def _silent(self, effects: list[_Effect]) -> tuple[AnyStep, ...]:
        """The work of a busy process that shows in no pool: an operation that the text speaks for, else its
        own.
        """
        if self.group.seen.main_run <= BUSY and not self.group.seen.busy(OWN):
            return ()
        if self.group.children and self.group.method is None:
            return ()
        fitting = [effect for effect in effects if not effect.added and effect.hint > 1]
        best = max(fitting, key=lambda effect: effect.hint, default=None)
        return (COMPUTE,) if best is None else (best.step,)

    def _arranged(self, body: tuple[AnyStep, ...], chosen: tuple[Step, ...]) -> tuple[AnyStep, ...]:
        """The own work of a process and the starts of its children, in their order, or at once."""
        if not chosen:
            return body
        arranged: list[list[Step]] = []
        ends, shortest = -1.0, 0.0
        for step, child in zip(chosen, self.group.children, strict=True):
            length = max(child.last - child.first, 0.001)
            if arranged and min(ends, child.last) - child.first > 0.3 * min(length, shortest):
                arranged[-1].append(step)
                ends, shortest = max(ends, child.last), min(length, shortest)
            else:
                arranged.append([step])
                ends, shortest = child.last, length
        starts: list[AnyStep] = [item[0] if len(item) == 1 else AtOnce(tuple(item)) for item in arranged]
        beside = [step for step in body if isinstance(step, Step) and step.block is not None]
        if beside and self._threads_beside_children():
            alone = [step for step in body if step not in beside]
            return (*alone, AtOnce((*beside, starts[0] if len(starts) == 1 else InTurn(tuple(starts)))))
        return (*body, *starts)

    def _threads_beside_children(self) -> bool:
        """Whether threads of the process's own were there for most of the time of its children."""
        first, last = self.group.children[0].first, max(child.last for child in self.group.children)
        lives = [(thread.first, thread.last) for thread in self.group.process.threads if not thread.main]
        return any(min(last, end) - max(first, start) > 0.5 * (last - first) for start, end in lives)

    def _order(
        self, predicted: Predicted, work: tuple[_Effect, ...], threads: _Threads, place: int
    ) -> tuple[object, ...]:
        hint = threads.hint + sum(effect.hint for effect in work)
        idle = sum(
            self.group.seen.busy(key) and key not in predicted.used
            for key in self.group.seen.counts
            if key not in (OWN, UNKNOWN)
        )
        idle += self.group.seen.busy(UNKNOWN) and not predicted.used
        needless = sum(not any(map(self.group.seen.busy, effect.used)) for effect in work)
        return (
            *self._mismatch(predicted),
            idle,
            needless,
            place,
            -hint,
            threads.rank,
            len(work),
            _spelled(work, threads),
        )

    def _mismatch(self, predicted: Predicted) -> tuple[int, int]:
        return mismatch(self.group.seen, predicted), abs(predicted.total - self.group.seen.total)


class Inexplicable(Exception):
    """A process for which not even its loaded libraries compose; holds its id."""


def mismatch(seen: Seen, predicted: Predicted) -> int:
    """By how many threads a prediction and what was seen differ, runtime by runtime.

    Threads whose owner is not known stand for any that are missing.
    """
    unknown = seen.counts.get(UNKNOWN, 0)
    difference = 0
    for key in {*seen.counts, *predicted.counts} - {UNKNOWN}:
        gap = predicted.counts.get(key, 0) - seen.counts.get(key, 0)
        if gap > 0:
            taken = min(gap, unknown)
            unknown -= taken
            gap -= taken
        difference += abs(gap)
    return difference + unknown


def _spelled(work: tuple[_Effect, ...], threads: _Threads) -> str:
    return f"{[effect.operation for effect in work]} {threads.step.operation if threads.step else ''}"


def _as_mapped(predicted: Predicted, mapped: frozenset[Key]) -> Predicted:
    """A prediction for the copies of runtimes that are really there.

    A library that carries a runtime for itself gets another one's copy where that is loaded already under
    the same name: what is predicted for its own is then that one's.
    """
    copies: dict[str, set[Key]] = {}
    for key in mapped:
        copies.setdefault(key[0], set()).add(key)

    def real(key: Key) -> Key:
        there = copies.get(key[0], set())
        return next(iter(there)) if len(there) == 1 and key not in there else key

    counts: dict[Key, int] = {}
    for key, number in predicted.counts.items():
        counts[real(key)] = counts.get(real(key), 0) + number
    return replace(predicted, counts=counts, used=frozenset(map(real, predicted.used)))


def _rank(step: Step) -> int:
    """Plain threads come before libraries that would have as many, and those with the caller among them
    last.
    """
    return {"system.threads": 0, "system.threads_with_caller": 2}.get(step.operation, 1)


def _by_hand(child: Group, parent: Group) -> Step:
    """Processes that a program starts without a library for it."""
    number = ("n", child.at_once)
    if child.method == "fork":
        return Step("system.forks", (number,))
    mask = len(child.process.affinity)
    if 0 < mask < len(parent.process.affinity):
        return Step("system.pinned_processes", (number, ("cpus", mask)))
    return Step("system.processes", (number,))


def _may_start(operation: nodes.Operation) -> bool:
    """Whether an operation has workers, or hands a block on to one that has."""
    return any(
        isinstance(clause, nodes.Workers) or (isinstance(clause, nodes.Calls) and clause.passes_block)
        for clause in operation.clauses
    )


def _fits(child: Group, name: str, ambient: frozenset[str], parent: Group) -> bool:
    """Whether a contract's operations can be behind children that were started that way."""
    if child.method == "exec":
        return name not in ambient
    if name == "system":
        return child.method == "fork"
    return parent.python or child.method == "fork"


def _counts_as(found: tuple[Predicted, ...] | None, child: Group) -> bool:
    """Whether what is predicted is one kind of child, started that way, as many as there were."""
    if found is None or len(found) != 2:
        return False
    return (
        found[1].method == _METHODS[child.method or ""] and found[1].copies == found[0].copies * child.at_once
    )


def _figures(contract: Contract, operation: nodes.Operation) -> list[str]:
    """The parameters of an operation, and the controls that a call may give, that take whole numbers."""
    own = [p.name.text for p in operation.parameters if _is_figure(p.type)]
    named = {
        reference.path
        for clause in operation.clauses
        for reference in clause.walk()
        if isinstance(reference, nodes.Reference)
    }
    controls = [
        name
        for name, control in contract.controls.items()
        if _is_figure(control.node.type)
        and (
            name in named or any(isinstance(clause, nodes.ArgumentSource) for clause in control.node.clauses)
        )
    ]
    return [*own, *(name for name in controls if name not in own)]


def _is_figure(kind: nodes.Type) -> bool:
    return isinstance(kind, nodes.ValueType) and kind.first in ("int", "count") and not kind.rest


def _enumerations(operation: nodes.Operation) -> Iterator[tuple[tuple[str, Value], ...]]:
    """Nothing, then each value of each parameter that is one of several words."""
    yield ()
    for parameter in operation.parameters:
        if isinstance(parameter.type, nodes.EnumType):
            for member in parameter.type.members:
                yield ((parameter.name.text, member.text),)


def _instances(
    name: str, contract: Contract, operation: nodes.Operation, number: int, method: str
) -> Iterator[Step]:
    """The calls of an operation that might start so many processes in such a way."""
    bare = f"{name}.{operation.name.text}"
    figures = _figures(contract, operation)
    words = sorted(
        _enumerations(operation), key=lambda item: method not in dict(item).values() and bool(item)
    )
    named = [item for item in words if method in dict(item).values()]
    for more in [*named, *words]:
        for parameter in figures:
            yield Step(bare, ((parameter, number), *more))
    if not figures:
        yield Step(bare)
