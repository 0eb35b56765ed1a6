"""All rules about values over a declaration."""

from __future__ import annotations

from collections.abc import Iterable

from lpcl.check.context import Context
from lpcl.compose.refusal import Refusal
from lpcl.diagnostics.diagnostic import Diagnostic, in_order
from lpcl.model.program import Declared, Program, SourceFile
from lpcl.ranges.references import References
from lpcl.ranges.rules import alone, conditions, defaults, demands, divisions, effects, workless
from lpcl.ranges.rules.subject import Subject
from lpcl.ranges.world import TooLarge
from lpcl.syntax import nodes

_RULES = (
    defaults.check,
    conditions.check,
    demands.check,
    divisions.check,
    effects.check,
    alone.check,
    workless.check,
)


def judge(program: Program, files: Iterable[SourceFile]) -> tuple[Diagnostic, ...]:
    """What the values of the contracts and interfaces in `files`, which have no errors, can come to."""
    wanted = set(files)
    context = Context(program)
    read = References(program)
    found: list[Diagnostic] = []
    for items in program.declarations.values():
        for item in items:
            if item.file in wanted and isinstance(item.node, nodes.Contract | nodes.Interface):
                found.extend(judge_one(context, read, item))
    return in_order(found)


def judge_one(names: Context, read: References, declared: Declared) -> tuple[Diagnostic, ...]:
    """What the values of one declaration can come to: a function of its text and of what it refers to."""
    context = Context(names.program)
    subject = Subject(context, declared, read)
    for rule in _RULES:
        try:
            rule(subject)
        except Refusal:
            continue  # what has no meaning is reported by other rules
        except TooLarge:
            subject.undecided(declared.node.name.span, "what some of the values here can come to")
    return tuple(context.findings)
