"""Decides which run comes next, as a pure function of the runs so far: so a stopped session can go on.

The design, in runs:

1. *warm-up*: the present configuration once, for caches and a first time limit; its value is not used.
2. *search*: rounds. In each, the present configuration and every candidate still in run once, in an order
   drawn from the seed, so that slow drifts of the machine hit all alike. After each round candidates that
   failed or are clearly worse leave; where the budget does not suffice for all, the worse half leaves too
   (successive halving).
3. *confirm*: the present configuration and the best candidate alone, interleaved again, as often as in the
   search. The gain is computed from these fresh runs: those by which a winner was chosen flatter it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Literal

from lpcl.plan.integrity import PRESENT
from lpcl.tune.options import DEFAULT_BUDGET, Options
from lpcl.tune.records import Phase, RunRecord

CLEARLY_WORSE = 1.5
"""A candidate leaves when its best run is this many times worse than the best median."""

LIKE_THE_BEST = 1.05
"""Candidates within this factor of the best median count as equals; the smaller change is preferred."""

GIVE_UP_AFTER = 2
"""Failed runs after which a configuration is not run again; at the time limit one is enough."""

Direction = Literal["less", "more"]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A candidate of the design; `changes` is how many knobs it turns."""

    id: str
    changes: int


@dataclass(frozen=True, slots=True)
class Step:
    """A run to be made."""

    phase: Phase
    round: int
    config: str


@dataclass(frozen=True, slots=True)
class Departure:
    """A candidate that is not run any further, after which round (0: before the first), and why."""

    config: str
    after: int
    reason: str


@dataclass(slots=True)
class Progress:
    """Where a design stands.

    `next` is the run to make, None when all are made. `used` counts the runs that the design has taken into
    account, `expected` is the number that it will have made if nothing leaves any more. `live` are the
    candidates still in; `leader` is the one that the confirmation runs are made with, once that is known.
    """

    next: Step | None = None
    used: int = 0
    expected: int = 0
    live: list[str] = field(default_factory=list)
    departures: list[Departure] = field(default_factory=list)
    leader: str | None = None


