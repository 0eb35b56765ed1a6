"""A real editor: Neovim, headless, against the real server."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("nvim_smoke.lua")
NVIM = shutil.which("nvim")

TEXT = """\
contract a {
  control threads: count in 1..64 { env A_THREADS default min(machine.cpus.online, 64) }
  pool workers { size thread callers queue }
  operation go { runs on workers }
}
"""


@pytest.mark.skipif(NVIM is None, reason="nvim is not installed (Debian and Ubuntu: apt-get install neovim)")
def test_neovim_shows_findings_hover_and_completion(tmp_path: Path) -> None:
    file = tmp_path / "a.lpcl"
    file.write_text(TEXT, encoding="utf-8")
    assert NVIM is not None
    run = subprocess.run(
        [NVIM, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", str(SCRIPT)],
        env={
            **os.environ,
            "SMOKE_FILE": str(file),
            "SMOKE_PYTHON": sys.executable,
            "XDG_STATE_HOME": str(tmp_path),
            "XDG_CACHE_HOME": str(tmp_path),
        },
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        timeout=120,
    )
    said = [line.removeprefix("smoke: ") for line in run.stdout.splitlines() if line.startswith("smoke: ")]
    assert said == [
        "finding unknown-name at 3:23",
        "hover on this machine",
        "definition 1",
        "completion several",
        "symbols a",
        "mended",
    ], run.stdout + run.stderr
    assert run.returncode == 0
