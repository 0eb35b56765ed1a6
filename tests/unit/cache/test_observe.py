"""What is told of distributions without `importlib.metadata` is what that tells."""

from __future__ import annotations

import importlib
import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import pytest

from lpcl.cache import observe
from tests.unit.cache.running import install


def entries() -> list[tuple[str, str, str]]:
    """The entry points of our group as the standard library tells them."""
    found = metadata.entry_points(group=observe.GROUP)
    return sorted(
        (entry.value, entry.name, f"{entry.dist.name} {entry.dist.version}") for entry in found if entry.dist
    )


def version(name: str) -> str | None:
    """A version as the standard library tells it."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def test_everything_that_is_installed_here() -> None:
    assert observe.offers("") == entries()
    names = {item.metadata["Name"] for item in metadata.distributions()}
    assert len(names) > 10
    for name in names:
        assert observe.version(name) == version(name)
        assert observe.version(name.upper().replace("-", "_")) == version(name)
        folders = observe.package_folders(name)
        spec = find_spec(name) if name.isidentifier() else None
        assert folders == list(spec.submodule_search_locations or () if spec else ())


@pytest.mark.parametrize(
    "name", ["plain", "With.Dots", "with-dashes", "with__many", "a-_.b", "nothing", "", "x y"]
)
def test_names_are_compared_in_their_normal_form(site: Path, name: str) -> None:
    for known, number in (("plain", "1"), ("with_dots", "2"), ("With_Dashes", "3"), ("with_many", "4")):
        install(site, known, number)
    about = install(site, "a_b", "5")
    (about / "METADATA").write_text("metadata-version: 2.1\nNAME:   a.b  \nversion: 5.0\n\nVersion: body\n")
    importlib.invalidate_caches()
    assert observe.version(name) == (version(name) if name else None)
    assert observe.offers("") == entries()


@pytest.mark.parametrize(
    "text",
    [
        "[lpcl.contracts]\na = one\n",
        "[other]\nb = two\n\n# a remark\n[lpcl.contracts]\n  a  =  one.inner : thing \n#b = two\nc=three\n",
        "[lpcl.contracts]\r\na = one\r\n[next]\r\nb = two\r\n",
        "[lpcl.contracts.more]\na = one\n",
        "lpcl.contracts\n",
        "",
    ],
)
def test_entry_points_are_read_as_they_are(site: Path, text: str) -> None:
    (install(site, "one", "1") / "entry_points.txt").write_bytes(text.encode())
    importlib.invalidate_caches()
    assert observe.offers("") == entries()


def test_the_first_on_the_path_counts(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(site, "one", "1.0")
    second = tmp_path / "second"
    install(second, "One", "2.0")
    install(second, "two", "2.0")
    for folders in ([second, site], [site, second], [site / "nowhere", second]):
        monkeypatch.setattr(sys, "path", [*map(str, folders), *sys.path])
        importlib.invalidate_caches()
        assert observe.offers("") == entries()
        assert (observe.version("one"), observe.version("two")) == (version("one"), version("two"))


def test_older_kinds_of_metadata(site: Path) -> None:
    (site / "old-1.0-py3.9.egg-info").write_text("Metadata-Version: 1.0\nName: old\nVersion: 1.0\n")
    folder = site / "older.egg-info"
    folder.mkdir()
    (folder / "PKG-INFO").write_text("Metadata-Version: 1.0\nName: older\nVersion: 0.5\n")
    (folder / "entry_points.txt").write_text("[lpcl.contracts]\na = older\n")
    importlib.invalidate_caches()
    assert (observe.version("old"), observe.version("older")) == ("1.0", "0.5")
    assert ("older", "a", "older 0.5") in entries()
    assert observe.offers("") == entries()


@pytest.mark.parametrize("kind", ["archive", "egg"])
def test_what_only_the_standard_library_knows_is_left_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    place = tmp_path / ("one.zip" if kind == "archive" else "one-1.0.egg")
    place.write_bytes(b"") if kind == "archive" else place.mkdir()
    monkeypatch.setattr(sys, "path", [*sys.path, str(place)])
    for question in (observe.offers, observe.version):
        with pytest.raises(observe.Unobservable):
            list(question("one") or ())
