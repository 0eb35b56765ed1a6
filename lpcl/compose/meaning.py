"""What an application demands: the largest amount over all its snapshots, exactly and without a solver.

The executors of a process spread over its statements, each by itself. Where pools serve several callers at
once, the amount is not a sum over executors: a pool counts once, however many want it. So the search keeps,
for each block, the `Option`s that can matter: how many executors an option needs at least, what it amounts
to then, what each further executor adds, and which pools it has at work. An option that is nowhere better
than another one is dropped. Copies of a process are independent of each other, so that processes are solved
one by one, children first. See `docs/decisions/0004-meaning.md`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from typing import TypeAlias

from lpcl.compose.measures import (
    Measure,
    Present,
    child_copies,
    executors,
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
    """A pool at work, for activities without a block or for one `block`, or left behind `idle`.

    A `contested` pool serves a block somewhere in its process, and then no other activity at the time. Where
    the claim `covers` the pool, its threads count as they go through the block, and none of them is idle.
    """

    amount: Number
    block: bool = False
    idle: bool = False
    contested: bool = False
    covers: bool = False


Claims: TypeAlias = Mapping[str, Claim]
Amounts: TypeAlias = Mapping[str, Number]


@dataclass(frozen=True, slots=True)
class Option:
    """A way to place at least `need` executors: `value` with just as many, `rate` for each one more."""

    need: int
    value: Number
    rate: Number
    claims: Claims
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
        options = self._options(process.body, 1, NOTHING, {})
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
        return self.present is None or activity.place.id in self.present

    def _team(self, activity: Activity) -> PoolUse | None:
        """The activity's use of a pool that gives each caller a team of its own."""
        use = activity.pool if self._there(activity) else None
        return None if use is None or use.own_thread or use.pool.policy != "fork" else use

    # Each of these gives the options of a statement for up to `most` executors, who have left `behind`. Other
    # claims on the pools in `met`, of at most so much, may yet be joined to those of an option.

    def _options(self, statement: Statement, most: int, behind: Behind, met: Amounts) -> list[Option]:
        if isinstance(statement, Activity):
            options = self._activity(statement, most, behind, met)
        elif isinstance(statement, Together):
            options = self._together(statement, most, behind, met)
        else:
            assert isinstance(statement, Sequence), "given settings leave no variants"
            return self._sequence(statement, most, behind, met)
        return _kept([], [_settled(option, met) for option in options])

    def _sequence(self, sequence: Sequence, most: int, behind: Behind, met: Amounts) -> list[Option]:
        if most == 1:
            return self._one_of(sequence, behind, met)
        statements = sequence.statements
        claimed = [self._claimed(statement) for statement in statements]
        later = _later(claimed)
        idle = _idle(self.measure, behind, *(self._uses(statement) for statement in statements[:-1]))
        earlier = idle
        nobody = Option(0, 0, 0, {}, Split((), (), 0))
        found: list[Option] = []
        for position, statement in enumerate(statements):
            others = _most(_most(earlier, later[position]), met)
            yet = met if position + 1 == len(statements) else _most(_most(idle, later[position]), met)
            options = self._options(statement, most, behind, others)
            joined = (
                _settled(option, yet)
                for base in (nobody, *found)
                for more in options
                if (option := _joined(base, more, most)) is not None
            )
            found = _kept([_settled(option, yet) for option in found], joined)
            earlier = _most(earlier, claimed[position])
            behind = self._left(statement, behind)
        return [_placed(option) for option in found]

    def _one_of(self, sequence: Sequence, behind: Behind, met: Amounts) -> list[Option]:
        """The options of a single executor, who is at one of the statements."""
        found: list[Option] = []
        for statement in sequence.statements:
            found = _kept(found, self._options(statement, 1, behind, met))
            behind = self._left(statement, behind)
        return found

    def _together(self, together: Together, most: int, behind: Behind, met: Amounts) -> list[Option]:
        own = own_activities(together, self.present)
        used = {team.pool.key for activity in own if (team := self._team(activity)) is not None}
        teams = {key: item for key, item in behind.teams.items() if key not in used}
        passed = Passed(_places(teams), _places(behind.pools))
        rate = self._team_rate(teams)
        found = [Option(1, rate, rate, self._idle_claims(behind), AtOnce((), passed))]
        claimed = [self._claimed(member) for member in together.members]
        later = _later(claimed)
        earlier = _idle(self.measure, behind)
        for position, member in enumerate(together.members):
            yet = _most(later[position], met)
            options = self._options(member, most, NOTHING, _most(earlier, yet))
            if options:
                both = (_at_once(base, more) for base in found for more in options)
                found = _kept([], (_settled(option, yet) for option in both if option is not None))
            earlier = _most(earlier, claimed[position])
        return found

    def _activity(self, activity: Activity, most: int, behind: Behind, met: Amounts) -> list[Option]:
        measure, there = self.measure, self._there(activity)
        use = activity.pool if there else None
        block = activity.body is not None
        own_level = activity.workers is None and (use is None or use.own_thread) and block
        running = number(measure.running(activity)) if there else 0
        if own_level:
            assert activity.body is not None
            inner = self._sequence(activity.body, most, behind, met)
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
        team = self._team(activity)
        if team is not None:
            teams.pop(team.pool.key, None)
        passed = Passed(_places(teams), _places(behind.pools))
        met = _most(_idle(measure, behind), met)
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
            return self._within(activity, rate, claims, passed, most, met)
        if use is None:
            rate += number(measure.leaf(activity)) if there else 0
            return [Option(1, rate, rate, claims, Stand(place, passed))]
        if team is not None:
            rate += number(measure.team(team, block))
            if not block:
                return [Option(1, rate, rate, claims, Stand(place, passed))]
            return self._within(activity, rate, claims, passed, most, met)
        rate += number(measure.joining(use, block))
        if use.own_thread or serves_alone(use):
            if block:
                return self._within(activity, rate, claims, passed, most, met)
            return [Option(1, rate, rate, claims, Stand(place, passed))]
        contested = use.pool.key in self.contested
        amount = number(measure.claim(use, block))
        claim = Claim(amount, block, contested=contested, covers=block and not measure.keeps)
        merged = _merge(claims, {use.pool.key: claim})
        assert merged is not None
        if block:
            met = _most({use.pool.key: claim.amount}, met)
            return self._within(activity, rate, merged, passed, most, met, claims)
        options = [Option(1, rate, rate, merged, Stand(place, passed))]
        if contested:
            options.append(Option(1, rate, rate, claims, Stand(place, passed, serving=False)))
        return options

    def _within(
        self,
        activity: Activity,
        rate: Number,
        claims: Claims,
        passed: Passed,
        most: int,
        met: Amounts,
        waiting: Claims | None = None,
    ) -> list[Option]:
        """An activity whose body is gone through by other threads than its callers.

        Its callers may also be `waiting`, with these claims, while the pool serves another activity.
        """
        assert activity.body is not None
        place = activity.place.id
        ways = [(True, claims)] if waiting is None else [(True, claims), (False, waiting)]
        first, further = self._executors(activity, True)
        crowd = int(first + (most - 1) * further)
        inner = self._sequence(activity.body, crowd, NOTHING, met) if crowd > 0 else []
        found: list[Option] = []
        for serving, mine in ways:
            one, each = (first, further) if serving else self._executors(activity, False)
            bare = Option(1, rate, rate, mine, Stand(place, passed, serving))
            options = [_inside(bare, option, one, each) for option in inner]
            found += [option for option in options if option and option.need <= most] or [bare]
        return found

    def _executors(self, activity: Activity, serving: bool) -> tuple[Number, Number]:
        """How many go through the activity's block for its first caller, and for each further one."""
        one = number(executors(activity, 1, serving, self.present))
        return one, number(executors(activity, 2, serving, self.present)) - one

    def _claimed(self, statement: Statement) -> Amounts:
        """The most that each pool of the process may be claimed for, at work or idle, in a statement."""
        found: dict[str, Number] = {}
        for activity, use in self._uses(statement):
            amount = number(self.measure.claim(use, activity.body is not None))
            known = found.get(use.pool.key, 0)
            found[use.pool.key] = max(known, amount, number(self.measure.claim_idle(use)))
        return found

    def _uses(self, statement: Statement) -> Iterator[tuple[Activity, PoolUse]]:
        """The uses in a statement of pools that its process has once for all callers."""
        for activity in activities(statement):
            use = activity.pool
            if use is not None and not use.own_thread and use.pool.policy != "fork" and self._there(activity):
                yield activity, use

    # What is left behind.

    def _left(self, statement: Statement, behind: Behind) -> Behind:
        own = own_activities(statement, self.present)
        used = list(self._uses(statement))
        made = [(activity, team) for activity in own if (team := self._team(activity)) is not None]
        if not used and not made:
            return behind
        teams, pools = dict(behind.teams), dict(behind.pools)
        for activity, use in used:
            _keep_larger(pools, activity.place.id, use)
        for activity, use in made:
            _keep_larger(teams, activity.place.id, use)
        return Behind(teams, pools)

    def _team_rate(self, teams: Mapping[str, tuple[str, PoolUse]]) -> Number:
        return sum(number(self.measure.team_idle(use)) for _, use in teams.values())

    def _idle_claims(self, behind: Behind) -> Claims:
        claims = {}
        for key, (_, use) in behind.pools.items():
            amount = number(self.measure.claim_idle(use))
            if amount:
                claims[key] = Claim(amount, idle=True, contested=key in self.contested)
        return claims


