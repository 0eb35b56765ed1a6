"""Reads JSON values strictly, so that a broken plan is answered with a place and a reason, no traceback."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from lpcl.plan.model import Number, Value

T = TypeVar("T")

_RATIONAL = re.compile(r"-?[0-9]{1,1000}/[0-9]{1,1000}")


class PlanError(ValueError):
    """A plan cannot be read or contradicts itself; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Json:
    """A JSON value and where it stands in its document (``knobs[2].domain``)."""

    value: Any
    path: str

    def fail(self, problem: str) -> PlanError:
        """The error that says what is wrong with this value."""
        return PlanError(f"{self.path or 'the document'}: {problem}")

    def fields(self, required: frozenset[str], optional: frozenset[str] = frozenset()) -> dict[str, Json]:
        """The members of an object that has all the required ones and none that is unknown."""
        if not isinstance(self.value, dict):
            raise self.fail(f"an object is expected, not {_describe(self.value)}")
        missing = sorted(required - self.value.keys())
        if missing:
            raise self.fail(f"{missing[0]!r} is missing")
        unknown = sorted(self.value.keys() - required - optional)
        if unknown:
            raise self.fail(f"{unknown[0]!r} is not known here")
        return {
            key: Json(item, f"{self.path}.{key}" if self.path else key) for key, item in self.value.items()
        }

    def members(self) -> Iterator[tuple[str, Json]]:
        """The members of an object with free keys."""
        if not isinstance(self.value, dict):
            raise self.fail(f"an object is expected, not {_describe(self.value)}")
        for key, item in self.value.items():
            yield key, Json(item, f"{self.path}[{key!r}]")

    def each(self, read: Callable[[Json], T]) -> tuple[T, ...]:
        """The elements of a list, each read by `read`."""
        if not isinstance(self.value, list):
            raise self.fail(f"a list is expected, not {_describe(self.value)}")
        return tuple(read(Json(item, f"{self.path}[{index}]")) for index, item in enumerate(self.value))

    def text(self) -> str:
        """A string."""
        if not isinstance(self.value, str):
            raise self.fail(f"a string is expected, not {_describe(self.value)}")
        return self.value

    def word(self) -> str:
        """A string that is not empty."""
        text = self.text()
        if not text:
            raise self.fail("the string is empty")
        return text

    def one_of(self, words: tuple[str, ...]) -> str:
        """One of these strings."""
        if self.value not in words or not isinstance(self.value, str):
            raise self.fail(f"one of {', '.join(words)} is expected, not {_describe(self.value)}")
        return self.value

    def whole(self, least: int = 0) -> int:
        """A whole number, `least` or more."""
        if isinstance(self.value, bool) or not isinstance(self.value, int) or self.value < least:
            raise self.fail(f"a whole number of {least} or more is expected, not {_describe(self.value)}")
        return self.value

    def truth(self) -> bool:
        """A truth value."""
        if not isinstance(self.value, bool):
            raise self.fail(f"true or false is expected, not {_describe(self.value)}")
        return self.value

    def number(self) -> Number:
        """An exact number: a whole one, or ``"a/b"``."""
        number = exact(self.value)
        if number is None:
            raise self.fail(f'a whole number or "a/b" is expected, not {_describe(self.value)}')
        return number

    def optional(self, read: Callable[[Json], T]) -> T | None:
        """None for null, and what `read` makes of anything else."""
        return None if self.value is None else read(self)


def exact(value: object) -> Number | None:
    """The exact number that a JSON value stands for; None where it stands for none."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and _RATIONAL.fullmatch(value):
        above, below = value.split("/")
        if int(below) == 0:
            return None
        fraction = Fraction(int(above), int(below))
        return fraction.numerator if fraction.denominator == 1 else fraction
    return None


def number_to_json(number: Number) -> int | str:
    """A number as JSON holds it without loss."""
    if isinstance(number, Fraction) and number.denominator != 1:
        return f"{number.numerator}/{number.denominator}"
    return int(number)


def value_to_json(value: Value | None) -> bool | int | str | None:
    """A knob's value as JSON holds it; the knob's type tells a word from a fraction when it is read back."""
    return value if value is None or isinstance(value, bool | str) else number_to_json(value)


def _describe(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and abs(value) >= 10**60:
        return "a number of more than 60 digits"
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
