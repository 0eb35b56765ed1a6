"""What to offer where a machine has no figure of a name."""

from __future__ import annotations

from collections.abc import Iterable

from lpcl.check.context import listed, nearest
from lpcl.model.machine import FACTS

_MEANT = {
    **dict.fromkeys(("cpus.count", "cpus.number", "cpus.total", "cpus.logical", "cpus.all"), "cpus.online"),
    **dict.fromkeys(("cpu.count", "cpu_count", "cpus.cpu_count", "nproc", "cpus.threads"), "cpus.online"),
    **dict.fromkeys(("ncpu", "ncpus", "num_cpus"), "cpus.online"),
    **dict.fromkeys(("cores", "ncores", "num_cores", "cpus.cores", "cpu.cores"), "cpus.physical"),
    **dict.fromkeys(("cpus.mask", "cpus.available", "cpus.usable"), "cpus.affinity"),
    **dict.fromkeys(("ram", "memory", "memory.size", "memory.ram", "memory.physical"), "memory.total"),
    **dict.fromkeys(("memory.max", "memory.cgroup"), "memory.limit"),
    **dict.fromkeys(("gpus.count", "gpu.count", "gpus.number", "gpu", "ngpus", "num_gpus"), "gpus"),
    **dict.fromkeys(("gpus.memory", "gpu.memory.total", "vram"), "gpu.memory"),
    **dict.fromkeys(("shm.size", "shm.total", "memory.shm"), "shm"),
}
"""Other names of figures, which are nearer to another figure by their letters than to the right one."""

_LIKE = 0.85


def figure_called(name: str) -> str | None:
    """The figure of a machine that a bare name probably means, as one reads it; None where it means none."""
    meant = "cpus" if name == "cpus" else _MEANT.get(name)
    if meant is None:
        meant = next((path for path in FACTS if path.rpartition(".")[2] == name), None)
    return None if meant is None else f"machine.{meant}"


def figure_hint(path: str, known: Iterable[str]) -> str:
    """The figure that was probably meant, else those of the same part of the machine, else all of them."""
    figures = list(known)
    meant = _MEANT.get(path)
    close = meant if meant in figures else nearest(path, figures, _LIKE)
    if close is not None:
        return f"did you mean `{close}`?"
    part = path.partition(".")[0]
    near = [item for item in figures if item.partition(".")[0] == part] or figures
    return f"it has {listed(f'`{item}`' for item in near)}"
