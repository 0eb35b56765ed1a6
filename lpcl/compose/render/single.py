"""The answers to some of the questions about a composition, for a person to read and for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lpcl.compose.findings import Finding
from lpcl.compose.render.encode import plain
from lpcl.compose.render.json import alternative_of, demanded_of, finding_of
from lpcl.compose.render.text import (
    Paint,
    demands,
    describe_configuration,
    finding_lines,
    header,
    numbered,
    title_of,
)
from lpcl.compose.render.words import NOBODY, outlook
from lpcl.compose.single import Told
from lpcl.compose.solver import Verdict
from lpcl.compose.witness import Answer

VERSION = 1
_WHO = ("kind", "headline", "participants", "all_participants_known")


def render(told: Told, *, colour: bool = False) -> str:
    """The answers for a terminal, ending in a newline."""
    paint = Paint(colour)
    lines = [header(told.composition, paint)]
    for name in told.asked:
        lines += ["", *_TOLD[name](told, paint)]
    return "\n".join(lines) + "\n"


def _stands(told: Told, paint: Paint) -> Iterator[str]:
    for finding in told.composition.assessment.findings:
        yield from finding_lines(finding, paint)
        yield ""
    yield from demands(told.composition)


def _who(told: Told, paint: Paint) -> Iterator[str]:
    findings = told.composition.assessment.findings
    if not findings:
        yield "Nothing is wrong with it as it stands, so nobody is in it."
    for finding in findings:
        yield f"{title_of(finding, paint)} {paint(finding.headline, '1')}"
        sets = zip(finding.participants, finding.libraries, strict=True)
        for number, (places, names) in enumerate(sets, start=1):
            own = "by itself" if len(names) == 1 else "together"
            involved = f"{' and '.join(names)} {own}" if names else NOBODY
            yield f"  {number}. {involved}"
            yield from (f"     {place}  ({place.origin})" for place in places)
        if not finding.participants:
            yield "  nobody in particular"
        if not finding.complete:
            yield "  there may be more"


def _happen(told: Told, _: Paint) -> Iterator[str]:
    composition = told.composition
    declared = composition.context.declared
    over = dict.fromkeys(one.resource for one in composition.assessment.findings if one.resource)
    for name in over:
        yield f"{declared[name].name}: yes, as it stands"
    for name, answer in told.could:
        resource = declared[name].name
        if answer.verdict is Verdict.NO:
            yield f"{resource}: no, whatever its knobs are set to"
        elif answer.verdict is Verdict.UNDECIDED or answer.witness is None:
            yield f"{resource}: not decided, the allowed work did not suffice"
        else:
            yield f"{resource}: yes, with {describe_configuration(composition.knobs, answer.witness)}"
            shown = _shown(answer, name)
            if shown is not None:
                yield f"  {shown.headline}"
    if not composition.knobs:
        yield "It has no knobs: what is not over-committed as it stands never is."


def _shown(answer: Answer, resource: str) -> Finding | None:
    """The over-commit under the settings that show it."""
    found = () if answer.assessment is None else answer.assessment.findings
    return next((one for one in found if one.resource == resource and one.certain), None)


def _avoid(told: Told, _: Paint) -> Iterator[str]:
    answer = told.avoidable
    assert answer is not None
    knobs = told.composition.knobs
    if answer.verdict is Verdict.YES and answer.witness is not None:
        if not told.alarms:
            yield "Nothing is wrong with it as it stands."
        else:
            yield f"Yes, for instance with {describe_configuration(knobs, answer.witness)}."
    elif answer.verdict is Verdict.UNDECIDED:
        yield "Whether some setting is free of findings is not decided: the allowed work did not suffice."
    elif not knobs:
        yield "No. It has no knobs: nothing that can be set from outside would change this."
    else:
        yield "No. No setting of its knobs is free of findings."
    if answer.verdict is Verdict.NO:
        for finding in told.alarms:
            yield f"  as it stands: {finding.headline}"


def _right(told: Told, _: Paint) -> Iterator[str]:
    assert told.decided is not None
    yield from outlook(told.composition, told.decided, told.right)
    yield from numbered(told.right)
    if told.right and told.decided is Verdict.UNDECIDED:
        yield "  (there may be better ones: the allowed work did not suffice to know)"


_TOLD: Mapping[str, Callable[[Told, Paint], Iterator[str]]] = {
    "stands": _stands,
    "who": _who,
    "happen": _happen,
    "avoid": _avoid,
    "right": _right,
}


def render_json(told: Told) -> str:
    """The answers as one JSON object, ending in a newline; a member for each question that was asked."""
    return json.dumps(document(told), indent=2, ensure_ascii=False) + "\n"


def document(told: Told) -> dict[str, Any]:
    """The object itself."""
    composition = told.composition
    found: dict[str, Any] = {
        "version": VERSION,
        "title": composition.title,
        "machine": composition.machine.name,
        "asked": list(told.asked),
    }
    assessment = composition.assessment
    if "stands" in told.asked:
        found["findings"] = [finding_of(one) for one in assessment.findings]
        found["demands"] = [demanded_of(one, composition) for one in assessment.demands]
    if "who" in told.asked:
        found["who"] = [
            {
                name: finding_of(one)[name]
                for name in ("kind", "headline", "participants", "all_participants_known")
            }
            for one in assessment.findings
        ]
    if "happen" in told.asked:
        found["can_happen"] = [
            {"resource": name, "answer": answer.verdict.value, "witness": _witness(answer)}
            for name, answer in told.could
        ]
    if told.avoidable is not None:
        found["avoidable"] = {
            "answer": told.avoidable.verdict.value,
            "witness": _witness(told.avoidable),
        }
    if told.decided is not None:
        found["right"] = {
            "decided": told.decided.value,
            "alternatives": [alternative_of(one) for one in told.right],
        }
    return found


def _witness(answer: Answer) -> dict[str, Any] | None:
    if answer.witness is None:
        return None
    return {name: plain(value) for name, value in answer.witness.items()}
