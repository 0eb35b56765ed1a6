"""The one door of LPCL: a workspace is a frozen snapshot of files, and answers questions about them.

The command line and the language server use this package and nothing behind it. It prints nothing,
and it runs nothing that comes from a contract.
"""

from typing import TYPE_CHECKING

from lpcl.check.names import Names
from lpcl.compat.change import Release
from lpcl.service.comparison import Compared, compare_contracts
from lpcl.service.composing import (
    answers_of,
    compose_anywhere,
    compose_application,
    compose_applications,
    explain_value,
    most_threads,
    plan_application,
    run_tests,
    tell,
    thread_counts,
)
from lpcl.service.contracts import (
    contracts,
    contracts_of,
    contracts_to_read,
    known_program,
    stdlib_folder,
)
from lpcl.service.hosts import host_machine, machine_view
from lpcl.service.mending import Mended, mend, save
from lpcl.service.readiness import Blocked, ready
from lpcl.service.selection import Unanswerable, select_application, select_applications
from lpcl.service.workspace import Session, Workspace, open_workspace

if TYPE_CHECKING:
    from lpcl.compose.expectations import TestResult as TestResult
    from lpcl.compose.machine import MachineView as MachineView
    from lpcl.compose.threads import ProcessThreads as ProcessThreads
    from lpcl.packages.catalogue import Entry as Entry

__all__ = [
    "Blocked",
    "Compared",
    "Mended",
    "Names",
    "Release",
    "Session",
    "Unanswerable",
    "Workspace",
    "answers_of",
    "compare_contracts",
    "compose_anywhere",
    "compose_application",
    "compose_applications",
    "contracts",
    "contracts_of",
    "contracts_to_read",
    "explain_value",
    "host_machine",
    "known_program",
    "machine_view",
    "mend",
    "most_threads",
    "open_workspace",
    "plan_application",
    "ready",
    "run_tests",
    "save",
    "select_application",
    "select_applications",
    "stdlib_folder",
    "tell",
    "thread_counts",
]
