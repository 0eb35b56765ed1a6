"""The machine that the tools run on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lpcl.compose.machine import MachineView
    from lpcl.model.host import HostFacts


def host_machine() -> MachineView:
    """The machine that the tools run on."""
    from lpcl.model.host import read_host

    return machine_view(read_host())


def machine_view(facts: HostFacts) -> MachineView:
    """A machine whose figures were read from the kernel."""
    from lpcl.compose.machine import MachineView

    return MachineView(
        "host",
        {path: reading.value for path, reading in facts.readings.items()},
        {},
        {path: reading.source for path, reading in facts.readings.items()},
    )
