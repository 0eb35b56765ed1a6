"""Which findings are published for which file, and when work is done."""

from __future__ import annotations

import asyncio

import pytest
from lsprotocol import types

from lpcl.diagnostics.codes import CODES
from lpcl.diagnostics.diagnostic import Diagnostic, Location, Severity
from lsp_server.features.diagnostics import Board, message, page_uri
from lsp_server.scheduling import Debounced


def finding(text: str) -> types.Diagnostic:
    """A finding with this message."""
    place = types.Position(0, 0)
    return types.Diagnostic(types.Range(place, place), text)


A, B = finding("a"), finding("b")


def test_a_document_is_always_published_and_others_when_they_change() -> None:
    board = Board()
    assert board.put("/doc", {"/doc": (A,), "/lib": (B,)}) == {"/doc": (A,), "/lib": (B,)}
    assert board.put("/doc", {"/doc": (A,), "/lib": (B,)}) == {"/doc": (A,)}
    assert board.put("/doc", {"/doc": ()}) == {"/doc": (), "/lib": ()}


def test_what_several_documents_find_in_a_file_is_said_once() -> None:
    board = Board()
    board.put("/one", {"/one": (), "/lib": (A,)})
    assert board.put("/two", {"/two": (), "/lib": (A, B)})["/lib"] == (A, B)
    assert board.put("/two", {"/two": ()})["/lib"] == (A,)
    assert board.remove("/one") == {"/one": (), "/lib": ()}


def test_an_open_document_speaks_for_itself() -> None:
    board = Board()
    board.put("/doc", {"/doc": (), "/lib": (A,)})
    assert board.put("/lib", {"/lib": ()}) == {"/lib": ()}
    assert "/lib" not in board.put("/doc", {"/doc": (), "/lib": (A, B)})
    assert board.remove("/lib") == {"/lib": (A, B)}


def test_a_message_has_everything_in_its_order() -> None:
    found = Diagnostic(
        "unknown-name",
        Severity.ERROR,
        "`x` is not known here",
        Location("a", 0, 1),
        label="read here",
        notes=("it was known before",),
        help="did you mean `y`?",
    )
    assert message(found).splitlines() == [
        "`x` is not known here",
        "read here",
        "note: it was known before",
        "help: did you mean `y`?",
    ]


def test_pages_are_files_where_they_are_at_hand() -> None:
    pages = [page for code in CODES if (page := page_uri(code))]
    assert pages
    assert all(page.startswith("file://") and page.endswith(".md") for page in pages)
    assert page_uri("no-such-code") is None


@pytest.mark.asyncio
async def test_only_the_last_request_is_worked_on() -> None:
    done: list[int] = []
    state = 0

    async def work() -> None:
        done.append(state)

    debounced = Debounced(work, 0.03)
    for state in range(1, 6):  # noqa: B007
        debounced.ask()
        await asyncio.sleep(0.002)
    await asyncio.sleep(0.2)
    assert done == [5]


@pytest.mark.asyncio
async def test_a_newer_request_ends_what_is_under_way() -> None:
    begun, ended = [], []

    async def work() -> None:
        begun.append(True)
        await asyncio.sleep(0.05)
        ended.append(True)

    debounced = Debounced(work, 0.05)
    debounced.ask(at_once=True)
    await asyncio.sleep(0.02)
    debounced.ask(at_once=True)
    await asyncio.sleep(0.3)
    assert (len(begun), len(ended)) == (2, 1)
    debounced.drop()
