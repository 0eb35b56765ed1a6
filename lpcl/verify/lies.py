"""What a contract could say instead, clause by clause: the measure of what its evidence proves.

A clause is a single statement of a contract: one way to set a control, the order of two of them, a default,
a bound, what becomes of invalid values, the size of a pool, a variable that workers get, and so on. A lie is
the same contract with one of its clauses saying something else. Lies that come to the same are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeVar

from lpcl.model.contracts import Clause, Contract, lineage
from lpcl.model.contracts import contract as flatten
from lpcl.model.program import Program, SourceFile
from lpcl.syntax import nodes

NodeT = TypeVar("NodeT", bound=nodes.Node)
ClausedT = TypeVar("ClausedT", bound=nodes.Control | nodes.Pool | nodes.Operation | nodes.Workers)

_ONE = nodes.Quantity(Fraction(1))
_MOMENTS = ("load", "first use", "each call")
_INVALID = ("rejects", "clamps", "clamps above", "ignored")
_POLICIES = ("fork", "queue", "submit", "join", "forbid")
_SAME_POLICY = frozenset({"queue", "submit"})
_FORKS = ("safe", "unsafe", "resets")
_CALLS = (nodes.ApiSource, nodes.ArgumentSource, nodes.ConfigSource)
_NO_VARIABLE = "A_VARIABLE_THAT_NOBODY_SETS"
_STARTS = ("fork", "spawn", "forkserver", "loky")


@dataclass(frozen=True, eq=False)
class Lie:
    """A clause, what is said of it instead, and the contract's member before and after."""

    clause: str
    text: str
    file: SourceFile
    member: nodes.Node
    instead: nodes.Node


@dataclass(frozen=True, eq=False)
class Told:
    """A program in which one contract reads otherwise, and that contract.

    `files` are the files that read otherwise, by those that they stand for.
    """

    program: Program
    contract: Contract
    files: dict[SourceFile, SourceFile]


def lies(contract: Contract) -> Iterator[Lie]:
    """The lies about a contract's clauses, in the order of its members."""
    for name, control in contract.controls.items():
        for clause, text, made in _of_control(control.node):
            yield Lie(f"{name}.{clause}", text, control.file, control.node, made)
    for name, pool in contract.pools.items():
        for clause, text, other_pool in _of_pool(pool.node):
            yield Lie(f"{name}.{clause}", text, pool.file, pool.node, other_pool)
    for name, let in contract.lets.items():
        other = _other(let.node.value)
        if other is not None:
            yield Lie(name, "another value", let.file, let.node, replace(let.node, value=other))
    for name, operation in contract.operations.items():
        for clause, text, does in _of_operation(operation.node):
            yield Lie(f"{name}.{clause}", text, operation.file, operation.node, does)
    if contract.on_load is not None:
        on_load = contract.on_load
        for item in on_load.node.clauses:
            rest = tuple(one for one in on_load.node.clauses if one is not item)
            yield Lie(
                f"on load.{_named(item)}",
                "it does not",
                on_load.file,
                on_load.node,
                replace(on_load.node, clauses=rest),
            )
    for demand in contract.demands:
        more = _more(demand.node)
        if more is not None:
            clause = f"demand {demand.node.resource.path}"
            yield Lie(clause, "twice as much and one more", demand.file, demand.node, more)
    for hazard in contract.hazards:
        yield from _of_hazard(hazard)


def told(program: Program, contract: Contract, lie: Lie) -> Told:
    """The program with the lie in place of the clause."""
    return retold(program, contract, {id(lie.member): lie.instead})


def retold(program: Program, contract: Contract, instead: Mapping[int, nodes.Node]) -> Told:
    """The program in which members of a contract, by their `id`, are others."""
    own = contract.declared
    files: dict[SourceFile, SourceFile] = {}
    place: nodes.Node = own.node
    for old in {item.file: None for item in lineage(program, own)}:
        items: list[nodes.Item] = []
        for item in old.parsed.file.items:
            made = _with_members(item, instead)
            items.append(made)
            place = made if item is own.node else place
        if any(one is not other for one, other in zip(items, old.parsed.file.items, strict=True)):
            parsed = old.parsed.with_items(tuple(items))
            files[old] = SourceFile(old.path, old.text, parsed, old.origin)
    changed = Program(tuple(files.get(file, file) for file in program.files))
    file = files.get(own.file, own.file)
    declared = next(
        item for item in changed.declarations[own.qualified] if item.node is place and item.file is file
    )
    return Told(changed, flatten(changed, declared), files)


