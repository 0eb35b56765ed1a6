"""What a person chooses on the command line, as settings of an application."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from fractions import Fraction

from lpcl.compose.evaluate import evaluate
from lpcl.compose.joint import Part, parts
from lpcl.compose.knobs import PlainScope
from lpcl.compose.machine import MachineView
from lpcl.compose.refusal import Refusal
from lpcl.compose.settings import EnvValue, Settings
from lpcl.compose.terms import Number, Term, Value, apply, whole
from lpcl.model.contracts import contract
from lpcl.model.dimensions import dimension_of
from lpcl.model.program import Declared, Program, SourceFile
from lpcl.model.quantities import BYTES, show
from lpcl.packages.versions import Ambiguity, choose
from lpcl.syntax import nodes
from lpcl.syntax.build import UNITS, quantity


class BadChoice(ValueError):
    """A choice that means nothing; its text says what would."""


def settings_of(program: Program, application: Declared, pairs: Iterable[str]) -> Settings:
    """Settings from texts such as ``OMP_NUM_THREADS=4``, ``jobs=2`` and ``openblas.threads=1``.

    ``NAME=`` leaves a variable unset. A control is also known by its argument, as ``--jobs=2`` and as an
    answer shows it, ``--jobs 2``. Raises `BadChoice`.
    """
    assert isinstance(application.node, nodes.Application)
    env: dict[str, EnvValue | None] = {}
    controls: dict[str, Value] = {}
    library: dict[tuple[str, str], Value] = {}
    own = {m.name.text: m for m in application.node.members if isinstance(m, nodes.Control)}
    for pair in pairs:
        name, equals, text = _split(own, pair)
        if not equals or not name:
            raise BadChoice(f"'{pair}' sets nothing: write NAME=VALUE, or NAME= to leave a variable unset")
        if name in own:
            controls[name] = _typed(name, own[name], text, application.file)
        elif "." in name:
            declared, control = _library_control(program, application, name)
            library[declared.qualified, control.name.text] = _typed(name, control, text, declared.file)
        else:
            known = sorted({*_variables(program), *_stated(application.node)})
            if name not in known:
                raise BadChoice(_unknown(name, [*own, *_arguments(own), *known]))
            env[name] = None if text == "" else EnvValue(True, _value(text), None, " (chosen)")
    return Settings(env, controls, library)


def chosen_parts(
    program: Program, applications: Sequence[Declared], pairs: Iterable[str]
) -> tuple[Part, ...]:
    """Applications with what is chosen for them: each choice for all of them that know its name, or, as
    ``LABEL:NAME=VALUE``, for one. Raises `BadChoice`.
    """
    found = parts([(application, Settings()) for application in applications])
    if len(found) == 1:
        return (replace(found[0], settings=settings_of(program, applications[0], pairs)),)
    mine: dict[str, list[str]] = {part.label: [] for part in found}
    for pair in pairs:
        label, colon, _ = pair.partition("=")[0].partition(":")
        if not colon:
            for part in _knowing(program, found, pair):
                mine[part.label].append(pair)
        elif label in mine:
            mine[label].append(pair.removeprefix(f"{label}:"))
        else:
            raise BadChoice(f"'{pair}' is for none of {', '.join(mine)}")
    return tuple(
        replace(part, settings=settings_of(program, part.declared, mine[part.label])) for part in found
    )


def _knowing(program: Program, applications: Sequence[Part], pair: str) -> list[Part]:
    """The applications for which a choice means something. Raises `BadChoice` where it means nothing."""
    found: list[Part] = []
    for part in applications:
        try:
            settings_of(program, part.declared, [pair])
        except BadChoice as problem:
            reason = problem
        else:
            found.append(part)
    if not found:
        raise reason
    return found


def _unknown(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known) or 'none'}"
    return f"no control of the application or its libraries is called or reads {name}: {hint}"


def _arguments(own: Mapping[str, nodes.Control]) -> Mapping[str, str]:
    """The controls that have an argument of the program, by the argument as far as the value's place."""
    return {
        clause.text.value.partition("{}")[0].rstrip(" ="): name
        for name, control in own.items()
        for clause in control.clauses
        if isinstance(clause, nodes.ArgumentSource)
    }


def _split(own: Mapping[str, nodes.Control], pair: str) -> tuple[str, str, str]:
    """What a choice names, an equals sign if it has one, and the value; also as answers show settings, with
    the argument of a control, or ``unset NAME``.
    """
    if pair.startswith("unset "):
        return pair.removeprefix("unset ").strip(), "=", ""
    name, equals, text = (part.strip() for part in pair.partition("="))
    if name in own:
        return name, equals, text
    arguments = _arguments(own)
    if equals and name in arguments:
        return arguments[name], equals, text
    argument, space, value = pair.strip().partition(" ")
    if space and argument in arguments:
        return arguments[argument], "=", value.strip()
    return name, equals, text


