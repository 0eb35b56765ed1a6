"""No text is too broken to be looked at: every feature answers at every place of truncated documents."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsp_server.features.completion import completion
from lsp_server.features.definition import definition
from lsp_server.features.diagnostics import findings
from lsp_server.features.folding import folding
from lsp_server.features.hover import hover, word_help
from lsp_server.features.symbols import symbols
from lsp_server.tokens import locate, tokens

Text = Callable[[str, str], str]


def ask_everything(editor: Any, name: str, text: str, offsets: list[int]) -> None:
    """Every feature, at each of the places."""
    views, view, documents = editor.view(name, text)
    findings(view, documents.uri)
    symbols(view)
    folding(view)
    for offset in offsets:
        hover(view, offset)
        word_help(view, offset)
        definition(view, offset, documents.uri)
        completion(views, view, offset)


@pytest.mark.parametrize("part", range(2))
def test_contracts_cut_off_at_every_offset(editor: Any, blas: Text, part: int) -> None:
    text = blas("", "")
    for end in range(part, len(text) + 1, 2):
        ask_everything(editor, "blas.lpcl", text[:end], [end])


def test_applications_cut_off_at_many_offsets(editor: Any, application: Text) -> None:
    text = application("", "")
    for end in range(0, len(text) + 1, 3):
        ask_everything(editor, "app.lpcl", text[:end], [end])


def test_documents_with_a_piece_missing(editor: Any, blas: Text, application: Text) -> None:
    chance = random.Random(7)
    for name, text in (("blas.lpcl", blas("", "")), ("app.lpcl", application("", ""))):
        for _ in range(40):
            start = chance.randrange(len(text))
            cut = text[:start] + text[start + chance.randint(1, 60) :]
            ask_everything(editor, name, cut, [start, chance.randrange(len(cut))])


def test_every_place_of_a_sound_document(editor: Any, blas: Text, application: Text) -> None:
    for name, text in (("blas.lpcl", blas("", "")), ("app.lpcl", application("", ""))):
        ask_everything(editor, name, text, list(range(len(text) + 1)))


@pytest.mark.parametrize(
    "text", ["", "\x00", "\ufeffcontract a {", '"', '"""', "/*", "}}}}", "{" * 300, "(" * 300]
)
def test_texts_that_are_hardly_any(editor: Any, text: str) -> None:
    ask_everything(editor, "odd.lpcl", text, [0, len(text) // 2, len(text)])


@given(st.text(st.sampled_from('ab1 {}()"/*.,=:@\n\\x😀contractrunuse'), max_size=80))
@settings(max_examples=300, deadline=None)
def test_tokens_cover_everything_but_blanks(text: str) -> None:
    rest = list(text)
    for token in tokens(text):
        assert text[token.start : token.end] == token.text
        rest[token.start : token.end] = " " * (token.end - token.start)
    assert "".join(rest).strip() == ""


@given(st.text(st.sampled_from('ab1 {}()"/*.,=:@\n\\'), max_size=60), st.integers(0, 60))
@settings(max_examples=300, deadline=None)
def test_a_place_has_its_word_before_it(text: str, offset: int) -> None:
    offset = min(offset, len(text))
    place = locate(text, offset)
    assert text[place.start : offset] == place.word
    assert place.frames[0].kind == "file"
