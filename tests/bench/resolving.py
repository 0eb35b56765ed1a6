"""The grammar as a textX user would write it, with the names resolved by textX: made from `lpcl.tx`.

`lpcl.tx` keeps names as text, and our own passes look them up; a `textx check` with it knows nothing of them.
What `lpclc check` does is therefore compared with this variant, too. In it the heads of names are textX
references: those in expressions are found in the scopes around them, those of declarations in the file and in
what it imports, each with textX's own scope providers.

It leaves out what textX cannot do by itself: members of what a name means, inheritance, types. And it takes a
name that it does not find for one that comes from outside, such as a figure of the machine, a word of an
enumeration, or what an experiment reports. Both make it cheaper than it would have to be.
"""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

LEXICAL = "^parameters,^clauses,^members,^statements,^items"
"""Where the name in an expression is declared: the scopes around it, from inside out."""

DECLARED = ("base", "interfaces", "interface", "provider", "resource", "library", "applications", "name")
"""Attributes that name a declaration of a file."""

NEAR = ("pool", "target", "subjects", "control", "operation", "participants")
"""Attributes that name something in the scopes around them."""


class _Outside(dict[str, object]):
    """textX's built-in objects: one for every name that is not declared in the files."""

    def __bool__(self) -> bool:
        return True

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> object:
        return self


def grammar() -> str:
    """The text of the grammar with references.

    Raises `ValueError` where `lpcl.tx` no longer has what is replaced.
    """
    text = files("lpcl.grammar").joinpath("lpcl.tx").read_text(encoding="utf-8")
    text = _replaced(text, r"Name: text=Word;", "Name: Word;")
    text = _replaced(text, r"Ref: path=Path;", r"More: /\\.[^\\d\\W]\\w*/;")
    text = _replaced(text, r"Import: 'import' path=Path", "Import: 'import' importURI=Path")
    text = _replaced(
        text,
        r"Reference: path=ReferencePath;\nReferencePath: (\S+)\(\?:\\\.\[\^\\d\\W\]\\w\*\)\*/;",
        rf"Reference: head=[OBJECT|ReferenceHead|{LEXICAL}] rest*=More;" + "\nReferenceHead: \\1/;",
    )
    for attribute in DECLARED:
        text = _replaced(text, rf"\b{attribute}(\+?=)Ref\b", rf"{attribute}\1[OBJECT|Path]")
    for attribute in NEAR:
        near = f"[OBJECT|Word|{LEXICAL}]"
        text = _replaced(text, rf"\b{attribute}=Ref\b(?!\[)", rf"{attribute}={near} more*=More", least=0)
        text = _replaced(text, rf"\b{attribute}\+=Ref\b", rf"{attribute}+=[OBJECT|Path|{LEXICAL}]", least=0)
    return text


def _replaced(text: str, pattern: str, by: str, least: int = 1) -> str:
    text, number = re.subn(pattern, by, text)
    if number < least:
        raise ValueError(f"lpcl.tx has no {pattern} any more: see tests/bench/resolving.py")
    return text


def metamodel() -> Any:
    """The language for textX: one set of files, imports by the folder of the package, names as said above."""
    from textx import metamodel_from_str
    from textx.scoping.providers import ImportURI
    from textx.scoping.rrel import create_rrel_scope_provider

    found = metamodel_from_str(
        grammar(), autokwd=True, auto_init_attributes=False, builtins=_Outside(), global_repository=True
    )
    declared = ImportURI(create_rrel_scope_provider("items"), importURI_converter=_folder)
    found.register_scope_providers({"*.*": declared})
    return found


def _folder(path: str) -> str:
    """The files that an import may mean: those in the folder of its package."""
    first, *more = path.split(".")
    return f"../{more[0] if first == 'lpcl' and more else first}/*.lpcl"