def _with_members(item: nodes.Item, instead: Mapping[int, nodes.Node]) -> nodes.Item:
    if not isinstance(item, nodes.Contract | nodes.Interface):
        return item
    members: tuple[Any, ...] = tuple(instead.get(id(member), member) for member in item.members)
    if all(one is other for one, other in zip(members, item.members, strict=True)):
        return item
    return replace(item, members=members)


def clauses(contract: Contract) -> tuple[str, ...]:
    """The clauses of a contract about which something else could be said, each once."""
    return tuple(dict.fromkeys(lie.clause for lie in lies(contract)))


# ------------------------------------------------------------------ expressions


def _other(expression: nodes.Expression) -> nodes.Expression | None:
    """An expression with another value: one more; None for one that is no number by its looks."""
    if isinstance(expression, nodes.Boolean):
        return replace(expression, value=not expression.value)
    if isinstance(expression, nodes.Text):
        return replace(expression, value=f"{expression.value}, it is not")
    if _is_truth(expression):
        return nodes.Unary("not", nodes.Parenthesis(expression), span=expression.span)
    return nodes.Binary("+", nodes.Parenthesis(expression), _ONE, span=expression.span)


def _is_truth(expression: nodes.Expression) -> bool:
    match expression:
        case nodes.Parenthesis():
            return _is_truth(expression.inner)
        case nodes.Boolean():
            return True
        case nodes.Unary():
            return expression.op == "not"
        case nodes.Binary():
            return expression.op in ("==", "!=", "<", "<=", ">", ">=", "and", "or", "implies")
        case nodes.Call():
            return expression.function in ("defined", "loaded")
        case nodes.Conditional():
            return _is_truth(expression.then)
    return False


def _with_machine(expression: nodes.Expression, old: str, new: str) -> nodes.Expression | None:
    """An expression that reads another figure of the machine; None where it does not read the old one."""
    if not any(isinstance(node, nodes.Reference) and node.path == old for node in expression.walk()):
        return None
    return _renamed(expression, old, new)


def _renamed(node: NodeT, old: str, new: str) -> NodeT:
    if isinstance(node, nodes.Reference) and node.path == old:
        return replace(node, path=new)
    changes: dict[str, Any] = {}
    for one in fields(node):
        value = getattr(node, one.name)
        if isinstance(value, nodes.Node):
            made: object = _renamed(value, old, new)
        elif isinstance(value, tuple) and any(isinstance(item, nodes.Node) for item in value):
            made = tuple(_renamed(item, old, new) if isinstance(item, nodes.Node) else item for item in value)
        else:
            continue
        changes[one.name] = made
    return replace(node, **changes) if changes else node


# ------------------------------------------------------------------ controls


def _of_control(node: nodes.Control) -> Iterator[tuple[str, str, nodes.Control]]:
    yield from _of_variables(node)
    calls = [item for item in node.clauses if isinstance(item, _CALLS)]
    if calls:
        another = nodes.EnvSource((nodes.Name(_NO_VARIABLE, span=calls[0].span),), span=calls[0].span)
        made = tuple(item for item in node.clauses if not isinstance(item, _CALLS))
        yield "by call", "no call sets it", replace(node, clauses=(*made, another))
    default = next((item for item in node.clauses if isinstance(item, nodes.Default)), None)
    if default is not None:
        yield from _of_default(node, default)
    yield from _of_range(node)
    yield from _words(node, nodes.Invalid, "policy", _other_policies(node), "invalid")
    yield from _words(node, nodes.Read, "moment", _MOMENTS, "read")


def _other_policies(node: nodes.Control) -> tuple[str, ...]:
    """The policies for invalid values that come to something else than the control's own.

    Only a number can be cut down to a bound: where there is none, cutting down is passing over.
    """
    stated = next((item.policy for item in node.clauses if isinstance(item, nodes.Invalid)), "ignored")
    kind, same = node.type, {"ignored"}
    if isinstance(kind, nodes.EnumType) or kind.first in ("bool", "string"):
        same |= {"clamps", "clamps above"}
    elif kind.range is None and kind.first != "share":
        same |= {"clamps above"} | ({"clamps"} if kind.first in ("int", "real") else set())
    alike = same if " ".join(stated.split()) in same else {stated}
    return tuple(word for word in _INVALID if word not in alike)


def _of_variables(node: nodes.Control) -> Iterator[tuple[str, str, nodes.Control]]:
    names = [name for item in node.clauses if isinstance(item, nodes.EnvSource) for name in item.names]
    for name in names:
        rest = tuple(one for one in names if one is not name)
        yield f"env {name.text}", f"{name.text} means nothing", _with_variables(node, rest)
    for first, second in pairwise(names):
        swapped = tuple(second if one is first else first if one is second else one for one in names)
        yield (
            f"env {first.text} before {second.text}",
            f"{second.text} comes before {first.text}",
            _with_variables(node, swapped),
        )


