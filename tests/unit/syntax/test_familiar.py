"""What people write who know other languages: each is told as it is said here, and read as it was meant."""

from __future__ import annotations

import pytest

from lpcl.syntax.familiar import WORDS
from lpcl.syntax.parser import Parsed, parse


def told(text: str) -> list[str]:
    """The headlines of the faults of a text."""
    return [fault.headline for fault in parse(text).faults]


def same(wrong: Parsed, right: Parsed) -> bool:
    """Whether a text with a fault was read as the right one, wherever it stands."""
    assert right.faults == ()
    return _plain(wrong.file) == _plain(right.file)


def _plain(node: object) -> object:
    if isinstance(node, tuple):
        return tuple(map(_plain, node))
    names = getattr(type(node), "__match_args__", None) or getattr(type(node), "__slots__", ())
    if not names or isinstance(node, str):
        return node
    return type(node).__name__, *(
        (name, _plain(getattr(node, name))) for name in names if not name.endswith("span")
    )


CONTRACT, CONTROL = "contract c {{ {} }}", "contract c {{ control n: count {{ {} }} }}"
POOL = "contract c {{ pool p {{ {} }} }}"
APPLICATION, OPERATION = "application a {{ {} }}", "contract c {{ operation go {{ {} }} }}"

CLAUSES = [
    (POOL, "size", "threads"),
    (POOL, "size", "max(1, n)"),
    (POOL, "callers", "queue"),
    (POOL, "caller", "joins"),
    (POOL, "idle", "blocks"),
    (POOL, "fork", "unsafe"),
    (CONTROL, "default", "min(machine.cpus, 4)"),
    (CONTROL, "env", "A, B"),
    (CONTROL, "api", '"set_n"'),
    (CONTROL, "read", "at load"),
    (CONTROL, "invalid", "clamps"),
    (CONTROL, "scope", "thread"),
    (CONTRACT, "assume", 'machine.cpus >= 1 else "none"'),
    (OPERATION, "runs on", "p"),
    (APPLICATION, "command", '"python x.py"'),
    (APPLICATION, "measure", "time"),
    (APPLICATION, "machine", "host"),
    ("resource r: count {{ {} sharing time exceed fails }}", "capacity", "4"),
]


@pytest.mark.parametrize("mark", ["=", ":"])
@pytest.mark.parametrize(("frame", "word", "value"), CLAUSES)
def test_no_mark_stands_behind_the_word_of_a_clause(frame: str, word: str, value: str, mark: str) -> None:
    for space in (" ", ""):
        text = frame.format(f"{word}{space}{mark} {value} ")
        assert told(text) == [f"unexpected `{mark}`: `{word}` has none: write `{word} {value}`"]
        assert same(parse(text), parse(frame.format(f"{word} {value} ")))


@pytest.mark.parametrize("value", ["4", "min(machine.cpus, 4)"])
def test_a_default_behind_the_type_of_a_control(value: str) -> None:
    headline = f"unexpected `=`: a control has its default in braces: `default {value}`"
    for text in (
        f"contract c {{\n  control n: count = {value} {{\n    env N\n  }}\n  operation go\n}}",
        f"contract c {{\n  control n: count = {value}\n  operation go\n}}",
        f"contract c {{\n  control n: count in 1..4 = {value}\n  operation go\n}}",
        f"application a {{\n  control n: count = {value}\n  run {{ x.go }}\n}}",
    ):
        assert told(text) == [headline]
        assert len(parse(text).file.items[0].members) == 2  # type: ignore[union-attr]


RANGES = [
    (CONTRACT, "control n: count in {} {{ default 4 }}", "1", "64"),
    (CONTRACT, "control n: real in {} {{ default 4 }}", "0.5", "1.5"),
    (CONTRACT, "control n: bytes in {} {{ default 4 }}", "1 MiB", "4 GiB"),
    (CONTRACT, "demand memory in {} when n > 2", "1 MiB", "4 GiB"),
    ("machine m {{ {} }}", "cpus.online in {}", "1", "64"),
    (CONTRACT, "operation go(n: count in {} = 2)", "1", "64"),
]


