"""What a user can ask of the tuner."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

REPEAT = 5
"""Runs of each configuration that the medians rest on: times are bistable where threads just fit."""

DEFAULT_BUDGET = 60
"""The most runs that the tuner plans by itself."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to tune.

    - `budget`: the largest number of runs; None plans what `repeat` asks for, 60 at most.
    - `repeat`: measured runs of each configuration that stays in.
    - `seed`: fixes the order of the runs within their rounds.
    - `out`: the folder for results, logs and the winner; None is ``lpcl-tune/<application>`` in the current
      folder.
    - `fresh`: measure anew instead of going on from the results of an earlier session.
    - `command`: replaces the plan's command; empty keeps it.
    - `cwd`: where the command runs; None is the current folder.
    - `first_limit`: seconds that a run may take while nothing has been measured yet.
    - `floor_limit`: the time limit never falls below this many seconds.
    - `limit_factor`: the time limit is this many times the best median so far.
    """

    budget: int | None = None
    repeat: int = REPEAT
    seed: int = 0
    out: Path | None = None
    fresh: bool = False
    command: tuple[str, ...] = ()
    cwd: Path | None = None
    first_limit: float = 600.0
    floor_limit: float = 10.0
    limit_factor: float = 10.0