def _with_variables(node: nodes.Control, names: tuple[nodes.Name, ...]) -> nodes.Control:
    made: list[nodes.ControlClause] = []
    written = False
    for item in node.clauses:
        if not isinstance(item, nodes.EnvSource):
            made.append(item)
        elif not written:
            written = True
            if names:
                made.append(replace(item, names=names))
    return replace(node, clauses=tuple(made))


def _of_default(node: nodes.Control, default: nodes.Default) -> Iterator[tuple[str, str, nodes.Control]]:
    kind = node.type
    if isinstance(kind, nodes.EnumType):
        current = default.value.path if isinstance(default.value, nodes.Reference) else None
        for member in kind.members:
            if current is not None and member.text != current:
                other: nodes.Expression = nodes.Reference(member.text, span=default.value.span)
                yield (
                    "default",
                    f"{member.text} is the default",
                    _replaced(node, default, replace(default, value=other)),
                )
        return
    if kind.first == "bool":
        flipped = nodes.Unary("not", nodes.Parenthesis(default.value), span=default.value.span)
        yield "default", "the opposite", _replaced(node, default, replace(default, value=flipped))
        return
    if kind.first == "string":
        other = nodes.Text("another text", span=default.value.span)
        yield "default", "another text", _replaced(node, default, replace(default, value=other))
        return
    more = nodes.Binary("+", nodes.Parenthesis(default.value), _ONE, span=default.value.span)
    yield "default", "one more", _replaced(node, default, replace(default, value=more))
    for old, new in (
        ("machine.cpus.affinity", "machine.cpus.online"),
        ("machine.cpus.online", "machine.cpus.affinity"),
    ):
        made = _with_machine(default.value, old, new)
        if made is not None:
            yield "default", f"{new}, not {old}", _replaced(node, default, replace(default, value=made))


def _of_range(node: nodes.Control) -> Iterator[tuple[str, str, nodes.Control]]:
    kind = node.type
    if isinstance(kind, nodes.EnumType):
        for member in kind.members:
            rest = tuple(one for one in kind.members if one is not member)
            if rest:
                less = replace(node, type=replace(kind, members=rest))
                yield f"value {member.text}", f"{member.text} is none of its values", less
        return
    if kind.range is None:
        return
    low, high = kind.range.low, kind.range.high
    if isinstance(low, nodes.Quantity):
        higher = replace(low, value=low.value + 1)
        yield (
            "range from",
            "one higher",
            replace(node, type=replace(kind, range=replace(kind.range, low=higher))),
        )
        lower = nodes.Unary("-", replace(low, value=low.value + 7), span=low.span)
        yield (
            "range from",
            "far lower",
            replace(node, type=replace(kind, range=replace(kind.range, low=lower))),
        )
    tighter = replace(kind, range=replace(kind.range, high=low))
    yield "range to", "no more than the least", replace(node, type=tighter)
    wider = nodes.Binary("+", nodes.Parenthesis(high), nodes.Quantity(Fraction(10**9)), span=high.span)
    yield "range to", "far higher", replace(node, type=replace(kind, range=replace(kind.range, high=wider)))


def _words(
    node: ClausedT, kind: type[nodes.Node], attribute: str, words: tuple[str, ...], title: str
) -> Iterator[tuple[str, str, ClausedT]]:
    """A clause that is one of some words, with each of the others."""
    found = next((item for item in node.clauses if isinstance(item, kind)), None)
    if found is None:
        return
    current = " ".join(str(getattr(found, attribute)).split())
    for word in words:
        if word != current:
            named: dict[str, Any] = {attribute: word}
            made = replace(found, **named)
            yield title, word, _replaced(node, found, made)


def _replaced(node: ClausedT, old: nodes.Node, new: nodes.Node | None) -> ClausedT:
    kept = (item for item in node.clauses if item is not old or new is not None)
    named: dict[str, Any] = {"clauses": tuple(new if item is old else item for item in kept)}
    return replace(node, **named)


# ------------------------------------------------------------------ pools