@pytest.mark.parametrize("mark", ["-", " - ", " to ", "...", "..=", "–"])
@pytest.mark.parametrize(("frame", "clause", "low", "high"), RANGES)
def test_ranges_of_other_languages(frame: str, clause: str, low: str, high: str, mark: str) -> None:
    text = frame.format(clause.format(f"{low}{mark}{high}"))
    assert told(text) == [f"unexpected `{mark.strip()}`: ranges are written `{low}..{high}`"]
    assert same(parse(text), parse(frame.format(clause.format(f"{low}..{high}"))))


NAMED = [
    "package {}",
    "import a.{}",
    "import {}.b",
    "contract {} {{ operation go }}",
    "contract c extends {} {{ operation go }}",
    "interface {} {{ operation go }}",
    "application {} {{ run {{ x.go }} }}",
    "application a {{ use {} run {{ x.go }} }}",
    "application a {{ env {} = 4 run {{ x.go }} }}",
    "contract c {{ pool {} {{ size 4 }} }}",
    "contract c {{ control {}: count {{ default 4 }} }}",
    "contract c {{ control n: count {{ env {} }} }}",
    "contract c {{ operation {} {{ runs on p }} }}",
    "contract c {{ operation go {{ runs on {} }} }}",
    "contract c {{ let {} = 4 }}",
]


@pytest.mark.parametrize("frame", NAMED)
def test_names_have_no_dashes(frame: str) -> None:
    for name in ("my-name", "a-b-c", "MY-NAME"):
        right = name.replace("-", "_")
        text = frame.format(name)
        (fault,) = parse(text).faults
        assert fault.headline == f"unexpected `-`: names have none: write `{right}`"
        assert (text[fault.span.start : fault.span.end], fault.suggestion) == (name, right)
        assert same(parse(text), parse(frame.format(right)))


def test_several_names_with_dashes_in_one_clause() -> None:
    text = "application a { use my-one, my-two run { my-one.go } }"
    assert told(text) == ["unexpected `-`: names have none: write `my_one`"] * 2


def test_a_difference_is_one() -> None:
    assert told("contract c { let a = b-c  pool p { size n-1 } }") == []


@pytest.mark.parametrize("frame", [frame for frame in NAMED if "env {} =" not in frame])
def test_names_stand_without_quotes(frame: str) -> None:
    frame = frame.replace("a.{}", "{}").replace("{}.b", "{}")
    text = frame.format('"name"')
    (fault,) = parse(text).faults
    assert fault.headline == 'unexpected "name": a name stands without quotes: `name`'
    assert same(parse(text), parse(frame.format("name")))


@pytest.mark.parametrize(
    ("frame", "version"),
    [
        ("application a {{ use x {} run {{ x.go }} }}", "1.0"),
        ("application a {{ use x {}, y run {{ x.go }} }}", "1.0.3"),
        ("application a {{ use x {} run {{ x.go }} }}", "2"),
        ('contract c {{ library {{ pypi "x" {} }} }}', ">=1.22"),
        ('contract c {{ library {{ pypi "x" {} }} }}', ">=1.22,<2"),
        ('contract c {{ library {{ pypi "x" {}  file "y" }} }}', "==1.2.*"),
        ("@since({}) contract c {{ }}", "1.4"),
    ],
)
def test_versions_stand_in_quotes(frame: str, version: str) -> None:
    text = frame.format(version)
    (headline,) = told(text)
    assert headline.endswith(f'a version stands in quotes: `"{version}"`')
    assert same(parse(text), parse(frame.format(f'"{version}"')))


