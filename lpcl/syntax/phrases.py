"""What can be expected at a place, in the language's words: one table for rules, tokens and marks."""

from __future__ import annotations

from collections.abc import Iterable

RULES: dict[str, str] = {
    "Item": "a declaration, such as `contract`",
    "ResourceClause": "a clause of a resource, such as `capacity`",
    "Fact": "a figure of a machine, such as `cpus.online`",
    "InterfaceMember": "a member of an interface, such as `control`",
    "ContractMember": "a clause of a contract, such as `demand`",
    "LibraryEntry": "an entry of `library`, such as `pypi`",
    "ControlClause": "a clause of a control, such as `env`",
    "PoolClause": "a clause of a pool, such as `size`",
    "OperationClause": "a clause of an operation, such as `runs`",
    "WorkerClause": "a clause of `workers`, such as `set`",
    "LoadClause": "a clause of `on load`, such as `set`",
    "EvidenceClause": "a clause of an evidence, such as `expect`",
    "TryClause": "a clause of a try, such as `set`",
    "ApplicationMember": "a clause of an application, such as `use`",
    "TestClause": "a clause of a test, such as `check`",
    "Statement": "a statement, such as `numpy.load`",
    "Type": "a type, such as `count`",
    "Operand": "an expression",
    "Device": "an expression",
    "SignalSource": "an expression",
    "Expectation": "an expectation",
}
"""By rule: what stands there."""

TOKENS: dict[str, str] = {
    "Path": "a name",
    "Word": "a name",
    "StringToken": "a text in double quotes",
    "Number": "a number",
    "Unit": "a unit, such as MiB",
    "BinaryOperator": "an operator, such as `+`",
    "UnaryOperator": "an expression",
    "BooleanToken": "an expression",
    "FunctionName": "an expression",
    "ReferencePath": "an expression",
    "TypeOperator": "`*` or `/`",
    "TypeName": "a type, such as `count`",
}
"""By token: what it is, unless it is one of a few words, which are then listed."""

WORDS: dict[str, str] = {"if": "an expression"}
"""By keyword: what it starts, unless it is named itself."""

MARKS: dict[str, str] = {"@": 'an annotation, such as `@since("1.4")`'}
"""By mark: what it stands for, unless for itself."""

_RARE = ("Annotation", "@")


def noun(rule: str) -> str:
    """What a rule's phrase says without its example: "a clause of a pool"."""
    return RULES[rule].partition(", such as ")[0]


def places(elements: Iterable[str]) -> tuple[str, ...]:
    """Where the blocks with these elements are: "in a pool"; of a block and one inside it, the outer one."""
    found = list(elements)
    hidden = {"TryClause"} if "EvidenceClause" in found else set()
    hidden |= {"Item"} if len(found) > 1 else set()
    named = {"Item": "outside of all braces", "Statement": "in `run`"}
    return tuple(
        named.get(item) or f"in {noun(item).partition(' of ')[2]}" for item in found if item not in hidden
    )


def of(key: str, listed: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The phrases of one key of the generated parser, `word:at`, `mark:{`, `token:Unit` or `rule:Type`."""
    kind, _, name = key.partition(":")
    if kind == "rule":
        return (RULES[name],)
    if kind == "word":
        return (WORDS.get(name, f"`{name}`"),)
    if kind == "mark":
        return (MARKS.get(name, f"`{name}`"),)
    if name in TOKENS:
        return (TOKENS[name],)
    return tuple(f"`{word}`" for word in listed[name])


def expected(keys: Iterable[str], listed: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The phrases of several keys, each once; what can stand almost anywhere is left out beside others."""
    found: dict[str, None] = {}
    rare: dict[str, None] = {}
    for key in keys:
        (rare if key.partition(":")[2] in _RARE else found).update(dict.fromkeys(of(key, listed)))
    return tuple(found or rare)