def _keep_larger(uses: dict[str, tuple[str, PoolUse]], place: str, use: PoolUse) -> None:
    known = uses.get(use.pool.key)
    if known is None or number(use.existing) > number(known[1].existing):
        uses[use.pool.key] = (place, use)


def _places(uses: Mapping[str, tuple[str, PoolUse]]) -> tuple[str, ...]:
    return tuple(place for place, _ in uses.values())


# ------------------------------------------------------------------ claims


def _idle(measure: Measure, behind: Behind, *uses: Iterable[tuple[Activity, PoolUse]]) -> Amounts:
    """The most that each pool may be claimed for by executors that have left it behind."""
    found: dict[str, Number] = {}
    for use in (*(use for _, use in behind.pools.values()), *(use for some in uses for _, use in some)):
        amount = number(measure.claim_idle(use))
        if amount > found.get(use.pool.key, 0):
            found[use.pool.key] = amount
    return found


def _most(a: Amounts, b: Amounts) -> Amounts:
    if not a or not b:
        return a if a else b
    return {**a, **{key: max(amount, a.get(key, 0)) for key, amount in b.items()}}


def _later(claimed: list[Amounts]) -> list[Amounts]:
    """For each position the most that is claimed at a later one."""
    nothing: Amounts = {}
    return list(accumulate(reversed(claimed[1:]), _most, initial=nothing))[::-1]