@pytest.mark.parametrize(
    "frame",
    [
        "contract c {{ let x = {} }}",
        "contract c {{\n  let x = {}\n  let y = 1\n}}",
        CONTROL.replace("{}", "default {}"),
        POOL.replace("{}", "size {}  callers fork"),
        "contract c {{ demand memory = {} }}",
    ],
)
@pytest.mark.parametrize("value", ["4 if n > 2 else 1", "n > 2 ? 4 : 1", "n * 2 if n > 2 else 1"])
def test_conditions_of_other_languages(frame: str, value: str) -> None:
    (headline,) = told(frame.format(value))
    first = value.partition(" if")[0] if " if" in value else "4"
    mark = "if" if " if" in value else "?"
    wanted = f"unexpected `{mark}`: a condition comes first: write `if n > 2 then {first} else 1`"
    assert headline == wanted


def test_a_clause_has_a_when() -> None:
    for clause in ("demand memory = 4 MiB if n > 2", 'hazard "x" hangs if n > 2'):
        assert told(f"contract c {{ {clause} }}") == ["unexpected `if`: did you mean `when`?"]


@pytest.mark.parametrize(("word", "meant"), [(word, item[0]) for word, item in WORDS.items()])
def test_words_of_other_languages(word: str, meant: str) -> None:
    frames = {
        "operation": "contract c {{ {} go(n: count) {{ demand cpu = n }} }}",
        "contract": "{} c {{ operation go }}",
        "interface": "{} c {{ operation go }}",
        "let": "contract c {{ {} x = 3 }}",
        "control": "contract c {{ {} n: count {{ default 4 }} }}",
        "package": "{} a.b\n",
        "import": "{} a.b\n",
        "pool": "contract c {{ {} p {{ size 4 }} }}",
        "application": "{} a {{ run {{ x.go }} }}",
        "assume": 'contract c {{ {} machine.cpus > 2 else "few" }}',
        "env": "application a {{ {} N = 4 run {{ x.go }} }}",
        "set": "contract c {{ on load {{ {} N = 4 }} }}",
    }
    text = frames[meant].format(word)
    assert told(text) == [f"unexpected `{word}`: did you mean `{meant}`?"]
    assert same(parse(text), parse(frames[meant].format(meant)))


@pytest.mark.parametrize("word", ["set", "export", "setenv", "environment"])
@pytest.mark.parametrize(
    ("frame", "clause"),
    [
        ("application a {{ use x  {} run {{ x.go }} }}", "N = 4"),
        ("application a {{\n  use x\n  {}\n  run {{ x.go }}\n}}", 'N = "some text"'),
        ('test "t" {{ check a  {} expect clean }}', "N = 4"),
        ("contract c {{ control n: count {{ {} default 4 }} }}", "N"),
    ],
)
def test_a_variable_is_set_with_env_where_a_program_starts(frame: str, clause: str, word: str) -> None:
    (fault,) = parse(frame.format(f"{word} {clause} ")).faults
    assert fault.headline == f"unexpected `{word}`: did you mean `env`?"
    assert fault.expected == ("`env NAME = VALUE`" if "=" in clause else "`env NAME`",)
    assert same(parse(frame.format(f"{word} {clause} ")), parse(frame.format(f"env {clause} ")))


@pytest.mark.parametrize("word", ["env", "export"])
@pytest.mark.parametrize(
    "frame",
    [
        "contract c {{ on load {{ {} N = 4 }} }}",
        "contract c {{ operation go {{ workers processes 3 {{ start fork  {} N = 4 }} }} }}",
        'contract c {{ evidence "e" {{ {} N = 4 python """x""" expect x == 4 }} }}',
        'contract c {{ evidence "e" {{ python """x""" expect x == 4 try {{ {} N = 4 }} }} }}',
    ],
)
def test_a_variable_is_set_with_set_by_a_library_and_an_experiment(frame: str, word: str) -> None:
    (fault,) = parse(frame.format(word)).faults
    assert fault.headline == f"unexpected `{word}`: did you mean `set`?"
    assert fault.expected == ("`set NAME = VALUE`",)
    assert same(parse(frame.format(word)), parse(frame.format("set")))
