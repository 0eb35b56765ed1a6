"""Where the word under the cursor is declared."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types

from lsp_server.references import target, variable_place
from lsp_server.views import View, absolute


def definition(view: View, offset: int, uri: Callable[[str], str]) -> list[types.Location]:
    """The declarations of what stands at an offset; none for what has no place, as a machine's figures."""
    found = target(view, offset)
    if found is None:
        return []
    places = []
    for item in found.found:
        span = variable_place(item, found.name) if found.kind == "variable" else item.span
        place = types.Location(uri(absolute(item.file.path)), view.positions_in(item.file).range(span))
        if place not in places:
            places.append(place)
    return places
