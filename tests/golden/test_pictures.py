"""Pictures of compositions: pages and graphs; `pytest --update-golden` writes the files anew."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from lpcl import service
from lpcl.compose.render import dot, forms, html, json, mermaid
from lpcl.compose.render.drawing import MOST_NODES
from lpcl.compose.render.picture import OMITTED, all_operations, pruned, started_process

HERE = Path(__file__).resolve().parent / "compose"
NAMES = re.findall(r"^application (\w+)", (HERE / "applications.lpcl").read_text(), re.MULTILINE)
SHOWN = ("multiplied", "hanging", "engines", "calm")
ENDINGS = {"html": "html", "dot": "dot", "mermaid": "mmd"}
VOID = {"meta", "wbr"}

Golden = Callable[[Path, str], None]


@pytest.fixture(autouse=True)
def _inside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)


@cache
def told(*names: str) -> Any:
    """The answers about applications that run at once."""
    workspace, applications = service.select_applications([f"applications.lpcl:{name}" for name in names])
    composition = service.compose_applications(workspace, applications).composition
    assert composition is not None
    return service.answers_of(composition)


def document(*names: str) -> dict[str, Any]:
    """The document about applications that run at once."""
    return json.document(told(*names))


@pytest.mark.parametrize("form", ENDINGS)
@pytest.mark.parametrize("name", SHOWN)
def test_pictures(name: str, form: str, golden: Golden) -> None:
    golden(HERE / f"{name}.{ENDINGS[form]}", forms.render(told(name), form))


class Page(HTMLParser):
    """A page that has been read: its elements with their attributes, and its text by element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.shown: list[str] = []
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> ends what is not open")

    def handle_data(self, data: str) -> None:
        tag = self.open[-1] if self.open else ""
        self.texts.setdefault(tag, []).append(data)
        if tag not in ("style", "script"):
            self.shown.append(data)

    @property
    def text(self) -> str:
        """All that is shown, spaces put together."""
        return " ".join("".join(self.shown).split())


@pytest.mark.parametrize("names", [*((name,) for name in NAMES), ("multiplied", "engines")])
def test_a_page_stands_alone(names: tuple[str, ...]) -> None:
    text = html.render(document(*names))
    page = Page(text)
    assert page.wrong == []
    assert page.open == []
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(set(ids)) == len(ids)
    for tag, attributes in page.elements:
        assert not {"src", "srcset", "action", "data", "style"} & set(attributes), tag
        assert (attributes.get("href") or "#").startswith("#")
        if "href" in attributes:
            assert attributes["href"][1:] in ids
        if "aria-labelledby" in attributes:
            assert attributes["aria-labelledby"] in ids
        if tag == "svg":
            assert attributes.get("role") == "img"
            assert attributes.get("aria-label")
    assert not re.search(r"https?:|@import|url\(", text)
    assert [tag for tag, _ in page.elements].count("h1") == 1


@pytest.mark.parametrize("names", [*((name,) for name in NAMES), ("multiplied", "engines")])
def test_a_page_says_what_the_document_says(names: tuple[str, ...]) -> None:
    told_of = document(*names)
    shown = Page(html.render(told_of)).text.replace(" ", "")
    said = [told_of["verdict"]["text"]]
    for finding in told_of["findings"]:
        said += [finding["headline"], finding["meaning"][1:]]
        for entry in finding["ledger"]:
            said += [entry["who"], entry["how"], *(one["text"] for one in entry["because"])]
            said += [f"{one['file']}:{one['line']}" for one in [entry["clause"]] if one]
        said += [step["text"] for step in finding["steps"]]
        if finding["condition"] is not None:
            condition = finding["condition"]
            said += [condition["text"], condition["with_values"]]
            said += [one["text"] for one in (*condition["comparisons"], *condition["because"])]
    said += [one["text"] for one in told_of["alternatives"] if one["changes"]]
    for text in said:
        assert text.replace("`", "").replace(" ", "") in shown.replace("`", "")