def _merge(a: Claims, b: Claims) -> Claims | None:
    """The pools of both; None where one pool would have to serve two blocks, or a block and another
    activity.
    """
    if not a or not b:
        return a if a else b
    merged = dict(a)
    for key, claim in b.items():
        mine = merged.get(key)
        both = claim if mine is None else _both(mine, claim)
        if both is None:
            return None
        merged[key] = both
    return merged


def _both(a: Claim, b: Claim) -> Claim | None:
    if a.idle == b.idle:
        if a.block or b.block:
            return None
        return a if a.amount >= b.amount else b
    busy, idle = (b, a) if a.idle else (a, b)
    return busy if busy.covers or busy.amount >= idle.amount else replace(busy, amount=idle.amount)


def _settled(option: Option, met: Amounts) -> Option:
    """The option with what no claim in `met` can take from its claims counted for good."""
    if not option.claims or (
        all(key in met for key in option.claims)
        and not any(not claim.contested and claim.amount > met[key] for key, claim in option.claims.items())
    ):
        return option
    value, claims = option.value, {}
    for key, claim in option.claims.items():
        most = met.get(key)
        if most is None:
            value += claim.amount
        elif claim.contested or claim.amount <= most:
            claims[key] = claim
        else:
            value += claim.amount - most
            if most:
                claims[key] = replace(claim, amount=most)
    return Option(option.need, value, option.rate, claims, option.placement)


# ------------------------------------------------------------------ options


