"""`make bench`: every performance figure, as ratios measured side by side in one run."""

from __future__ import annotations

from tests.bench import composing, editing, parsing, starting


def main() -> None:
    """Run them all."""
    for bench in (parsing, editing, starting, composing):
        print(f"== {bench.__name__.rpartition('.')[2]}: {(bench.__doc__ or '').splitlines()[0]}")
        bench.main()


if __name__ == "__main__":
    main()