def loads(processes: Any) -> Iterator[tuple[Fraction, Fraction]]:
    """The copies of each process and what is runnable in each, and that its operations make that up."""
    for process in processes:
        mine = [Fraction(0)]
        started: list[Any] = []

        def visit(steps: Any, mine: list[Fraction] = mine, started: list[Any] = started) -> None:
            for step in steps:
                if step["kind"] == "together":
                    for member in step["members"]:
                        visit(member)
                    continue
                mine[0] += Fraction(step["runnable"]) + Fraction(step["spinning"])
                inner = started_process(step)
                if inner is None:
                    visit(step["steps"])
                else:
                    started.append(inner)

        visit(process["steps"])
        assert mine[0] == Fraction(process["runnable"])
        yield Fraction(process["copies"]), Fraction(process["runnable"])
        yield from loads(started)


@pytest.mark.parametrize("names", [*((name,) for name in NAMES), ("multiplied", "engines"), ("many", "many")])
def test_the_structure_adds_up(names: tuple[str, ...]) -> None:
    """What is runnable in each process times its copies is what the finding about the CPUs speaks of."""
    told_of = document(*names)
    structure = told_of["structure"]
    assert sum(copies * each for copies, each in loads(structure["processes"])) == structure["runnable"]
    cpu = [
        one for one in told_of["demands"] if (one["resource"], one["where"]) == ("lpcl.core.cpu", "machine")
    ]
    assert structure["runnable"] in (cpu[0]["low"], cpu[0]["high"])
    for finding in told_of["findings"]:
        if finding["kind"] == "overcommit" and (finding["resource"], finding["where"]) == (
            "lpcl.core.cpu",
            "machine",
        ):
            assert structure["runnable"] == finding["demand"]


HOSTILE = '</style></script><script>alert(1)</script><img src=x onerror="alert(2)">&amp;"\\" {{7*7}} ${1} `x'
QUOTED = HOSTILE.replace("\\", "\\\\").replace('"', '\\"')


def hostile_document() -> dict[str, Any]:
    """A document that has a hostile text wherever a contract or an application can put one."""

    def spoil(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: spoil(inner, name) for name, inner in value.items()}
        if isinstance(value, list):
            return [spoil(inner, key) for inner in value]
        known = {
            "kind",
            "severity",
            "grade",
            "effect",
            "callers",
            "unit",
            "exceed",
            "per",
            "answer",
            "avoidable",
        }
        if isinstance(value, str) and key not in known and not re.fullmatch(r"-?\d+(/\d+)?", value):
            return value + HOSTILE
        return value

    return spoil(document("multiplied", "engines"))


def test_nothing_of_a_contract_becomes_part_of_the_page() -> None:
    plain, spoiled = html.render(document("multiplied", "engines")), html.render(hostile_document())
    before, after = Page(plain), Page(spoiled)
    assert after.wrong == []
    assert Counter(
        tag for tag, _ in after.elements if tag in ("script", "style", "img", "iframe", "meta")
    ) == {
        "script": 1,
        "style": 1,
        "meta": 4,
    }
    assert after.texts["script"] == before.texts["script"]
    assert after.texts["style"] == before.texts["style"]
    assert not any(name.startswith("on") for _, attributes in after.elements for name in attributes)
    assert "<script>alert(1)</script>" in after.text


def test_what_an_author_writes_is_escaped(tmp_path: Path) -> None:
    """Documentation, messages, commands and arguments, from the file to the page."""
    (tmp_path / "app.lpcl").write_text(
        "package hostile\nimport lpcl.core.*\n"
        "contract bad {\n  operation threads(n: count) { workers threads n }\n"
        f'  assume machine.cpus.affinity > 99 else "{QUOTED}"\n}}\n'
        f"/// {HOSTILE}\n"
        "application app {\n  machine { cpus.online = 2 }\n  use bad\n"
        f'  control jobs: count in 1..4 {{ argument "--{QUOTED}"  default 4 }}\n'
        "  run { bad.threads(n = jobs) }\n"
        f"  command \"python '{QUOTED}'\"\n}}\n"
    )
    workspace, application = service.select_application(str(tmp_path / "app.lpcl"))
    assert workspace.errors == ()
    composition = service.compose_application(workspace, application).composition
    assert composition is not None
    page = Page(html.render(json.document(service.answers_of(composition))))
    assert page.wrong == []
    assert Counter(tag for tag, _ in page.elements)["script"] == 1
    assert Counter(tag for tag, _ in page.elements)["img"] == 0
    assert "<script>alert(1)</script>" in page.text


# ------------------------------------------------------------------ graphs

STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
DOT_LINES = re.compile(
    r"digraph composition \{|subgraph cluster_\w+ \{|\}"
    r"|(?:\w+ (?:-> \w+ )?\[)?(?:\w+=(?:\w+|STRING) ?)+\]?"
)
MERMAID_LINES = re.compile(
    r"flowchart TD|end|subgraph \w+\[STRING\]|\w+\[STRING\]|\w+ (?:-->|-\.->|-\.-)\|STRING\| \w+"
    r"|classDef \w+ [\w:#,.-]+|class \w+(?:,\w+)* \w+"
)


@pytest.mark.parametrize("spoiled", [False, True])
@pytest.mark.parametrize("form", ["dot", "mermaid"])
def test_graphs_are_well_formed(form: str, spoiled: bool) -> None:
    told_of = hostile_document() if spoiled else document("multiplied", "engines")
    text = dot.render(told_of) if form == "dot" else mermaid.render(told_of)
    shape = DOT_LINES if form == "dot" else MERMAID_LINES
    bare = [STRING.sub("STRING", line).strip() for line in text.splitlines()]
    assert [line for line in bare if not shape.fullmatch(line)] == []
    opened = sum(line.endswith("{") or line.startswith("subgraph") for line in bare if form == "dot")
    assert opened == (bare.count("}") if form == "dot" else 0)
    if form == "mermaid":
        assert sum(line.startswith("subgraph") for line in bare) == bare.count("end")
        strings = [one for line in text.splitlines() for one in STRING.findall(line)]
        assert not any(re.search(r"[<>`&]", one.replace("<br/>", "")) for one in strings)


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize("spoiled", [False, True])
def test_graphviz_reads_it(spoiled: bool) -> None:
    told_of = hostile_document() if spoiled else document("multiplied", "engines")
    run = subprocess.run(
        ["dot", "-Tplain"], input=dot.render(told_of), capture_output=True, text=True, check=False, timeout=60
    )
    assert (run.returncode, run.stderr) == (0, "")
    nodes = [line for line in run.stdout.splitlines() if line.startswith("node ")]
    assert len(nodes) == 1 + len(list(all_operations(told_of["structure"])))


# ------------------------------------------------------------------ large applications


def large(count: int) -> dict[str, Any]:
    """A document of an application with many operations, one in ten of which is at work."""
    told_of = document("multiplied")
    (process,) = told_of["structure"]["processes"]
    outer = process["steps"][0]
    (inner,) = outer["steps"]

    def one(index: int) -> dict[str, Any]:
        busy = index % 10 == 0
        step = {**inner, "place": f"run/0/b/{index}", "runnable": 8 * busy, "callers": int(busy)}
        return {"kind": "together", "members": [[step]]} if index % 7 == 0 else step

    steps = [{**outer, "place": "run/0", "steps": [one(index) for index in range(count)]}]
    return {**told_of, "structure": {**told_of["structure"], "processes": [{**process, "steps": steps}]}}


def test_of_many_operations_those_at_work_are_drawn() -> None:
    told_of = large(1000)
    drawn = pruned(told_of["structure"], 150)
    kept = list(all_operations(drawn))
    assert len(kept) == 150
    assert sum(1 for one in kept if one["runnable"]) == 100

    def omitted(steps: Any) -> int:
        return sum(
            one["count"]
            if one["kind"] == OMITTED
            else sum(omitted(member) for member in one["members"])
            if one["kind"] == "together"
            else omitted(one["steps"])
            for one in steps
        )

    assert omitted(drawn["processes"][0]["steps"]) == 1001 - 150
    assert len(html.render(told_of)) < 300_000
    assert mermaid.render(told_of).count("[") <= MOST_NODES + 10


def test_what_is_not_at_work_is_folded() -> None:
    """An operation that has others in it, and no thread, can be opened, without any script."""
    told_of = large(30)
    (process,) = told_of["structure"]["processes"]
    outer = process["steps"][0]
    idle = {**outer, "place": "run/1", "callers": 0, "runnable": 0}
    structure = {**told_of["structure"], "processes": [{**process, "steps": [outer, idle]}]}
    tags = Counter(tag for tag, _ in Page(html.render({**told_of, "structure": structure})).elements)
    assert tags["details"] == Counter(tag for tag, _ in Page(html.render(told_of)).elements)["details"] + 1


def test_small_structures_are_drawn_whole() -> None:
    structure = document("many")["structure"]
    assert pruned(structure, 150) is structure