def _stated(node: nodes.Application) -> Iterator[str]:
    for member in node.members:
        if isinstance(member, nodes.Environment):
            yield member.name.text


def _variables(program: Program) -> Iterator[str]:
    for items in program.declarations.values():
        for item in items:
            for node in item.node.walk():
                if isinstance(node, nodes.EnvSource):
                    yield from (name.text for name in node.names)
                elif isinstance(node, nodes.SetVariable):
                    yield node.name.text


def _library_control(program: Program, application: Declared, name: str) -> tuple[Declared, nodes.Control]:
    head, _, control = name.rpartition(".")
    known = {
        item.name: item
        for items in program.declarations.values()
        for item in items
        if isinstance(item.node, nodes.Contract | nodes.Interface)
    }
    declared = program.find(application.file, head) or known.get(head)
    if declared is None or not isinstance(declared.node, nodes.Contract | nodes.Interface):
        raise BadChoice(_unknown(head, sorted(known)))
    if isinstance(declared.node, nodes.Contract):
        declared = _version_used(program, application, declared)
    controls = contract(program, declared).controls
    if control not in controls:
        raise BadChoice(f"{declared.name} has no control {control}: it has {', '.join(controls) or 'none'}")
    return declared, controls[control].node


def _used(node: nodes.Node) -> Iterator[nodes.UseItem]:
    assert isinstance(node, nodes.Application)
    for member in node.members:
        if isinstance(member, nodes.Use):
            yield from member.items


def _version_used(program: Program, application: Declared, contract: Declared) -> Declared:
    """The one of several contracts of a library that speaks for it in an application.

    Where that is not clear, composing says so.
    """
    stated = (
        item.version.value
        for item in _used(application.node)
        if item.version is not None
        and (named := program.find(application.file, item.library.path)) is not None
        and named.qualified == contract.qualified
    )
    found = choose(program, contract.qualified, next(stated, None))
    return contract if isinstance(found, Ambiguity) else found


def _typed(name: str, control: nodes.Control, text: str, file: SourceFile) -> Value:
    """A control's value, which must be of its type and, as far as that is constant, in its range."""
    kind = control.type
    if isinstance(kind, nodes.EnumType):
        members = [member.text for member in kind.members]
        if text not in members:
            raise BadChoice(f"{name} is one of {', '.join(members)}, not '{text}'")
        return text
    value = _value(text)
    assert not isinstance(value, Term)
    if kind.first == "string":
        return text
    if kind.first == "bool":
        if not isinstance(value, bool):
            raise BadChoice(f"{name} is true or false, not '{text}'")
        return value
    if isinstance(value, bool | str):
        raise BadChoice(f"{name} is {_a_number(kind)}, not '{text}'")
    if kind.first in ("int", "count", "bytes") and not isinstance(value, int):
        raise BadChoice(f"{name} is {_a_number(kind)}, not '{text}'")
    _in_range(name, kind, value, text, file)
    return value


def _a_number(kind: nodes.ValueType) -> str:
    if dimension_of(kind) == BYTES:
        return "an amount such as '512 MiB'"
    return "a whole number" if kind.first in ("int", "count") else "a number"


def _in_range(name: str, kind: nodes.ValueType, value: Number, text: str, file: SourceFile) -> None:
    low: Value | None = 0 if kind.first in ("count", "bytes", "time", "share") else None
    high: Value | None = 1 if kind.first == "share" else None
    if kind.range is not None:
        scope = PlainScope(file, MachineView("", {}, {}))
        try:
            low, high = evaluate(kind.range.low, scope), evaluate(kind.range.high, scope)
        except (Refusal, TypeError):
            return
    for op, bound in ((">=", low), ("<=", high)):
        if isinstance(bound, int | Fraction) and apply(op, value, bound) is False:
            least, most = show(low, dimension_of(kind)) if isinstance(low, int | Fraction) else "", ""
            if isinstance(high, int | Fraction):
                most = show(high, dimension_of(kind))
            raise BadChoice(f"{name} lies in {least}..{most}, and '{text}' does not")


_AMOUNT = re.compile(r"([+-]?\d{1,40}(?:\.\d{1,40})?)\s*([A-Za-z%/]+)?")


def _value(text: str) -> Value:
    """A number with or without a unit of the language, a truth, or the text itself."""
    found = _AMOUNT.fullmatch(text.strip())
    if found is not None and found[2] is None:
        return whole(Fraction(found[1]))
    if found is not None and found[2] in UNITS:
        sign = -1 if found[1].startswith("-") else 1
        return whole(sign * quantity(found[1].lstrip("+-"), found[2]))
    return {"true": True, "false": False}.get(text, text)
