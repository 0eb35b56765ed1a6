"""Programs that were never run: observations put together by hand, over libraries that are only said to be
there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from lpcl.model.host import HostFacts, Reading
from lpcl.scan.observation import Observation, ProcessSeen, ThreadSeen
from lpcl.scan.recognition import Contracts
from lpcl.scan.reconstruction import Scanned, known_contracts, reconstruct

CPUS = 8
PYTHON = "libpython3.11.so.1.0"
BLAS = "numpy.libs/libscipy_openblas64_-32a4b2a6.so"
OTHER_BLAS = "scipy.libs/libscipy_openblas-6cdc3b4a.so"
TEAM = "scikit_learn.libs/libgomp-e985bcbb.so.1.0.0"

RECORDS = {
    "numpy 2.4.6": (
        "numpy/__init__.py",
        "numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so",
        BLAS,
    ),
    "scipy 1.17.1": (
        "scipy/__init__.py",
        "scipy/linalg/_fblas.cpython-311-x86_64-linux-gnu.so",
        OTHER_BLAS,
    ),
    "scikit-learn 1.9.1": ("sklearn/__init__.py", "sklearn/_check.cpython-311-x86_64-linux-gnu.so", TEAM),
    "joblib 1.6.0": ("joblib/__init__.py",),
}
"""Distributions with the files of theirs that matter here."""


@pytest.fixture(scope="session")
def contracts() -> Contracts:
    """The contracts that can be found."""
    return known_contracts()


@dataclass
class Machine:
    """A folder with an interpreter, its distributions and programs, on a machine of eight CPUs."""

    folder: Path
    contracts: Contracts
    numbers: Iterator[int] = field(default_factory=lambda: iter(range(1000, 100_000)))

    def __post_init__(self) -> None:
        packages = self.folder / "lib/python3.11/site-packages"
        for name, files in RECORDS.items():
            title, version = name.split()
            info = packages / f"{title.replace('-', '_')}-{version}.dist-info"
            info.mkdir(parents=True)
            head = f"Metadata-Version: 2.1\nName: {title}\nVersion: {version}\n"
            info.joinpath("METADATA").write_text(head, encoding="utf-8")
            info.joinpath("RECORD").write_text("".join(f"{file},,\n" for file in files), encoding="utf-8")
        (self.folder / "bin").mkdir()
        (self.folder / "bin/python3.11").touch()
        (self.folder / "pyvenv.cfg").write_text("home = /usr\n")

    def path(self, name: str) -> str:
        """Where a file that is named in `RECORDS` is, or Python's own library."""
        if name == PYTHON:
            return str(self.folder / "lib" / name)
        return str(self.folder / "lib/python3.11/site-packages" / name)

    def program(self, name: str, text: str) -> None:
        """Put a program's text into the folder."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def process(
        self,
        command: str,
        threads: Mapping[str | None, int] | Sequence[ThreadSeen] = {},
        *,
        parent: ProcessSeen | None = None,
        libraries: Sequence[str] = (),
        busy: Sequence[str | None] = (),
        forked: bool = False,
        environment: Mapping[str, str] | None = None,
        affinity: int = CPUS,
        span: tuple[float, float] = (0.0, 4.0),
        main: float = 1.0,
    ) -> ProcessSeen:
        """A Python process with so many threads in the code of each file, those in `busy` at work."""
        number = next(self.numbers)
        made = [ThreadSeen(number, "python", *span, main, None, None, True)]
        for owner, count in threads.items() if isinstance(threads, Mapping) else ():
            path = self.path(owner) if owner else None
            made += [
                ThreadSeen(next(self.numbers), "python", *span, 1.0 if owner in busy else 0.0, path)
                for _ in range(count)
            ]
        files = {self.path(PYTHON): span[0]}
        for name in libraries:
            for title, records in RECORDS.items():
                if title.split()[0] == name:
                    files |= {self.path(file): span[0] + 0.1 for file in records if ".so" in file}
        words = tuple(command.split())
        words = (str(self.folder / "bin/python3.11"), *words[1:]) if words[0] == "python" else words
        return ProcessSeen(
            number,
            parent.id if parent is not None else 0,
            *span,
            words,
            str(self.folder / "bin/python3.11") if command.startswith("python") else words[0],
            str(self.folder),
            forked,
            environment or {},
            frozenset(range(affinity)),
            files if command.startswith("python") else {},
            tuple(made),
        )

    def scan(
        self, *processes: ProcessSeen, command: Sequence[str] | None = ("python", "program.py")
    ) -> Scanned:
        """The application that describes these processes."""
        host = HostFacts(
            {
                "cpus.online": Reading(CPUS, "/sys"),
                "cpus.affinity": Reading(CPUS, "/proc"),
                "memory.total": Reading(2**34, "/proc/meminfo"),
            },
            {},
        )
        own = HostFacts({"cpus.online": Reading(64, "/sys")}, {})
        seen = Observation(processes, 4.0, 200, 0.02, "ended", 0, host, own)
        return reconstruct(seen, self.contracts, str(self.folder / "scan.lpcl"), command)


@pytest.fixture
def machine(tmp_path: Path, contracts: Contracts) -> Machine:
    """A machine on which nothing runs."""
    return Machine(tmp_path, contracts)
