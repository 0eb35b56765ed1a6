"""What declarations rest on, and what keeps exactly them from having a meaning.

A program holds more than what an application needs: its neighbours in the package, tests, other applications
of its file. What is wrong with those says nothing about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from lpcl.check import cycles, declarations, faults, headers
from lpcl.check.asking import Catalogue
from lpcl.check.checker import check_item
from lpcl.check.context import Context
from lpcl.diagnostics.diagnostic import Diagnostic, Severity, in_order
from lpcl.model.program import Declared, Program, SourceFile
from lpcl.syntax import nodes
from lpcl.syntax.faults import Fault
from lpcl.syntax.parser import Parsed
from lpcl.syntax.span import Span


@dataclass(frozen=True)
class Needed:
    """Declarations with all that they name, directly and through others.

    `lost` are names that lead nowhere, and that the text of a file may declare where it could not be parsed;
    `heads` are the first names of what is named in each file.
    """

    declared: tuple[Declared, ...]
    lost: Mapping[SourceFile, tuple[str, ...]]
    heads: Mapping[SourceFile, frozenset[str]]

    @property
    def files(self) -> tuple[SourceFile, ...]:
        """The files that hold all of it, in the order in which they were come upon."""
        return tuple(dict.fromkeys([*(item.file for item in self.declared), *self.lost]))

    def names(self, file: SourceFile) -> tuple[str, ...]:
        """The names of what is needed of a file, what is lost in it among them."""
        found = [item.name for item in self.declared if item.file is file]
        return tuple(dict.fromkeys([*found, *self.lost.get(file, ())]))


def needed(program: Program, roots: Iterable[Declared]) -> Needed:
    """What some declarations rest on, themselves first.

    A name that several declarations could be meant by counts for all of them, as those of several versions.
    """
    context = Context(program)
    broken = [file for file in program.files if file.parsed.faults]
    found: dict[int, Declared] = {}
    lost: dict[SourceFile, dict[str, None]] = {}
    heads: dict[SourceFile, set[str]] = {}
    queue = list(roots)
    while queue:
        item = queue.pop(0)
        if id(item) in found:
            continue
        found[id(item)] = item
        for path in _paths(item.node):
            head = path.partition(".")[0]
            heads.setdefault(item.file, set()).add(head)
            named = _declared(program, item.file, path)
            queue += named
            for file in broken if not named else ():
                if _sees(item.file, file) and context.may_be_lost(file, head):
                    lost.setdefault(file, {})[head] = None
    return Needed(
        tuple(found.values()),
        {file: tuple(names) for file, names in lost.items()},
        {file: frozenset(names) for file, names in heads.items()},
    )


def _paths(node: nodes.Node) -> Iterator[str]:
    for part in node.walk():
        if isinstance(part, nodes.Ref | nodes.Reference):
            yield part.path
        elif isinstance(part, nodes.Uses):
            yield part.name.text


def _declared(program: Program, file: SourceFile, path: str) -> list[Declared]:
    """What the longest part of a dotted path names that names anything, in each of its versions."""
    while path:
        found = program.find(file, path)
        if found is not None:
            return list(program.declarations[found.qualified])
        path = path.rpartition(".")[0]
    return []


def _sees(file: SourceFile, other: SourceFile) -> bool:
    """Whether the declarations of another file are known in a file by its package or its imports."""
    wanted = {file.package}
    for item in file.imports:
        wanted |= {item.path, item.path.rpartition(".")[0]}
    return file is other or (bool(other.package) and other.package in wanted)


def obstacles(program: Program, wanted: Needed, catalogue: Catalogue) -> tuple[Diagnostic, ...]:
    """The errors that keep what is needed from having a meaning, in order. `catalogue` is for suggestions.

    Those are the faults of the text of a file that holds some of it, but for those in tests; what is wrong
    with the head of such a file, but for imports that bring in nothing of it; and what is wrong with the
    declarations themselves.
    """
    items = [*wanted.declared]
    known = {id(item) for item in items}
    for file in wanted.files:  # an application is held against every resource
        resources = (item for item in file.declared if isinstance(item.bare, nodes.Resource))
        items += [item for item in resources if id(item) not in known]
    context = Context(program, catalogue)
    for file in wanted.files:
        within = () if wanted.lost.get(file) else _in_tests(file.parsed)
        faults.check(context, file, [fault for fault in file.parsed.faults if fault not in within])
    for item in items:
        check_item(context, item)
    across = Context(program, catalogue)
    declarations.check_names(across, wanted.files)
    cycles.check(across, wanted.files)
    found = [*context.findings]
    found += [finding for finding in across.findings if any(_lies_in(finding, item) for item in items)]
    errors = [finding for finding in found if finding.severity is Severity.ERROR]
    wrong = {finding.location.path for finding in errors}
    for file in wanted.files:
        heads = wanted.heads.get(file, frozenset())
        errors += _of_head(Context(program, catalogue), file, heads, everything=file.path in wrong)
    return in_order(errors)


def _in_tests(parsed: Parsed) -> tuple[Fault, ...]:
    """The faults of a text that lie in tests, and surely spoil nothing else.

    There are none where not all faults are known, or where it is a guess how far a text or comment reaches.
    """
    if any(fault.kind == "limit" for fault in parsed.faults):
        return ()
    tests = [item.span for item in parsed.file.items if isinstance(item, nodes.Test)]
    tests += [lost.span for lost in parsed.lost if lost.rule == nodes.Test.__name__]

    def inside(fault: Fault) -> bool:
        places = [fault.span, *(span for span, _ in fault.related)]
        return any(
            all(test.start <= span.start and span.end <= test.end for span in places) for test in tests
        )

    bounded = (fault for fault in parsed.faults if fault.kind != "unterminated" or fault.expected == ('`"`',))
    return tuple(fault for fault in bounded if inside(fault))


def _of_head(
    context: Context, file: SourceFile, heads: frozenset[str], *, everything: bool
) -> Iterator[Diagnostic]:
    """The errors in a file's head; those of imports that bring in none of `heads` only with `everything`,
    where a name that leads nowhere may be because of them.
    """
    headers.check(context, file)
    beside = [span for item in file.imports for name, span in _brought(item) if name not in heads]
    for finding in context.findings:
        start = finding.location.start
        if finding.severity is Severity.ERROR and (
            everything or not any(span.start <= start < span.end for span in beside)
        ):
            yield finding


def _brought(item: nodes.Import) -> Iterator[tuple[str, Span]]:
    """The names that an import brings into a file, each with where it stands; none for a star."""
    if item.names:
        yield from ((name.text, name.span) for name in item.names)
    elif not item.star:
        yield item.alias.text if item.alias else item.path.rpartition(".")[2], item.span


def _lies_in(finding: Diagnostic, item: Declared) -> bool:
    span = item.node.span
    return finding.location.path == item.file.path and span.start <= finding.location.start <= span.end
