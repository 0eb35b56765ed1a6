"""Where `lpclc` and `python -m lpcl` begin: a known outcome is told before anything else is loaded."""

from __future__ import annotations

import gc
import os
import sys

from lpcl.cache.outcomes import known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> NoReturn:
    """Run the command line."""
    try:
        _run(sys.argv[1:])
    except KeyboardInterrupt:
        print("\nAborted!", file=sys.stderr)
        raise SystemExit(1) from None


def _run(arguments: list[str]) -> NoReturn:
    found = known(arguments)
    if found is not None:
        _tell(*found)
    gc.set_threshold(200_000)  # trees are large and have no circles
    from lpcl.cli import main as run

    try:
        run()
    except SystemExit as ended:
        if arguments[:1] == ["check"] and isinstance(ended.code, int):
            leave(ended.code)
        raise


def _tell(text: bytes, status: int) -> NoReturn:
    try:
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # The reader of our output has gone, as `| head` does: nothing more to say, and nothing to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
    raise SystemExit(status)


def leave(status: int) -> NoReturn:
    """End the process without taking its trees apart, which would take a tenth of the time of a check."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        raise SystemExit(status) from None  # Python says what is wrong with the streams
    os._exit(status)


if __name__ == "__main__":
    main()
