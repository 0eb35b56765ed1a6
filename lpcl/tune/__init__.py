"""The tuner: runs an application under its present and its candidate configurations, and says what is best.

``tune(plan, options, on_event)`` is the way in. Everything is loaded when it is first asked for: the process
that supervises a run imports this package too, and must start quickly.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lpcl.tune.errors import TuneError
    from lpcl.tune.options import Options
    from lpcl.tune.result import Result
    from lpcl.tune.session import tune

__all__ = ["Options", "Result", "TuneError", "tune"]

_HOMES = {"Options": "options", "Result": "result", "TuneError": "errors", "tune": "session"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"lpcl.tune.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
