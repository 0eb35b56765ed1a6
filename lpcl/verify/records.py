"""What was tried, when and with which versions: kept in a file for the pages of the catalogue.

A record is about the text of a piece of evidence. Once that is changed it says nothing, and is left out.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lpcl.model.contracts import Clause
from lpcl.syntax import nodes
from lpcl.verify.experiments import Experiment
from lpcl.verify.judgement import Outcome, Verdict
from lpcl.verify.presence import present

VERSION = 1


@dataclass(frozen=True, slots=True)
class Record:
    """One experiment: its outcome, day (ISO 8601), distributions with versions, clauses that it proves."""

    contract: str
    title: str
    outcome: str
    date: str
    versions: tuple[str, ...]
    proves: tuple[str, ...]


def key_of(contract: str, clause: Clause[nodes.Evidence]) -> str:
    """What a record is filed under: the contract and the text of the evidence."""
    span = clause.node.span
    text = " ".join(clause.file.text[span.start : span.end].split())
    return hashlib.sha256(f"{contract}\n{text}".encode()).hexdigest()[:16]


def read(file: Path) -> Mapping[str, Record]:
    """The records in a file by their keys. Raises `ValueError` for one that is no file of records."""
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        if document["version"] != VERSION:
            raise ValueError(f"its version is {document['version']}, and this reads version {VERSION}")
        return {key: _record(item) for key, item in document["records"].items()}
    except OSError as problem:
        raise ValueError(problem.strerror or str(problem)) from None
    except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as problem:
        raise ValueError(f"this is no file of records ({problem})") from None


def _record(item: dict[str, Any]) -> Record:
    texts = {name: str(item[name]) for name in ("contract", "title", "outcome", "date")}
    return Record(versions=tuple(map(str, item["versions"])), proves=tuple(map(str, item["proves"])), **texts)


def _versions(experiment: Experiment) -> tuple[str, ...]:
    """What an experiment was made with; Python's own modules come with the Python that runs LPCL."""
    named = tuple(f"{item.name} {item.installed}" for item in experiment.distributions)
    return (*named, *present(experiment.clause.node)) or (f"Python {platform.python_version()}",)


def keep(file: Path, outcomes: Sequence[Outcome]) -> str | None:
    """Add what was tried to a file of records; why that is not possible, or None.

    What held in one of two runs shows nothing: what was recorded of it before stays.
    """
    try:
        records = dict(read(file)) if file.exists() else {}
    except ValueError as problem:
        return str(problem)
    day = datetime.now(UTC).date().isoformat()
    for outcome in outcomes:
        if outcome.verdict not in (Verdict.NOT_TRIED, Verdict.UNSTEADY):
            experiment = outcome.experiment
            contract = experiment.contract.declared.qualified
            stated = {key_of(contract, clause) for clause in experiment.contract.evidence}
            for key, record in [*records.items()]:
                if (record.contract, record.title) == (contract, experiment.title) and key not in stated:
                    del records[key]  # what its evidence was before it was changed
            records[key_of(contract, experiment.clause)] = Record(
                contract, experiment.title, outcome.verdict.value, day, _versions(experiment), outcome.proves
            )
    ordered = sorted(records.items(), key=lambda item: (item[1].contract, item[1].title, item[0]))
    document = {"version": VERSION, "records": {key: asdict(record) for key, record in ordered}}
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        temporary.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        temporary.replace(file)
    except OSError as problem:
        return problem.strerror or str(problem)
    return None
