"""Elements of a page. Text is only ever text: it is escaped when the page is written, whatever it holds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

Child = Element | str | None
Children = Child | Iterable[Child]

_BLOCKS = frozenset(
    {
        "html",
        "head",
        "meta",
        "title",
        "style",
        "script",
        "body",
        "header",
        "nav",
        "main",
        "section",
        "article",
    }
    | {
        "footer",
        "h1",
        "h2",
        "h3",
        "p",
        "ul",
        "ol",
        "li",
        "dl",
        "dt",
        "dd",
        "div",
        "figure",
        "figcaption",
        "svg",
    }
    | {"table", "caption", "thead", "tbody", "tfoot", "tr", "details", "summary", "pre"}
)
_UNBROKEN = frozenset({"code", "option", "pre", "script", "style", "text", "title", "tspan"})
"""What has no such place: text that is laid out otherwise, or that says itself where it may be broken."""

_NAME = re.compile(r"(?<=\w{3}\.)(?=\w{3})")
"""Where a name such as `library.operation` may be broken, which else is broken anywhere."""

_UNSHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def element(tag: str, *children: Children, **attributes: str | None) -> Element:
    """An element with its children, text among them. Attributes that are None are left out.

    An underscore in an attribute's name stands for a hyphen, one at its end for nothing.
    """
    made = Element(
        tag,
        {
            name.rstrip("_").replace("_", "-"): shown(value)
            for name, value in attributes.items()
            if value is not None
        },
    )
    _fill(made, children)
    return made


def _fill(made: Element, children: Iterable[Children]) -> None:
    for child in children:
        if child is None:
            continue
        if isinstance(child, Element):
            made.append(child)
        elif isinstance(child, str):
            first, *rest = [shown(child)] if made.tag in _UNBROKEN else _NAME.split(shown(child))
            _append_text(made, first)
            for piece in rest:
                made.append(Element("wbr"))
                _append_text(made, piece)
        else:
            _fill(made, child)


def _append_text(made: Element, text: str) -> None:
    if len(made):
        made[-1].tail = (made[-1].tail or "") + text
    else:
        made.text = (made.text or "") + text


def code(text: str, **attributes: str | None) -> Element:
    """A name or a path, which may be broken into lines after its dots and strokes."""
    pieces = re.split(r"(?<=[._/:=])(?=[^._/:=])", text)
    broken: list[Child] = [pieces[0]]
    for piece in pieces[1:]:
        broken += [element("wbr"), piece]
    return element("code", broken, **attributes)


def prose(text: str) -> list[Child]:
    """A sentence in which names stand in backticks."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return [text]
    return [code(piece) if index % 2 else piece for index, piece in enumerate(pieces)]


def shown(text: str) -> str:
    """The text with characters that steer a display instead of being shown replaced."""
    return _UNSHOWN.sub("\N{REPLACEMENT CHARACTER}", text)


def written(root: Element) -> str:
    """The page as text: blocks on lines of their own, so that two pages can be compared."""
    for parent in root.iter():
        if parent.tag in ("pre", "code"):
            continue
        if len(parent) and not parent.text and all(child.tag in _BLOCKS for child in parent):
            parent.text = "\n"
        for child in parent:
            if child.tag in _BLOCKS and not child.tail:
                child.tail = "\n"
    return "<!DOCTYPE html>\n" + ElementTree.tostring(root, encoding="unicode", method="html") + "\n"
