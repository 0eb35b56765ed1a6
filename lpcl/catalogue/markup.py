"""HTML from elements: all text is escaped where it is written, so nothing in a contract can become markup."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


@dataclass(frozen=True, slots=True)
class Html:
    """Markup that is safe as it is."""

    text: str


Content = str | Html | Iterable["Content"] | None

_VOID = frozenset({"meta", "br"})


def element(tag: str, *content: Content, **attributes: str | None) -> Html:
    """An element; an attribute's name loses a `_` at its end, and one that is None is left out."""
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    if tag in _VOID:
        return Html(f"<{tag}{written}>")
    return Html(f"<{tag}{written}>{together(content).text}</{tag}>")


def together(content: Content) -> Html:
    """Pieces one after another."""
    if content is None:
        return Html("")
    if isinstance(content, str):
        return Html(escape(content))
    if isinstance(content, Html):
        return content
    return Html("".join(together(item).text for item in content))


def breakable(content: Content) -> Html:
    """The same, but code in it may go on in another line between the parts of its names."""

    def parted(found: re.Match[str]) -> str:
        return "<code>" + re.sub(_PART, r"\g<0><wbr>", found[1]) + "</code>"

    return Html(re.sub(r"<code>(.*?)</code>", parted, together(content).text))


_PART = r"(?<=[A-Za-z_])[.(]|(?<=[A-Za-z])_(?=[A-Za-z])"
"""After what a name may be broken."""


def link(address: str, text: Content) -> Html:
    """A link to a page of the web; only its text where the address is of another kind."""
    if address.startswith(("https://", "http://")):
        return element("a", text, href=address, rel="noreferrer")
    return element("span", text)


def markdown(text: str | None, *, inline: bool = False) -> Html:
    """Documentation, which is Markdown; HTML in it is shown as text."""
    if not text:
        return Html("")
    return Html(_markdown().renderInline(text) if inline else _markdown().render(text))


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).disable(["image"]).enable("table")


def page(title: str, *body: Content) -> str:
    """A whole document that needs no other file."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element(
            "meta",
            http_equiv="Content-Security-Policy",
            content="default-src 'none'; style-src 'unsafe-inline'",
        ),
        element("title", title),
        Html(f"<style>{STYLE}</style>"),
    )
    return "<!doctype html>\n" + element("html", head, element("body", *body), lang="en").text + "\n"


STYLE = """
:root {
  color-scheme: light dark;
  --ink: #1c2024; --soft: #5b6670; --line: #d9dee3; --paper: #ffffff; --shade: #f4f6f8; --link: #0b5cad;
  --good: #1a7f4b; --fair: #9a6700; --bad: #b42318; --code: #eef1f4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e3e7eb; --soft: #9aa6b2; --line: #333b44; --paper: #14181c; --shade: #1c2228; --link: #7cb7ff;
    --good: #5fd39a; --fair: #e2b44e; --bad: #ff8f85; --code: #252c33;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 64rem; padding: 1.5rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
h1 { font-size: 1.8rem; line-height: 1.2; margin: .4rem 0 .2rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; padding-bottom: .25rem;
  border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
p { margin: .5rem 0; max-width: 46rem; }
a { color: var(--link); }
code { font: .875em/1.4 ui-monospace, "SF Mono", Menlo, Consolas, monospace; background: var(--code);
  padding: .08em .32em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--code); padding: .7rem .9rem; border-radius: 6px; overflow-x: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; font-size: .93rem; }
th, td { text-align: left; vertical-align: top; padding: .42rem .75rem .42rem 0;
  border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); font-size: .82rem; }
tr.over td { border-bottom: 0; padding-bottom: .1rem; }
td.under { padding-bottom: .8rem; }
td p:first-child { margin-top: 0; } td p:last-child { margin-bottom: 0; }
.scroll { overflow-x: auto; }
.soft { color: var(--soft); } .small { font-size: .88rem; }
.glance { background: var(--shade); border: 1px solid var(--line); border-radius: 8px; padding: .35rem 1.1rem;
  margin: 1.1rem 0; }
.glance dl { display: grid; grid-template-columns: 9.5rem 1fr; gap: .15rem 1rem; margin: .6rem 0; }
.glance dt { color: var(--soft); } .glance dd { margin: 0; } .glance dt a { color: inherit; }
ol.ways { margin: 0; padding-left: 1.25rem; } ol.ways code { overflow-wrap: normal; }
ul.plain { margin: .3rem 0; padding-left: 1.15rem; }
ul.bare { margin: 0; padding: 0; list-style: none; }
.operation { margin: .9rem 0; } p.name { margin-bottom: .1rem; max-width: none; }
.proved, .covered { color: var(--good); } .refuted, .failed { color: var(--bad); }
.named, .unsteady { color: var(--fair); }
.bar { display: inline-block; width: 5.5rem; height: .5rem; border-radius: 99px; background: var(--line);
  overflow: hidden; vertical-align: middle; margin-right: .5rem; }
.share { white-space: nowrap; }
td code { overflow-wrap: break-word; }
.bar svg { display: block; width: 100%; height: 100%; } .bar rect { fill: var(--good); }
nav { font-size: .92rem; }
@media (max-width: 40rem) {
  body { padding: 1rem .9rem 3rem; }
  .glance dl { grid-template-columns: 1fr; gap: 0; } .glance dt { margin-top: .45rem; }
  table.stack thead { display: none; }
  table.stack tr { display: block; border-bottom: 1px solid var(--line); padding: .4rem 0; }
  table.stack td { display: block; border: 0; padding: .12rem 0; }
  table.stack td[data-name]::before { content: attr(data-name) "  "; color: var(--soft); font-size: .82rem; }
  table.stack td:empty { display: none; }
  table.stack tr.over { border-bottom: 0; padding-bottom: 0; } ol.ways code { overflow-wrap: anywhere; }
}
"""


def table(
    headings: tuple[str, ...], rows: Iterable[tuple[Content, ...]], below: Iterable[Content] | None = None
) -> Html:
    """A table; on a narrow screen each row becomes a list of its cells with their headings.

    `below` has for each row what stands under it, over the whole width.
    """
    found = list(rows)
    under = list(below) if below is not None else [None] * len(found)
    body: list[Content] = []
    for row, more in zip(found, under, strict=True):
        cells = [
            element("td", cell, data_name=heading if number and heading else None)
            for number, (heading, cell) in enumerate(zip(headings, row, strict=True))
        ]
        text = together(more)
        body.append(element("tr", cells, class_="over" if text.text else None))
        if text.text:
            body.append(element("tr", element("td", text, colspan=str(len(headings)), class_="under")))
    head = element("thead", element("tr", [element("th", heading) for heading in headings]))
    return element("div", element("table", head, element("tbody", body), class_="stack"), class_="scroll")


def bar(part: int, whole: int) -> Html:
    """A share as a bar."""
    width = 100 * part // whole if whole else 0
    rect = Html(f'<rect width="{width}" height="10"/>')
    return element(
        "span",
        element("svg", rect, viewBox="0 0 100 10", preserveAspectRatio="none", aria_hidden="true"),
        class_="bar",
    )


def share(part: int, whole: int) -> Html:
    """A share as a bar and in figures."""
    return element("span", bar(part, whole), f"{part} of {whole}", class_="share")
