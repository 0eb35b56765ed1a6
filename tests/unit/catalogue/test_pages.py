"""The catalogue: what a reader finds on a page, and that nothing in a contract can break it."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lpcl.catalogue.markup import element, link, markdown, page
from lpcl.catalogue.pages import file_names
from lpcl.cli import cli

SHOP = """package shops

import lpcl.core.*

/// A shop & its <clerks>. Second sentence with [a page](https://example.org/x) and <b>markup</b>.
@source("The <manual>", "https://example.org/manual?a=1&b=2")
@source("A trap", "javascript:alert(1)")
@measured("shop 1.2")
contract shop {
  library { pypi "shop" ">=1"  file "libshop*.so" }
  /// How many.
  control clerks: count in 1..8 {
    api "shop.set_clerks"
    env SHOP_CLERKS, ALL_CLERKS
    default machine.cpus.affinity
    read at load
    invalid clamps
  }
  pool floor { size clerks  callers fork  caller joins  idle spins for 200 ms  fork unsafe }
  operation sell(n: count = 1) { workers processes n { set default ALL_CLERKS = 1 }  demand memory = 1 MiB }
  on load { set SHOP_OPEN = "yes" }
  demand memory = 3 MiB
  hazard "two <shops> at once" aborts when clerks > 7
  signal queue: count = threadpool("shop").num_threads
  evidence "the variables" for clerks {
    needs "shop"
    python "report(n=1)"
    expect n == self.clerks
    try { set SHOP_CLERKS = 2  set ALL_CLERKS = 3 }
  }
}
contract shop_old { library { pypi "shop" "<1" } }
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text('[tool.lpcl]\ncontracts = ["contracts"]\n')
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts" / "shops.lpcl").write_text(SHOP, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments), catch_exceptions=False)


