"""Whether figures of real libraries are accounted for, and variables read in one order."""

from __future__ import annotations

from lpcl.check.context import Context, label
from lpcl.model.program import Declared
from lpcl.syntax import nodes

_SOURCES = ("source", "measured")


def fixed_demands(context: Context, declared: Declared, node: nodes.Contract) -> None:
    """Remark on demands of more than 1 that nothing changes and that say no source."""
    whole = context.contract(declared)
    tried = {subject.path.rpartition(".")[2] for item in whole.evidence for subject in item.node.subjects}
    for member in node.members:
        name = member.name.text if isinstance(member, nodes.Operation) else ""
        if name in tried or _says_source(member):
            continue
        clauses = member.clauses if isinstance(member, nodes.Operation | nodes.OnLoad) else (member,)
        lets = {name: clause.node for name, clause in whole.lets.items()}
        lets |= {clause.name.text: clause for clause in clauses if isinstance(clause, nodes.Let)}
        for clause in clauses:
            if (
                isinstance(clause, nodes.Demand)
                and clause.amount is not None
                and not _says_source(clause)
                and clause.resource.path.rpartition(".")[2] not in tried
                and not _is_plain(clause.amount)
                and _is_fixed(clause.amount, lets)
            ):
                context.report(
                    "fixed-demand",
                    declared.file,
                    clause.amount.span,
                    f"this demand for `{clause.resource.path}` is fixed, and says no source",
                    help_text="let it follow a control, an argument or the machine, or put "
                    '`@measured("library and version")` or `@source("title", "address")` before it',
                )


def orders_of_variables(context: Context, declared: Declared, node: nodes.Contract) -> None:
    """Report controls that read the same variables as an earlier control does, in another order."""
    whole = context.contract(declared)
    names = list(whole.controls)
    own = {member.name.text for member in node.members if isinstance(member, nodes.Control)}
    for number, name in enumerate(names):
        later = whole.controls[name]
        variables = _variables(later.node)
        for before in names[:number]:
            earlier = whole.controls[before]
            if name not in own and before not in own:
                continue
            first = [variable.text for variable in _variables(earlier.node)]
            common = [variable for variable in variables if variable.text in first]
            order = [first.index(variable.text) for variable in common]
            if order == sorted(order):
                continue
            at = next(at for at in range(1, len(order)) if order[at] < order[at - 1])
            one, other = common[at].text, common[at - 1].text
            subject, friend = (name, before) if name in own else (before, name)
            context.report(
                "order-of-variables",
                declared.file,
                (common[at] if name in own else earlier.node.name).span,
                f"`{subject}` and `{friend}` read `{one}` and `{other}` in different orders",
                labels=[label(earlier.file, earlier.node.name.span, f"`{one}` comes before `{other}` here")]
                if name in own
                else [label(later.file, later.node.name.span, f"`{other}` comes before `{one}` here")],
                help_text="the first that is set wins: name them in the order of the library",
            )
            break


def _variables(node: nodes.Control) -> list[nodes.Name]:
    return [name for clause in node.clauses if isinstance(clause, nodes.EnvSource) for name in clause.names]


def _says_source(node: nodes.Node) -> bool:
    return any(annotation.name.text in _SOURCES for annotation in getattr(node, "annotations", ()))


def _is_plain(amount: nodes.Node) -> bool:
    """Whether an amount is 0 or 1: a caller that only waits, or takes one of something."""
    return isinstance(amount, nodes.Quantity) and amount.unit is None and 0 <= amount.value <= 1


def _is_fixed(expression: nodes.Node, lets: dict[str, nodes.Let]) -> bool:
    """Whether an expression reads nothing but lets that are fixed themselves."""
    known: set[str] = set()
    waiting = [expression]
    while waiting:
        for item in waiting.pop().walk():
            if isinstance(item, nodes.Reference):
                let = lets.get(item.path)
                if let is None:
                    return False
                if item.path not in known:
                    known.add(item.path)
                    waiting.append(let.value)
    return True