def _of_pool(node: nodes.Pool) -> Iterator[tuple[str, str, nodes.Pool]]:
    for item in node.clauses:
        match item:
            case nodes.Size():
                more = nodes.Binary("+", nodes.Parenthesis(item.value), _ONE, span=item.value.span)
                yield "size", "one more", _replaced(node, item, replace(item, value=more))
            case nodes.Existing():
                more = nodes.Binary("+", nodes.Parenthesis(item.value), _ONE, span=item.value.span)
                yield "existing", "one more", _replaced(node, item, replace(item, value=more))
            case nodes.CallersPolicy():
                for word in _POLICIES:
                    if word != item.policy and {word, item.policy} != _SAME_POLICY:
                        yield "callers", word, _replaced(node, item, replace(item, policy=word))
            case nodes.Idle():
                how = "spins" if item.how == "blocks" else "blocks"
                yield "idle", how, _replaced(node, item, nodes.Idle(how, span=item.span))
            case nodes.Nested():
                yield "nested", "it is not", _replaced(node, item, None)
    if not any(isinstance(item, nodes.CallersPolicy) and item.policy == "join" for item in node.clauses):
        yield from _words(node, nodes.CallerRole, "role", ("joins", "waits"), "caller")
    yield from _words(node, nodes.Coupling, "kind", ("coupled", "independent"), "threads")
    yield from _words(node, nodes.Created, "moment", ("load", "first use"), "created")
    yield from _words(node, nodes.ForkBehaviour, "effect", _FORKS, "fork")


# ------------------------------------------------------------------ operations


def _of_operation(node: nodes.Operation) -> Iterator[tuple[str, str, nodes.Operation]]:
    seen: dict[str, int] = {}
    for item in node.clauses:
        title = _named(item)
        number = seen[title] = seen.get(title, 0) + 1
        name = title if number == 1 else f"{title} ({number})"
        match item:
            case nodes.RunsOn() | nodes.Calls() | nodes.Limit():
                yield name, "it does not", _replaced(node, item, None)
                if isinstance(item, nodes.RunsOn) and item.size is not None:
                    more = nodes.Binary("+", nodes.Parenthesis(item.size), _ONE, span=item.size.span)
                    yield f"{name} with size", "one more", _replaced(node, item, replace(item, size=more))
            case nodes.Workers():
                for clause, text, made in _of_workers(item):
                    yield f"{name}{clause}", text, _replaced(node, item, made)
            case nodes.Demand():
                more_demand = _more(item)
                if more_demand is not None:
                    yield name, "twice as much and one more", _replaced(node, item, more_demand)


def _of_workers(node: nodes.Workers) -> Iterator[tuple[str, str, nodes.Workers | None]]:
    yield "", "there are none", None
    more = nodes.Binary("+", nodes.Parenthesis(node.count), _ONE, span=node.count.span)
    yield " count", "one more", replace(node, count=more)
    for item in node.clauses:
        match item:
            case nodes.Start():
                current = item.method.path if isinstance(item.method, nodes.Reference) else None
                for word in _STARTS:
                    if current is not None and word != current:
                        made = replace(item, method=nodes.Reference(word, span=item.method.span))
                        yield " start", word, _replaced(node, item, made)
            case nodes.SetVariable():
                yield f" set {item.name.text}", "it is not set", _replaced(node, item, None)
                yield (
                    f" set {item.name.text}",
                    "it is always set" if item.weak else "only where it is not set",
                    _replaced(node, item, replace(item, weak=not item.weak)),
                )
            case nodes.Limit() | nodes.Pin() | nodes.Demand():
                yield f" {_named(item)}", "it does not", _replaced(node, item, None)
            case nodes.CallerRole():
                yield from (
                    (" caller", text, made)
                    for _, text, made in _words(node, nodes.CallerRole, "role", ("joins", "waits"), "caller")
                )


def _more(node: nodes.Demand) -> nodes.Demand | None:
    if node.amount is None:
        return None
    twice = nodes.Binary("*", nodes.Parenthesis(node.amount), nodes.Quantity(Fraction(2)))
    return replace(node, amount=nodes.Binary("+", twice, _ONE, span=node.amount.span))


def _of_hazard(hazard: Clause[nodes.Hazard]) -> Iterator[Lie]:
    node = hazard.node
    title = f'hazard "{node.message.value}"'
    negated = nodes.Unary("not", nodes.Parenthesis(node.condition), span=node.condition.span)
    yield Lie(title, "the opposite", hazard.file, node, replace(node, condition=negated))


def _named(item: nodes.Node) -> str:
    """A clause of an operation, a worker or a load as its text begins."""
    match item:
        case nodes.RunsOn():
            return f"runs on {item.pool.path}"
        case nodes.Calls():
            return f"calls {item.target.path}"
        case nodes.Workers():
            return f"workers {item.kind}"
        case nodes.Limit():
            return f"limit {item.target.path}"
        case nodes.SetVariable():
            return f"set {item.name.text}"
        case nodes.Pin():
            return "pin cpus"
        case nodes.Demand():
            return f"demand {item.resource.path}"
    return type(item).__name__.lower()
