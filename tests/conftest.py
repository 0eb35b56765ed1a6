"""What all tests share."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# The suite tries the same examples every time; LPCL_EXAMPLES=N asks for N new ones of each property.
settings.register_profile("suite", derandomize="LPCL_EXAMPLES" not in os.environ, deadline=None)
settings.load_profile("suite")

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--update-golden`, which writes golden files instead of comparing with them."""
    parser.addoption(
        "--update-golden", action="store_true", help="write golden files instead of comparing with them"
    )


@pytest.fixture(scope="session", autouse=True)
def _cache_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what commands find away from the cache of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LPCL_CACHE_DIR", str(tmp_path_factory.mktemp("lpcl-cache")))
        yield


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return ROOT


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compare a text with a golden file; with `--update-golden`, write the file."""
    update = request.config.getoption("--update-golden")

    def compare(path: Path, found: str) -> None:
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(found, encoding="utf-8")
            return
        expected = path.read_text(encoding="utf-8") if path.exists() else ""
        if found != expected:
            shown = path.relative_to(ROOT)
            difference = "\n".join(
                difflib.unified_diff(
                    expected.splitlines(), found.splitlines(), str(shown), "found", lineterm=""
                )
            )
            pytest.fail(f"{shown} differs (pytest --update-golden writes it):\n{difference}", pytrace=False)

    return compare
