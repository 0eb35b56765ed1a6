"""What the word under the cursor means, in Markdown."""

from __future__ import annotations

from lsprotocol import types

from lpcl.syntax import nodes
from lpcl.syntax.span import Span
from lsp_server import vocabulary
from lsp_server.references import Target, fact_meaning, function_help, target
from lsp_server.surroundings import Named, Surroundings, around, chain
from lsp_server.this_machine import fact_here
from lsp_server.tokens import locate
from lsp_server.views import View
from lsp_server.wording import code, explanation, inline, ways_to_set


def hover(view: View, offset: int) -> types.Hover | None:
    """The explanation of what stands at an offset."""
    found = target(view, offset)
    if found is None:
        return None
    here = around(view, chain(view.file.parsed.file, offset))
    text = _explain(view, here, found)
    if not text:
        return None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), view.positions.range(found.span))


def _explain(view: View, here: Surroundings, found: Target) -> str:
    match found.kind:
        case "fact":
            return _fact(found.name)
        case "measurement":
            return f"{code(found.name)}\n\nmeasured while a program runs"
        case "function":
            help_text = function_help(found.name)
            return f"{code(help_text[0])}\n\n{help_text[1]}" if help_text else ""
        case "annotation":
            meaning = vocabulary.ANNOTATIONS.get(found.name)
            return f"{code('@' + found.name)}\n\n{meaning}" if meaning else ""
        case "type":
            meaning = vocabulary.TYPES.get(found.name)
            return f"{code(found.name)}\n\n{meaning}" if meaning else ""
        case "host":
            return f"{code('machine host')}\n\nthe machine that the tools run on"
        case "variable":
            return _variable(found)
        case "package":
            return _package(view, found)
        case "enumerator":
            home = f", a value of {inline(found.found[0].name)}" if found.found else ""
            return f"{code(found.name)}\n\na word of an enumeration{home}"
    return explanation(here, found.found[0]) if found.found else ""


def _fact(path: str) -> str:
    meaning = fact_meaning(path)
    if meaning is None:
        return ""
    value = fact_here(path)
    here = f"{inline(value)} on this machine" if value else "not known, or no limit, on this machine"
    return f"{code('machine.' + path)}\n\n{meaning}\n\n{here}"


def _variable(found: Target) -> str:
    lines = [code(found.name), "environment variable"]
    readers = [_reader(item, found.name) for item in found.found]
    if readers:
        lines.append("Read by")
        lines.append("\n".join(f"- {reader}" for reader in dict.fromkeys(readers)))
    else:
        lines.append("No library in use reads it.")
    return "\n\n".join(lines)


def _reader(item: Named, variable: str) -> str:
    owner = f"{item.owner.name}." if item.owner is not None else ""
    ways = list(ways_to_set(item.node)) if isinstance(item.node, nodes.Control) else []
    mine = f"variable {inline(variable)}"
    before = ways[: ways.index(mine)] if mine in ways else []
    stronger = [way.removeprefix("variable ") for way in before if way.startswith("variable ")]
    after = f", after {', '.join(stronger)}" if stronger else ""
    return f"{inline(owner + item.name)}{after}"


def _package(view: View, found: Target) -> str:
    names = sorted(item.name for item in view.workspace.program.packages.get(found.name, ()))
    return f"{code('package ' + found.name)}\n\n{', '.join(inline(name) for name in dict.fromkeys(names))}"


def word_help(view: View, offset: int) -> types.Hover | None:
    """What a word of the language says, where nothing else is meant by it."""
    text = view.file.text
    place = locate(text, offset)
    if place.inside is not None:
        return None
    end = place.start
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    word = text[place.start : end]
    for frame in reversed(place.frames):
        meaning = _clause(frame.kind, word)
        if meaning is not None:
            markup = types.MarkupContent(types.MarkupKind.Markdown, f"**{word}** · {meaning}")
            return types.Hover(markup, view.positions.range(Span(place.start, end)))
        if frame is not place.frames[-1]:
            break
    return None


def _clause(kind: str, word: str) -> str | None:
    clauses = vocabulary.CLAUSES.get(kind, {})
    found = clauses.get(word)
    if found is None and word:
        found = next((text for clause, text in clauses.items() if word in clause.split()), None)
    return found
