"""No input makes the parser raise or hang, and what it gives is sound. Long runs: see `main`."""

from __future__ import annotations

import argparse
import itertools
import random
import re
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from lpcl.syntax import nodes
from lpcl.syntax.parser import Parsed, parse, parse_bytes
from lpcl.syntax.reading import Reading
from lpcl.syntax.way import Source, Way

DATA = Path(__file__).parents[1] / "unit" / "syntax" / "data"
CORPUS = [path.read_text(encoding="utf-8") for path in sorted(DATA.glob("*.lpcl"))]
PIECES = [piece for text in CORPUS for piece in re.findall(r'"""(?s:.*?)"""|"[^"\n]*"|\w+|\s+|//.*|.', text)]
ODD = [
    *"{}()[]@=,.:;'\"\\/*-+<>!%#$&|~^?`",
    '"""', "/*", "*/", "//", "///", "..", "==", "\0", "\ufeff", "\r", "\n", "\r\n", "\u2028", "\x0c", "\x85",
    "é", "名", "٣", "\U0001f600", "64 MiC", "contract", "}\n}", "{ {", "if", "not", "-", "1" * 401,
    "x" * 2000,
]  # fmt: skip


NESTING = [
    ("(", ")"), ("-", ""), ("not ", ""), ("f(", ")"), ("if a then ", " else b"), ("if ", " then 1 else 2"),
    ("1 + ", ""), ("1 * (2 + ", ")"), ("-(", ")"),
]  # fmt: skip


def random_bytes(rng: random.Random) -> bytes:
    return rng.randbytes(rng.randrange(400))


def random_pieces(rng: random.Random) -> bytes:
    return "".join(rng.choice(PIECES + ODD) for _ in range(rng.randrange(150))).encode()


def mutated(rng: random.Random) -> bytes:
    parts = re.findall(r"\w+|\s+|.", excerpt(rng))
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        if not parts:
            break
        at = rng.randrange(len(parts))
        kind = rng.randrange(6)
        if kind == 0:
            del parts[at]
        elif kind == 1:
            parts.insert(at, rng.choice(ODD))
        elif kind == 2:
            parts[at] = rng.choice(PIECES)
        elif kind == 3:
            other = rng.randrange(len(parts))
            parts[at], parts[other] = parts[other], parts[at]
        elif kind == 4:
            parts[at : at + rng.randrange(1, 12)] = []
        else:
            word = parts[at]
            cut = rng.randrange(len(word) + 1)
            parts[at] = word[:cut] + rng.choice("abcdefxyz") + word[cut + rng.randrange(2) :]
    return "".join(parts).encode("utf-8", "surrogatepass")


def excerpt(rng: random.Random) -> str:
    """One declaration of the corpus, or a few, or a file."""
    text = rng.choice(CORPUS)
    if rng.random() < 0.3:
        return text
    starts = [m.start() for m in re.finditer(r"^(?=\w|@|///)", text, re.MULTILINE)]
    begin = rng.randrange(len(starts))
    end = min(begin + rng.randrange(1, 4), len(starts))
    return text[starts[begin] : starts[end] if end < len(starts) else len(text)]


def truncated(rng: random.Random) -> bytes:
    data = excerpt(rng).encode()
    begin = rng.randrange(len(data)) if rng.random() < 0.3 else 0
    return data[begin : rng.randrange(len(data) + 1)]


