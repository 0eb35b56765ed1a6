"""Numbers that programs print about themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from lpcl.tune.metric import find_metric, metric_in_logs


@pytest.mark.parametrize(
    ("pattern", "text", "value"),
    [
        ("images/s: {}", "images/s: 12.5\n", 12.5),
        ("images/s: {}", "images/s: 1\nimages/s:   2\n", 2.0),
        ("images/s: {}", "images/s: 1\nimages/s: n/a\n", 1.0),
        ("images/s: {}", "images/s: 1,234.5", 1234.5),
        ("images/s: {}", "images/s: 1e-3", 0.001),
        ("images/s:{}", "images/s:  .5", 0.5),
        ("{} img/s", "at 7 img/s now", 7.0),
        ("took {} s in all", "took\t-3  s in all", -3.0),
        ("a.b {}", "axb 1", None),
        ("(x {})", "(x 4)", 4.0),
        ("x {}", "", None),
        ("x {}", "x inf", None),
    ],
)
def test_the_last_match_counts(pattern: str, text: str, value: float | None) -> None:
    assert find_metric(pattern, text) == value


def test_output_comes_before_errors(tmp_path: Path) -> None:
    out, err = tmp_path / "out", tmp_path / "err"
    err.write_bytes(b"\xff x 2")
    assert metric_in_logs("x {}", out, err) == 2.0
    out.write_text("x 1")
    assert metric_in_logs("x {}", out, err) == 1.0
    assert metric_in_logs("y {}", out, err) is None
