"""The pages of the standard library, as somebody reads them who has never seen the language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

from lpcl import service
from lpcl.catalogue.markup import breakable, element
from lpcl.catalogue.minute import answers
from lpcl.catalogue.pages import INDEX, pages
from lpcl.catalogue.phrases import DEMANDS
from lpcl.catalogue.prose import INVALID, about, sentences, stressed
from lpcl.catalogue.sheets import CORE, Sheet, sheets
from lpcl.catalogue.terms import meanings, terms
from lpcl.catalogue.words import clause
from lpcl.model.machine import DERIVED, FACTS
from lpcl.model.measurements import MEASUREMENTS
from lpcl.verify.coverage import coverage
from lpcl.verify.records import read

STDLIB = Path(__file__).parents[3] / "stdlib_contracts"


@pytest.fixture(scope="module")
def found() -> Sequence[Sheet]:
    program, contracts, broken = service.contracts_to_read()
    assert not broken
    ours = [item for item in contracts if str(item.file.path).find("stdlib_contracts") >= 0]
    assert len({item.name for item in ours}) >= 60
    return sheets(program, ours, read(STDLIB / "verified.json"))


@pytest.fixture(scope="module")
def written(found: Sequence[Sheet]) -> Mapping[str, str]:
    return pages(found)


class Rows(HTMLParser):
    """The facts of a page: rows, list items and operations of its sections, and which have a basis."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.section = ""
        self.facts: list[tuple[str, str]] = []
        self.based: set[int] = set()
        self.over: set[int] = set()
        self._heading = False
        self._open: list[tuple[str, int | None]] = []
        self.feed(text.replace("<wbr>", ""))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        classes = (values.get("class") or "").split()
        if tag in ("h2", "h3"):
            self._heading, self.section = True, ""
        fact = None
        inside = any(one is not None for _, one in self._open)
        kept = self.section in WITH_SOURCES and not inside
        if kept and (tag == "tr" or "operation" in classes or tag == "li"):
            fact = len(self.facts)
            self.facts.append((self.section, ""))
            if "over" in classes:
                self.over.add(fact)
        if "basis" in classes:
            around = [one for _, one in self._open if one is not None]
            self.based.update(around or [len(self.facts) - 1])
        if tag not in ("meta", "br", "rect"):
            self._open.append((tag, fact))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Of no interest: only pictures have such tags."""

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()
        self._heading = self._heading and tag not in ("h2", "h3")

    def handle_data(self, data: str) -> None:
        if self._heading:
            self.section += data
        for _, fact in self._open:
            if fact is not None:
                section, text = self.facts[fact]
                self.facts[fact] = (section, f"{text} {data}".strip())


WITH_SOURCES = {
    "What sets it, and what comes first",
    "Its threads",
    "What can be done with it, and what multiplies",
    "What loading it does",
    "What it holds",
    "What goes wrong",
    "What shows it",
}


def without_a_source(text: str) -> Iterator[tuple[str, str]]:
    """Facts of a page that neither say what they rest on nor have it in the row under them."""
    rows = Rows(text)
    for number, (section, said) in enumerate(rows.facts):
        heading = said.startswith(("Control Set by", "Pool Threads at work", "Value How it is computed"))
        places = {number, number + 1} if number in rows.over else {number}
        if not heading and not places & rows.based:
            yield section, said


def test_every_fact_of_every_page_says_what_it_rests_on(written: Mapping[str, str]) -> None:
    number = 0
    for file, text in written.items():
        if file != INDEX:
            number += len(Rows(text).facts)
            assert list(without_a_source(text)) == [], file
    assert number > 500


def test_a_fact_without_a_source_is_seen() -> None:
    table = "<h2>What it holds</h2><ul><li>memory<div class='basis'>x</div></li><li>files</li></ul>"
    assert list(without_a_source(table)) == [("What it holds", "files")]
    below = "<tr><td><div class='basis'>x</div></td></tr>"
    rows = f"<h2>Its threads</h2><table><tr class='over'><td>a</td></tr>{below}</table>"
    assert list(without_a_source(rows)) == []
    rows = f"<h2>Its threads</h2><table><tr><td>a</td></tr>{below}</table>"
    assert list(without_a_source(rows)) == [("Its threads", "a")]


def test_every_word_of_the_language_on_a_page_is_explained_there(
    found: Sequence[Sheet], written: Mapping[str, str]
) -> None:
    for page in written.values():
        text = page.replace("<wbr>", "")
        said = {
            one.rstrip(".") for one in re.findall(r"\b(?:machine|process|cgroup|pressure)\.[a-z_.]+", text)
        }
        explained = {one for one in meanings() if f"<td><code>{one}</code></td>" in text}
        assert said & set(meanings()) <= explained
    for sheet in found:
        words = {one.word for one in terms([sheet])}
        assert {item.name for item in sheet.resources} <= words, sheet.qualified
        assert all(one.meaning for one in terms([sheet]))


def test_every_figure_and_measurement_has_a_meaning() -> None:
    expected = {f"machine.{path}" for path in (*FACTS, *DERIVED)}
    expected |= {f"{kind}.{name}" for kind, names in MEASUREMENTS.items() for name in names}
    assert expected <= set(meanings())


def test_every_resource_of_all_libraries_has_words() -> None:
    program, _, _ = service.contracts_to_read()
    assert set(DEMANDS) == {item.name for item in program.packages[CORE]}


def test_every_clause_is_told_in_words() -> None:
    program, contracts, _ = service.contracts_to_read()
    for item in coverage(program, contracts):
        for one in item.clauses:
            alone = one.clause.startswith(("demand ", "hazard ", "signal "))
            rest = one.clause if alone else one.clause.partition(".")[2]
            assert not rest or clause(rest) not in (rest, f"`{rest}`"), rest


OF_POOLS = ("Threads at work", "Threads that exist", "k callers at once", "Idle threads", "After a fork")


def test_the_questions_that_people_bring_are_answered(found: Sequence[Sheet]) -> None:
    for sheet in found:
        told = {item.question: item.lines for item in answers(sheet)}
        if sheet.pools or sheet.borrowed:
            assert set(OF_POOLS) <= set(told), sheet.qualified
        if any(way.kind == "env" for item in sheet.controls for way in item.ways):
            expected = {"What sets it", "When that is read", "Invalid values", "Child processes"}
            assert expected <= set(told), sheet.qualified
        proved = any(item.record is not None for item in sheet.evidence)
        assert "Loading it" in told or sheet.is_program or not proved, sheet.qualified
        assert all(line.count("`") % 2 == 0 and line.strip() for lines in told.values() for line in lines)


def test_a_page_answers_for_the_library_that_does_the_work(found: Sequence[Sheet]) -> None:
    (numba,) = (item for item in found if item.name == "numba")
    told = {item.question: " ".join(item.lines) for item in answers(numba)}
    assert "`team` of libgomp: a forked child that uses it hangs or ends" in told["After a fork"]
    assert "loads openblas, which starts the threads of `workers`" in told["Loading it"]
    assert "OMP_NUM_THREADS" not in told["What sets it"], "no variable that its team does not follow"
    (mkl,) = (item for item in found if item.name == "mkl")
    told = {item.question: " ".join(item.lines) for item in answers(mkl)}
    assert "a forked child starts it anew" in told["After a fork"]


def test_an_answer_says_what_one_word_of_a_clause_cannot(found: Sequence[Sheet]) -> None:
    added = {
        (sheet.name, item.question): " ".join((*item.lines, *item.added))
        for sheet in found
        if sheet.name in ("openblas", "mkl", "polars", "numexpr", "libgomp")
        for item in answers(sheet)
    }
    assert "can hang the parent" in added["openblas", "After a fork"]
    assert "negative numbers give 1" in added["mkl", "Invalid values"]
    assert "`OMP_NUM_THREADS`" in added["mkl", "What sets it"]
    assert "if the thread that forked had used a team before" in added["libgomp", "After a fork"]
    assert "`NUMEXPR_NUM_THREADS=abc`" in added["numexpr", "Invalid values"]


def test_what_nothing_tried_is_not_said_to_be_absent(found: Sequence[Sheet]) -> None:
    (sheet,) = (item for item in found if item.name == "vllm" and "<" not in item.versions)
    assert not any(item.record for item in sheet.evidence)
    assert not {"Loading it", "Threads at work"} & {item.question for item in answers(sheet)}


def test_arguments_are_told_with_what_they_are_left_out(found: Sequence[Sheet]) -> None:
    (sheet,) = (item for item in found if item.name == "joblib" and "<" not in item.versions)
    told = {item.question: " ".join((*item.lines, *item.added)) for item in answers(sheet)}
    assert "`n_jobs` (else `1`)" in told["What sets it"]
    assert "`nesting`" not in told["Child processes"], "joblib's own count is nobody's to set"


def test_what_workers_hold_is_among_the_answers(found: Sequence[Sheet]) -> None:
    number = 0
    for sheet in found:
        told = " ".join(line for item in answers(sheet, every=True) for line in item.lines)
        for operation in sheet.operations:
            for effect in operation.does:
                for written, words in zip(effect.inner, effect.inner_words, strict=True):
                    if written.startswith("demand ") and not written.startswith("demand cpu "):
                        number += 1
                        assert f"`{operation.name}`, each of its workers: {words}" in told, sheet.qualified
    assert number >= 5


def test_what_authors_stress_is_among_the_answers(found: Sequence[Sheet]) -> None:
    number = 0
    for sheet in found:
        told = " ".join(one for item in answers(sheet) for one in (*item.lines, *item.added)).replace(
            "**", ""
        )
        docs = [sheet.doc, *(one.doc for one in sheet.controls), *(one.doc for one in sheet.pools)]
        for doc in (*docs, *(one.doc for one in sheet.operations)):
            for one in stressed(doc):
                number += 1
                assert one in told, (sheet.qualified, one)
    assert number >= 5


def test_who_reads_and_who_sets_a_variable(written: Mapping[str, str]) -> None:
    row = re.search(r"<tr><td><code>OMP_NUM_THREADS</code></td>(.*?)</tr>", written[INDEX])
    assert row is not None
    reads, sets = row[1].split("</td>")[:2]
    assert all(f'href="{name}.html"' in reads for name in ("openblas", "libgomp", "numexpr", "pyarrow"))
    assert all(f'href="{name}.html"' in sets for name in ("joblib", "dask", "pytorch"))


def test_versions_stand_from_the_newest_to_the_oldest(written: Mapping[str, str]) -> None:
    items = re.findall(r'<li><a href="#[^"]*">([^<]*)</a>', written["joblib.html"])
    assert items == ["joblib &gt;=0.14", "joblib &gt;=0.12,&lt;0.14", "joblib &lt;0.12"]


def test_sentences_of_documentation() -> None:
    doc = """Version 0.3.21 does not know it. `N=0` is
1; a text is an error. But **a fork** hangs.

| a | table. With |

    code. More"""
    assert sentences(doc) == (
        "Version 0.3.21 does not know it.",
        "`N=0` is 1; a text is an error.",
        "But **a fork** hangs.",
    )
    assert about(doc, INVALID) == ("`N=0` is 1; a text is an error.",)
    assert stressed(doc) == ("But a fork hangs.",)
    assert sentences(None) == ()


def test_code_breaks_between_the_parts_of_a_name() -> None:
    made = breakable([element("code", "min(machine.cpus, 1.5)"), "a.b(c)"])
    assert made.text == "<code>min(<wbr>machine.<wbr>cpus, 1.5)</code>a.b(c)"
