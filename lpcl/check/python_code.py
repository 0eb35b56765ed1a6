"""Python in contracts: whether it can be read as Python, and what it reports. It is parsed, never run."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from functools import lru_cache

from lpcl.check.context import Context, nearest
from lpcl.model.program import SourceFile
from lpcl.syntax import nodes
from lpcl.syntax.span import Span

ENDING = frozenset({"exit_code", "timed_out"})
"""What is known of a run in any case."""

_REPORT = "report"


def check(context: Context, file: SourceFile, code: nodes.Text, *, expression: bool = False) -> None:
    """Report where a text is not Python, or, with `expression`, no expression of it."""
    fault = _fault(code.value, "eval" if expression else "exec")
    if fault is None:
        return
    line, column, end, message = fault
    context.report(
        "bad-python",
        file,
        _span(file, code, line, column, end),
        f"this is no {'expression of Python' if expression else 'Python'}: {message}",
        help_text="mend it; code for another version of Python needs an lpclc that runs on that one",
    )


def unreported(
    context: Context, file: SourceFile, clauses: tuple[nodes.Node, ...], known: frozenset[str]
) -> None:
    """Tell of names in expectations that the evidence's code, and its `known` names, cannot have.

    Where code hands `report` about, or has names that are only known when it runs, anything may be reported.
    """
    code = next((item.code for item in clauses if isinstance(item, nodes.PythonCode)), None)
    if code is None:
        return
    every = [one for item in clauses for one in (item.clauses if isinstance(item, nodes.Try) else (item,))]
    known = known | {one.name.text for one in every if isinstance(one, nodes.Let)}
    asked = [name for one in every if isinstance(one, nodes.ExpectValue) for name in _names(one)]
    if {name.path for name in asked} <= known | ENDING | _plainly_reported(code.value):
        return
    reported = _reported(code.value)
    if reported is None:
        return
    known = known | reported
    for reference in asked:
        if reference.path not in known | ENDING:
            _tell(context, file, reference, known)


def _names(expect: nodes.ExpectValue) -> Iterator[nodes.Reference]:
    """The names of an expectation, but those of which it asks whether they are `defined`."""
    asked: set[int] = set()
    seen: set[str] = set()
    for node in expect.walk():
        if _asks(node):
            asked.update(map(id, node.walk()))
        elif isinstance(node, nodes.Reference) and "." not in node.path and id(node) not in asked:
            if node.path not in seen:
                yield node
            seen.add(node.path)


def _asks(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Call) and node.function == "defined"


def _tell(context: Context, file: SourceFile, reference: nodes.Reference, known: frozenset[str]) -> None:
    close = nearest(reference.path, known)
    names = ", ".join(f"`{name}`" for name in sorted(known))
    context.report(
        "unknown-name",
        file,
        reference.span,
        f"the code never reports `{reference.path}`",
        help_text=f"did you mean `{close}`?"
        if close
        else f"call `report({reference.path}=...)`" + (f"; known are {names}" if names else ""),
    )


Fault = tuple[int, int, int, str]
"""A line from 1, the first and the last column in it, from 0, and what is wrong there."""


@lru_cache(maxsize=512)
def _fault(code: str, mode: str) -> Fault | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as about escapes: the code is not wrong
        try:
            compile(code.strip() if mode == "eval" else code, "evidence", mode, dont_inherit=True)
        except SyntaxError as fault:
            line, column = fault.lineno or 1, max((fault.offset or 1) - 1, 0)
            same = fault.end_lineno == line and fault.end_offset is not None
            end = fault.end_offset - 1 if same and fault.end_offset is not None else column + 1
            return line, column, max(end, column + 1), _message(fault)
        except (ValueError, RecursionError, MemoryError) as fault:
            return 1, 0, 1, str(fault) or "it is nested too deep"
    return None


_CALL = re.compile(r"^(?:[^#\"'\n]*[^#\"'\n\w.])?(?<!def )report\(", re.MULTILINE)
_PLAIN_TEXT = r"""(?<!\w)(?:"[^"\\\n{]*"(?!")|'[^'\\\n{]*'(?!'))"""
_PART = re.compile(rf"(\w+)\s*=(?!=)|\w+|{_PLAIN_TEXT}|[\"'#]|\s+|.")


def _plainly_reported(code: str) -> frozenset[str]:
    """Names that code reports, or that nobody can know whether it reports: those that a look at it shows.

    They stand in a call, in front of any comment in it, and of any text but of plain characters in one line.
    Whoever has others has to parse the code.
    """
    names: set[str] = set()
    for call in _CALL.finditer(code):
        depth = 0
        for part in _PART.finditer(code, call.end()):
            found = part[0]
            if found in ('"', "'", "#") or (found == ")" and not depth):
                break
            depth += (found in "([{") - (found in ")]}")
            if part[1] is not None and not depth:
                names.add(part[1])
    return frozenset(names)


@lru_cache(maxsize=512)
def _reported(code: str) -> frozenset[str] | None:
    """The names that code reports; None where that is only known when it runs."""
    if _fault(code, "exec") is not None:
        return None
    tree = ast.parse(code)
    calls: set[ast.AST] = set()
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == _REPORT:
            calls.add(node.func)
            if any(keyword.arg is None for keyword in node.keywords):
                return None
            names.update(keyword.arg for keyword in node.keywords if keyword.arg is not None)
    for node in ast.walk(tree):
        handed = isinstance(node, ast.Name) and node.id == _REPORT and node not in calls
        quoted = isinstance(node, ast.Constant) and isinstance(node.value, str) and _REPORT in node.value
        if handed or quoted:
            return None
    return frozenset(names)


def _message(fault: SyntaxError) -> str:
    return fault.msg[:1].lower() + fault.msg[1:] if fault.msg else "its syntax is wrong"


_ROW = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|\Z)")


def _span(file: SourceFile, code: nodes.Text, line: int, column: int, end: int) -> Span:
    """A place in the code as a place in the file, whose lines may be indented further."""
    raw = file.text[code.span.start : code.span.end]
    quotes = 3 if raw.startswith('"""') else 1
    if quotes == 1 and "\\" in raw:
        return code.span  # what escapes stand for is shorter than they are
    rows = list(_ROW.finditer(file.text, code.span.start + quotes, code.span.end - quotes))
    first = next((number for number, row in enumerate(rows) if row[1].strip()), 0)
    if first + line > len(rows):
        return code.span
    row = rows[first + line - 1]
    indent = max(row[1].find(code.value.split("\n")[line - 1]), 0)
    start = min(row.start() + indent + column, row.end(1))
    return Span(start, max(start, min(start + end - column, row.end(1))))
