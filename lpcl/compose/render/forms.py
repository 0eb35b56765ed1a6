"""The forms that the answers about a composition can be given in."""

from __future__ import annotations

from lpcl.compose.answers import Answers

FORMS = ("text", "json", "html", "dot", "mermaid", "github")


def render(told: Answers, form: str, *, colour: bool = False) -> str:
    """The answers in one of `FORMS`, ending in a newline; `colour` matters to ``text`` alone."""
    if form == "text":
        from lpcl.compose.render import text

        return text.render(told, colour=colour)
    if form == "github":
        from lpcl.compose.render import github

        return github.render(told)
    from lpcl.compose.render import json

    if form == "json":
        return json.render(told)
    document = json.document(told, together=form == "html")
    if form == "html":
        from lpcl.compose.render import html

        return html.render(document)
    if form == "dot":
        from lpcl.compose.render import dot

        return dot.render(document)
    from lpcl.compose.render import mermaid

    return mermaid.render(document)
