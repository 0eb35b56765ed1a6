"""One fault in a good file: it is reported at its place, in words, and spoils no more than its clause."""

from __future__ import annotations

from pathlib import Path

import pytest

from lpcl.syntax import nodes
from lpcl.syntax.lines import Lines
from lpcl.syntax.parser import Parsed, parse
from tests.unit.syntax.seeded import SEEDED

GOOD = (Path(__file__).parent / "data" / "everything.lpcl").read_text(encoding="utf-8")
TREE = parse(GOOD)


def test_the_good_file_is_good() -> None:
    assert TREE.faults == ()
    assert TREE.lost == ()


def shown(text: str, parsed: Parsed) -> list[tuple[str, str]]:
    """The faults as line, column and headline."""
    lines = Lines(text)
    places = [lines.position(fault.span.start) for fault in parsed.faults]
    return [
        (f"{line + 1}:{column + 1}", fault.headline)
        for (line, column), fault in zip(places, parsed.faults, strict=True)
    ]


def title(item: nodes.Node) -> tuple[str, str]:
    name = getattr(item, "name", None) or getattr(item, "title", None)
    return type(item).__name__, getattr(name, "text", "") or getattr(item, "path", "")


def members(item: nodes.Node) -> tuple[nodes.Node, ...]:
    for name in ("members", "clauses", "facts"):
        if hasattr(item, name):
            return tuple(getattr(item, name))
    return ()


@pytest.mark.parametrize(("old", "new", "place", "headline"), SEEDED)
def test_a_seeded_fault(old: str, new: str, place: str, headline: str) -> None:
    assert GOOD.count(old) == 1
    text = GOOD.replace(old, new)
    parsed = parse(text)
    assert shown(text, parsed)[0] == (place, headline)
    assert len(parsed.faults) <= 2, shown(text, parsed)
    for fault in parsed.faults:
        assert all("(?" not in phrase and phrase.strip() for phrase in fault.expected)

    touched = GOOD[: GOOD.index(old)].count("\n"), GOOD[: GOOD.index(old) + len(old)].count("\n")
    lines = Lines(GOOD)
    for item in TREE.file.items:
        begin, end = lines.line(item.span.start), lines.line(item.span.end)
        if end < touched[0] or begin > touched[1]:
            assert item in parsed.file.items, f"{title(item)} is lost, and is not where the fault is"
        else:
            kept = [other for other in parsed.file.items if title(other) == title(item)]
            for other in kept:
                lost = [member for member in members(item) if member not in members(other)]
                assert len(lost) <= 1, [type(member).__name__ for member in lost]


@pytest.mark.parametrize(
    ("changes", "places"),
    [
        (
            [("callers  queue", "calers  queue"), ("32 MiB * th", "32 MiC * th"), ("run {\n", "run\n")],
            ["60:5", "78:22", "138:6"],
        ),
        (
            [("sharing  space", "sharing"), ("gpus = 8", "gpus 8"), ("else \"no CPU", "\"no CPU")],
            ["13:10", "22:7", "83:68"],
        ),
        (
            [("nested\n  }", "nested\n"), ("scope   process", "scope"), ("expect clean", "expect cleen")],
            ["53:10", "66:11", "164:10"],
        ),
        (
            [("env     OPENBLAS", "env     ,OPENBLAS"), ("api     \"", "api     "), ("d clamps", "d")],
            ["46:13", "47:13", "52:12"],
        ),
        (
            [("limit openmp.threads =", "limit openmp.threads"), ("amdahl 0.95", "0.95"), ("er waits", "er")],
            ["94:25", "95:19", "102:13"],
        ),
    ],
)  # fmt: skip
def test_three_faults_are_three(changes: list[tuple[str, str]], places: list[str]) -> None:
    text = GOOD
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    assert [place for place, _ in shown(text, parse(text))] == places


