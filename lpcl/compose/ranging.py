"""Machines in range as a person states them: `any`, a machine with ranges, and `cpus.online=1..64`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from lpcl.compose.choices import BadChoice
from lpcl.compose.composition import different_machines, stated_machine
from lpcl.compose.evaluate import evaluate
from lpcl.compose.knobs import PlainScope
from lpcl.compose.machine import ANY_MACHINE, STATED, STATED_BY_ALL, MachineView
from lpcl.compose.machines import Free, Machines, any_machine, free, in_order
from lpcl.compose.refusal import Refusal
from lpcl.compose.terms import Number
from lpcl.model.machine import DERIVED, FACTS
from lpcl.model.program import Declared, Origin, Program, SourceFile
from lpcl.model.quantities import BANDWIDTH, BYTES, show
from lpcl.syntax import nodes
from lpcl.syntax.parser import parse

ANY = "any"


def common_machines(
    program: Program,
    applications: Sequence[Declared],
    name: str | None,
    host: MachineView,
    ranges: Sequence[str],
) -> Machines | None:
    """The machines that are asked about for applications that run at once, as for `machines_of`.

    Raises `Refusal`, too, where no machine is named and the applications state different ones.
    """
    first, *others = applications
    found = machines_of(program, first, name, host, ranges)
    if found is None or name is not None or not others:
        return found
    for other in others:
        theirs = machines_of(program, other, name, host, ranges)
        if theirs is None or _figures(theirs) != _figures(found):
            raise different_machines(first, other)
    if found.base.name != STATED:
        return found
    return Machines(replace(found.base, name=STATED_BY_ALL), found.figures)


def _figures(machines: Machines) -> object:
    """What a machine states, without where."""
    return dict(machines.base.facts), [(item.path, item.low, item.high) for item in machines.figures]


def machines_of(
    program: Program, declared: Declared, name: str | None, host: MachineView, ranges: Sequence[str]
) -> Machines | None:
    """The machines that are asked about; None where that is a single one.

    `name` is ``any``, a machine, or None for the one that the application names; `ranges` are texts such as
    ``cpus.online=1..64``, which free a figure or, with one value, fix it. Raises `BadChoice` and `Refusal`.
    """
    fixed, stated = _chosen(ranges)
    if name == ANY:
        return any_machine(MachineView(ANY_MACHINE, fixed, {}), stated)
    found = _facts(program, declared, name)
    own: tuple[Free, ...] = ()
    base = host
    if found is not None:
        base, own = ranged(*found)
    if not own and not stated:
        if fixed:
            raise BadChoice("'--range' with one value goes with '--machine any' or with other ranges")
        return None
    chosen = {*fixed, *(item.path for item in stated)}
    facts = {path: value for path, value in base.facts.items() if not _rests_on(path, chosen)}
    view = MachineView(base.name, {**facts, **fixed}, base.origins, base.sources, base.pin)
    kept = (item for item in own if item.path not in chosen)
    return Machines(view, in_order((*kept, *stated)))


def _rests_on(path: str, chosen: set[str]) -> bool:
    """Whether a figure is one of those chosen, or would follow from one."""
    follows = FACTS[path].follows if path in FACTS else None
    return path in chosen or (follows is not None and _rests_on(follows, chosen))


def _facts(
    program: Program, declared: Declared, name: str | None
) -> tuple[str, tuple[nodes.Fact, ...], SourceFile] | None:
    """What the machine that is meant states; None for the host, or a name that is no machine's."""
    assert isinstance(declared.node, nodes.Application)
    if name is None:
        used = next((m for m in declared.node.members if isinstance(m, nodes.MachineUse)), None)
        if used is None:
            return None
        if used.name is None:
            return STATED, used.facts, declared.file
        name = used.name.path
    local = program.find(declared.file, name)
    every = (item for items in program.declarations.values() for item in items)
    machines = [item for item in every if isinstance(item.node, nodes.Machine)]
    found = local if local in machines else None
    found = found or next((item for item in machines if name in (item.name, item.qualified)), None)
    if found is None or not isinstance(found.node, nodes.Machine):
        return None
    return found.name, found.node.facts, found.file


