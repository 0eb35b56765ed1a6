"""Frozen, slotted dataclasses that are cheap to define.

`dataclasses.dataclass` compiles six methods for each class, which makes the hundred nodes of the language
cost 70 ms of every start. A record is a dataclass all the same, for `fields`, `replace` and type checkers,
but shares its methods with all others, so that the classes cost 10 ms. Making one through `__init__` is
slower for it; the parser does not (`quick`).
"""

from __future__ import annotations

from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T", bound=type[Any])

_set = object.__setattr__


class Record:
    """What all records share; the decorator tells each class its fields."""

    __slots__ = ()

    _positional: tuple[str, ...]
    _defaults: dict[str, Any]
    _compared: Any
    _every: tuple[str, ...]
    _shown: tuple[str, ...]

    def __init__(self, *args: Any, **values: Any) -> None:
        cls = type(self)
        if len(args) > len(cls._positional):
            raise TypeError(f"{cls.__name__}() takes {len(cls._positional)} positional arguments")
        for name, value in zip(cls._positional, args, strict=False):
            if name in values:
                raise TypeError(f"{cls.__name__}() got several values for {name!r}")
            values[name] = value
        for name in cls._every:
            if name in values:
                _set(self, name, values.pop(name))
            elif name in cls._defaults:
                _set(self, name, cls._defaults[name])
            else:
                raise TypeError(f"{cls.__name__}() lacks {name!r}")
        if values:
            raise TypeError(f"{cls.__name__}() has no {next(iter(values))!r}")

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._shown)
        return f"{type(self).__qualname__}({shown})"

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        compared = type(self)._compared
        return bool(compared(self) == compared(other))

    def __hash__(self) -> int:
        return hash((type(self), type(self)._compared(self)))

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __getstate__(self) -> list[Any]:
        return [getattr(self, name) for name in self._every]

    def __setstate__(self, state: list[Any]) -> None:
        for name, value in zip(self._every, state, strict=True):
            _set(self, name, value)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: T) -> T:
    """Make a subclass of `Record` a record with the fields that it declares."""
    return _made(cls, kw_only=False)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def keyword_record(cls: T) -> T:
    """As `record`, with fields that are given by name only, in subclasses too."""
    return _made(cls, kw_only=True)


def _made(cls: T, *, kw_only: bool) -> T:
    if cls.__doc__ is None:
        cls.__doc__ = cls.__name__  # lest one be computed from a signature
    made: Any = dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(cls)
    every = fields(made)
    made._positional = tuple(item.name for item in every if not item.kw_only)
    made._every = tuple(item.name for item in every)
    made._shown = tuple(item.name for item in every if item.repr)
    made._defaults = {item.name: item.default for item in every if item.default is not MISSING}
    compared = [item.name for item in every if item.compare]
    made._compared = attrgetter(*compared) if compared else tuple
    done: T = made
    return done
