"""What nothing uses in a file that is whole in itself: operations of sketches, controls of applications.

What a contract of a real library offers is for programs that are not at hand, and never judged.
"""

from __future__ import annotations

from lpcl.check.context import Context
from lpcl.check.relatives import is_of_a_library, relatives, words_of
from lpcl.model.program import Declared
from lpcl.syntax import nodes


def operations(context: Context, declared: Declared) -> None:
    """Report the operations of a sketch that nothing calls, where an application stands beside it."""
    node, file = declared.node, declared.file
    if not isinstance(node, nodes.Contract | nodes.Interface):
        return
    if not any(isinstance(member, nodes.Operation) for member in node.members):
        return
    if not context.asking.ask("has_application", file.path):
        return
    if any(is_of_a_library(relative) for relative in relatives(context, declared)):
        return
    whole = context.contract(declared)
    promised = {name for interface in whole.interfaces for name in context.contract(interface).operations}
    for member in node.members:
        if not isinstance(member, nodes.Operation) or _is_deprecated(member):
            continue
        name = member.name.text
        if name not in promised and not context.asking.ask("named", name):
            context.report(
                "unused-operation",
                file,
                member.name.span,
                f"nothing calls the operation `{name}`",
                help_text=f"call it as `{declared.name}.{name}`, or remove it",
            )


def controls(context: Context, declared: Declared, node: nodes.Application) -> None:
    """Report the controls of an application that reach neither its statements nor its command."""
    file, words = declared.file, words_of(declared)
    read = words.read | words.given
    runs = any(isinstance(member, nodes.Command) for member in node.members)
    for member in node.members:
        if isinstance(member, nodes.Control) and member.name.text not in read:
            reaches = any(
                isinstance(clause, nodes.EnvSource | nodes.ArgumentSource) for clause in member.clauses
            )
            if runs and reaches:
                continue
            context.report(
                "unused-control",
                file,
                member.name.span,
                f"nothing in the application `{node.name.text}` reads the control `{member.name.text}`",
                help_text="say what depends on it, such as an argument of a statement, or remove it",
            )


def _is_deprecated(node: nodes.Operation) -> bool:
    return any(item.name.text == "deprecated" for item in node.annotations)