@pytest.mark.parametrize(
    ("clauses", "headlines"),
    [
        ("runs onn p  demnad memory = 4", ["expected `on`, found `onn`", "`demnad`: did you mean `demand`?"]),
        ("runs onn p  demand memory 4", ["expected `on`, found `onn`", "`=` is missing after `memory`"]),
        ("demnad memory = 4  rns on p", ["`demnad`: did you mean `demand`?", "`rns`: did you mean `runs`?"]),
        ("demand memory = 3 3  demnad cpu = 1", ["unexpected `3`", "`demnad`: did you mean `demand`?"]),
        (
            "demand memory = 4 MiC  calls a.b(n = )",
            ["`MiC` is not a unit", "expected an expression, found `)`"],
        ),
        ("demand = 4  let x 4", ["expected a name, found `=`", "`=` is missing after `x`"]),
        (
            "demand memory 4  runs onn p  lte x = 2",
            ["`=` is missing after `memory`", "expected `on`, found `onn`", "`lte`: did you mean `let`?"],
        ),
        ("demand memory = 4 oh no runs  let y = 3", ["`oh` is not a unit"]),
    ],
)
def test_each_broken_clause_of_a_line_is_told(clauses: str, headlines: list[str]) -> None:
    told = [fault.headline for fault in parse(f"contract c {{\n  operation o {{ {clauses} }}\n}}\n").faults]
    assert len(told) == len(headlines), told
    for headline, part in zip(told, headlines, strict=True):
        assert part in headline
    assert [
        fault.headline for fault in parse(f"contract c {{ operation o {{\n {clauses}\n }}}}\n").faults
    ] == told


HEADED = [
    item
    for item in TREE.file.items
    if isinstance(item, nodes.Resource | nodes.Interface | nodes.Contract)
    and GOOD[item.span.start : item.span.end].count("\n") > 1
]


@pytest.mark.parametrize("item", HEADED, ids=lambda item: item.name.text)
def test_a_missing_first_line_is_missed_once(item: nodes.Resource | nodes.Interface | nodes.Contract) -> None:
    brace = GOOD.index("{\n", item.name.span.end)
    text = GOOD[: item.span.start] + GOOD[brace + 2 :]
    parsed = parse(text)
    (fault,) = parsed.faults
    first = GOOD[brace + 1 :].split()[0]
    assert fault.headline.startswith(f"`{first}` is not a declaration: it belongs in ")
    assert fault.span.start == text.index(first, item.span.start)
    others = [other for other in TREE.file.items if other is not item]
    assert [title(other) for other in parsed.file.items] == [title(other) for other in others]


@pytest.mark.parametrize(
    "rest",
    [
        '  library { pypi "x" }\n  @since("1")\n  control n: count { env N }\n  demand memory = 4 MiB\n}\n',
        "  control n: count { env N  default 4 }\n  demand memory = 4 MiB\n}\n",
        '  run {\n    a.b\n  }\n  command "python x.py"\n}\n',
        "  check a\n  expect clean\n}\n",
    ],
)
@pytest.mark.parametrize("behind", ["", "contract d {\n}\n", '@since("2")\ncontract d {\n}\n'])
def test_clauses_alone_are_told_once(rest: str, behind: str) -> None:
    parsed = parse("package p\n\n" + rest + behind)
    (fault,) = parsed.faults
    assert fault.headline.startswith(f"`{rest.split()[0]}` is not a declaration: it belongs in ")
    assert len(parsed.file.items) == (2 if behind else 1)


def test_a_broken_clause_leaves_its_siblings() -> None:
    parsed = parse("contract c {\n  let a = 1\n  let b = * 2\n  let c = 3\n}\n")
    (contract,) = parsed.file.items
    assert isinstance(contract, nodes.Contract)
    assert [member.name.text for member in contract.members if isinstance(member, nodes.Let)] == ["a", "c"]
    assert [(lost.rule, lost.name) for lost in parsed.lost] == [("Let", "b")]


