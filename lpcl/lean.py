"""Dataclasses that are cheap to define.

`dataclasses.dataclass` compiles six methods for each class, which makes the 160 of a check cost 90 ms. Here
the ways in which instances are compared, shown and kept from changing are functions that exist already, and
`__init__` is compiled when it is first called. They are dataclasses all the same, for `fields`, `replace`,
`match` and type checkers.
"""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING, FrozenInstanceError
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass as dataclass

T = TypeVar("T", bound=type[Any])

_set = object.__setattr__
_MISSED = object()


def _dataclass(
    cls: T | None = None,
    /,
    *,
    eq: bool = True,
    order: bool = False,
    frozen: bool = False,
    slots: bool = False,
    weakref_slot: bool = False,
) -> T | Callable[[T], T]:
    """As `dataclasses.dataclass`, with these of its choices, and fields that may be given by position."""

    def made(cls: T) -> T:
        if order:
            whole: Any = dataclasses.dataclass(
                eq=eq, order=True, frozen=frozen, slots=slots, weakref_slot=weakref_slot
            )(cls)
            return whole  # type: ignore[no-any-return]
        return _made(cls, eq=eq, frozen=frozen, slots=slots, weakref_slot=weakref_slot)

    return made if cls is None else made(cls)


if not TYPE_CHECKING:
    dataclass = _dataclass


def _made(cls: T, *, eq: bool, frozen: bool, slots: bool, weakref_slot: bool) -> T:
    if cls.__doc__ is None:
        cls.__doc__ = cls.__name__  # lest one be computed from a signature
    own = set(cls.__dict__)
    made: Any = dataclasses.dataclass(
        init=False, repr=False, eq=False, slots=slots, weakref_slot=weakref_slot
    )(cls)
    every = dataclasses.fields(made)
    methods: dict[str, Any] = {"__init__": _first(made, frozen=frozen, slots=slots)}
    methods["__repr__"] = _shown(tuple(item.name for item in every if item.repr))
    if eq:
        compared = tuple(item.name for item in every if item.compare)
        methods["__eq__"] = _equal(_values(compared))
        hashed = tuple(item.name for item in every if (item.compare if item.hash is None else item.hash))
        methods["__hash__"] = _hashed(_values(hashed)) if frozen else None
        if "__eq__" in own and cls.__dict__.get("__hash__") is None:
            own.discard("__hash__")  # which Python has set for want of one
    if frozen:
        names = frozenset(item.name for item in every)
        methods["__setattr__"], methods["__delattr__"] = _kept(made, names)
        if slots:
            methods["__getstate__"], methods["__setstate__"] = _state(tuple(item.name for item in every))
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    return made  # type: ignore[no-any-return]


def _values(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    if names:
        one = attrgetter(*names)
        return lambda item: (one(item),)
    return lambda _: ()


def _shown(names: tuple[str, ...]) -> Callable[[Any], str]:
    def repr_(self: Any) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({shown})"

    return repr_


def _equal(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, object], object]:
    def eq_(self: Any, other: object) -> object:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    return eq_


def _hashed(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], int]:
    def hash_(self: Any) -> int:
        return hash(values(self))

    return hash_


def _kept(made: type[Any], names: frozenset[str]) -> tuple[Callable[..., None], Callable[..., None]]:
    def setattr_(self: Any, name: str, value: object) -> None:
        if type(self) is made or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(made, self).__setattr__(name, value)

    def delattr_(self: Any, name: str) -> None:
        if type(self) is made or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(made, self).__delattr__(name)

    return setattr_, delattr_


def _state(names: tuple[str, ...]) -> tuple[Callable[[Any], list[Any]], Callable[[Any, list[Any]], None]]:
    """What is kept of one that nothing can be assigned to, where it has no dictionary that is kept."""

    def getstate_(self: Any) -> list[Any]:
        return [getattr(self, name) for name in names]

    def setstate_(self: Any, state: list[Any]) -> None:
        for name, value in zip(names, state, strict=True):
            _set(self, name, value)

    return getstate_, setstate_


def _first(made: Any, *, frozen: bool, slots: bool) -> Callable[..., None]:
    """The `__init__` that puts the compiled one in its place."""

    def init_(self: Any, *args: Any, **values: Any) -> None:
        compiled = _compiled(made, frozen=frozen, slots=slots)
        made.__init__ = compiled
        compiled(self, *args, **values)

    return init_


def _compiled(made: Any, *, frozen: bool, slots: bool) -> Callable[..., None]:
    names: dict[str, Any] = {"_set": _set, "_missed": _MISSED}
    parameters, lines = ["self"], []
    for number, item in enumerate(dataclasses.fields(made)):
        value = item.name
        if item.default_factory is not MISSING:
            names[f"_made{number}"] = item.default_factory
            value = f"_made{number}()"
            if item.init:
                parameters.append(f"{item.name}=_missed")
                value += f" if {item.name} is _missed else {item.name}"
        elif item.default is not MISSING:
            names[f"_default{number}"] = item.default
            if item.init:
                parameters.append(f"{item.name}=_default{number}")
            elif slots:
                value = f"_default{number}"
            else:
                continue
        elif item.init:
            parameters.append(item.name)
        else:
            continue
        lines.append(f" _set(self, {item.name!r}, {value})" if frozen else f" self.{item.name} = {value}")
    if hasattr(made, "__post_init__"):
        lines.append(" self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}):\n" + "\n".join(lines or [" pass"]), names)
    compiled: Callable[..., None] = names["__init__"]
    compiled.__qualname__ = f"{made.__qualname__}.__init__"
    return compiled
