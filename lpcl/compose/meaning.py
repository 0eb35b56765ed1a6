"""What an application demands: the largest amount over all its snapshots, exactly and without a solver.

The executors of a process spread over its statements, each by itself. Where pools serve several callers at
once, the amount is not a sum over executors: a pool counts once, however many want it. So the search keeps,
for each block, the `Option`s that can matter: how many executors an option needs at least, what it amounts
to then, what each further executor adds, and which pools it has at work. An option that is nowhere better
than another one is dropped. Copies of a process are independent of each other, so that processes are solved
one by one, children first. See `docs/decisions/0004-meaning.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from lpcl.compose.measures import (
    Measure,
    Present,
    child_copies,
    executors,
    is_present,
    serves_alone,
)
from lpcl.compose.placement import AtOnce, Passed, Placement, Split, Stand
from lpcl.compose.structure import (
    Activity,
    PoolUse,
    Process,
    ProcessWorkers,
    Sequence,
    Statement,
    ThreadWorkers,
    Together,
    activities,
    own_activities,
)
from lpcl.compose.terms import Number, Value

MOST_OPTIONS = 20_000


class TooManyOptions(Exception):
    """More ways to share pools than are worth following: the question is not decided."""


def number(value: Value) -> Number:
    """A value that is a plain number, as the evaluator needs it."""
    if isinstance(value, int | Fraction):
        return value
    raise TypeError(f"not a plain number: {value}")


@dataclass(frozen=True, slots=True)
class Claim:
    """A pool at work, or left behind `idle`. `owner` is the activity that has it for its block, else None.

    A `contested` pool serves a block somewhere in its process, and then no other activity at the same time.
    Where the claim `covers` the pool, its threads count as they go through the block, and none of them is
    idle.
    """

    owner: str | None
    amount: Number
    idle: bool = False
    contested: bool = False
    covers: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """A way to place at least `need` executors: `value` with just as many, `rate` for each one more."""

    need: int
    value: Number
    rate: Number
    claims: Mapping[str, Claim]
    placement: Placement | None

    def at(self, count: Number) -> Number:
        """The amount with `count` executors, the pools at work included."""
        return self.value + (count - self.need) * self.rate + sum(c.amount for c in self.claims.values())


@dataclass(frozen=True, slots=True)
class Behind:
    """What executors that stand further on have left behind; uses by pool, the largest of each."""

    teams: Mapping[str, tuple[str, PoolUse]]
    pools: Mapping[str, tuple[str, PoolUse]]


NOTHING = Behind({}, {})


@dataclass(frozen=True)
class Peak:
    """The largest amount, and for each process, by the id of its starter, the placement that asks for it."""

    amount: Number
    placements: Mapping[str, Placement | None]
    by_process: Mapping[str, Number]


def peak(root: Process, measure: Measure, present: Present = None) -> Peak:
    """The largest amount of `measure` that one copy of `root` asks for, its children included where it
    follows.

    With `present`, participants not in it are taken out: their demands are nothing, their workers a single
    one. Raises `TooManyOptions`.
    """
    search = _Search(measure, present)
    value = search.process(root)
    return Peak(value, search.placements, search.values)


class _Search:
    def __init__(self, measure: Measure, present: Present) -> None:
        self.measure = measure
        self.present = present
        self.placements: dict[str, Placement | None] = {}
        self.values: dict[str, Number] = {}
        self.contested: frozenset[str] = frozenset()

    def process(self, process: Process) -> Number:
        """The largest amount of one copy."""
        key = process.starter.id if process.starter is not None else ""
        constant = sum(number(part.amount) for part in self.measure.process(process, self.present))
        outer, self.contested = self.contested, self._contested(process)
        options = self._options(process.body, 1, NOTHING)
        self.contested = outer
        best = max(options, key=lambda option: option.at(1), default=None)
        self.placements[key] = None if best is None else best.placement
        value = constant if best is None else constant + best.at(1)
        self.values[key] = value
        return value

    def _contested(self, process: Process) -> frozenset[str]:
        return frozenset(
            activity.pool.pool.key
            for activity in activities(process.body)
            if activity.pool is not None
            and activity.body is not None
            and activity.pool.pool.policy != "fork"
            and not activity.pool.own_thread
            and not serves_alone(activity.pool)
            and self._there(activity)
        )

    def _there(self, activity: Activity) -> bool:
        return is_present(activity.place.id, self.present)

    # Each of these gives the options of a statement for up to `most` executors, who have left `behind`.

    def _options(self, statement: Statement, most: int, behind: Behind) -> list[Option]:
        if isinstance(statement, Activity):
            return self._activity(statement, most, behind)
        if isinstance(statement, Together):
            return self._together(statement, most, behind)
        assert isinstance(statement, Sequence), "given settings leave no variants"
        return self._sequence(statement, most, behind)

    def _sequence(self, sequence: Sequence, most: int, behind: Behind) -> list[Option]:
        options: list[tuple[Option, tuple[Placement, ...], tuple[int, ...], int]] = []
        start = Option(0, 0, 0, {}, None)
        kept: list[tuple[Option, tuple[Placement, ...], tuple[int, ...], int]] = [(start, (), (), -1)]
        last = len(sequence.statements) - 1
        for position, statement in enumerate(sequence.statements):
            found = self._options(statement, most, behind)
            options = kept[1:]
            for base, parts, needs, rest in kept:
                for more in found:
                    if base.need + more.need > most or more.placement is None:
                        continue
                    claims = _merge(base.claims, more.claims)
                    if claims is None:
                        continue
                    first = not parts
                    better = first or more.rate > base.rate
                    options.append(
                        (
                            Option(
                                base.need + more.need,
                                base.value + more.value,
                                more.rate if better else base.rate,
                                claims,
                                None,
                            ),
                            (*parts, more.placement),
                            (*needs, more.need),
                            len(parts) if better else rest,
                        )
                    )
            kept = [kept[0], *_prune_built(options)]
            if position != last:
                behind = self._left(statement, behind)
        return [
            Option(
                o.need,
                o.value,
                o.rate,
                o.claims,
                parts[0] if len(parts) == 1 else Split(parts, needs, rest),
            )
            for o, parts, needs, rest in kept
            if parts
        ]

    def _together(self, together: Together, most: int, behind: Behind) -> list[Option]:
        used = {a.pool.pool.key for a in own_activities(together, self.present) if a.pool and self._there(a)}
        teams = {key: item for key, item in behind.teams.items() if key not in used}
        passed = Passed(_places(teams), _places(behind.pools))
        rate = self._team_rate(teams)
        claims = self._idle_claims(behind)
        kept = [(Option(1, rate, rate, claims, None), ())]
        for member in together.members:
            found = self._options(member, most, NOTHING)
            if not found:
                continue
            options: list[tuple[Option, tuple[Placement, ...]]] = []
            for base, parts in kept:
                for more in found:
                    merged = _merge(base.claims, more.claims)
                    if merged is None or more.placement is None:
                        continue
                    need = max(base.need, more.need)
                    value = (
                        base.value
                        + (need - base.need) * base.rate
                        + more.value
                        + (need - more.need) * more.rate
                    )
                    options.append(
                        (Option(need, value, base.rate + more.rate, merged, None), (*parts, more.placement))
                    )
            kept = _prune_built(options)
        return [Option(o.need, o.value, o.rate, o.claims, AtOnce(parts, passed)) for o, parts in kept]

    def _activity(self, activity: Activity, most: int, behind: Behind) -> list[Option]:
        measure, there = self.measure, self._there(activity)
        use = activity.pool if there else None
        block = activity.body is not None
        own_level = activity.workers is None and (use is None or use.own_thread) and block
        running = number(measure.running(activity)) if there else 0
        if own_level:
            assert activity.body is not None
            inner = self._sequence(activity.body, most, behind)
            return [
                Option(
                    o.need,
                    o.value + o.need * running,
                    o.rate + running,
                    o.claims,
                    Stand(activity.place.id, Passed(), inner=o.placement),
                )
                for o in inner
            ]
        teams = dict(behind.teams)
        if use is not None:
            teams.pop(use.pool.key, None)
        passed = Passed(_places(teams), _places(behind.pools))
        rate = running + self._team_rate(teams)
        claims = self._idle_claims(behind)
        place = activity.place.id
        if isinstance(activity.workers, ProcessWorkers):
            value = self.process(activity.workers.process)
            if measure.follows:
                rate += number(child_copies(activity, 1, self.present)) * value
            return [Option(1, rate, rate, claims, Stand(place, passed))]
        if isinstance(activity.workers, ThreadWorkers):
            if there:
                rate += number(measure.threads(activity.workers))
            if not block:
                if there:
                    rate += number(executors(activity, 1, True, self.present)) * number(
                        measure.leaf(activity)
                    )
                return [Option(1, rate, rate, claims, Stand(place, passed))]
            return self._within(activity, rate, claims, passed, most)
        if use is None:
            rate += number(measure.leaf(activity)) if there else 0
            return [Option(1, rate, rate, claims, Stand(place, passed))]
        if use.pool.policy == "fork" and not use.own_thread:
            rate += number(measure.team(use, block))
            if not block:
                return [Option(1, rate, rate, claims, Stand(place, passed))]
            return self._within(activity, rate, claims, passed, most)
        rate += number(measure.joining(use, block))
        if use.own_thread or serves_alone(use):
            if block:
                return self._within(activity, rate, claims, passed, most)
            return [Option(1, rate, rate, claims, Stand(place, passed))]
        contested = use.pool.key in self.contested
        claim = Claim(
            place if block else None,
            number(measure.claim(use, block)),
            contested=contested,
            covers=block and not measure.keeps,
        )
        merged = _merge(claims, {use.pool.key: claim})
        assert merged is not None
        if block:
            options = self._within(activity, rate, merged, passed, most)
            return options + self._within(activity, rate, claims, passed, most, serving=False)
        options = [Option(1, rate, rate, merged, Stand(place, passed))]
        if contested:
            options.append(Option(1, rate, rate, claims, Stand(place, passed, serving=False)))
        return options

    def _within(
        self,
        activity: Activity,
        rate: Number,
        claims: Mapping[str, Claim],
        passed: Passed,
        most: int,
        serving: bool = True,
    ) -> list[Option]:
        """An activity whose body is gone through by other threads than its callers: `scale * callers +
        base`.
        """
        assert activity.body is not None
        one = number(executors(activity, 1, serving, self.present))
        scale = number(executors(activity, 2, serving, self.present)) - one
        base = one - scale
        place = activity.place.id
        available = int(scale * most + base)
        inner_options = self._sequence(activity.body, max(0, available), NOTHING) if available > 0 else []
        if not inner_options:
            return [Option(1, rate, rate, claims, Stand(place, passed, serving))]
        options = []
        for inner in inner_options:
            callers = 1
            while scale * callers + base < inner.need:
                callers = max(callers + 1, int(-((base - inner.need) // scale))) if scale > 0 else most + 1
                if callers > most:
                    break
            if callers > most:
                continue
            merged = _merge(claims, inner.claims)
            if merged is None:
                continue
            spare = scale * callers + base - inner.need
            options.append(
                Option(
                    callers,
                    rate * callers + inner.value + spare * inner.rate,
                    rate + scale * inner.rate,
                    merged,
                    Stand(place, passed, serving, inner.placement),
                )
            )
        return _prune(options)

    # What is left behind.

    def _left(self, statement: Statement, behind: Behind) -> Behind:
        teams, pools = dict(behind.teams), dict(behind.pools)
        for activity in activities(statement):
            use = activity.pool
            if use is None or use.own_thread or not self._there(activity):
                continue
            if use.pool.policy == "fork":
                continue
            _keep_larger(pools, activity.place.id, use)
        for activity in own_activities(statement, self.present):
            use = activity.pool
            if use is not None and not use.own_thread and use.pool.policy == "fork" and self._there(activity):
                _keep_larger(teams, activity.place.id, use)
        return Behind(teams, pools)

    def _team_rate(self, teams: Mapping[str, tuple[str, PoolUse]]) -> Number:
        return sum(number(self.measure.team_idle(use)) for _, use in teams.values())

    def _idle_claims(self, behind: Behind) -> Mapping[str, Claim]:
        claims = {}
        for key, (_, use) in behind.pools.items():
            amount = number(self.measure.claim_idle(use))
            if amount:
                claims[key] = Claim(None, amount, True, key in self.contested)
        return claims


def _keep_larger(uses: dict[str, tuple[str, PoolUse]], place: str, use: PoolUse) -> None:
    known = uses.get(use.pool.key)
    if known is None or number(use.existing) > number(known[1].existing):
        uses[use.pool.key] = (place, use)


def _places(uses: Mapping[str, tuple[str, PoolUse]]) -> tuple[str, ...]:
    return tuple(place for place, _ in uses.values())


def _merge(a: Mapping[str, Claim], b: Mapping[str, Claim]) -> Mapping[str, Claim] | None:
    """The pools of both; None where one pool would have to serve two blocks, or a block and another
    activity.
    """
    if not a:
        return b
    if not b:
        return a
    merged = dict(a)
    for key, claim in b.items():
        mine = merged.get(key)
        both = claim if mine is None else _joined(mine, claim)
        if both is None:
            return None
        merged[key] = both
    return merged


def _joined(a: Claim, b: Claim) -> Claim | None:
    if a.idle == b.idle:
        if a.owner != b.owner:
            return None
        return a if a.amount >= b.amount else b
    busy, idle = (b, a) if a.idle else (a, b)
    return busy if busy.covers or busy.amount >= idle.amount else replace(busy, amount=idle.amount)


def _dominates(a: Option, b: Option) -> bool:
    """Whether `a` is at least as good as `b` wherever `b` can be taken."""
    if a.need > b.need or a.rate < b.rate or a.value + (b.need - a.need) * a.rate < b.value:
        return False
    for key, claim in b.claims.items():
        mine = a.claims.get(key)
        if mine is None or mine.amount < claim.amount:
            return False
        if mine.contested and not mine.idle and (claim.idle or mine.owner != claim.owner):
            return False
    return all(not claim.contested or claim.idle or key in b.claims for key, claim in a.claims.items())


def _prune(options: list[Option]) -> list[Option]:
    return [built[0] for built in _prune_built([(option,) for option in options])]


def _prune_built(options: list) -> list:  # type: ignore[type-arg]
    """The options that can matter, of tuples that begin with an `Option`; the first of equal ones stays."""
    kept: list = []  # type: ignore[type-arg]
    for item in options:
        if any(_dominates(other[0], item[0]) for other in kept):
            continue
        kept = [other for other in kept if not _dominates(item[0], other[0])]
        kept.append(item)
        if len(kept) > MOST_OPTIONS:
            raise TooManyOptions
    return kept