class Reader(HTMLParser):
    """Checks that elements close as they open, and gathers texts, links and tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.texts: list[str] = []
        self.feed(text.replace("<wbr>", ""))
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        if tag not in ("meta", "br", "hr", "rect"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def test_a_page_for_each_library_and_an_index(project: Path) -> None:
    result = run("doc", "-o", "pages")
    assert (result.exit_code, result.stderr) == (0, "")
    folder = project / "pages"
    index = Reader((folder / "index.html").read_text(encoding="utf-8"))
    assert {"shop.html", "openblas.html", "joblib.html"} <= set(index.links)
    assert all((folder / name).is_file() for name in index.links)
    for file in folder.glob("*.html"):
        read = Reader(file.read_text(encoding="utf-8"))
        assert not read.tags & {"script", "iframe", "img", "link", "object"}, file.name
        outside = [one for one in read.links if not one.startswith(("https://", "http://", "#"))]
        assert all((folder / one).is_file() for one in outside), file.name


def test_what_a_reader_finds(project: Path) -> None:
    run("doc", "shop", "-o", "pages")
    source = (project / "pages" / "shop.html").read_text(encoding="utf-8")
    page_of_shop = Reader(source)
    for expected in (
        "A shop & its <clerks>.",
        "shop.set_clerks",
        "SHOP_CLERKS",
        "the affinity mask counts, a CPU quota does not",
        "moved to the nearest bound",
        "each caller gets a team of its own",
        "they spin, each keeping a CPU busy, for 200 ms ; then they sleep",
        "when the library is loaded, so a later change has no effect",
        "a forked child that uses it hangs or ends",
        "starts n processes for the block",
        "sets ALL_CLERKS to 1 , unless it is set already",
        'sets SHOP_OPEN to "yes" , whatever it was',
        "two <shops> at once",
        "memory held: 3 MiB",
        "the variables",
        "The <manual>",
        "measured with shop 1.2",
    ):
        assert expected in page_of_shop.text, expected
    order = [source.index(name) for name in ("shop.set_clerks", "SHOP_CLERKS", "ALL_CLERKS")]
    assert order == sorted(order)
    assert "https://example.org/manual?a=1&b=2" in page_of_shop.links
    assert not any(one.startswith("javascript") for one in page_of_shop.links)
    assert "b" not in page_of_shop.tags


def test_earlier_pages_go_other_files_stay(project: Path) -> None:
    run("doc", "shop", "samtools", "-o", "pages")
    folder = project / "pages"
    (folder / "notes.html").write_text("mine")
    (project / "contracts" / "shops.lpcl").unlink()
    run("doc", "samtools", "-o", "pages")
    assert not (folder / "shop.html").exists()
    assert (folder / "notes.html").read_text() == "mine"


def test_broken_files_are_named_and_left_out(project: Path) -> None:
    (project / "contracts" / "broken.lpcl").write_text(
        "package broken\ncontract half { pool", encoding="utf-8"
    )
    result = run("doc", "samtools", "-o", "pages")
    assert result.exit_code == 0
    assert "broken.half is left out: its file has errors" in result.stderr
    assert not (project / "pages" / "half.html").exists()


def test_the_same_in_the_terminal(project: Path) -> None:  # noqa: ARG001
    result = run("show", "shop")
    assert result.exit_code == 0
    for expected in (
        "1. shop.set_clerks",
        "2. SHOP_CLERKS",
        "else `machine.cpus.affinity`",
        "two <shops> at once",
    ):
        assert expected in result.output
    document = json.loads(run("show", "shops.shop", "--format", "json").output)
    (one,) = document["contracts"]
    assert [way["name"] for way in one["controls"][0]["ways"]] == [
        "shop.set_clerks",
        "SHOP_CLERKS",
        "ALL_CLERKS",
    ]
    assert one["coverage"]["clauses"] > one["coverage"]["covered"] > 0


def test_names_of_nothing(project: Path) -> None:  # noqa: ARG001
    result = run("show", "shopp")
    assert result.exit_code == 2
    assert "there is no contract of 'shopp'. Did you mean 'shop'" in result.output


def test_records_show_when_it_was_tried(project: Path) -> None:
    (project / "contracts" / "shops.lpcl").write_text(SHOP.replace('needs "shop"\n', "\n"), encoding="utf-8")
    own = """package own
      contract mine {
        control n: count { env MINE_N  default 1 }
        evidence "it is one" for n { python "report(n=1)" expect n == self.n }
      }"""
    (project / "contracts" / "own.lpcl").write_text(own, encoding="utf-8")
    tried = run("verify", "mine", "--record", "tried.json")
    assert tried.exit_code == 0, tried.output
    assert "proved 20" in " ".join(run("show", "mine", "--record", "tried.json").output.split())
    (record,) = json.loads((project / "tried.json").read_text())["records"].values()
    assert (record["title"], record["outcome"], record["proves"]) == ("it is one", "proved", ["n.default"])
    (project / "contracts" / "own.lpcl").write_text(own.replace("n=1", "n=2"), encoding="utf-8")
    assert "proved 20" not in " ".join(run("show", "mine", "--record", "tried.json").output.split())


def test_a_file_that_is_no_record(project: Path) -> None:
    (project / "tried.json").write_text("{}")
    result = run("show", "shop", "--record", "tried.json")
    assert result.exit_code == 2
    assert "this is no file of records" in result.output


@pytest.mark.parametrize("text", ["<script>x</script>", "a & b", '"quoted"', "<!--"])
def test_text_is_escaped(text: str) -> None:
    made = Reader(
        page("t", element("p", text, title=text), markdown(text), link("https://x.org/" + text, text))
    )
    assert "script" not in made.tags
    assert text in made.text


def test_file_names_are_plain_and_differ() -> None:
    assert file_names(["a", "A", "../x", "index", "ü"]) == {
        "a": "a.html",
        "A": "a-2.html",
        "../x": "x.html",
        "index": "index-2.html",
        "ü": "contract.html",
    }


def test_every_row_says_what_it_rests_on(tmp_path: Path) -> None:
    from lpcl.catalogue.pages import library_page
    from lpcl.catalogue.sheets import sheets
    from lpcl.model.contracts import contract as flatten
    from lpcl.verify.records import Record, key_of
    from lpcl.verify.selection import select

    file = tmp_path / "own.lpcl"
    file.write_text(
        """package own
import lpcl.core.*

@source("The manual", "https://example.org/manual")
contract mine {
  control n: count in 1..9 { env MINE_N, MINE_OLD_N  default 1  read at each call }
  @measured("mine 2.0")
  control m: count { default 1 }
  operation work {
    workers processes n { start spawn  set e = 1  set B = 1  set default C = 1 }
  }
  demand memory = 4 KiB
  evidence "it is one" for n { python "report(n=1)"  expect n == self.n }
}
""",
        encoding="utf-8",
    )
    (chosen,) = select([str(file)]).chosen
    (declared,) = (item for item in chosen.contracts if item.name == "mine")
    program = chosen.workspace.program
    (clause,) = flatten(program, declared).evidence
    record = Record("own.mine", "it is one", "proved", "2026-11-29", ("mine 2.0",), ("n.default",))
    (sheet,) = sheets(program, [declared], {key_of("own.mine", clause): record})
    assert sheet.held["n"].proved == ("n.default",)
    assert {"env MINE_N", "env MINE_N before MINE_OLD_N", "range from", "range to", "read"} <= set(
        sheet.held["n"].left
    )
    (work,) = sheet.operations
    assert work.does[0].inner == ("start spawn", "set e, B = 1", "set default C = 1")
    text = library_page([sheet])
    assert "of 7 facts on 2026-11-29 with mine 2.0; not tried: <code>MINE_N</code>" in text
    assert "measured with mine 2.0" in text
    assert text.count('with the whole contract: <a href="https://example.org/manual"') == 2, (
        "the operation and the demand have none of their own"
    )
