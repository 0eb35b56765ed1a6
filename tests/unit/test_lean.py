"""Lean dataclasses behave as those of the standard library do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import weakref
from collections.abc import Callable
from dataclasses import field
from typing import Any

import pytest

from lpcl import lean

CHOICES: list[dict[str, bool]] = [
    {},
    {"eq": False},
    {"frozen": True},
    {"slots": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "eq": False},
    {"frozen": True, "slots": True, "order": True},
    {"frozen": True, "eq": False, "slots": True, "weakref_slot": True},
]
Decorator = Callable[..., Any]


def made(dataclass: Decorator, choices: dict[str, bool]) -> Any:
    """A class with a field of each kind, as that decorator makes it."""

    @dataclass(**choices)
    class Thing:
        name: str
        size: int = 3
        parts: list[int] = field(default_factory=list)
        note: str = field(default="", compare=False)
        seen: str = field(default="-", repr=False)
        count: int = field(default=0, init=False)
        inner: dict[str, int] = field(default_factory=dict, init=False, compare=False)

        @property
        def double(self) -> int:
            return self.size * 2

    return Thing


def both(choices: dict[str, bool]) -> tuple[Any, Any]:
    return made(lean.dataclass, choices), made(dataclasses.dataclass, choices)


@pytest.mark.parametrize("choices", CHOICES, ids=str)
def test_instances(choices: dict[str, bool]) -> None:
    for cls in both(choices):
        one, same = cls("a", 1, parts=[2]), cls(name="a", size=1, parts=[2], note="not compared")
        assert repr(one).endswith("Thing(name='a', size=1, parts=[2], note='', count=0, inner={})")
        assert (one == same) is choices.get("eq", True)
        assert one == one
        assert one != cls("b", 1, parts=[2])
        assert one != "a"
        assert one.double == 2
        assert cls("a").parts == []
        assert cls("a").parts is not cls("a").parts
        assert [item.name for item in dataclasses.fields(cls)][:2] == ["name", "size"]
        assert dataclasses.replace(one, size=5).size == 5
        assert dataclasses.asdict(one)["parts"] == [2]
        assert copy.copy(one).parts == [2]
        assert cls.__match_args__ == ("name", "size", "parts", "note", "seen")
        with pytest.raises(TypeError):
            cls()
        with pytest.raises(TypeError):
            cls("a", colour="red")
        if choices.get("weakref_slot"):
            assert weakref.ref(one)() is one


@pytest.mark.parametrize("choices", CHOICES, ids=str)
def test_changes_and_hashes(choices: dict[str, bool]) -> None:
    ours, theirs = both(choices)
    outcomes = []
    for cls in (ours, theirs):
        one, same = cls("a", parts=()), cls("a", parts=(), note="x")
        outcome: list[object] = []
        for action in (
            lambda one=one: setattr(one, "size", 9),
            lambda one=one: delattr(one, "size"),
            lambda one=one: setattr(one, "other", 9),
            lambda one=one, same=same: hash(one) == hash(same),
            lambda one=one, same=same: one < same,
        ):
            try:
                outcome.append(action())
            except (AttributeError, TypeError):
                outcome.append("refused")
        outcomes.append(outcome)
    assert outcomes[0] == outcomes[1]


@lean.dataclass(frozen=True, slots=True)
class Kept:
    a: int
    b: tuple[str, ...] = ()


@lean.dataclass(frozen=True)
class Base:
    a: int


@lean.dataclass(frozen=True)
class Heir(Base):
    b: int = 2

    def __repr__(self) -> str:
        return "an heir"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Heir)

    def __hash__(self) -> int:
        return 7


def test_kept_and_read_again() -> None:
    assert pickle.loads(pickle.dumps(Kept(1, ("x",)))) == Kept(1, ("x",))
    assert copy.deepcopy(Kept(1)) == Kept(1)


def test_what_a_class_says_itself_is_left() -> None:
    heir = Heir(1)
    assert (heir.a, heir.b) == (1, 2)
    assert repr(heir) == "an heir"
    assert heir == Heir(5)
    assert hash(heir) == 7
    with pytest.raises(dataclasses.FrozenInstanceError):
        heir.a = 2  # type: ignore[misc]


def test_an_heir_is_made_before_its_base() -> None:
    @lean.dataclass
    class Above:
        a: int

    @lean.dataclass
    class Below(Above):
        b: int

    class Plain(Below):
        pass

    assert (Plain(1, 2).a, Plain(1, 2).b) == (1, 2)
    assert Above(3).a == 3
    assert Below(4, 5) == Below(4, 5)
    assert Below(4, 5) != Plain(4, 5)
