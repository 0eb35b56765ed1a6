"""How things are named: in small letters, with underscores between the words."""

from __future__ import annotations

import re

from lpcl.check.context import Context
from lpcl.model.program import SourceFile
from lpcl.syntax import nodes

_Named = (
    nodes.Resource
    | nodes.Machine
    | nodes.Interface
    | nodes.Contract
    | nodes.Application
    | nodes.Pool
    | nodes.Operation
    | nodes.Uses
    | nodes.Signal
    | nodes.Let
    | nodes.Control
)
_NAMED: tuple[type[_Named], ...] = (
    nodes.Resource,
    nodes.Machine,
    nodes.Interface,
    nodes.Contract,
    nodes.Application,
    nodes.Pool,
    nodes.Operation,
    nodes.Uses,
    nodes.Signal,
    nodes.Let,
    nodes.Control,
)
_WORDS: dict[type, str] = {kind: kind.__name__.lower() for kind in _NAMED}
_WORDS[nodes.Uses] = "dependency"
_OWN_SPELLING = (nodes.ApiSource, nodes.ArgumentSource, nodes.ConfigSource)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def check(context: Context, file: SourceFile, item: nodes.Node) -> None:
    """Remark on names with capitals, except where the library itself spells them so.

    Parameters and the members of an enumeration are the library's words, and so is a control that is named
    as its argument, function or setting.
    """
    for kind in _NAMED:
        for node in context.below(item, kind):
            name = node.name
            if name.text == name.text.lower() or _is_the_librarys(node):
                continue
            context.report(
                "naming",
                file,
                name.span,
                f"the {_WORDS[kind]} `{name.text}` is not in small letters",
                help_text=f"call it `{plain(name.text)}`",
            )


def plain(name: str) -> str:
    """A name in small letters with underscores: `GridSearch` becomes `grid_search`."""
    return _HUMP.sub("_", name).lower()


def _is_the_librarys(node: nodes.Node) -> bool:
    if not isinstance(node, nodes.Control):
        return False
    texts = [clause.text.value for clause in node.clauses if isinstance(clause, _OWN_SPELLING)]
    return any(node.name.text in text for text in texts)