def ranged(name: str, facts: Iterable[nodes.Fact], file: SourceFile) -> tuple[MachineView, tuple[Free, ...]]:
    """The figures that a machine states, and those for which it states a range. Raises `Refusal`."""
    facts = tuple(facts)
    fixed = tuple(fact for fact in facts if fact.range is None)
    return stated_machine(name, fixed, file), tuple(
        _range(fact, file) for fact in facts if fact.range is not None
    )


def _range(fact: nodes.Fact, file: SourceFile) -> Free:
    assert fact.range is not None
    origin = Origin(file, fact.span)
    if fact.path not in FACTS:
        raise Refusal("unknown-figure", f"a machine has no `{fact.path}`", origin)
    scope = PlainScope(file, MachineView("", {}, {}))
    made = _checked(fact.path, evaluate(fact.range.low, scope), evaluate(fact.range.high, scope))
    if isinstance(made, Free):
        return Free(made.path, made.low, made.high, origin)
    raise Refusal("impossible-machine", made, origin, help="state the lower end first")


def _checked(path: str, low: object, high: object) -> Free | str:
    """A figure in a range, or what is wrong with that."""
    if not isinstance(low, int | Fraction) or not isinstance(high, int | Fraction):
        return f"`{path}` is an amount"
    least: Number = 1 if path in ("cpus.online", "cpus.affinity", "cpus.physical") else 0
    if low < least:
        return f"`{path}` is at least {least}"
    made = free(path, low, high)
    if path == "cpus.quota" and made.low == 0:
        made = Free(path, 1, made.high)
    dimension = FACTS[path].dimension
    if made.low > made.high:
        return f"no `{path}` lies in {show(low, dimension)}..{show(high, dimension)}"
    return made


def _chosen(ranges: Sequence[str]) -> tuple[dict[str, Number], tuple[Free, ...]]:
    """What ``FIGURE=LOW..HIGH`` and ``FIGURE=VALUE`` say: figures that are fixed, and free ones."""
    fixed: dict[str, Number] = {}
    stated: list[Free] = []
    for text in ranges:
        path, equals, amounts = text.partition("=")
        path = path.strip().removeprefix("machine.")
        if not equals:
            raise BadChoice(f"'{text}' is no range: write FIGURE=LOW..HIGH, for instance cpus.online=1..64")
        if path not in FACTS:
            raise BadChoice(_unknown(path))
        if path in fixed or any(item.path == path for item in stated):
            raise BadChoice(f"the range of {path} is given twice")
        ends = _parsed(path, amounts)
        if ends is None:
            raise BadChoice(f"'{amounts}' is no range of {path}: write for instance {path}={_example(path)}")
        made = _checked(path, *ends)
        if not isinstance(made, Free):
            raise BadChoice(made.replace("`", ""))
        if ends[0] == ends[1] and isinstance(ends[0], int | Fraction):
            fixed[path] = ends[0]
        else:
            stated.append(made)
    return fixed, tuple(stated)


def _unknown(path: str) -> str:
    from difflib import get_close_matches

    if path in DERIVED:
        return f"{path} follows from other figures: {DERIVED[path]}"
    close = get_close_matches(path, FACTS, n=1)
    hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(FACTS)}"
    return f"a machine has no figure {path}: {hint}"


def _example(path: str) -> str:
    dimension = FACTS[path].dimension
    return {BYTES: "'1 GiB..64 GiB'", BANDWIDTH: "'10 GB/s..80 GB/s'"}.get(dimension, "1..64")


def _parsed(path: str, amounts: str) -> tuple[object, object] | None:
    """The ends of a range, or twice one value, as the language reads them; None for anything else."""
    relation = "in" if ".." in amounts else "="
    text = f"package p\nmachine m {{ {path} {relation} {amounts}\n}}\n"
    parsed = parse(text)
    machines = [item for item in parsed.file.items if isinstance(item, nodes.Machine)]
    if parsed.faults or len(machines) != 1 or len(machines[0].facts) != 1:
        return None
    fact = machines[0].facts[0]
    file = SourceFile("range", text, parsed)
    scope = PlainScope(file, MachineView("", {}, {}))
    ends = (fact.value, fact.value) if fact.range is None else (fact.range.low, fact.range.high)
    if any(end is None or any(isinstance(one, nodes.Reference) for one in end.walk()) for end in ends):
        return None
    try:
        low, high = (evaluate(end, scope) for end in ends if end is not None)
    except Refusal:
        return None
    return low, high
