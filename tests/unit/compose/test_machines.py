"""Machines whose figures are free within ranges."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from lpcl.compose.machine import MachineView
from lpcl.compose.machines import NATURAL, any_machine, free, natural
from lpcl.compose.terms import conjunction, settle
from lpcl.model.machine import AT_MOST, FACTS


@pytest.mark.parametrize("path", sorted(FACTS))
def test_every_figure_has_a_natural_range(path: str) -> None:
    item = natural(path)
    assert 0 <= item.low < item.high
    assert (item.amount(item.low), item.amount(item.high)) == NATURAL[path]


def test_the_figures_that_follow_from_none_are_free() -> None:
    machines = any_machine(MachineView("any", {"shm": 1}, {}))
    assert {item.path for item in machines.figures} == {
        path for path, kind in FACTS.items() if kind.follows is None
    } - {"shm"}


def test_a_stated_range_takes_the_place_of_the_natural_one() -> None:
    machines = any_machine(MachineView("any", {}, {}), (free("cpus.quota", Fraction(1, 2), 2),))
    quota = machines.figure("machine:cpus.quota")
    assert (quota.low, quota.high, quota.amount(150)) == (50, 200, Fraction(3, 2))


def test_a_range_between_two_steps_holds_nothing() -> None:
    item = free("cpus.online", Fraction(5, 4), Fraction(7, 4))
    assert item.low > item.high


def test_in_range_is_just_what_a_machine_can_be() -> None:
    stated = (free("cpus.online", 1, 3), free("cpus.affinity", 1, 3))
    machines = any_machine(MachineView("any", dict.fromkeys(set(FACTS) - {"cpus.online"}, 1), {}), stated)
    names = [item.id for item in stated]
    for values in product(range(6), repeat=2):
        steps = dict(zip(names, values, strict=True))
        steps |= {item.id: item.low for item in machines.figures if item.id not in steps}
        online, affinity = values
        expected = 1 <= online <= 3 and 1 <= affinity <= 3 and affinity <= online
        assert (settle(conjunction(*machines.conditions()), steps) is True) == expected


def test_one_machine_and_the_open_one_agree() -> None:
    machines = any_machine(MachineView("any", {}, {}), (free("cpus.quota", Fraction(1, 2), 2),))
    steps = {item.id: item.low for item in machines.figures}
    view, here = machines.open(), machines.at(steps)
    for path in ("cpus", *FACTS):
        opened = view.fact(path)
        assert (None if opened is None else settle(opened, steps)) == here.fact(path)


def test_the_parts_that_no_machine_has_more_of_are_figures() -> None:
    assert {*AT_MOST, *AT_MOST.values()} <= set(FACTS)