def test_a_broken_statement_leaves_its_siblings() -> None:
    parsed = parse("application a {\n run {\n  x.a\n  x.b(n = ) { x.c }\n  x.d\n }\n}\n")
    (application,) = parsed.file.items
    assert isinstance(application, nodes.Application)
    (run,) = application.members
    assert isinstance(run, nodes.Run)
    found = [
        statement.operation.path
        for statement in run.block.statements
        if isinstance(statement, nodes.Invocation)
    ]
    assert found == ["x.a", "x.b", "x.d"] or found == ["x.a", "x.d"]
    assert len(parsed.faults) == 1


def test_what_a_broken_header_would_have_declared_is_known() -> None:
    parsed = parse("contract c {\n control threads: cnt_of { default 4 }\n let b = threads\n}\n")
    assert [(lost.rule, lost.name) for lost in parsed.lost] == [("Control", "threads")]
    assert len(parsed.faults) == 1


def test_a_brace_that_is_missing_is_missed_where_it_is_missing() -> None:
    text = "contract c {\n  pool p {\n    size 4\n\n  demand memory = 3\n}\n\ncontract d {\n}\n"
    parsed = parse(text)
    (fault,) = parsed.faults
    assert fault.kind == "unclosed"
    assert fault.span.start == text.index("4") + 1
    ((place, _),) = fault.related
    assert place.start == text.index("{", text.index("pool"))
    assert [title(item) for item in parsed.file.items] == [("Contract", "c"), ("Contract", "d")]
    assert len(members(parsed.file.items[0])) == 2


def test_a_truncated_file_misses_its_braces_once() -> None:
    parsed = parse("contract c {\n  operation o {\n    workers threads 2 {\n      caller waits\n")
    (fault,) = parsed.faults
    assert fault.kind == "unclosed"
    assert len(fault.related) == 3


def test_layout_is_free_where_braces_match() -> None:
    parsed = parse("contract c {\npool p {\nsize = 4\n}\n      }\n  contract d\n{ let x 3 }")
    told = [fault.headline for fault in parsed.faults]
    assert told == ["unexpected `=`: `size` has none: write `size 4`", "`=` is missing after `x`"]


@pytest.mark.parametrize(
    ("text", "headline"),
    [
        ("\0", "unexpected character U+0000"),
        ("contract\u00a0a {}", "unexpected character U+00A0 (no-break space)"),
        ("contract a {} ;", "unexpected `;`: clauses need no `;` between them"),
        ("contract a { let x = “a” }", 'unexpected `“`: texts stand in straight quotes: "text"'),
        ("/* never closed", "this comment is not closed"),
        ('package "a"', 'unexpected "a": a name stands without quotes: `a`'),
        ("contract", "expected a name after `contract`"),
        ("conract a {}", "unexpected `conract`: did you mean `contract`?"),
        ("contract a { let x = a < b < c }",
         "comparisons do not chain: write `a < b and b < c` for `a < b < c`"),
        ("contract a { let x = " + "1" * 401 + " }", "a number can have at most 400 characters"),
        ("contract a { let x = " + "(" * 101 + "1" + ")" * 101 + " }", "nested more than 100 levels deep"),
        ("contract a { let x = " + "-" * 101 + "1 }", "nested more than 100 levels deep"),
        ("contract a { let x = 1" + " + 1" * 300 + " }",
         "200 operators or more in a row: give parts of it names with `let`"),
        ("contract a { let x = " + "(" * 3 + "1" + (" + 1" * 99 + ")") * 3 + " }",
         "an expression of more than 200 levels"),
        ("application a { run " + "{" * 101 + "}" * 101 + " }", "nested more than 100 levels deep"),
        ("package a\n" + "}" * 3, "this `}` closes nothing"),
    ],
)  # fmt: skip
def test_headlines(text: str, headline: str) -> None:
    assert parse(text).faults[0].headline == headline


