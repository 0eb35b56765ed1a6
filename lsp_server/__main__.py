"""`lpcl-lsp`: the language server on standard input and output."""

from __future__ import annotations

import argparse
import logging
import sys

import lpcl


def main() -> None:
    """Serve one editor until it says goodbye."""
    parser = argparse.ArgumentParser(
        prog="lpcl-lsp",
        description="The LPCL language server. Editors start it; it speaks the Language Server Protocol "
        "on standard input and output.",
    )
    parser.add_argument("--version", action="version", version=f"lpcl-lsp {lpcl.__version__}")
    parser.add_argument("--stdio", action="store_true", help="accepted for editors that pass it; always on")
    parser.add_argument(
        "--log", choices=("error", "info", "debug"), default="error", help="what to log to standard error"
    )
    arguments = parser.parse_args()
    logging.basicConfig(level=arguments.log.upper(), stream=sys.stderr)

    from lsp_server.server import create

    create().start_io()


if __name__ == "__main__":
    main()