def _joined(base: Option, more: Option, most: int) -> Option | None:
    """Some executors at what `base` has placed and others at a further statement."""
    if base.need + more.need > most or more.placement is None:
        return None
    claims = _merge(base.claims, more.claims)
    if claims is None:
        return None
    split = base.placement
    assert isinstance(split, Split)
    position = len(split.parts)
    better = position == 0 or more.rate > base.rate
    return Option(
        base.need + more.need,
        base.value + more.value,
        more.rate if better else base.rate,
        claims,
        Split((*split.parts, more.placement), (*split.needs, more.need), position if better else split.rest),
    )


def _placed(option: Option) -> Option:
    """The option, without a split where all executors are at one statement."""
    split = option.placement
    if isinstance(split, Split) and len(split.parts) == 1:
        return Option(option.need, option.value, option.rate, option.claims, split.parts[0])
    return option


def _at_once(base: Option, more: Option) -> Option | None:
    """Every executor at what `base` has placed and at a further member of the same `together`."""
    claims = _merge(base.claims, more.claims)
    if claims is None or more.placement is None:
        return None
    need = max(base.need, more.need)
    value = base.value + (need - base.need) * base.rate + more.value + (need - more.need) * more.rate
    assert isinstance(base.placement, AtOnce)
    placement = AtOnce((*base.placement.parts, more.placement), base.placement.passed)
    return Option(need, value, base.rate + more.rate, claims, placement)


def _inside(bare: Option, inner: Option, one: Number, each: Number) -> Option | None:
    """An activity with its block: its first caller brings `one` executors to `inner`, every other one
    `each`.
    """
    callers = 1
    if inner.need > one:
        if each == 0:
            return None
        callers += math.ceil(Fraction(inner.need - one) / each)
    claims = _merge(bare.claims, inner.claims)
    if claims is None:
        return None
    spare = one + (callers - 1) * each - inner.need
    stand = bare.placement
    assert isinstance(stand, Stand)
    return Option(
        callers,
        bare.rate * callers + inner.value + spare * inner.rate,
        bare.rate + each * inner.rate,
        claims,
        Stand(stand.place, stand.passed, stand.serving, inner.placement),
    )


def _dominates(a: Option, b: Option) -> bool:
    """Whether `a`, which wants no other contested pools than `b`, is as good wherever `b` can be taken.

    Of several claims on a pool the largest counts, so that a smaller one loses no more than it is smaller.
    """
    if a.need > b.need or a.rate < b.rate:
        return False
    lead = a.value + (b.need - a.need) * a.rate - b.value
    if lead < 0:
        return False
    for key, claim in b.claims.items():
        mine = a.claims.get(key)
        amount = 0 if mine is None else mine.amount
        if amount < claim.amount:
            lead -= claim.amount - amount
            if lead < 0:
                return False
    return True


def _kept(kept: list[Option], options: Iterable[Option]) -> list[Option]:
    """Of `kept` and `options` those that can matter, of equals the first; `kept` are not compared again.

    An option's better is most likely among those that want the same contested pools.
    """
    if not kept and isinstance(options, list) and len(options) < 2:
        return options
    alike: dict[frozenset[tuple[str, bool]], list[Option]] = {}
    for option in kept:
        alike.setdefault(_wanted(option), []).append(option)
    count = len(kept)
    for option in options:
        wanted = _wanted(option)
        mine = alike.setdefault(wanted, [])
        if _has_better(mine, option) or any(
            _has_better(group, option) for others, group in alike.items() if others < wanted
        ):
            continue
        for others, group in alike.items():
            if wanted <= others:
                left = [other for other in group if not _dominates(option, other)]
                count -= len(group) - len(left)
                alike[others] = left
        alike[wanted].append(option)
        count += 1
        if count > MOST_OPTIONS:
            raise TooManyOptions
    return [option for group in alike.values() for option in group]


def _has_better(options: list[Option], option: Option) -> bool:
    for other in options:  # noqa: SIM110 - most of the time is spent here
        if _dominates(other, option):
            return True
    return False


_NONE: frozenset[tuple[str, bool]] = frozenset()


def _wanted(option: Option) -> frozenset[tuple[str, bool]]:
    """The contested pools that the option has at work, and whether for a block."""
    if not option.claims:
        return _NONE
    return frozenset(
        (key, claim.block) for key, claim in option.claims.items() if claim.contested and not claim.idle
    )
