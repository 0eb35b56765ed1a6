"""What people write who know other languages, and how it is said here.

Each kind is a change that is tried like any other: it counts where the clause is right with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lpcl.syntax import _generated
from lpcl.syntax.faults import Fault
from lpcl.syntax.span import Span
from lpcl.syntax.tokens import Token
from lpcl.syntax.trial import Edit

Change = tuple[Edit, Fault]

WORDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("func", "function", "def", "fn", "fun", "proc", "procedure", "method"), ("operation",)),
    **dict.fromkeys(("class", "struct"), ("contract",)),
    **dict.fromkeys(("trait", "protocol"), ("interface",)),
    **dict.fromkeys(("const", "val", "var"), ("let",)),
    **dict.fromkeys(("param", "parameter", "option", "knob", "setting"), ("control",)),
    **dict.fromkeys(("module", "namespace"), ("package",)),
    **dict.fromkeys(("from", "include", "require", "requires", "using"), ("import", "use", "uses")),
    **dict.fromkeys(("executor", "threadpool"), ("pool",)),
    **dict.fromkeys(("app", "program", "main"), ("application", "run")),
    **dict.fromkeys(("assert", "ensure"), ("assume", "expect")),
    **dict.fromkeys(("set", "setenv", "export", "environ", "environment"), ("env", "set")),
    "env": ("set",),
}
"""Words of other languages and of other blocks, with what may be meant, whichever a block knows first."""

_SHAPES = {
    ("env", "ApplicationMember"): "`env NAME = VALUE`",
    ("env", "TestClause"): "`env NAME = VALUE`",
    ("env", "ControlClause"): "`env NAME`",
    **{
        ("set", block): "`set NAME = VALUE`"
        for block in ("WorkerClause", "LoadClause", "EvidenceClause", "TryClause")
    },
}

_KEYWORDS = frozenset(key.partition(":")[2] for key in _generated.EXPECTED if key.startswith("word:"))
_NAMED = ("token:Word", "token:Path")


def meant(word: str, known: Iterator[str] | tuple[str, ...] | list[str]) -> str | None:
    """The word of a block that a word of another language stands for."""
    words = set(known)
    return next((item for item in WORDS.get(word.lower(), ()) if item in words), None)


def shape(meant: str, element: str) -> str | None:
    """How the clause of a block that was meant is written, if that is worth saying."""
    return _SHAPES.get((meant, element))


def changes(
    text: str,
    stop: int,
    rule: str,
    found: Token,
    tokens: tuple[Token, ...],
    keys: tuple[str, ...],
    head: bool,
) -> Iterator[Change]:
    """What may be meant where a clause fails at `found`, behind `tokens`; it reaches to `stop`."""
    yield from _range(text, stop, found, tokens, keys)
    if found.start >= stop:
        return
    yield from _default_in_the_header(text, stop, rule, found, head)
    yield from _no_mark_behind_the_word(text, stop, found, tokens)
    yield from _dashed_name(text, stop, found, tokens, keys)
    yield from _conditional(text, stop, found, tokens)
    if found.text == "if" and "word:when" in keys:
        headline = "unexpected `if`: did you mean `when`?"
        yield Edit(found.start, found.end, "when"), _fault(found.start, found.end, headline, "when")
    yield from _unquoted(text, stop, found, keys)
    yield from _quoted_name(found, keys)


def _fault(start: int, end: int, headline: str, suggestion: str | None = None) -> Fault:
    return Fault("unexpected", Span(start, end), headline, (), suggestion)


_LINE = re.compile(r"[^\r\n]*")


def _rest(text: str, start: int, stop: int) -> str:
    """The rest of a line that a clause takes up, without a comment."""
    found = _LINE.match(text, start, max(start, stop))
    return found[0].partition("//")[0] if found is not None else ""


def _short(words: str) -> str:
    """Some text as a sentence can bear it."""
    shown = " ".join(words.split())
    return shown if len(shown) <= 40 else "..."


def _default_in_the_header(text: str, stop: int, rule: str, found: Token, head: bool) -> Iterator[Change]:
    if found.text != "=" or rule not in ("Control", "ContractMember", "InterfaceMember", "ApplicationMember"):
        return
    if not head and not re.match(r"\s*control\b", text[text.rfind("\n", 0, found.start) + 1 : found.start]):
        return
    value = _short(_rest(text, found.end, stop))
    fault = _fault(
        found.start, found.end, f"unexpected `=`: a control has its default in braces: `default {value}`"
    )
    if head:
        yield Edit(found.start, stop, " "), fault
    else:
        end = found.end + len(text[found.end : stop].rstrip())
        yield Edit(found.start, end, f"{{ default {text[found.end : end]} }}"), fault


def _no_mark_behind_the_word(
    text: str, stop: int, found: Token, tokens: tuple[Token, ...]
) -> Iterator[Change]:
    before = tokens[-1] if tokens else None
    if found.text not in ("=", ":") or before is None or before.text not in _KEYWORDS:
        return
    words = " ".join(token.text for token in tokens)
    if not all(token.kind == "word" and token.text in _KEYWORDS for token in tokens):
        words = before.text
    value = re.split(r"\s{2,}|[{}]", _rest(text, found.end, stop).strip())[0] or "..."
    headline = f"unexpected `{found.text}`: `{words}` has none: write `{words} {_short(value)}`"
    yield Edit(found.start, found.end, ""), _fault(found.start, found.end, headline)


_DASHED = re.compile(r"[^\W\d]\w*(?:-\w+)+")


def _dashed_name(
    text: str, stop: int, found: Token, tokens: tuple[Token, ...], keys: tuple[str, ...]
) -> Iterator[Change]:
    before = tokens[-1] if tokens else None
    if found.text != "-" or before is None or before.kind != "word" or before.end != found.start:
        return
    name = _DASHED.match(text, before.start, stop)
    if name is None or "token:BinaryOperator" in keys:
        return
    right = name[0].replace("-", "_")
    fault = _fault(name.start(), name.end(), f"unexpected `-`: names have none: write `{right}`", right)
    yield Edit(name.start(), name.end(), right), fault
    rest = _rest(
        text, name.start(), stop
    )  # there may be more of them, which are told when this one is mended
    yield Edit(name.start(), name.start() + len(rest), _DASHED.sub(_underscored, rest)), fault


def _underscored(name: re.Match[str]) -> str:
    return name[0].replace("-", "_")


_ENDS = frozenset({"=", "(", ",", ":", "{", ".."})


def _conditional(text: str, stop: int, found: Token, tokens: tuple[Token, ...]) -> Iterator[Change]:
    """`a if c else b`, and `c ? a : b`."""
    if found.text not in ("if", "?") or not tokens:
        return
    start = found.start
    for token in reversed(tokens):
        if token.text in _ENDS or token.text in _KEYWORDS:
            break
        start = token.start
    first = " ".join(text[start : found.start].split())
    mark = r"\belse\b" if found.text == "if" else ":"
    parts = re.split(mark, _rest(text, found.end, stop), maxsplit=1)
    if not first or len(parts) != 2:
        return
    middle, last = (part.strip() for part in parts)
    condition, then = (middle, first) if found.text == "if" else (first, middle)
    last = re.split(r"\s{2,}|[})]", last)[0].strip()
    way = f"if {condition} then {then} else {last}"
    way = way if last and len(way) < 60 else "if c then a else b"
    headline = f"unexpected `{found.text}`: a condition comes first: write `{way}`"
    rest = _rest(text, found.start, stop)
    for end in (len(rest), *(match.start() for match in re.finditer(r"[})]|\s{2,}", rest))):
        yield Edit(found.start, found.start + end, " "), _fault(found.start, found.end, headline)


_TO = ("to", "-", "–", "—", "…", ":", "until", "through")


def _range(
    text: str, stop: int, found: Token, tokens: tuple[Token, ...], keys: tuple[str, ...]
) -> Iterator[Change]:
    before = tokens[-1] if tokens else None
    if before is not None and before.text == ".." and found.text in (".", "="):
        yield Edit(found.start, found.end, ""), _range_fault(text, stop, before.start, found.end, tokens)
    if "mark:.." not in keys:
        return
    if found.text in _TO:
        yield (
            Edit(found.start, found.end, " .. "),
            _range_fault(text, stop, found.start, found.end, tokens),
        )
        return
    dash = next((token for token in reversed(tokens) if token.text == "-"), None)
    if dash is not None and dash is not before:
        yield Edit(dash.start, dash.end, " .. "), _range_fault(text, stop, dash.start, dash.end, tokens)


def _range_fault(text: str, stop: int, start: int, end: int, tokens: tuple[Token, ...]) -> Fault:
    """That a range has two points, with the range that was meant where it is short."""
    opened = next(
        (token.end for token in reversed(tokens) if token.text == "in" and token.end <= start), start
    )
    low = text[opened:start].strip()
    high = re.compile(r"\s*([\w.]+(?:\s+(?!when\b)[A-Za-z]\w*)?)").match(text, end, stop)
    short = low and high is not None and len(low) + len(high[1]) < 30
    way = f"{low}..{high[1]}" if short and high is not None else "1..64"
    return _fault(start, end, f"unexpected `{text[start:end]}`: ranges are written `{way}`")


_VERSION = re.compile(r"(?:[<>=!~]=?\s*)?\d[\w.*]*(?:\s*,\s*[<>=!~]=?\s*\d[\w.*]*)*")


def _unquoted(text: str, stop: int, found: Token, keys: tuple[str, ...]) -> Iterator[Change]:
    if "token:StringToken" not in keys or found.kind == "word":
        return
    version = _VERSION.match(text, found.start, stop)
    if version is None:
        return
    headline = f'unexpected `{found.text}`: a version stands in quotes: `"{version[0]}"`'
    yield Edit(version.start(), version.end(), f'"{version[0]}"'), _fault(*version.span(), headline)


_NAME = re.compile(r'"([^\W\d][\w.]*(?:-\w+)*)"')


def _quoted_name(found: Token, keys: tuple[str, ...]) -> Iterator[Change]:
    if found.kind != "text" or not any(key in keys for key in _NAMED):
        return
    name = _NAME.fullmatch(found.text)
    if name is None:
        return
    right = name[1].replace("-", "_")
    headline = f"unexpected {found.text}: a name stands without quotes: `{right}`"
    yield Edit(found.start, found.end, right), _fault(found.start, found.end, headline, right)
