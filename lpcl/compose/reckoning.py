"""An expression of a contract with the values of its names put in."""

from __future__ import annotations

from dataclasses import replace

from lpcl.compose.evaluate import evaluate
from lpcl.compose.kinds import Names
from lpcl.compose.refusal import Refusal
from lpcl.compose.said import Said, branch, rewritten
from lpcl.compose.scopes import ContractScope
from lpcl.syntax import nodes

COMPARING = ("<", "<=", ">", ">=", "==", "!=")
_RECKONING = ("+", "-", "*", "/", "div", "mod")
_FUNCTIONS = ("min", "max", "clamp", "floor", "ceil", "abs")


def put_in(node: nodes.Node, names: Names, *, inner: bool = False) -> str:
    """An expression in a line with the values of its names put in, of each `if` the branch that counts."""
    taken = branch(node, names.scope)
    if taken is not None:
        return put_in(taken, names, inner=inner)
    if isinstance(node, nodes.Reference):
        value = names.value(node)
        text = names.figure(node).show(value)
        return f"({text})" if inner and text.startswith("-") else text
    if isinstance(node, nodes.Call) and node.function in ("defined", "loaded") and node.args:
        is_so = names.value(node) is True
        asked = node.args[0]
        path = asked.path if isinstance(asked, nodes.Reference) else ""
        return f"{path} is{'' if is_so else ' not'} {'set' if node.function == 'defined' else 'loaded'}"
    within = isinstance(node, nodes.Binary) and node.op not in COMPARING
    return rewritten(node, names.file, lambda child: put_in(child, names, inner=within))


def _reckons(node: nodes.Node) -> bool:
    if isinstance(node, nodes.Call):
        return node.function in _FUNCTIONS
    return isinstance(node, nodes.Binary) and node.op in _RECKONING


def in_figures(said: Said) -> str:
    """How a figure that somebody has said is reckoned, with the values put in; empty where nothing is, and
    where a name has more than one value.
    """
    if not isinstance(said.scope, ContractScope):
        return ""
    names = Names(replace(said.scope.afresh(), callers=said.scope.callers))
    expression: nodes.Expression = said.expression
    try:
        while isinstance(expression, nodes.Reference) and (let := names.scope.let(expression.path)):
            expression, names = let.node.value, names.at(let.file)
        while (taken := branch(expression, names.scope)) is not None:
            expression = taken
        if not any(map(_reckons, expression.walk())) or evaluate(expression, names.afresh()) != said.value:
            return ""
        return put_in(expression, names)
    except Refusal:
        return ""
