"""The figures by which a machine is known to contracts, and what follows from those that are stated."""

from __future__ import annotations

from dataclasses import dataclass

from lpcl.model.quantities import BANDWIDTH, BYTES, PLAIN, Dimension


@dataclass(frozen=True, slots=True)
class FactType:
    """A fact's dimension, whether it is a whole number, the facts it follows from, and what it says.

    `limit` marks a figure that, left out, limits nothing; every other figure left out without a fact to
    follow from is unknown.
    """

    dimension: Dimension
    whole: bool
    follows: str | None
    limit: bool
    meaning: str


FACTS: dict[str, FactType] = {
    "cpus.online": FactType(PLAIN, True, None, False, "CPUs that are switched on (`os.cpu_count()`)"),
    "cpus.affinity": FactType(PLAIN, True, "cpus.online", False, "CPUs in the process's affinity mask"),
    "cpus.quota": FactType(PLAIN, False, "cpus.online", False, "CPU time that the cgroup allows, in CPUs"),
    "cpus.physical": FactType(PLAIN, True, "cpus.online", False, "physical cores"),
    "memory.total": FactType(BYTES, True, None, False, "main memory"),
    "memory.limit": FactType(BYTES, True, "memory.total", False, "memory that the cgroup allows"),
    "memory.bandwidth": FactType(BANDWIDTH, False, None, False, "bandwidth of main memory"),
    "shm": FactType(BYTES, True, None, False, "size of /dev/shm"),
    "gpus": FactType(PLAIN, True, None, False, "number of GPUs"),
    "gpu.memory": FactType(BYTES, True, None, False, "memory of each GPU"),
    "limits.files": FactType(PLAIN, True, None, True, "open files a process may have (RLIMIT_NOFILE)"),
    "limits.threads": FactType(PLAIN, True, None, True, "least of RLIMIT_NPROC and pids.max"),
    "limits.processes": FactType(PLAIN, True, None, True, "processes that may exist"),
    "limits.address_space": FactType(BYTES, True, None, True, "virtual memory of a process (RLIMIT_AS)"),
    "limits.locked_memory": FactType(BYTES, True, None, True, "memory that may be pinned (RLIMIT_MEMLOCK)"),
}

AT_MOST = {
    "cpus.affinity": "cpus.online",
    "cpus.physical": "cpus.online",
    "memory.limit": "memory.total",
}
"""Figures that no machine has more of than of another one."""

DERIVED = {"cpus": "what a thread may really use: min(cpus.affinity, cpus.quota)"}
