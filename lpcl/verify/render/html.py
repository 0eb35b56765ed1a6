"""Outcomes as a page of its own."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from lpcl.catalogue.markup import Content, element, page, share, table
from lpcl.model.host import HostFacts
from lpcl.verify.judgement import Outcome, Verdict
from lpcl.verify.render.text import counted, details, installed, summary
from lpcl.verify.session import Proof


def page_of(outcomes: Sequence[Outcome], proofs: Sequence[Proof], host: HostFacts) -> str:
    """What was tried, contract by contract, with the clauses that it proves."""
    counts = Counter(outcome.verdict for outcome in outcomes)
    cpus = host.readings.get("cpus.online")
    where = f"Python {platform.python_version()}" + (f", {cpus.value} CPUs" if cpus is not None else "")
    rows: list[tuple[Content, ...]] = [_row(outcome) for outcome in outcomes]
    title = "Contracts held against their libraries"
    return page(
        title,
        element("h1", title),
        element("p", f"{datetime.now(UTC).date().isoformat()}, {where}", class_="soft"),
        element("p", summary(outcomes, proofs) if outcomes else "There is no such evidence."),
        element("h2", "Contracts"),
        table(("Contract", "Clauses proved", "Which"), [_proof(item) for item in proofs]),
        element("h2", counted(sum(counts.values()), "experiment")),
        table(("Contract", "Evidence", "Outcome", "With", "Proves"), rows),
    )


def _proof(item: Proof) -> tuple[Content, ...]:
    part, whole = len(item.proved), len(item.clauses)
    return (
        item.contract.declared.qualified,
        share(part, whole),
        element("span", ", ".join(item.proved), class_="small"),
    )


def _row(outcome: Outcome) -> tuple[Content, ...]:
    experiment = outcome.experiment
    lines = [line.strip() for line in details(outcome)]
    reason = outcome.reason if outcome.verdict is Verdict.NOT_TRIED else None
    return (
        experiment.contract.declared.qualified,
        [experiment.title, element("div", str(experiment.origin), class_="soft small")],
        [
            element("span", outcome.verdict.value, class_=outcome.verdict.value.replace(" ", "-")),
            element("div", reason, class_="small") if reason else None,
            element("pre", element("code", "\n".join(lines))) if lines else None,
        ],
        installed(experiment.distributions),
        element("span", ", ".join(outcome.proves), class_="small"),
    )
