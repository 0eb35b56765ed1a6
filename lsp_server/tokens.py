"""The words of a text that may be half typed, and the blocks in which they stand.

The parser says what a text means; this module only says where in it a place lies, whatever is still missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"""
      (?P<comment> //[^\r\n]* | /\*(?s:.*?)(?:\*/|\Z) )
    | (?P<string>  \"\"\"(?s:.*?)(?:\"\"\"|\Z) | "(?:[^"\\\r\n]|\\.)*(?:"|(?=[\r\n])|\\?\Z) )
    | (?P<number>  \d[\d_]*(?:\.\d+)? )
    | (?P<word>    [^\d\W]\w* )
    | (?P<mark>    == | != | <= | >= | \.\. | \S )
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is ``comment``, ``string``, ``number``, ``word``, ``mark``, or ``group`` for a closed block."""

    kind: str
    text: str
    start: int
    end: int


def tokens(text: str) -> Iterator[Token]:
    """All tokens in order, comments included."""
    for found in _TOKEN.finditer(text):
        yield Token(found.lastgroup or "mark", found[0], found.start(), found.end())


@dataclass(slots=True)
class Frame:
    """An open brace or parenthesis: what it is part of, the header before it, and what it holds so far.

    `kind` is a block of `lsp_server.vocabulary`, or ``arguments``, ``parameters``, ``enumeration``,
    ``names``, ``bindings``, ``settings``, ``group``. Closed blocks are single tokens in `held`.
    """

    kind: str
    start: int
    header: tuple[Token, ...] = ()
    held: list[Token] = field(default_factory=list)

    @property
    def name(self) -> str | None:
        """The name that the header gives to its block, or the dotted path before a parenthesis."""
        words = [token.text for token in self.header if token.kind == "word" or token.text == "."]
        if self.kind in ("arguments", "bindings"):
            return "".join(words) or None
        return words[1] if len(words) > 1 else None


@dataclass(frozen=True, slots=True)
class Place:
    """Where an offset lies: the frames around it, the file first, and the tokens before it in the last one.

    `inside` is ``comment`` or ``string`` where the offset lies in one. `word` is what of a word stands before
    the offset, and `start` where that word begins.
    """

    frames: tuple[Frame, ...]
    before: tuple[Token, ...]
    inside: str | None
    word: str
    start: int


_HEADS: dict[str, dict[str, str]] = {
    "file": {word: word for word in ("resource", "machine", "interface", "contract", "application", "test")},
    "interface": {word: word for word in ("control", "pool", "operation")},
    "contract": {
        "library": "library",
        "control": "control",
        "pool": "pool",
        "operation": "operation",
        "load": "on load",
        "evidence": "evidence",
    },
    "operation": {"workers": "workers"},
    "evidence": {"try": "try", "run": "run"},
    "application": {"control": "control", "run": "run", "machine": "machine", "use": "bindings"},
    "test": {"machine": "machine", "with": "settings"},
}
_NAMING = frozenset(
    ("resource", "machine", "interface", "contract", "application", "control", "pool", "operation", "let")
)
_TOP = frozenset(("package", "import", *_HEADS["file"]))


def locate(text: str, offset: int) -> Place:
    """Where `offset` lies in `text`."""
    frames = [Frame("file", 0)]
    inside: str | None = None
    partial: Token | None = None
    for token in tokens(text):
        if token.start >= offset:
            break
        if token.end >= offset and token.kind == "word":
            partial = token
            break
        if token.kind in ("comment", "string") and _within(token, offset):
            inside = token.kind
            break
        if token.kind != "comment":
            _advance(frames, token, text)
    start = partial.start if partial else offset
    return Place(tuple(frames), tuple(frames[-1].held), inside, text[start:offset], start)


def _within(token: Token, offset: int) -> bool:
    """Whether an offset behind a token's start is still inside: at its end too, where it has no end mark."""
    if offset < token.end:
        return True
    if token.text.startswith("//"):
        closed = False
    elif token.kind == "comment":
        closed = len(token.text) >= 4 and token.text.endswith("*/")
    else:
        quote = '"""' if token.text.startswith('"""') else '"'
        closed = len(token.text) >= 2 * len(quote) and token.text.endswith(quote)
    return offset == token.end and not closed


def _advance(frames: list[Frame], token: Token, text: str) -> None:
    if token.text in _TOP and (token.start == 0 or text[token.start - 1] in "\r\n"):
        del frames[1:]  # a declaration at the beginning of a line ends whatever was left open
    held = frames[-1].held
    if token.text in ("{", "("):
        header = _header(frames[-1], token.text)
        frames.append(Frame(_kind(frames, header, token.text), token.start, header))
    elif token.text in ("}", ")") and len(frames) > 1:
        closed = frames.pop()
        frames[-1].held.append(Token("group", closed.kind, closed.start, token.end))
    else:
        held.append(token)


def _header(frame: Frame, opener: str) -> tuple[Token, ...]:
    """What introduces a block: the tokens from the nearest word that can; or the path before parentheses."""
    held = frame.held
    if opener == "(":
        at = len(held)
        while at and (held[at - 1].kind == "word" or held[at - 1].text == "."):
            if at < len(held) and held[at].kind == "word" and held[at - 1].kind == "word":
                break
            at -= 1
        return tuple(held[at - 1 if at and _is_word(held[at - 1], "operation") else at :])
    heads = _HEADS.get(frame.kind, {})
    for at in range(len(held) - 1, -1, -1):
        token = held[at]
        if token.kind == "group" and token.text not in ("enumeration", "parameters", "group", "bindings"):
            break
        if token.kind == "word" and token.text in heads and not (at and _names(held[at - 1], heads)):
            return tuple(held[at:])
    return ()


def _kind(frames: list[Frame], header: tuple[Token, ...], opener: str) -> str:
    frame = frames[-1]
    last = frame.held[-1] if frame.held else None
    if opener == "(":
        if header and header[0].text == "operation" and frame.kind in ("contract", "interface"):
            return "parameters"
        called = bool(frame.held[: len(frame.held) - len(header)]) and _is_word(
            frame.held[len(frame.held) - len(header) - 1], "calls"
        )
        return "arguments" if header and (frame.kind == "run" or called) else "group"
    if last is not None and last.text == ":":
        return "enumeration"
    if last is not None and last.text == ".":
        return "names"
    if frame.kind == "run":
        return "run"
    return _HEADS.get(frame.kind, {}).get(header[0].text, "group") if header else "group"


def _names(token: Token, heads: dict[str, str]) -> bool:
    return token.kind == "word" and token.text in _NAMING and token.text in heads


def _is_word(token: Token, text: str) -> bool:
    return token.kind == "word" and token.text == text