def flipped(rng: random.Random) -> bytes:
    data = bytearray(excerpt(rng).encode())
    for _ in range(rng.randrange(1, 6)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def shuffled_lines(rng: random.Random) -> bytes:
    lines = excerpt(rng).splitlines(keepends=True)
    for _ in range(rng.randrange(1, 4)):
        a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
        kind = rng.randrange(3)
        if kind == 0:
            lines[a], lines[b] = lines[b], lines[a]
        elif kind == 1:
            lines[a] = ""
        else:
            lines.insert(a, lines[b])
    return "".join(lines).encode()


def line_ends(rng: random.Random) -> bytes:
    ends = rng.choice([["\r\n"], ["\r"], ["\r\n", "\r", "\n"]])
    text = re.sub("\n", lambda _: rng.choice(ends), mutated(rng).decode("utf-8", "replace"))
    return (rng.choice(["", "\ufeff"]) + text).encode()


def nested(rng: random.Random) -> bytes:
    depth = rng.choice([90, 99, 100, 101, 102, 300, 3000])
    opening, closing = rng.choice(NESTING)
    missing = rng.choice([0, 0, 1, 5])
    value = opening * depth + "x" + closing * (depth - missing if closing else 0)
    block = rng.choice(["{ ", "a.b { ", "together { ", "limit a = 1 { ", "x(a = 1) { "])
    if rng.random() < 0.5:
        return f"contract c {{\n demand memory = {value}\n let y = 2\n}}\n".encode()
    return f"application a {{\n run {{ {block * depth} b.c {'} ' * (depth - missing)} }}\n}}\n".encode()


KINDS: list[Callable[[random.Random], bytes]] = [
    random_bytes, random_pieces, mutated, mutated, mutated, mutated, truncated, flipped, shuffled_lines,
    line_ends, nested,
]  # fmt: skip


def never(reading: Reading) -> int:
    raise AssertionError(f"stuck at {reading.offset}")


Reading.stuck = never  # type: ignore[method-assign]


def check(data: bytes) -> Parsed:
    """Parse `data` and see to it that the outcome is sound."""
    started = time.process_time()
    text, parsed = parse_bytes(data)
    taken = time.process_time() - started
    assert taken < 1 + len(data) / 50_000, f"{taken:.1f} s for {len(data)} bytes"
    places = [fault.span for fault in parsed.faults]
    assert places == sorted(places, key=lambda span: (span.start, span.end))
    for span in places:
        assert 0 <= span.start <= span.end <= len(text)
    for fault in parsed.faults:
        assert fault.headline
        assert "\n" not in fault.headline
    assert len({(fault.span, fault.headline) for fault in parsed.faults}) == len(parsed.faults)
    contained(parsed.file, len(text))
    return parsed


def contained(file: nodes.File, length: int) -> None:
    stack: list[nodes.Node] = [file]
    while stack:
        node = stack.pop()
        assert 0 <= node.span.start <= node.span.end <= length
        for child in node.children():
            assert node.span.start <= child.span.start, (node, child)
            assert child.span.end <= node.span.end, (node, child)
            stack.append(child)


@pytest.mark.parametrize("kind", KINDS[:3] + KINDS[6:], ids=lambda kind: kind.__name__)
def test_any_bytes_give_a_sound_outcome(kind: Callable[[random.Random], bytes]) -> None:
    rng = random.Random(kind.__name__)
    for _ in range(60):
        check(kind(rng))


@pytest.mark.parametrize(
    "piece",
    [
        "(", "{", "}", '"', '"""', "/*", "//", "\0", "-", "not ", "a ", "a.", "1", "1 ", "@a", "@a(",
        "contract ",
        "contract a {\n", "contract a {}\n", "application a { run { b {\n", "test \"x\" {\n expect\n", "\r",
        "é",
        "/* */", "/* ", "/* \n@\n", "contract a { /* \n", "/// a\n\n", "application a { run { b\n",
        "control a: count {", "demnad ", "use a, ", "if ", "f(", "\"\\", "import a.{b, ",
    ],
)  # fmt: skip
def test_long_repetitions_take_time_in_proportion(piece: str) -> None:
    check((piece * (60_000 // len(piece))).encode())


@pytest.mark.parametrize("inside", ["contract c {\n%s\n}\n", "contract c { demand memory = %s\n}\n"])
@pytest.mark.parametrize(
    "piece", ["(", "{", '"', "-", "demnad x = 3\n", "demand x = 3 foo\n", "1 + ", "f(", "x ", "}"]
)
def test_long_repetitions_inside_take_time_in_proportion(inside: str, piece: str) -> None:
    check((inside % (piece * (30_000 // len(piece)))).encode())


@pytest.mark.parametrize("kind", [random_pieces, mutated, line_ends])
def test_tokens_that_are_passed_over_at_once_are_plain(kind: Callable[[random.Random], bytes]) -> None:
    rng = random.Random(f"plain {kind.__name__}")
    for _ in range(60):
        text = kind(rng).decode("utf-8", "replace")
        way = Way(Source(text + "\n\0", len(text), {}), 0, len(text), None)
        every, marking = list(way.tokens(0, len(text))), list(way.marking(0, len(text)))
        assert every[-1:] == marking[-1:]
        left = iter(every)
        passed = [other for found in marking for other in itertools.takewhile(found.__ne__, left)]
        assert len(passed) + len(marking) == len(every)
        assert all(each.kind in ("word", "number", "mark", "other") for each in passed)
        assert not {each.text for each in passed} & {"{", "}", ".{"}


@pytest.mark.parametrize(
    ("piece", "headline"),
    [("+1", "200 operators or more in a row"), (" * (1", "nested more than 100 levels"), (", f", "expected")],
)
def test_huge_expressions_take_memory_in_proportion(piece: str, headline: str) -> None:
    text = f"contract c {{\n  let x = f(1{piece * (80_000 // len(piece))}\n}}\n"
    tracemalloc.start()
    try:
        parsed = parse(text)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert headline in parsed.faults[0].headline
    assert most < 400 * len(text)


def test_faults_are_the_same_each_time() -> None:
    rng = random.Random(7)
    for _ in range(60):
        text = mutated(rng).decode("utf-8", "replace")
        assert parse(text) == parse(text)


def main() -> None:
    """`python -m tests.property.test_syntax_fuzz COUNT [SEED]` tries that many inputs."""
    options = argparse.ArgumentParser()
    options.add_argument("count", type=int)
    options.add_argument("seed", type=int, nargs="?", default=0)
    arguments = options.parse_args()
    slowest = 0.0
    for number in range(arguments.count):
        seed = f"{arguments.seed}/{number}"
        rng = random.Random(seed)
        data = rng.choice(KINDS)(rng)
        started = time.process_time()
        try:
            check(data)
        except BaseException:
            print(f"seed {seed}, {len(data)} bytes: {data[:300]!r}")
            raise
        slowest = max(slowest, time.process_time() - started)
    print(f"{arguments.count} inputs, the slowest in {slowest * 1000:.0f} ms")


if __name__ == "__main__":
    main()
