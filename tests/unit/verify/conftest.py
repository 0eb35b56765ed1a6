"""What the tests of `lpcl.verify` share: contracts as texts, tried as the command does."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from lpcl import service
from lpcl.model.host import Absent, HostFacts, Reading, read_host
from lpcl.model.machine import FACTS
from lpcl.verify.experiments import Experiment, prepare, variables_of
from lpcl.verify.judgement import Outcome
from lpcl.verify.selection import select
from lpcl.verify.trials import carry_out


def host_of(**figures: int | Fraction) -> HostFacts:
    """A host of which only these figures are known; `cpus__online` stands for `cpus.online`."""
    values = {path.replace("__", "."): value for path, value in figures.items()}
    return HostFacts(
        {path: Reading(value, "the test") for path, value in values.items()},
        {path: Absent("the test does not say") for path in FACTS if path not in values},
    )


class Bench:
    """Prepares and tries the evidence of contracts that are given as texts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, text: str, name: str = "probe.lpcl") -> Path:
        file = self.folder / name
        file.write_text(text, encoding="utf-8")
        return file

    def prepare(self, text: str, host: HostFacts | None = None) -> tuple[Experiment, ...]:
        """The experiments of a whole file."""
        chosen = select([str(self.write(text))]).chosen[0]
        assert not [item.headline for item in chosen.errors]
        return prepare(chosen.workspace.program, chosen.contracts, host or read_host())

    def experiment(self, evidence: str, host: HostFacts | None = None) -> Experiment:
        """The one experiment with these clauses."""
        (made,) = self.prepare(f'contract probe {{ evidence "it holds" {{ {evidence} }} }}', host)
        return made

    def attempt(self, evidence: str, host: HostFacts | None = None) -> Outcome:
        """What comes of these clauses."""
        host = host or read_host()
        experiment = self.experiment(evidence, host)
        program = service.open_workspace([str(self.folder)]).program
        return carry_out(experiment, variables_of(program), host)

    def attempt_file(self, text: str, title: str = "it holds") -> Outcome:
        """What comes of the evidence with that beginning of a title, in a whole file."""
        experiments = [item for item in self.prepare(text) if item.title.startswith(title)]
        assert len(experiments) == 1
        return carry_out(experiments[0], variables_of(experiments[0].program), read_host())


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def make_host() -> Callable[..., HostFacts]:
    return host_of
