"""Rules of `test` declarations: what they check exists, and what they expect makes sense."""

from __future__ import annotations

from lpcl.check import applications, members, resources
from lpcl.check.context import Context, label, name_span, nearest
from lpcl.check.declarations import once, unique
from lpcl.check.expressions import Typer, is_variable
from lpcl.check.reach import Reach, reach
from lpcl.check.references import resolve
from lpcl.check.scopes import Scope
from lpcl.model import types
from lpcl.model.contracts import Clause
from lpcl.model.program import Declared, SourceFile
from lpcl.syntax import nodes


class _Test:
    """One test with the applications that it checks."""

    def __init__(self, context: Context, file: SourceFile, node: nodes.Test) -> None:
        self.context = context
        self.file = file
        self.node = node
        self.reached: list[Reach] = []
        self.own: dict[str, Clause[nodes.Control]] = {}
        scope = Scope(context, file, foreign=False)
        libraries: dict[str, Declared] = {}
        self.resolved = True
        for clause in node.clauses:
            for ref in clause.applications if isinstance(clause, nodes.Check) else ():
                found = resolve(context, file, ref, (nodes.Application,), "application")
                if found is None or not isinstance(found.node, nodes.Application):
                    self.resolved = False
                    continue
                self.reached.append(reach(context, found.file, found.node))
                libraries.update(self.reached[-1].all)
                self.own.update(applications.controls(found.file, found.node))
                inner = applications.scope_of(context, found.file, found.node)
                scope.names.update(inner.names)
        self.typer = Typer(scope)
        self.libraries = libraries

    def settings(self, settings: tuple[nodes.Setting, ...]) -> None:
        """Check `with { ... }`."""
        names = ((nodes.Name(text=item.target.path, span=item.target.span), "setting") for item in settings)
        unique(self.context, self.file, list(names), "`with`")
        for setting in settings:
            if is_variable(setting.target.path) and setting.target.path not in self.own:
                name = nodes.Name(text=setting.target.path, span=setting.target.span)
                if self.resolved:
                    applications.environment(self.typer, name, setting.value, *self.reached)
            elif self.resolved:
                members.limit(self.typer, setting.target, setting.value, self.own)

    def participants(self, refs: tuple[nodes.Ref, ...]) -> None:
        """Check the libraries or operations that are expected to take part."""
        for ref in refs if self.resolved else ():
            holder, _, name = ref.path.rpartition(".")
            if self._library(ref.path) is not None:
                continue
            library = self._library(holder) if holder else None
            if library is not None:
                if name not in members.operations(self.context.contract(library)):
                    self._unknown(ref, f"`{library.name}` has no operation `{name}`", name)
                continue
            self._unknown(ref, f"no library `{ref.path}` takes part in what is checked", ref.path)

    def _library(self, path: str) -> Declared | None:
        found = self.libraries.get(path) or self.context.find(self.file, path)
        return (
            found if found is not None and isinstance(found.node, nodes.Contract | nodes.Interface) else None
        )

    def _unknown(self, ref: nodes.Ref, headline: str, part: str) -> None:
        if self.context.may_be_imported(self.file, ref.path.partition(".")[0]):
            return
        if not all(found.whole for found in self.reached):
            return  # what could not be found may be it
        close = nearest(part, self.libraries)
        self.context.report(
            "unknown-declaration",
            self.file,
            name_span(ref, part),
            headline,
            help_text=f"did you mean `{close}`?" if close else None,
        )

    def amount(self, ref: nodes.Ref, value: nodes.Expression | None, what: str) -> None:
        """Check a figure of a resource."""
        wanted, declared = resources.amount(resources.find(self.context, self.file, ref))
        if value is not None:
            self.typer.require(value, wanted, what, declared)

    def figures(self, node: nodes.ExpectOvercommit) -> None:
        """Check `demand / capacity`, both of them amounts of the resource."""
        figures = node.figures
        while isinstance(figures, nodes.Parenthesis):
            figures = figures.inner
        if figures is None:
            self.amount(node.resource, None, "")
        elif isinstance(figures, nodes.Binary) and figures.op == "/":
            self.amount(node.resource, figures.left, f"the demand for `{node.resource.path}`")
            wanted, declared = resources.amount(self.context.find(self.file, node.resource.path))
            self.typer.require(figures.right, wanted, f"the capacity of `{node.resource.path}`", declared)
        else:
            self.amount(node.resource, None, "")
            self.context.report(
                "test-figures",
                self.file,
                figures.span,
                "the figures of an over-commit are written `demand / capacity`",
                help_text="write each of them as one figure, such as `64 / 8`",
            )


def check(context: Context, file: SourceFile, node: nodes.Test) -> None:
    """Check one test."""
    where = f'the test "{node.title.value}"'
    once(context, file, node.clauses, {nodes.MachineUse: "machine"}, where)
    variables = (
        (item.name, "value of the variable") for item in node.clauses if isinstance(item, nodes.Environment)
    )
    unique(context, file, variables, where)
    test = _Test(context, file, node)
    for clause in node.clauses:
        _clause(context, file, test, clause)
    if context.is_broken(file, node.span):
        return
    expects = [item for item in node.clauses if isinstance(item, nodes.Expectation)]
    checks = [item for item in node.clauses if isinstance(item, nodes.Check)]
    if not checks:
        _missing(context, file, node, "check", "say what is checked: `check application`")
    if not expects:
        _missing(context, file, node, "expect", "say what is expected, such as `expect clean`")


def _missing(context: Context, file: SourceFile, node: nodes.Test, word: str, example: str) -> None:
    context.report(
        "missing-clause",
        file,
        node.title.span,
        f'the test "{node.title.value}" has no `{word}`',
        help_text=example,
    )


def _clause(context: Context, file: SourceFile, test: _Test, clause: nodes.Node) -> None:
    match clause:
        case nodes.MachineUse():
            applications.machine(context, file, clause)
        case nodes.Environment():
            if test.resolved:
                applications.environment(test.typer, clause.name, clause.value, *test.reached)
        case nodes.ExpectOvercommit():
            test.figures(clause)
            test.participants(clause.participants)
        case nodes.ExpectSerialized():
            if clause.pool is not None and test.resolved:
                members.pool(test.typer.scope, clause.pool)
            test.participants(clause.participants)
        case nodes.ExpectNo():
            if clause.resource is not None:
                _of_resource(context, file, clause)
        case nodes.ExpectSafe():
            if clause.resource is not None:
                resources.find(context, file, clause.resource)
            test.settings(clause.settings)
        case nodes.ExpectDemand():
            test.amount(clause.resource, clause.amount, f"the demand for `{clause.resource.path}`")
        case nodes.ExpectResolved():
            if test.resolved:
                _resolved(test, clause)


def _of_resource(context: Context, file: SourceFile, clause: nodes.ExpectNo) -> None:
    assert clause.resource is not None
    found = resources.find(context, file, clause.resource)
    if clause.kind != "overcommit" and found is not None:
        context.report(
            "conflicting-clauses",
            file,
            clause.resource.span,
            f"`{clause.kind}` is not a matter of one resource",
            labels=[label(found.file, found.node.name.span, "declared here")],
            help_text=f"write `expect no {clause.kind}`",
        )


def _resolved(test: _Test, clause: nodes.ExpectResolved) -> None:
    found = members.control(test.typer.scope, clause.target, test.own)
    if found is None:
        test.typer.infer(clause.value, types.UNKNOWN)
        return
    test.typer.require(
        clause.value,
        types.of(found.node.type),
        f"`{clause.target.path}`",
        label(found.file, found.node.type.span, "declared here"),
    )
