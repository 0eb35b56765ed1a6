"""What is said about expectations that ask the contract itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from lpcl import service
from lpcl.model.promises import CONTROL_WORDS, POOL_WORDS
from lpcl.syntax import _generated

REFERENCE = (Path(__file__).parents[3] / "docs" / "reference" / "language.md").read_text(encoding="utf-8")

LIBRARY = """
import lpcl.core.*
contract other {{ control n: count {{ env OTHER_N  default 5 }} }}
contract shop {{
  uses other = other
  control threads: count in 1..8 {{ env SHOP_THREADS  default 3 }}
  let twice = threads * 2
  pool team {{ size threads  callers fork }}
  operation serve(k: count = 1) {{ runs on team }}
  evidence "it holds" {{ python "report(a=1)"  {clauses} }}
}}
"""


@pytest.mark.parametrize(
    "clauses",
    [
        "expect a == self.threads  expect a == self.twice  expect a == self.other.n",
        'expect a == self.team.size  expect a == self.team.active(3)  expect self.team.fork == "safe"',
        "let k = 2  run { shop.serve(k = k) }  expect a == predicted.threads  expect predicted.hazards == 0",
        "limit threads = 3  expect a == 1  try { limit other.n = 2  expect a == 2 }",
        'expect self.load.ANYTHING == "null"  expect self.demand.memory == 0 B',
        "try { let n = 3  expect a == n }",
    ],
)
def test_what_can_be_asked(tmp_path: Path, clauses: str) -> None:
    assert headlines(tmp_path, clauses) == []


@pytest.mark.parametrize(
    ("clauses", "headline"),
    [
        ("expect a == self.threds", "`shop` has no control, pool or `let` called `threds`"),
        ("expect a == self.team", "`team` is a pool, not a value"),
        ("expect a == self.team.sise", "a pool has no `sise`"),
        ("expect a == self.threads.policy", "a control has no `policy`"),
        ("expect a == self.nobody.n", "`shop` has no `nobody`"),
        ("expect a == self.other.m", "`other` has no control, pool or `let` called `m`"),
        ("expect a == self.team.busy(3)", "a pool has no function `busy`"),
        ("expect a == self.threads.active(3)", "`self.threads.active` is no function: only pools have some"),
        ("expect a == self.team.active()", "`self.team.active` takes 1 argument, here are 0"),
        ("expect a == predicted.threads", "nothing is predicted: the evidence has no `run`"),
        ("run { shop.serve }  expect predicted.thread == 1", "there is no resource `thread`"),
        ("run { shop.sell }  expect predicted.cpu == 1", "`shop` has no operation `sell`"),
        ("run { shops.serve }  expect predicted.cpu == 1", "there is no library `shops` here"),
        ("limit thread = 3  expect a == 1", "there is no control `thread` here"),
        ("limit threads = 9  expect a == 1", "`threads` has to be 1 to 8, but this is 9"),
        ("expect self.threads", "what is expected has to be true or false, but this is a whole number"),
        ('expect self.threads == "3"', "cannot compare a whole number with a text"),
        ('expect self.team.fork == "works"', '`self.team.fork` is never "works"'),
        ('expect a or ("hangs" == self.team.fork)', '`self.team.fork` is never "hangs"'),
        ('expect (a == 1) == (self.team.idle != "spins always")', '`self.team.idle` is never "spins always"'),
        ('expect self.other.n.read == "at load"', '`self.other.n.read` is never "at load"'),
        ('try { expect self.threads.invalid == "clamp" }', '`self.threads.invalid` is never "clamp"'),
        ("let n = 1  let n = 2  expect a == n", None),
        ("try { pin cpus = 1  pin cpus = 2 }  expect a == 1", None),
    ],
)
def test_what_cannot_be_asked(tmp_path: Path, clauses: str, headline: str | None) -> None:
    found = headlines(tmp_path, clauses)
    assert len(found) >= 1
    if headline is not None:
        assert headline in found


EVIDENCE = """contract shop {{
  evidence "it holds" {{
    python {code}
    expect {expected}
  }}
}}
"""


def found(folder: Path, code: str, expected: str = "exit_code == 0") -> list[tuple[str, str, int, int]]:
    """The errors: code, headline, line and column."""
    file = folder / "shop.lpcl"
    file.write_text(EVIDENCE.format(code=code, expected=expected), encoding="utf-8", newline="")
    workspace = service.open_workspace([str(file)])
    text = workspace.texts[workspace.errors[0].location.path] if workspace.errors else ""
    return [
        (
            item.code,
            item.headline,
            text.count("\n", 0, item.location.start) + 1,
            item.location.start - text.rfind("\n", 0, item.location.start),
        )
        for item in workspace.errors
    ]


@pytest.mark.parametrize(
    ("code", "message", "line", "column"),
    [
        ('"report(n=1"', "'(' was never closed", 3, 19),
        ('"""\n      import os\n      report(n=1\n    """', "'(' was never closed", 5, 13),
        ('"""\n\n\n\t\tx = 1\n\t\t  y = 2\n"""', "unexpected indent", 7, 4),
        ('"""x = 1\ny = = 2\n"""', "invalid syntax", 4, 5),
        ('"""\r\n      a = 1\r\n      b = ü?\r\n    """', "invalid character", 5, 0),
        ('"return 1"', "'return' outside function", 3, 13),
        ('"x = \\"a"', "unterminated string literal", 3, 12),
        ('"""\n    def f(:\n"""', "invalid syntax", 4, 11),
    ],
)
def test_code_that_is_no_python(tmp_path: Path, code: str, message: str, line: int, column: int) -> None:
    ((kind, headline, at, where),) = found(tmp_path, code)
    assert kind == "bad-python"
    assert message in headline or column == 0
    assert (at, where if column else 0) == (line, column)


@pytest.mark.parametrize(
    "code",
    [
        '"pass"',
        '""""""',
        '"""\n    # nothing\n    """',
        '"open(chr(92) + chr(100))"',
        '"""\n      import re\n      re.compile("\\d")\n    """',
    ],
)
def test_code_that_is_python(tmp_path: Path, code: str) -> None:
    assert found(tmp_path, code) == []


