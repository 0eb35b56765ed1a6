"""What names mean in evidence: the machine, named values, what was reported, and what the contract says."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from lpcl.compose.machine import MachineView
from lpcl.compose.refusal import Refusal
from lpcl.compose.terms import Value
from lpcl.model.host import HostFacts
from lpcl.model.program import Origin, SourceFile
from lpcl.model.promises import INTERPRETER, OWN, PREDICTED
from lpcl.verify.promises import Promises


@dataclass(frozen=True)
class Names:
    """A scope for `evaluate`. `reported` and `promises` are None where the experiment has not run yet."""

    file: SourceFile
    machine: MachineView
    host: HostFacts
    reported: Mapping[str, Value] | None = None
    lets: Mapping[str, Value] = field(default_factory=dict)
    promises: Promises | None = None

    def name(self, path: str, origin: Origin) -> Value:
        """See `lpcl.compose.evaluate.Scope.name`."""
        head, _, rest = path.partition(".")
        if head == "machine" and rest:
            return self._figure(rest, origin)
        if path in self.lets:
            return self.lets[path]
        if path == INTERPRETER:
            return self.host.values.get(INTERPRETER, sys.version_info.minor)
        if self.reported is None:
            raise Refusal("unknown-name", f"`{path}` means nothing before the experiment has run", origin)
        if rest and self.promises is not None and head in (OWN, PREDICTED):
            return self.promises.own(rest, origin) if head == OWN else self.promises.predicted(rest, origin)
        if path in self.reported:
            return self.reported[path]
        if "." in path:
            raise Refusal("unknown-name", f"`{path}` is nothing that an experiment can report", origin)
        names = ", ".join(sorted(set(self.reported) - {"exit_code", "timed_out"}))
        raise Refusal("unknown-name", f"`{path}` was not reported (reported: {names or 'nothing'})", origin)

    def function(self, path: str, argument: Value, origin: Origin) -> Value:
        """See `lpcl.compose.evaluate.FunctionScope.function`."""
        head, _, rest = path.partition(".")
        if self.promises is None or head != OWN:
            raise Refusal("unknown-function", f"`{path}` is no function here", origin)
        return self.promises.of_callers(rest, argument, origin)

    def question(self, function: str, path: str, origin: Origin) -> Value:
        """See `lpcl.compose.evaluate.Scope.question`: `defined(name)` tells whether it was reported."""
        if function == "defined" and self.reported is not None:
            return path in self.reported
        raise Refusal("unknown-function", f"`{function}` has no meaning in evidence", origin)

    def _figure(self, path: str, origin: Origin) -> Value:
        value = self.machine.fact(path)
        if value is None:
            absent = self.host.absent.get(path)
            reason = absent.reason if absent is not None else "a machine has no such figure"
            raise Refusal("machine-fact-missing", f"`machine.{path}` has no value here: {reason}", origin)
        return value