@pytest.mark.parametrize("depth", [1, 50, 99])
def test_what_is_not_too_deep_is_right(depth: int) -> None:
    value = "(" * depth + "1" + ")" * depth
    block = "{ " * depth + "} " * depth
    assert parse(f"contract a {{ let x = {value} }}\napplication b {{ run {block} }}").faults == ()


def test_kinds() -> None:
    texts = {
        "unexpected": "contract 3",
        "unclosed": "contract a {",
        "unterminated": 'package a\ncontract a { control a: bool { api "x } }',
        "number": "contract a { let x = " + "1" * 500 + "}",
        "nesting": "contract a { let x = " + "(" * 500 + "}",
    }
    for kind, text in texts.items():
        assert parse(text).faults[0].kind == kind


def test_a_text_that_swallows_the_next_is_found_out() -> None:
    text = (
        'contract a {\n  evidence "x" {\n    python """\n      import a\n    expect n == 1\n  }\n'
        '  evidence "y" {\n    python """\n      import b\n    """\n    expect n == 2\n  }\n}\n'
    )
    parsed = parse(text)
    (fault,) = parsed.faults
    assert (fault.kind, fault.span.start) == ("unterminated", text.index('"""'))
    assert len(members(parsed.file.items[0])) == 2


def test_a_text_may_end_behind_its_last_word() -> None:
    text = (
        'contract a {\n  evidence "x" {\n    python """\n      x = y"""\n    expect n == 1\n    let = 3\n'
        '  }\n  evidence "y" {\n    python """\n      b()\n    """\n    expect n == 2\n  }\n}\n'
    )
    parsed = parse(text)
    assert [(fault.kind, fault.span.start) for fault in parsed.faults] == [("unexpected", text.index("= 3"))]
    first, second = members(parsed.file.items[0])
    assert len(first.clauses) == len(second.clauses) == 2


WORDS = (
    'operation o { hazard "h" fails when true }',
    "pool p { callers strangely }",
    "pool p { caller sleeps }",
    "pool p { threads lonely }",
    "pool p { fork fatal }",
    "control c: int { env C  read at midnight }",
    "control c: int { env C  invalid shouts }",
    "operation o { workers fibers 2 }",
)


@pytest.mark.parametrize("clause", WORDS)
def test_a_word_that_is_none_of_a_few_is_told_with_those(clause: str) -> None:
    (fault,) = parse(f"contract k {{ {clause} }}\n").faults
    assert fault.headline.startswith(("unexpected `", "expected ", "`")), fault
    told = fault.expected or fault.headline.startswith("expected ")
    assert told, fault


def test_no_more_than_a_thousand_faults_are_looked_for() -> None:
    parsed = parse(
        "contract a {\n" + "  let x = = 1\n" * 2000 + "}\ncontract b {\n let x = = 2 }\ncontract c {}\n"
    )
    assert len(parsed.faults) == 1001
    assert "too many" in parsed.faults[-1].headline
    assert [title(item) for item in parsed.file.items] == [("Contract", "a"), ("Contract", "c")]


@pytest.mark.parametrize(
    ("text", "headline"),
    [
        ("contract c {\n  size 4\n}", "`size` is not a clause of a contract: it belongs in a pool"),
        (
            "contract c {\n  env N\n  operation go\n}",
            "`env` is not a clause of a contract: it belongs in an application, in a test or in a control",
        ),
        (
            'contract c {\n  pool p {\n    size 4\n    assume 1 > 2 else "x"\n  }\n}',
            "`assume` is not a clause of a pool: it belongs in a contract or in an operation",
        ),
        (
            'application a {\n  evidence "e" { expect n == 1 }\n  run { x.go }\n}',
            "`evidence` is not a clause of an application: it belongs in a contract",
        ),
        (
            "contract c {\n  operation go\n  together { x.a x.b }\n}",
            "`together` is not a clause of a contract: it belongs in `run`",
        ),
    ],
)
def test_a_clause_elsewhere_is_told_where_it_belongs(text: str, headline: str) -> None:
    assert [fault.headline for fault in parse(text).faults] == [headline]
