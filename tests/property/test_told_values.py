"""Where values come from, held against the text itself: every expression that is told is reckoned again.

And what would change them, held against setting everything there is, each in turn.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from lpcl.compose.changes import changes
from lpcl.compose.composition import Composition
from lpcl.compose.evaluate import evaluate
from lpcl.compose.refusal import Refusal
from lpcl.compose.structure import Resolution
from lpcl.compose.terms import Value
from lpcl.compose.trials import Trial
from lpcl.compose.why import BadQuestion, Explained, Reading, explain, names_of
from lpcl.model.program import Origin, SourceFile
from lpcl.syntax import nodes
from lpcl.syntax.parser import parse
from tests.property.applications import applications, composed

MOST_ASKED = 4
EXAMPLES = int(os.environ.get("LPCL_EXAMPLES", "12"))
FEW = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
SAID = re.compile(r"(?:its default|default|size|set by the application to) (?P<text>.*)")
BESIDE = re.compile(r" \([^()]* is none of its values\)")
NAMED = re.compile(r"(?:^| and )(?P<name>[A-Za-z_]\w*) = ")


def expression(text: str) -> tuple[nodes.Expression, SourceFile]:
    """A text as an expression of the language."""
    whole = f"package told\ncontract told {{ let told = {text} }}\n"
    parsed = parse(whole)
    assert not parsed.faults, (text, parsed.faults)
    (let,) = (node for item in parsed.file.items for node in item.walk() if isinstance(node, nodes.Let))
    return let.value, SourceFile("told.lpcl", whole, parsed)


@dataclass(frozen=True)
class Told:
    """The names of an expression as an explanation gives them, and no others."""

    file: SourceFile
    values: Mapping[str, Value]
    texts: Mapping[str, str]

    def name(self, path: str, origin: Origin) -> Value:
        """What the explanation says that the name stands for; a bare word stands for itself."""
        if path in self.texts:
            return reckoned(self.texts[path], self.values, self.texts)
        if path in self.values:
            return self.values[path]
        other = f"another library's {path.rpartition('.')[2]}"
        if "." in path and other in self.values:
            return self.values[other]  # it goes by the name that the contract has for the library
        if "." in path:
            raise Refusal("unknown-name", f"{path} is not explained", origin)
        return path

    def question(self, function: str, path: str, origin: Origin) -> Value:
        """An explanation says of no name whether it is set."""
        raise Unexplained


class Unexplained(Exception):
    """It rests on whether something is set or loaded."""


def reckoned(text: str, values: Mapping[str, Value], texts: Mapping[str, str]) -> Value:
    """What an expression comes to with what is told of its names."""
    node, file = expression(text)
    return evaluate(node, Told(file, values, texts))


def named(text: str) -> tuple[str, dict[str, str]]:
    """An expression, and what it says that its names stand for: "a + b, where a = 1 and b = c"."""
    own, _, where = text.partition(", where ")
    found = list(NAMED.finditer(where))
    ends = [*(one.start() for one in found[1:]), len(where)]
    return own, {one["name"]: where[one.end() : end] for one, end in zip(found, ends, strict=False)}


def behind(reason: Resolution) -> Iterator[Resolution]:
    """A reason and all that it rests on."""
    yield reason
    for ground in reason.because:
        yield from behind(ground)


def check_reason(reason: Resolution, kind: str) -> None:
    """That a reason comes to the value that it gives, by its text and with the figures it shows."""
    if reason.figures:
        with_values, _ = named(reason.figures)
        if " is set" not in with_values and " is not set" not in with_values:
            assert reckoned(with_values, {}, {}) == reason.value, (reason.figures, reason.value)
    said = SAID.fullmatch(reason.how)
    if said is None and kind != "let":
        return
    text, texts = named(BESIDE.sub("", reason.how if said is None else said["text"]))
    values: dict[str, Value] = {f"machine.{name}": value for name, value in reason.facts}
    for ground in behind(reason):
        if ground is not reason:
            values.setdefault(ground.control, ground.value)
            library, _, control = ground.control.rpartition(".")
            own = reason.control.rpartition(".")[0]
            if library == own:
                values[control] = ground.value
            values.setdefault(control, ground.value)
            if library and library != own:
                values[f"another library's {control}"] = ground.value
            values.setdefault(ground.control.partition(" of ")[0], ground.value)
    try:
        assert reckoned(text, values, texts) == reason.value, (reason.how, values, reason.value)
    except Unexplained:
        return
    except Refusal:
        assert reason.figures, reason.how  # which say what the default of a parameter is


def check_reading(told: Explained, reading: Reading) -> None:
    """That all a reading gives as its reasons comes to the value."""
    if reading.ledger:
        assert sum(entry.total for entry in reading.ledger) == reading.value
    for one in reading.because:
        if one.how == reading.how:
            assert one.value == reading.value
        for reason in behind(one):
            check_reason(reason, "let" if told.what.startswith("a value") and reason is one else "")


def every_setting(composition: Composition) -> Iterator[tuple[str, Trial]]:
    """What can be set from outside, with each of its values: whatever is a knob, and what is read."""
    known = {knob.name: knob.domain() for knob in composition.knobs}
    kinds = {knob.name: knob.kind for knob in composition.knobs}
    for runtime in composition.runtimes:
        for control in runtime.contract.controls.values():
            for clause in control.node.clauses:
                for variable in clause.names if isinstance(clause, nodes.EnvSource) else ():
                    known.setdefault(variable.text, (None, *_values(control.node.type)))
                    kinds.setdefault(variable.text, "env")
    for name, values in known.items():
        for value in values:
            if kinds[name] == "env":
                yield name, Trial(env={name: value})
            else:
                yield name, Trial(controls={name: value})


def _values(kind: nodes.Type) -> tuple[bool | int | str, ...]:
    if isinstance(kind, nodes.EnumType):
        return tuple(member.text for member in kind.members)
    return (False, True) if kind.first == "bool" else (1, 2, 3, 4)


def asked(composition: Composition, name: str) -> Explained | None:
    """The explanation of a value; None for a figure that the machine does not state."""
    try:
        return explain(composition, name)
    except BadQuestion as question:
        stated = composition.machine.fact(name.removeprefix("machine."))
        if "has no value there" not in str(question):
            assert stated is None
        return None


def what_is(told: Explained) -> dict[tuple[str, int], Value]:
    """The value in each place, those of one name in their order."""
    found: dict[tuple[str, int], Value] = {}
    for reading in told.readings:
        number = sum(where == reading.where for where, _ in found)
        found[reading.where, number] = reading.value
    return found


@FEW
@given(applications(), st.randoms(use_true_random=False))
def test_what_is_told_of_a_value_is_so(text: str, random: Random) -> None:
    """Its reasons come to it, what would change it does, and nothing else does."""
    note(text)
    composition = composed(text)
    if composition is None:
        return
    after: dict[str, list[Composition]] = {}
    for name, trial in every_setting(composition):
        try:
            after.setdefault(name, []).append(composition.tried(trial))
        except Refusal:
            continue
    for name in random.sample(sorted(set(names_of(composition))), MOST_ASKED):
        told = asked(composition, name)
        if told is None:
            continue
        for reading in told.readings:
            check_reading(told, reading)
        named_as_changing = set()
        for change in changes(composition, told):
            if change.knob is None:
                trial = Trial(facts={change.fact: change.figure})
            else:
                named_as_changing.add(change.knob.name)
                setting = {change.knob.name: change.setting}
                trial = Trial(env=setting) if change.knob.kind == "env" else Trial(controls=setting)  # type: ignore[arg-type]
            then = what_is(explain(composition.tried(trial), name))
            now = what_is(told)
            assert [(one.where, one.value) for one in change.readings] == [
                (place[0], value) for place, value in then.items() if now.get(place) != value
            ]
            assert change.readings
        for setting_of, compositions in after.items():
            if setting_of not in named_as_changing and setting_of != name:
                for one in compositions:
                    then = what_is(explain(one, name))
                    now = what_is(told)
                    assert all(now.get(place) == value for place, value in then.items()), (name, setting_of)
