"""What an experiment may report."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from lpcl.verify.prelude import LONGEST, encoded


class Scalar:
    """Something like NumPy's scalars."""

    size = 1

    def __init__(self, value: Any) -> None:
        self.value = value

    def item(self) -> Any:
        return self.value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, ("int", "3")),
        (-(10**30), ("int", "-1" + "0" * 30)),
        (True, ("bool", "true")),
        (False, ("bool", "false")),
        (0.1, ("real", "0.1")),
        (1e300, ("real", "1e+300")),
        (Fraction(1, 3), ("real", "1/3")),
        ("omp", ("text", "omp")),
        (None, ("text", "null")),
        ([1, "a"], ("text", '[1, "a"]')),
        ((), ("text", "[]")),
        ({"a": [True]}, ("text", '{"a": [true]}')),
        (Scalar(7), ("int", "7")),
        (Scalar(True), ("bool", "true")),
        (Scalar(0.5), ("real", "0.5")),
    ],
)
def test_values(value: Any, expected: tuple[str, str]) -> None:
    assert encoded("x", value) == expected


@pytest.mark.parametrize("value", [[object()], {(1, 2): 3}, b"x", 1j, Decimal(1), object()])
def test_values_of_other_kinds(value: Any) -> None:
    with pytest.raises(TypeError, match=rf"report\(x=...\): a {type(value).__name__} cannot be reported"):
        encoded("x", value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_what_is_no_number(value: float) -> None:
    with pytest.raises(ValueError, match="not a number that can be compared"):
        encoded("x", value)


@pytest.mark.parametrize("name", ["exit_code", "timed_out", "machine"])
def test_names_that_are_taken(name: str) -> None:
    with pytest.raises(ValueError, match="is known anyway"):
        encoded(name, 1)


def test_a_text_that_is_too_long() -> None:
    with pytest.raises(ValueError, match=f"this has {LONGEST + 1}"):
        encoded("x", "a" * (LONGEST + 1))