def test_code_is_parsed_and_not_run(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    assert found(tmp_path, f'"open({str(marker)!r}, chr(119))"') == []
    assert not marker.exists()


@pytest.mark.parametrize(
    ("code", "expected", "names"),
    [
        ("report(n=1)", "m == 1", ["m"]),
        ("report(n=1)", "n == 1 or mm == 1 or mm == 2", ["mm"]),
        ("report(n=1); report(m=1)", "n == m", []),
        ("f = lambda: report(n=1)", "n == 1", []),
        ("report(**{chr(109): 1})", "m == 1", []),
        ("print(report)", "m == 1", []),
        ("exec('report(m=1)')", "m == 1", []),
        ("report = print", "m == 1", []),
        ("pass", "m == 1", ["m"]),
        ("pass", "exit_code == 0 and not timed_out and machine.cpus.online > 0 and python.minor > 0", []),
        ("report(n=1)", "not defined(m) and n == 1", []),
    ],
)
def test_names_that_are_never_reported(tmp_path: Path, code: str, expected: str, names: list[str]) -> None:
    told = [(kind, headline) for kind, headline, _, _ in found(tmp_path, f'"{code}"', expected)]
    assert told == [("unknown-name", f"the code never reports `{name}`") for name in names]


def test_the_python_of_a_signal_is_an_expression(tmp_path: Path) -> None:
    file = tmp_path / "shop.lpcl"
    file.write_text('contract shop {\n  signal s: count = python "n = 3"\n}\n', encoding="utf-8")
    (item,) = service.open_workspace([str(file)]).errors
    assert (item.code, item.headline) == (
        "bad-python",
        "this is no expression of Python: invalid syntax",
    )


def headlines(folder: Path, clauses: str) -> list[str]:
    file = folder / "shop.lpcl"
    file.write_text(LIBRARY.format(clauses=clauses), encoding="utf-8")
    return [item.headline for item in service.open_workspace([str(file)]).errors]


PARTS = [
    *(("self.threads", part, words) for part, words in CONTROL_WORDS.items()),
    *(("self.team", part, words) for part, words in POOL_WORDS.items()),
]


@pytest.mark.parametrize(("holder", "part", "words"), PARTS)
def test_each_word_of_a_clause_can_be_expected(
    tmp_path: Path, holder: str, part: str, words: tuple[str, ...]
) -> None:
    assert (
        headlines(tmp_path, "  ".join(f'expect a == ({holder}.{part} == "{word}")' for word in words)) == []
    )
    assert all(f'`"{word}"`' in REFERENCE for word in words)


@pytest.mark.parametrize(
    ("words", "token"),
    [
        (CONTROL_WORDS["read"], "ReadMoment"),
        (CONTROL_WORDS["invalid"], "InvalidPolicy"),
        (CONTROL_WORDS["scope"], "ScopeReach"),
        (POOL_WORDS["callers"], "CallersPolicyName"),
        (POOL_WORDS["caller"], "CallerRoleName"),
        (POOL_WORDS["threads"], "CouplingKind"),
        (POOL_WORDS["created"], "CreationMoment"),
        (POOL_WORDS["fork"], "ForkEffect"),
        (POOL_WORDS["idle"][:2], "IdleKind"),
    ],
)
def test_they_are_the_words_of_the_grammar(words: tuple[str, ...], token: str) -> None:
    assert sorted(words) == sorted(_generated.TOKENS[token])
