"""What a look at code shows that it reports is what parsing it shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from lpcl.check.python_code import _plainly_reported, _reported
from lpcl.service import open_workspace
from lpcl.syntax import nodes


def test_of_the_standard_library(root: Path) -> None:
    workspace = open_workspace([str(root / "stdlib_contracts")])
    codes = [
        node.code.value
        for file in workspace.files
        for item in file.bare_items()
        for node in item.walk()
        if isinstance(node, nodes.PythonCode)
    ]
    told = 0
    for code in codes:
        reported = _reported(code)
        if reported is not None:
            assert _plainly_reported(code) <= reported
            told += len(_plainly_reported(code))
    assert told > len(codes) / 2


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("report(a=1, b=f(x, c=2), d=[y for y in z])", {"a", "b", "d"}),
        ("if x: report(\n  a=1,\n  b=a == 2)", {"a", "b"}),
        ("report(a=1, b='c', d=2)", {"a", "b", "d"}),
        ("report(a=x['(']['z=2'], b=\"\", c=3)", {"a", "b", "c"}),
        ("report(a='''c=1''', d=2)", {"a"}),
        ("report(a=f'{x}', b=2)", {"a"}),
        ("report(a='\\\\'', b=2, c='d=3')", {"a"}),
        ("# report(a=1)\nother.report(b=1); my_report(c=2)", set()),
        ("def report(a=1): pass", set()),
        ('x = "report(a=1)"', set()),
        ("report(a=1 # b=2\n, c=3)", {"a"}),
    ],
)
def test_what_a_look_shows(code: str, names: set[str]) -> None:
    assert _plainly_reported(code) == names
