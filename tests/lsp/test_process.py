"""The beginning and the end of the server's process."""

from __future__ import annotations

import subprocess
import sys

import lpcl

COMMAND = [sys.executable, "-m", "lsp_server"]


def test_it_says_its_version() -> None:
    run = subprocess.run([*COMMAND, "--version"], capture_output=True, text=True)
    assert run.stdout == f"lpcl-lsp {lpcl.__version__}\n"


def test_it_ends_with_its_editor() -> None:
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(20)
    finally:
        process.kill()


def test_standard_output_is_for_the_protocol_alone() -> None:
    run = subprocess.run([*COMMAND, "--stdio", "--log", "debug"], input=b"", capture_output=True, timeout=20)
    assert run.stdout == b""
