"""What every page is made of: its frame, which lets nothing in, its sections, and its words.

The page forbids itself scripts but for the one it is made with.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from xml.etree.ElementTree import Element

from lpcl.compose.render.glossary import needed
from lpcl.compose.render.markup import Child, element, prose, written


def page(title: str, main: Element) -> str:
    """A page around its contents."""
    script = _asset("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'"
    return written(
        element(
            "html",
            element(
                "head",
                element("meta", charset="utf-8"),
                element("meta", http_equiv="Content-Security-Policy", content=policy),
                element("meta", name="viewport", content="width=device-width, initial-scale=1"),
                element("meta", name="color-scheme", content="light dark"),
                element("title", title),
                element("style", _asset("page.css")),
            ),
            element("body", main, element("script", script)),
            lang="en",
        )
    )


@cache
def _asset(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def section(name: str, title: str, *content: Child | Iterable[Child]) -> Element:
    """A part of the page under a heading that can be linked to."""
    return element("section", element("h2", title, id=name), *content, aria_labelledby=name)


def sentence(text: str) -> str:
    """A clause as a sentence."""
    return text[:1].upper() + text[1:] + "."


def words_of(main: Element, tags: set[str]) -> Element:
    """The words of a page that somebody may not have met, with what they mean."""
    text = " ".join(main.itertext())
    explained = [
        part
        for word, meaning in needed(text, tags)
        for part in (element("dt", word), element("dd", prose(meaning)))
    ]
    return section("words", "Words", element("dl", explained))
