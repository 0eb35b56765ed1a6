"""Which operations start the child processes that were seen: as many, in the way that they were started."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lpcl.model.contracts import Contract
from lpcl.scan.calls import enumerations, figures, may_start
from lpcl.scan.evaluation import Predicted
from lpcl.scan.grouping import Group
from lpcl.scan.question import WAIT, Question
from lpcl.scan.recognition import OWN
from lpcl.scan.steps import Step
from lpcl.syntax import nodes

_METHODS = {"fork": "fork", "spawn": "spawn", "forkserver": "forkserver", "loky": "loky", "exec": "spawn"}


def chosen(asked: Question, loads: tuple[Step, ...], others: dict[str, tuple[str, ...]]) -> tuple[Step, ...]:
    """The operation that starts each kind of child; `others` is given those that would do so as well."""
    made: list[Step] = []
    for child in asked.group.children:
        ranked = _starters(asked, child, loads)
        if ranked:
            step = ranked[0][1]
            mine = _threads_of(_start_order(asked, step, 0, loads))
            same = [
                one.operation
                for _, one in ranked[1:]
                if _threads_of(_start_order(asked, one, 0, loads)) == mine
            ]
            others.setdefault(step.operation, tuple(dict.fromkeys(same)))
            step = _with_their_threads(asked, child, step, loads)
        else:
            step = _by_hand(child, asked.group)
        made.append(Step(step.operation, step.arguments, (WAIT,), place=len(made) + 1))
    return tuple(made)


def _starters(asked: Question, child: Group, loads: tuple[Step, ...]) -> list[tuple[int, Step]]:
    """The operations that start such children, each with how well it fits, the best first."""
    found: dict[Step, int] = {}
    for name, contract in asked.source.contracts.items():
        if name == "system" and child.method == "exec":
            continue  # what is left where no other contract has such an operation
        for operation in contract.operations.values():
            if not may_start(operation.node) or not _fits(child, name, asked.source.ambient, asked.group):
                continue
            for step in _instances(name, contract, operation.node, child.at_once, child.method or ""):
                if _counts_as(_with_block(asked, loads, step), child):
                    found[step] = asked.hint(name, operation.node)
                    break
    ranked = sorted(found.items(), key=lambda item: _start_order(asked, item[0], item[1], loads))
    return [(hint, step) for step, hint in ranked]


def _with_their_threads(asked: Question, child: Group, step: Step, loads: tuple[Step, ...]) -> Step:
    """The same start with how many threads each process is told to have, where it takes such a figure.

    It is the one with which a process has as many threads of its own as were seen.
    """
    name, _, word = step.operation.partition(".")
    contract = asked.source.contracts.get(name)
    seen = child.seen.counts.get(OWN, 0)
    if contract is None or word not in contract.operations or not seen:
        return step
    taken = dict(step.arguments)

    def own(parameter: str, figure: int) -> int | None:
        made = replace(step, arguments=(*step.arguments, (parameter, figure)))
        found = _with_block(asked, loads, made)
        return found[1].counts.get(OWN, 0) if _counts_as(found, child) and found else None

    for parameter in figures(contract, contract.operations[word].node):
        if parameter in taken:
            continue
        two, three = own(parameter, 2), own(parameter, 3)
        if two is None or three != two + 1:
            continue
        figure = 2 + seen - two
        if figure >= 1 and own(parameter, figure) == seen:
            return replace(step, arguments=(*step.arguments, (parameter, figure)))
    return step


def _with_block(asked: Question, loads: tuple[Step, ...], step: Step) -> tuple[Predicted, ...] | None:
    return asked.evaluator.predict((*loads, Step(step.operation, step.arguments, (WAIT,))), asked.around)


def _start_order(asked: Question, step: Step, hint: int, loads: tuple[Step, ...]) -> tuple[object, ...]:
    found = _with_block(asked, loads, step)
    assert found is not None
    seen = asked.group.seen.counts.get(OWN, 0)
    held = found[0].counts.get(OWN, 0)
    wrong_helpers = abs(found[0].helpers - len(asked.group.helpers)) if asked.group.python else 0
    own = step.operation.startswith("system.")
    return (wrong_helpers, max(0, held - seen), -hint, abs(held - seen), own, step.operation)


def _threads_of(order: tuple[object, ...]) -> tuple[object, ...]:
    """Of the place of a start in the order, what its threads come to."""
    return (*order[:2], order[3])


def _by_hand(child: Group, parent: Group) -> Step:
    """Processes that a program starts without a library for it."""
    number = ("n", child.at_once)
    if child.method == "fork":
        return Step("system.forks", (number,))
    mask = len(child.process.affinity)
    if 0 < mask < len(parent.process.affinity):
        return Step("system.pinned_processes", (number, ("cpus", mask)))
    return Step("system.processes", (number,))


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


def _instances(
    name: str, contract: Contract, operation: nodes.Operation, number: int, method: str
) -> Iterator[Step]:
    """The calls of an operation that might start so many processes in such a way."""
    bare = f"{name}.{operation.name.text}"
    parameters = figures(contract, operation)
    words = sorted(enumerations(operation), key=lambda item: method not in dict(item).values() and bool(item))
    named = [item for item in words if method in dict(item).values()]
    for more in [*named, *words]:
        for parameter in parameters:
            yield Step(bare, ((parameter, number), *more))
    if not parameters:
        yield Step(bare)
