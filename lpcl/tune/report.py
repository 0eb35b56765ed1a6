"""Says what a session found: as a text for a person, and as JSON with every figure."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from lpcl.plan import plan_sha256
from lpcl.plan.integrity import PRESENT
from lpcl.plan.model import Objective
from lpcl.plan.reader import value_to_json
from lpcl.tune.judge import Judgement, Reading
from lpcl.tune.ranks import RatioInterval, Spread
from lpcl.tune.result import WORTH_CHANGING, ConfigResult, Result

REPORT_VERSION = 1
WIDTH = 100

SCRIPT = "apply.sh"
ENV_FILE = "tuned.env"
WINNER = "tuned.json"
REPORT = "report.txt"
REPORT_JSON = "report.json"
"""The files that a session leaves in its folder."""


def headline(result: Result) -> str:
    """The result in one sentence."""
    name = result.plan.application.name
    if result.status == "nothing":
        return f"{name}: nothing could be measured, every run failed"
    if result.interrupted:
        return f"{name}: interrupted after {result.used} of at most {result.budget} runs"
    if result.status == "no_gain" and _seems_better(result):
        return f"{name}: no candidate is better beyond the noise; keep the present configuration"
    if result.status == "no_gain":
        return f"{name}: no candidate is better than the present configuration; keep it"
    winner = result.of(result.best).config.short if result.best is not None else ""
    if result.status == "fixed":
        return f"{name}: the present configuration fails; it works with {winner}"
    if result.gain is None or result.status == "undecided":
        return f"{name}: too few runs to tell whether a candidate is better; keep the present configuration"
    return f"{name}: {_times_better(result.plan.objective, result.gain)} with {winner}"


def _seems_better(result: Result) -> bool:
    """Whether the best candidate looks better, though not certainly so."""
    return result.gain is not None and result.gain.estimate >= WORTH_CHANGING and result.gain.lower <= 1


def text_report(result: Result) -> str:
    """The whole report, with a final newline."""
    sections = [
        [headline(result)],
        list(_comparison(result)),
        list(_table(result)),
        list(_failures(result)),
        list(_hypotheses(result)),
        list(_machine(result)),
        list(_next_steps(result)),
    ]
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


def result_to_json(result: Result) -> dict[str, Any]:
    """Every figure of a result; a bound of infinity is null."""
    return {
        "lpcl_report": REPORT_VERSION,
        "application": result.plan.application.name,
        "plan_sha256": plan_sha256(result.plan),
        "objective": {"kind": result.plan.objective.kind, "pattern": result.plan.objective.pattern},
        "headline": headline(result),
        "status": result.status,
        "interrupted": result.interrupted,
        "winner": result.winner,
        "best": result.best,
        "gain": _interval_to_json(result.gain),
        "gain_from": "confirm" if result.confirmed else "search",
        "runs": {"used": result.used, "resumed": result.resumed, "budget": result.budget},
        "configurations": [_config_to_json(item) for item in result.configs],
        "hypotheses": [_judgement_to_json(judgement) for judgement in result.judgements],
        "baselines": [baseline.to_json() for baseline in result.baselines],
        "notes": list(result.notes),
        "results_file": str(result.results),
    }


def _comparison(result: Result) -> Iterator[str]:
    if result.best is None or result.status in ("nothing", "fixed"):
        return
    objective = result.plan.objective
    present, best = result.configs[0], result.of(result.best)
    rows = [(_cut(item.config.short, WIDTH // 2), item.values) for item in (present, best)]
    width = max(len(name) for name, _ in rows)
    for name, values in rows:
        if values.median is not None:
            yield f"  {name:<{width}}  {_value(objective, values.median):>12}  ({_range(objective, values)})"
    if result.gain is not None:
        runs = "runs made after it was chosen" if result.confirmed else "the runs by which it was chosen"
        ratio = f"× {_figure(result.gain.estimate)}"
        yield f"  {'ratio':<{width}}  {ratio:>12}  ({_interval(result.gain)}, from {runs})"


def _table(result: Result) -> Iterator[str]:
    unit = _unit(result.plan.objective)
    names = [item.config.id for item in result.configs]
    width = max(len(name) for name in names)
    yield f"Configurations ({unit}, medians; × is how many times better than now)"
    for item in result.configs:
        values = item.values
        measured = "no value" if values.median is None else _value(result.plan.objective, values.median)
        against = f"  × {_figure(item.gain.estimate)}" if item.gain is not None else ""
        if item.gain is not None and item.gain.lower > 0:
            against += f" ({_figure(item.gain.lower)} to {_figure(item.gain.upper)})"
        figures = f"{_runs(item.runs)}, {measured}{against}" if item.runs else "not run"
        mark = "*" if item.config.id == result.winner and result.status != "nothing" else " "
        yield f"{mark} {item.config.id:<{width}}  {item.config.text}: {figures}"
        if item.left is not None:
            yield f"  {'':<{width}}  {'left out' if item.runs == 0 else 'not run further'}: {item.left}"


def _failures(result: Result) -> Iterator[str]:
    failing = [item for item in result.configs if item.failures]
    if failing:
        yield "Runs that failed"
    for item in failing:
        last = item.failures[-1]
        yield f"  {item.config.id}: {len(item.failures)} of {item.runs}; the last one {last.how_it_ended()}"
        if last.note and last.end != "unstartable":
            yield f"      {last.note}"
        tail = (last.stderr_tail or last.stdout_tail).splitlines()[-5:]
        yield from (f"      | {line[:WIDTH]}" for line in tail)


def _hypotheses(result: Result) -> Iterator[str]:
    if result.judgements:
        yield "Hypotheses"
    by_id = {hypothesis.id: hypothesis for hypothesis in result.plan.hypotheses}
    for judgement in result.judgements:
        yield f"  {judgement.hypothesis}  {by_id[judgement.hypothesis].text}"
        yield f"      {judgement.verdict}: {judgement.reason}"
        yield from (f"      - {_reading(reading)}" for reading in judgement.readings)
        for item in judgement.interventions:
            figures = (
                f" × {_figure(item.gain.estimate)}, {_interval(item.gain)}" if item.gain is not None else ""
            )
            yield f"      - without it, {item.config} {item.effect}{':' + figures if figures else ''}"


def _reading(reading: Reading) -> str:
    if reading.present is None:
        return f"{reading.name}: not measured ({reading.source})"
    parts = [f"{reading.name}: {_figure(reading.present)} now"]
    if reading.after is not None:
        parts.append(f"{_figure(reading.after)} without it")
    if reading.healthy is not None and reading.contended is not None:
        up, down = ("up to", "from") if reading.healthy <= reading.contended else ("from", "up to")
        limits = f"healthy {up} {_figure(reading.healthy)}, contended {down} {_figure(reading.contended)}"
        parts.append(f"{reading.shows} ({limits})")
    if reading.healthy is not None and reading.noise > reading.healthy:
        parts.append(f"of which neighbours may cause {_figure(reading.noise)}")
    return ", ".join(parts)


def _machine(result: Result) -> Iterator[str]:
    for note in result.notes:
        yield f"Note: {note}."
    others = [item.other_cpus for item in result.baselines if item.other_cpus is not None]
    if others and max(others) >= 0.1 * max(item.cpus for item in result.baselines):
        cpus = max(item.cpus for item in result.baselines)
        yield (
            f"Note: other programs kept up to {max(others):.1f} of {cpus} CPUs busy; "
            "runs of all configurations were interleaved, but the figures are noisier for it."
        )


def _next_steps(result: Result) -> Iterator[str]:
    out = result.out
    if result.interrupted:
        yield f"What was measured is kept in {result.results}; the same command goes on from there."
        return
    if result.status in ("gain", "fixed"):
        config = result.of(result.winner).config
        if config.env != result.configs[0].config.env:
            script = shlex.quote(str(out / SCRIPT))
            yield f"To use it:  source {script}   (or {out / ENV_FILE}, {out / WINNER})"
        if config.argv != result.configs[0].config.argv:
            yield f"Run it as:  {shlex.join(config.argv)}"
    if result.resumed == result.used:
        yield f"All runs were made by an earlier session ({result.results}); --fresh measures anew."


def _times_better(objective: Objective, gain: RatioInterval) -> str:
    figure = _figure(gain.estimate)
    if objective.kind == "time":
        return f"{figure} times faster"
    return f"{figure} times {'the' if objective.kind == 'maximize' else 'less'} {_unit(objective)}"


def _unit(objective: Objective) -> str:
    """What values are counted in: seconds, or the text around the number that the program prints."""
    if objective.pattern is None:
        return "seconds"
    return " ".join(objective.pattern.replace("{}", " ").strip(" \t:=").split()).rstrip(":= ") or "metric"


def _value(objective: Objective, value: float) -> str:
    return f"{_figure(value)} s" if objective.pattern is None else _figure(value)


def _range(objective: Objective, values: Spread) -> str:
    if values.smallest is None or values.largest is None:
        return "no value"
    note = "; bistable" if values.bistable else "; unsteady" if values.unsteady else ""
    return f"{_figure(values.smallest)} to {_value(objective, values.largest)} in {_runs(values.count)}{note}"


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _runs(count: int) -> str:
    return f"{count} run{'' if count == 1 else 's'}"


def _interval(gain: RatioInterval) -> str:
    if gain.lower == 0:
        return "too few runs for an interval"
    return f"{gain.confidence:.0%} interval {_figure(gain.lower)} to {_figure(gain.upper)}"


def _figure(value: float) -> str:
    """Three significant digits, without an exponent where that is readable."""
    if value == 0:
        return "0"
    if math.isinf(value):
        return "any"
    magnitude = math.floor(math.log10(abs(value)))
    if not -4 <= magnitude <= 8:
        return f"{value:.2e}"
    digits = max(0, 2 - magnitude)
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if digits else text


def _interval_to_json(gain: RatioInterval | None) -> dict[str, float | None] | None:
    if gain is None:
        return None
    upper = None if math.isinf(gain.upper) else gain.upper
    return {"estimate": gain.estimate, "lower": gain.lower, "upper": upper, "confidence": gain.confidence}


def _config_to_json(item: ConfigResult) -> dict[str, Any]:
    return {
        "id": item.config.id,
        "text": item.config.text,
        "settings": {knob: value_to_json(value) for knob, value in item.config.settings.items()},
        "command": list(item.config.argv),
        "environment": dict(item.config.env),
        "runs": item.runs,
        "values": asdict(item.values),
        "gain": None if item.config.id == PRESENT else _interval_to_json(item.gain),
        "left": item.left,
        "failures": [
            {
                "how": failure.how_it_ended(),
                "exit_code": failure.exit_code,
                "signal": failure.signal,
                "last_lines": failure.stderr_tail or failure.stdout_tail,
            }
            for failure in item.failures
        ],
    }


def _judgement_to_json(judgement: Judgement) -> dict[str, Any]:
    return {
        "id": judgement.hypothesis,
        "verdict": judgement.verdict,
        "reason": judgement.reason,
        "signals": [asdict(reading) for reading in judgement.readings],
        "interventions": [
            {"candidate": item.config, "effect": item.effect, "gain": _interval_to_json(item.gain)}
            for item in judgement.interventions
        ],
    }
