"""What runs in an experiment's own process before and around its Python code. It imports nothing of LPCL.

Called with the file of the code, the file that takes what is reported, the number of CPUs to keep to (0:
all), the values that the run is given, and the control group that it enters (null: none), both as JSON. Each
call of `report` appends a line of JSON, so that what was reported before a crash is not lost.
"""

from __future__ import annotations

import builtins
import ctypes
import importlib.util
import json
import math
import numbers
import operator
import os
import sys
import types
from typing import Any

LONGEST = 4000
"""Characters that a reported value may have."""

RESERVED = ("exit_code", "timed_out", "machine")
"""Names that the expectations of an experiment have anyway."""


def encoded(name: str, value: Any) -> tuple[str, str]:
    """A value's kind (``bool``, ``int``, ``real`` or ``text``) and its text.

    None, lists and dictionaries become the text that JSON has for them. Raises TypeError for a value of
    any other kind, and ValueError for one that is no number or too long.
    """
    if name in RESERVED:
        raise ValueError(f"report({name}=...): {name} is known anyway and is not for an experiment to report")
    if callable(getattr(value, "item", None)) and getattr(value, "size", None) == 1:
        value = value.item()  # a scalar of NumPy, or an array of one element
    kind, text = _kind_and_text(name, value)
    if len(text) > LONGEST:
        raise ValueError(f"report({name}=...): a value may have {LONGEST} characters, this has {len(text)}")
    return kind, text


def _kind_and_text(name: str, value: Any) -> tuple[str, str]:
    if isinstance(value, bool):
        return "bool", "true" if value else "false"
    if isinstance(value, str):
        return "text", value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"report({name}=...): {value} is not a number that can be compared")
        return "real", repr(float(value))
    if isinstance(value, numbers.Rational) and not isinstance(value, numbers.Integral):
        return "real", f"{value.numerator}/{value.denominator}"
    try:
        if value is None or isinstance(value, list | tuple | dict):
            return "text", json.dumps(value)
        return "int", str(operator.index(value))
    except TypeError:
        raise TypeError(
            f"report({name}=...): a {type(value).__name__} cannot be reported, "
            "only numbers, texts, True, False, None, and lists and dictionaries of them"
        ) from None


OBSTACLE = "obstacle"
"""The kind of a report that says why the run could not be made."""

_NEW_MOUNTS, _NEW_GROUPS = 0x00020000, 0x02000000
_PRIVATE, _RECURSIVE, _DETACH = 1 << 18, 1 << 14, 2


def enter(group: dict[str, Any]) -> None:
    """Enter a control group and see it as the root of its hierarchy, as in a container. Raises OSError."""
    with open(os.path.join(group["folder"], "cgroup.procs"), "w", encoding="ascii") as file:
        file.write(str(os.getpid()))
    kernel = ctypes.CDLL(None, use_errno=True)

    def done(answer: int) -> None:
        if answer:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    kind = b"cgroup2" if group["version"] == 2 else b"cgroup"
    point = os.fsencode(group["point"])
    done(kernel.unshare(_NEW_MOUNTS | _NEW_GROUPS))
    done(kernel.mount(b"none", b"/", None, _PRIVATE | _RECURSIVE, None))
    done(kernel.umount2(point, _DETACH))
    done(kernel.mount(kind, point, kind, 0, group["controllers"].encode() or None))


def instruments() -> types.ModuleType:
    """The module beside this file, which is no part of a package here."""
    file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "instruments.py")
    spec = importlib.util.spec_from_file_location("lpcl_instruments", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(
    code_file: str, report_file: str, cpus: int, given: dict[str, Any], group: dict[str, Any] | None = None
) -> None:
    """Enter the control group, narrow the affinity, then run the code as `__main__`."""
    if group is not None:
        try:
            enter(group)
        except OSError as problem:
            with open(report_file, "a", encoding="utf-8") as file:
                file.write(
                    json.dumps({"": (OBSTACLE, f"no control group can be entered: {problem.strerror}")})
                    + "\n"
                )
            return
    if cpus:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cpus])

    def report(**values: Any) -> None:
        """Report named values to the expectations of the experiment."""
        line = json.dumps({name: encoded(name, value) for name, value in values.items()})
        descriptor = os.open(report_file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, f"{line}\n".encode())
        finally:
            os.close(descriptor)

    found: dict[str, object] = {one.__name__: one for one in instruments().GIVEN}
    for name, one in {**found, "report": report, "given": given}.items():
        setattr(builtins, name, one)
    module = types.ModuleType("__main__")
    module.__file__ = code_file
    sys.argv = [code_file]
    sys.modules["__main__"] = module
    with open(code_file, encoding="utf-8") as file:
        code = compile(file.read(), code_file, "exec")
    exec(code, module.__dict__)


if __name__ == "__main__":
    _own_module = sys.modules["__main__"]  # kept, lest its names vanish with it
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), *map(json.loads, sys.argv[4:6]))
