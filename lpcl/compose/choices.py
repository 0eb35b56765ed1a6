"""What a person chooses on the command line, as settings of an application."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from fractions import Fraction

from lpcl.compose.settings import EnvValue, Settings
from lpcl.compose.terms import Value, whole
from lpcl.model.contracts import contract
from lpcl.model.program import Declared, Program
from lpcl.syntax import nodes


class BadChoice(ValueError):
    """A choice that means nothing; its text says what would."""


_NUMBER = re.compile(r"[+-]?\d{1,40}(\.\d{1,40})?")


def settings_of(program: Program, application: Declared, pairs: Iterable[str]) -> Settings:
    """Settings from texts such as ``OMP_NUM_THREADS=4``, ``jobs=2`` and ``openblas.threads=1``.

    ``NAME=`` leaves a variable unset. Raises `BadChoice`.
    """
    assert isinstance(application.node, nodes.Application)
    env: dict[str, EnvValue | None] = {}
    controls: dict[str, Value] = {}
    library: dict[tuple[str, str], Value] = {}
    own = {m.name.text: m for m in application.node.members if isinstance(m, nodes.Control)}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise BadChoice(f"'{pair}' sets nothing: write NAME=VALUE, or NAME= to leave a variable unset")
        if name in own:
            controls[name] = _control_value(own[name], text)
        elif "." in name:
            library[_library_control(program, application, name)] = _value(text)
        else:
            known = sorted({*_variables(program), *_stated(application.node)})
            if name not in known:
                raise BadChoice(_unknown(name, [*own, *known]))
            env[name] = None if text == "" else EnvValue(True, _value(text), None, " (chosen)")
    return Settings(env, controls, library)


def _unknown(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known) or 'none'}"
    return f"no control of the application or its libraries is called or reads {name}: {hint}"


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


def _library_control(program: Program, application: Declared, name: str) -> tuple[str, str]:
    head, _, control = name.rpartition(".")
    declared = program.find(application.file, head)
    if declared is None or not isinstance(declared.node, nodes.Contract | nodes.Interface):
        known = sorted(
            local
            for local, item in program.scope(application.file).items()
            if isinstance(item.node, nodes.Contract | nodes.Interface)
        )
        raise BadChoice(_unknown(head, known))
    controls = contract(program, declared).controls
    if control not in controls:
        raise BadChoice(f"{declared.name} has no control {control}: it has {', '.join(controls) or 'none'}")
    return declared.qualified, control


def _control_value(control: nodes.Control, text: str) -> Value:
    value = _value(text)
    kind = control.type
    name = control.name.text
    if isinstance(kind, nodes.EnumType):
        members = [member.text for member in kind.members]
        if text not in members:
            raise BadChoice(f"{name} is one of {', '.join(members)}, not '{text}'")
        return text
    if kind.first == "bool" and not isinstance(value, bool):
        raise BadChoice(f"{name} is true or false, not '{text}'")
    if kind.first in ("int", "count") and (isinstance(value, bool | str) or not isinstance(value, int)):
        raise BadChoice(f"{name} is a whole number, not '{text}'")
    if kind.first == "count" and isinstance(value, int) and value < 0:
        raise BadChoice(f"{name} is a count, and cannot be {text}")
    return value


def _value(text: str) -> Value:
    if _NUMBER.fullmatch(text):
        return whole(Fraction(text))
    return {"true": True, "false": False}.get(text, text)