@dataclass(frozen=True, slots=True)
class Design:
    """The rules of a session: who takes part (in the plan's order), how often, and what is better."""

    entrants: tuple[Entrant, ...]
    repeat: int
    budget: int
    seed: int
    direction: Direction

    @staticmethod
    def of(entrants: Sequence[Entrant], options: Options, direction: Direction) -> Design:
        """The design for these candidates, with the budget that the options ask for or a fitting one."""
        full = 1 + options.repeat * (1 + len(entrants)) + 2 * options.repeat
        budget = min(full, DEFAULT_BUDGET) if options.budget is None else options.budget
        return Design(tuple(entrants), options.repeat, budget, options.seed, direction)

    def progress(self, records: Sequence[RunRecord]) -> Progress:
        """Where the design stands after these runs, in whatever order they were made."""
        made = {(record.phase, record.round, record.config): record for record in records}
        state = Progress(live=[entrant.id for entrant in self.entrants])
        seen: list[RunRecord] = []
        for step in self._steps(state, seen):
            record = made.get((step.phase, step.round, step.config))
            if state.used >= self.budget:
                break
            if record is None:
                state.next = step
                break
            seen.append(record)
            state.used += 1
        else:
            state.expected = state.used
        state.expected = min(max(state.expected, state.used + (state.next is not None)), self.budget)
        return state

    def _steps(self, state: Progress, seen: Sequence[RunRecord]) -> Iterator[Step]:
        """The runs in order; `seen` grows by the record of each before the next is asked for."""
        reserve = 2 * self.repeat if self.budget >= 1 + 4 * self.repeat else 0
        state.expected = 1 + self.repeat * (1 + len(state.live)) + reserve
        yield Step("warmup", 0, PRESENT)
        for round_number in range(self.repeat):
            present_runs = not given_up(of_config(seen, PRESENT))
            left = self.repeat - round_number
            affordable = self.budget - reserve - state.used
            if affordable < 2 and state.live:
                break
            self._cut(state, seen, round_number, left, affordable)
            members = [PRESENT, *state.live] if present_runs else list(state.live)
            if not members:
                return
            state.expected = state.used + left * len(members) + reserve
            yield from (
                Step("search", round_number, config) for config in self._shuffled(members, round_number)
            )
            self._drop(state, seen, round_number + 1)
        state.leader = self.best(state.live, seen)
        if reserve and state.leader is not None and self._promising(state.leader, seen):
            state.expected = state.used + reserve
            for round_number in range(self.repeat):
                order = self._shuffled([PRESENT, state.leader], self.repeat + round_number)
                yield from (Step("confirm", round_number, config) for config in order)

    def _shuffled(self, members: list[str], round_number: int) -> list[str]:
        order = sorted(members)
        random.Random(f"{self.seed}:{round_number}").shuffle(order)
        return order

    def _cut(
        self, state: Progress, seen: Sequence[RunRecord], round_number: int, left: int, affordable: int
    ) -> None:
        """Lets the last ones go until the rounds that are left fit into the runs that are left."""
        room = room_for(len(state.live), left, affordable)
        if room >= len(state.live):
            return
        order = {entrant.id: place for place, entrant in enumerate(self.entrants)}
        medians = self.medians(seen)
        ranked = sorted(state.live, key=lambda config: (self._badness(medians.get(config)), order[config]))
        reason = (
            "the budget did not reach it"
            if round_number == 0
            else "others were better, and the budget is limited"
        )
        for config in ranked[room:]:
            state.departures.append(Departure(config, round_number, reason))
        state.live = [config for config in state.live if config in ranked[:room]]

    def _drop(self, state: Progress, seen: Sequence[RunRecord], after: int) -> None:
        medians = self.medians(seen)
        bar = min((self._badness(value) for value in medians.values()), default=None)
        for config in list(state.live):
            runs = of_config(seen, config)
            values = [record.value for record in runs if record.value is not None]
            if given_up(runs):
                reason = f"it {runs[-1].how_it_ended()}"
            elif (
                bar is not None and len(values) >= 2 and min(map(self._badness, values)) > CLEARLY_WORSE * bar
            ):
                reason = "it is clearly worse"
            else:
                continue
            state.live.remove(config)
            state.departures.append(Departure(config, after, reason))

    def medians(self, records: Sequence[RunRecord]) -> dict[str, float]:
        """The median of each configuration that has measured values, the warm-up left out."""
        values: dict[str, list[float]] = {}
        for record in records:
            if record.value is not None and record.phase != "warmup":
                values.setdefault(record.config, []).append(record.value)
        return {config: median(of_one) for config, of_one in values.items()}

    def best(self, candidates: Sequence[str], records: Sequence[RunRecord]) -> str | None:
        """The candidate to recommend: of those as good as the best, the one with the fewest changes.

        Candidates with a failed run are no choice while there is one without.
        """
        medians = self.medians(records)
        able = [entrant for entrant in self.entrants if entrant.id in candidates and entrant.id in medians]
        sound = [e for e in able if not any(record.failed for record in of_config(records, e.id))]
        able = sound or able
        if not able:
            return None
        bar = min(self._badness(medians[entrant.id]) for entrant in able) * LIKE_THE_BEST
        equals = [entrant for entrant in able if self._badness(medians[entrant.id]) <= bar]
        return min(equals, key=lambda entrant: entrant.changes).id

    def _promising(self, leader: str, seen: Sequence[RunRecord]) -> bool:
        """Whether confirming makes sense: the present configuration works, and the leader looks better."""
        medians = self.medians(seen)
        if PRESENT not in medians or given_up(of_config(seen, PRESENT)):
            return False
        return self._badness(medians[leader]) < self._badness(medians[PRESENT])

    def _badness(self, value: float | None) -> float:
        """A value on a scale where less is better; infinite for none."""
        if value is None:
            return float("inf")
        return value if self.direction == "less" else 1 / value


def room_for(count: int, rounds: int, affordable: int) -> int:
    """How many of `count` candidates may start `rounds` more rounds, the present configuration beside them.

    All, if each can run in every round; else the most that fit when half of them leave after each round; 1
    where even that does not fit.
    """
    if rounds * (1 + count) <= affordable:
        return count
    for room in range(count, 0, -1):
        if sum(1 + -(-room // 2**index) for index in range(rounds)) <= affordable:
            return room
    return min(count, 1)


def of_config(records: Sequence[RunRecord], config: str) -> list[RunRecord]:
    """The runs of one configuration, the warm-up among them."""
    return [record for record in records if record.config == config]


def given_up(runs: Sequence[RunRecord]) -> bool:
    """Whether a configuration is not worth another run: it failed twice, or it hit the time limit once.

    The present configuration is judged by the same rule, but only as long as it has no measured value:
    without its values there is nothing to compare with.
    """
    failures = sum(record.failed for record in runs)
    if runs and runs[0].config == PRESENT and failures < len(runs):
        return False
    return failures >= GIVE_UP_AFTER or any(record.end == "timed_out" for record in runs)


def time_limit(config: str, records: Sequence[RunRecord], options: Options) -> float:
    """Seconds that the next run of a configuration may take.

    While nothing was measured, `first_limit`; then `limit_factor` times the best median wall time,
    `floor_limit` at least. The present configuration may be that slow by nature, and its time is wanted: it
    gets three times its slowest run too.
    """
    walls: dict[str, list[float]] = {}
    for record in records:
        if not record.failed:
            walls.setdefault(record.config, []).append(record.wall)
    if not walls:
        return options.first_limit
    limit = max(options.floor_limit, options.limit_factor * min(median(of_one) for of_one in walls.values()))
    if config == PRESENT and PRESENT in walls:
        limit = max(limit, 3 * max(walls[PRESENT]))
    return limit
