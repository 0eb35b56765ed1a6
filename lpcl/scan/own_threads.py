"""Which operations started the threads that belong to the interpreter, or to nobody known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lpcl.model.contracts import Contract
from lpcl.scan.calls import enumerations, figures, may_start
from lpcl.scan.evaluation import Predicted
from lpcl.scan.question import WAIT, Question
from lpcl.scan.recognition import OWN, UNKNOWN
from lpcl.scan.steps import Step
from lpcl.syntax import nodes


@dataclass(frozen=True)
class Threads:
    """A way to explain threads that belong to the interpreter or to nobody known.

    With `alone` the step is an operation that holds the threads while it works, and hands nothing on to them.
    """

    step: Step | None
    hint: int
    rank: int
    alone: bool = False


def thread_ways(asked: Question, loads: tuple[Step, ...], held: Predicted) -> list[Threads]:
    """The ways to start the interpreter's threads that child processes do not account for."""
    seen = asked.group.seen.counts
    own = seen.get(OWN, 0) - held.counts.get(OWN, 0)
    numbers = [number for number in dict.fromkeys((own, own + seen.get(UNKNOWN, 0))) if number > 0]
    if not numbers:
        return [Threads(None, 0, 0)]
    ways: dict[Step, Threads] = {}
    for name, contract in asked.source.contracts.items():
        for operation in contract.operations.values():
            if not may_start(operation.node):
                for step, stated in _holding(asked, name, contract, operation.node, loads, numbers):
                    ways[step] = Threads(step, asked.hint(name, operation.node) + stated, 1, True)
                continue
            for number in numbers:
                for step in _thread_steps(asked, name, contract, operation.node, loads, number):
                    ways[step] = Threads(step, asked.hint(name, operation.node), _rank(step))
    return [*ways.values(), Threads(None, 0, 2)]


def _thread_steps(
    asked: Question,
    name: str,
    contract: Contract,
    operation: nodes.Operation,
    loads: tuple[Step, ...],
    number: int,
) -> Iterator[Step]:
    bare = f"{name}.{operation.name.text}"
    enumerated = list(enumerations(operation))
    parameters: list[str | None] = [*figures(contract, operation)]
    for parameter in parameters or [None]:
        for more in enumerated:
            probe = Step(bare, ((parameter, 2), *more) if parameter else more, (WAIT,))
            found = asked.predict((*loads, probe))
            base = asked.predict(loads)
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


def _holding(
    asked: Question,
    name: str,
    contract: Contract,
    operation: nodes.Operation,
    loads: tuple[Step, ...],
    numbers: list[int],
) -> Iterator[tuple[Step, bool]]:
    """The calls of an operation that demands threads with which it holds as many as are to be explained.

    With each, whether the command line states the number.
    """
    if not any(isinstance(one, nodes.Demand) and one.resource.path == "threads" for one in operation.clauses):
        return
    bare, base = f"{name}.{operation.name.text}", asked.predict(loads)
    stated = [int(word) for word in _numbers(asked.group.process.command)]
    values = dict.fromkeys([*stated, *range(1, min(max(numbers), _TRIED) + 1)])
    for parameter in [None, *figures(contract, operation)]:
        for value in values if parameter else [0]:
            step = Step(bare, ((parameter, value),) if parameter else ())
            found = asked.predict((*loads, step))
            if found is None or base is None:
                continue
            if found.counts.get(OWN, 0) - base.counts.get(OWN, 0) in numbers:
                yield step, value in stated and name not in asked.source.ambient
                break


_TRIED = 64
"""The largest number of threads that is tried where a command line does not state it."""


def _numbers(command: Sequence[str]) -> Iterator[str]:
    """The whole numbers in the words of a command line."""
    for word in command[1:]:
        number = word.rpartition("=")[2].lstrip("-@abcdefghijklmnopqrstuvwxyz")
        if number.isascii() and number.isdigit() and len(number) < 6:
            yield number


def _rank(step: Step) -> int:
    """Plain threads come before libraries that would have as many, and those with the caller among them
    last.
    """
    return {"system.threads": 0, "system.threads_with_caller": 2}.get(step.operation, 1)
