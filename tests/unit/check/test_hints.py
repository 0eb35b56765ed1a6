"""Help lines that say what to write: units, figures of machines."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lpcl.diagnostics.diagnostic import Diagnostic

Diagnose = Callable[..., tuple[Diagnostic, ...]]


@pytest.mark.parametrize(
    ("kind", "value", "unit"),
    [
        ("bytes", "48 ms", "`48 MiB`"),
        ("bytes", "48 GB/s", "`48 MiB`"),
        ("bytes", "48", "`48 MiB`"),
        ("time", "48 MiB", "`48 ms`"),
        ("time", "1.5 GB", "`1.5 ms`"),
        ("bandwidth", "48 MiB", "`48 GB/s`"),
        ("count", "48 MiB", "`48`"),
        ("real", "48 ms", "`48`"),
    ],
)
def test_a_unit_of_the_right_kind_is_shown(diagnose: Diagnose, kind: str, value: str, unit: str) -> None:
    text = f"package p\ncontract c {{ control n: {kind} {{ env N  default {value} }} }}\n"
    (finding,) = (item for item in diagnose(text) if item.code == "dimension-mismatch")
    assert finding.help is not None
    assert finding.help.endswith(unit)


@pytest.mark.parametrize(
    ("figure", "hint"),
    [
        ("cpus.count", "did you mean `cpus.online`?"),
        ("cpu.count", "did you mean `cpus.online`?"),
        ("cpus.cores", "did you mean `cpus.physical`?"),
        ("cpus.onlnie", "did you mean `cpus.online`?"),
        ("cpus.quotas", "did you mean `cpus.quota`?"),
        ("memory.size", "did you mean `memory.total`?"),
        ("gpus.count", "did you mean `gpus`?"),
        ("cpus.speed", "it has `cpus.online`, `cpus.affinity`, `cpus.quota` and `cpus.physical`"),
        ("memory.used", "it has `memory.total`, `memory.limit` and `memory.bandwidth`"),
    ],
)
def test_the_figure_that_is_meant(diagnose: Diagnose, figure: str, hint: str) -> None:
    stated = diagnose(f"package p\nmachine m {{ {figure} = 4 }}\n")
    (finding,) = (item for item in stated if item.code == "unknown-figure")
    assert finding.help == hint
    read = diagnose(f"package p\ncontract c {{ let x = machine.{figure} }}\n")
    (finding,) = (item for item in read if item.code == "unknown-figure")
    assert finding.help in (hint, hint.replace(" and `cpus.physical`", ", `cpus.physical` and `cpus`"))
    if finding.fix is not None:
        assert finding.fix.edits[0].text.removeprefix("machine.") == hint.split("`")[1]


@pytest.mark.parametrize(
    ("name", "figure"),
    [
        ("cores", "machine.cpus.physical"),
        ("num_cpus", "machine.cpus.online"),
        ("cpus", "machine.cpus"),
        ("affinity", "machine.cpus.affinity"),
        ("vram", "machine.gpu.memory"),
    ],
)
def test_a_bare_name_of_a_figure_is_told_as_it_is_read(diagnose: Diagnose, name: str, figure: str) -> None:
    text = f"package p\ncontract c {{ control most: real {{ env MOST  default 1.5 * {name} / 1 }} }}\n"
    (finding,) = (item for item in diagnose(text) if item.code == "unknown-name")
    assert finding.help == f"did you mean `{figure}`?"
