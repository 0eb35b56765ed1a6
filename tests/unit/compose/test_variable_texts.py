"""What of a variable's text is a control's value, and what invalid ones become."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from lpcl.cli import cli

LIBRARY = """package example

contract lib {{
  control threads: count in 1..8 {{ env LIB_THREADS, OTHER_THREADS  {form}  {policy}  default 7 }}
  pool team {{ size threads  callers submit }}
  operation region {{ runs on team }}
}}

application app {{
  machine {{ cpus.online = 16 }}
  use lib
  env LIB_THREADS = {value}
  {more}
  run {{ lib.region }}
}}

test "it is so" {{ check app  expect value lib.threads = {expected} }}
"""


@pytest.mark.parametrize(
    ("form", "policy", "value", "expected"),
    [
        # the whole text
        ("", "", '"3"', 3),
        ("", "", '"3x"', 7),
        ("", "", '"4,2"', 7),
        # the digits at its beginning, as atoi
        ("text digits", "", '"3x"', 3),
        ("text digits", "", '" 3"', 3),
        ("text digits", "", '"+3"', 3),
        ("text digits", "", '"4,2"', 4),
        ("text digits", "", '"1.9"', 1),
        ("text digits", "", "3", 3),
        ("text digits", "", '"x3"', 7),
        ("text digits", "invalid clamps", '"x3"', 1),
        ("text digits", "invalid clamps", '"-2"', 1),
        # items of a list
        ("text first item", "", '"4,2"', 4),
        ("text first item", "", '"4 , 2"', 4),
        ("text first  item", "", '"4"', 4),
        ("text first item", "", "4", 4),
        ("text first item", "", '"4,x"', 7),
        ("text first item", "", '"4,"', 7),
        ("text first item", "", '"0,4"', 7),
        ("text second item", "", '"4,2"', 2),
        ("text second item", "", '"4,2,3"', 2),
        ("text second item", "", '"4,x"', 7),
        ("text second item", "", '"4"', 7),
        ("text second item", "", "4", 7),
        # below the range as if not set, above it the upper bound
        ("", "invalid clamps above", "0", 7),
        ("", "invalid clamps  above", "-3", 7),
        ("", "invalid clamps above", "20", 8),
        ("", "invalid clamps above", '"x"', 7),
        ("text digits", "invalid clamps above", '"20x"', 8),
        ("text digits", "invalid clamps above", '"x"', 7),
    ],
)
def test_values(tmp_path: Path, form: str, policy: str, value: str, expected: int) -> None:
    assert passes(tmp_path, form=form, policy=policy, value=value, more="", expected=expected)
    other = expected % 8 + 1
    assert not passes(tmp_path, form=form, policy=policy, value=value, more="", expected=other)


def test_what_does_not_count_leaves_it_to_the_next_variable(tmp_path: Path) -> None:
    for value, expected in (("0", 5), ("20", 8), ('"x"', 5)):
        assert passes(
            tmp_path,
            form="text digits",
            policy="invalid clamps above",
            value=value,
            more="env OTHER_THREADS = 5",
            expected=expected,
        )


def passes(folder: Path, **parts: object) -> bool:
    """Whether the language's own test of it passes."""
    path = folder / "lib.lpcl"
    path.write_text(LIBRARY.format(**parts), encoding="utf-8")
    outcome = CliRunner().invoke(cli, ["test", str(path)])
    assert outcome.exit_code in (0, 1), outcome.output
    return outcome.exit_code == 0


TEXTS = """package example

contract lib {{
  control mode: string {{ env LIB_MODE  default "" }}
  control threads: count in 1..8 {{ default if mode == "{mode}" then 3 else 1 }}
  pool team {{ size threads  callers submit }}
  operation region {{ runs on team }}
}}

application app {{
  machine {{ cpus.online = 16 }}
  use lib
  env LIB_MODE = {value}
  run {{ lib.region }}
}}

test "it is so" {{ check app  expect value lib.threads = 3 }}
"""


@pytest.mark.parametrize(
    ("value", "mode"),
    [
        ('"0"', "0"),
        ("0", "0"),
        ('"1.50"', "1.50"),
        ("1.5", "1.5"),
        ('"true"', "true"),
        ("true", "true"),
        ('"x"', "x"),
    ],
)
def test_a_text_is_a_text_though_it_looks_like_a_number(value: str, mode: str, tmp_path: Path) -> None:
    (tmp_path / "app.lpcl").write_text(TEXTS.format(value=value, mode=mode), encoding="utf-8")
    result = CliRunner().invoke(cli, ["test", str(tmp_path)])
    assert result.exit_code == 0, result.output
