"""Parts of the knobs that are searched apart: what concerns several of them is searched whole."""

from __future__ import annotations

import pytest

from lpcl.compose.components import Components, Entangled
from lpcl.compose.knobs import Knob
from lpcl.compose.terms import Value, apply, conjunction, knob

KNOBS = tuple(Knob(name, "env", None, 1, 8) for name in ("ONE", "OTHER", "THIRD"))
ONE, OTHER, THIRD = (knob(item.id, 1, 8) for item in KNOBS)


def components(*, whole: bool = False) -> Components:
    together = apply("<=", apply("+", ONE, OTHER), 8)
    return Components(KNOBS, [together], [], [], [], whole=whole)


def test_what_depends_on_one_part_belongs_to_it() -> None:
    made = components()
    assert [[item.name for item in one.knobs] for one in made.all] == [["ONE", "OTHER"], ["THIRD"]]
    assert made.of(apply(">", OTHER, 2)) is made.of(apply(">", ONE, 2)) is made.all[0]
    assert made.of(apply(">", THIRD, 2)) is made.all[1]
    assert made.of(True, 3) is None


def test_a_condition_across_parts_belongs_to_none_of_them() -> None:
    across = conjunction(apply(">", ONE, 2), apply(">", THIRD, 2))
    with pytest.raises(Entangled):
        components().of(across)
    made = components(whole=True)
    assert made.of(across) is made.all[0]


def test_what_is_at_work_whatever_is_set_belongs_to_no_knob() -> None:
    served = knob("serves:use 1")
    uses: list[tuple[Value, list[Value]]] = [(1, []), (ONE, []), (apply("+", 1, 1), [served])]
    made = Components(KNOBS, [], [], uses, [])
    assert made.fixed.uses == [1, 2]
    assert made.fixed.guards == [served]
    assert made.all[0].uses == [ONE]
