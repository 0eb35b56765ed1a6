"""What may be typed at the cursor, with what each of it means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from lsprotocol import types

from lpcl.model.contracts import Contract
from lpcl.model.machine import DERIVED, FACTS
from lpcl.model.measurements import MEASUREMENTS
from lpcl.syntax import nodes
from lpcl.syntax.span import Span
from lsp_server import vocabulary
from lsp_server.expecting import Clause, base, clause, is_expression, is_operand, list_head
from lsp_server.features.items import Kind, candidate, candidate_for, enumerators, keywords
from lsp_server.references import fact_meaning, function_help, parameter, variable_sources
from lsp_server.surroundings import MEMBERS, Surroundings, around_place, kind_of, named
from lsp_server.this_machine import fact_here
from lsp_server.tokens import Place, locate, tokens
from lsp_server.views import View, Views
from lsp_server.wording import inline, signature

TRIGGERS = (".", "@", "{", "(", "=", ",", ":")


def completion(views: Views, view: View, offset: int) -> list[types.CompletionItem]:
    """Everything that may stand at an offset; the editor chooses by what is typed already."""
    place = locate(view.file.text, offset)
    if place.inside is not None:
        return []
    where = view.positions.range(Span(place.start, offset))
    found: dict[str, types.CompletionItem] = {}
    for item in _Completer(views, view, place).items():
        item.text_edit = types.TextEdit(where, item.insert_text or item.label)
        item.insert_text = None
        found.setdefault(item.label, item)
    return list(found.values())


_DECLARED: Mapping[str, str] = {
    "demand": "resource",
    "background": "resource",
    "indicates": "resource",
    "overcommit": "resource",
    "of": "resource",
    "check": "application",
    "by": "contract",
    "use": "contract",
    "implements": "interface",
}
"""A word, or the one before a list, to the kind of declaration that follows."""

_MEMBERS: Mapping[str, str] = {
    "limit": "control",
    "scales": "control",
    "value": "control",
    "calls": "operation",
}
"""The same for members of contracts."""


class _Completer:
    def __init__(self, views: Views, view: View, place: Place) -> None:
        self.views = views
        self.place = place
        self.frame = place.frames[-1]
        self.here: Surroundings = around_place(view, place)
        self.view = view
        self.base, self.before = base(place)
        self.clause: Clause | None = clause(self.frame.kind, self.before)

    def items(self) -> Iterator[types.CompletionItem]:
        """All candidates."""
        last = self.before[-1] if self.before else None
        if last is not None and last.text == "@":
            yield from keywords(vocabulary.ANNOTATIONS, Kind.Keyword)
        elif self.frame.kind == "names":
            yield from self._imported(self._package())
        elif self._head() == "import":
            yield from self._imported(self.base) if self.base else self._packages("")
        elif self.base:
            yield from self._dotted()
        else:
            if last is not None and last.kind == "number":
                yield from keywords(vocabulary.UNITS, Kind.Unit, 0)
            yield from self._plain()

    # -------------------------------------------------------------- what the tokens ask for

    def _head(self) -> str | None:
        return self.clause.head if self.clause is not None else None

    def _plain(self) -> Iterator[types.CompletionItem]:
        kind, rest = self.frame.kind, self.clause.words if self.clause else ()
        last = self.before[-1].text if self.before else ""
        if kind == "enumeration":
            return
        if kind == "arguments":
            yield from self._arguments()
        elif kind in ("settings", "bindings") and last in ("", ","):
            yield from self._settings() if kind == "settings" else self._bindings()
        elif kind == "bindings":
            yield from (
                self._declared("contract") if last == "=" else keywords({"private": "a copy of its own"})
            )
        elif last == ":":
            yield from self._after_colon()
        elif kind == "parameters" and last in ("", ","):
            return
        elif (wanted := self._wanted(kind, rest, last)) is not None:
            yield from wanted
        elif is_expression(self.before) or kind in ("group", "parameters"):
            yield from self._expression()
        else:
            yield from self._clauses(kind)

    def _after_colon(self) -> Iterator[types.CompletionItem]:
        if self._head() == "uses":
            yield from self._declared("interface")
        else:
            yield from keywords(vocabulary.TYPES, Kind.TypeParameter, 1)

    def _wanted(self, kind: str, rest: tuple[str, ...], last: str) -> Iterator[types.CompletionItem] | None:
        """The candidates where the words before ask for something particular."""
        head = list_head(self.before) or last
        if not is_operand(self.before):
            words = (self._head() or "", *rest)
            for key in (" ".join(words[-2:]), last):
                values = vocabulary.VALUES.get(kind, {}).get(key)
                if values:
                    return keywords(values, Kind.EnumMember, 1)
        if head in _DECLARED:
            return self._declared(_DECLARED[head])
        if head in _MEMBERS:
            return self._members_here(_MEMBERS[head])
        if head == "env":
            return self._variables()
        match self._head(), last:
            case "set", "set":
                return chain(keywords({"default": "only where the variable is not set"}), self._variables())
            case "set", "default":
                return self._variables()
            case "runs", "on":
                return self._members_here("pool")
            case "expect", "on":
                return self._members_here("pool")
            case (("expect" | "evidence"), "for"):
                return self._declared("resource") if kind == "test" else self._members_here(*MEMBERS)
            case "machine", "machine" if kind in ("application", "test"):
                return self._machines()
            case "uses", "=":
                return self._declared("contract")
            case "hazard", _ if self.before[-1].kind == "string":
                return keywords({**vocabulary.HAZARD_EFFECTS, "when": "the condition"})
            case "scales", _ if len(rest) == 1:
                return keywords({"amdahl": "the part of the work that gains"})
            case (("contract" | "interface"), "extends"):
                return self._declared(self._head() or "")
            case "contract", _ if kind == "file" and rest:
                return keywords(
                    {"extends": "takes the clauses of a base", "implements": "offers an interface"}
                )
        return None

    def _clauses(self, kind: str) -> Iterator[types.CompletionItem]:
        """The words that begin a clause, and those by which an expression goes on."""
        if kind == "machine":
            yield from self._facts("")
        if kind == "run":
            yield from self._statements()
        yield from keywords(vocabulary.CLAUSES.get(kind, {}))
        if is_operand(self.before):
            yield from keywords({"when": "only under a condition", "then": "", "else": ""}, rank=3)
            yield from keywords(vocabulary.OPERATORS, Kind.Operator, 3)

    # -------------------------------------------------------------- names

    def _expression(self) -> Iterator[types.CompletionItem]:
        yield from self._enumerators()
        mine = self.frame.name if self.frame.kind == "control" else None
        yield from (candidate_for(item, rank=0) for item in self.here.values().values() if item.name != mine)
        yield candidate("machine", Kind.Variable, "the figures of the machine", 1)
        for group in MEASUREMENTS if self.here.signal is not None else ():
            yield candidate(group, Kind.Variable, "measured while a program runs", 1)
        names = [*vocabulary.FUNCTIONS, *(("threadpool",) if self.here.signal is not None else ())]
        for name in names:
            form, meaning = function_help(name) or (name, "")
            yield candidate(name, Kind.Function, meaning, 2, form)
        yield from self._libraries()
        yield from keywords(vocabulary.STARTERS, rank=3)

    def _enumerators(self) -> Iterator[types.CompletionItem]:
        """The words of the enumeration that is expected: by the control's type, or by what is compared."""
        expected: nodes.Type | None = None
        if self._head() == "default" and len(self.place.frames) > 1:
            control = self.here.member(self.frame.name or "", "control")
            expected = getattr(control.node, "type", None) if control else None
        elif self._head() == "start":
            yield from keywords(vocabulary.VALUES["workers"]["start"], Kind.EnumMember, 0)
        elif len(self.before) > 1 and self.before[-2].text == "enumeration":
            enumeration = self.before[-2]
            for token in tokens(self.view.file.text[enumeration.start : enumeration.end]):
                if token.kind == "word":
                    yield candidate(token.text, Kind.EnumMember, "", 0)
        elif len(self.before) > 1 and self.before[-1].text in ("=", "==", "!="):
            name = self.before[-2].text
            found = self.here.values().get(name) or next(iter(variable_sources(self.view, name)), None)
            expected = getattr(found.node, "type", None) if found else None
        yield from enumerators(expected)

    def _arguments(self) -> Iterator[types.CompletionItem]:
        operation = self.here.member(self.frame.name or "", "operation")
        if operation is None or not isinstance(operation.node, nodes.Operation):
            return
        if not self.before or self.before[-1].text == ",":
            given = {token.text for token in self.before if token.kind == "word"}
            for item in operation.node.parameters:
                if item.name.text not in given:
                    found = parameter(operation, item.name.text)
                    detail = " ".join(signature(found).split()) if found else ""
                    yield candidate(
                        item.name.text, Kind.Variable, "", 0, detail, insert=f"{item.name.text} = "
                    )
            return
        name = next(
            (
                token.text
                for token, mark in zip(self.before[-2::-1], self.before[::-1], strict=False)
                if mark.text == "=" and token.kind == "word"
            ),
            "",
        )
        found = parameter(operation, name)
        if found is not None and isinstance(found.node, nodes.Parameter):
            yield from enumerators(found.node.type)
        yield from self._expression()

    def _settings(self) -> Iterator[types.CompletionItem]:
        yield from self._members_here("control")
        yield from self._variables()

    def _bindings(self) -> Iterator[types.CompletionItem]:
        name = self.frame.header[-1].text if self.frame.header else ""
        owner = self.here.library(name)
        yield from (candidate_for(item, rank=0) for item in self.here.members(owner, "uses"))

    def _members_here(self, *kinds: str) -> Iterator[types.CompletionItem]:
        """Members of the contract itself, and those of the libraries that it or the application uses."""
        yield from (candidate_for(item, rank=0) for item in self.here.members(self.here.contract, *kinds))
        if "control" in kinds:
            yield from (
                candidate_for(item, rank=0) for item in self.here.values().values() if item.kind == "control"
            )
        for name, owner in self._owners():
            for item in self.here.members(owner, *kinds):
                yield candidate_for(item, f"{name}.{item.name}")

    def _owners(self) -> Iterator[tuple[str, Contract | None]]:
        yield from self.here.used()
        if self.here.contract is not None:
            for name in self.here.contract.uses:
                yield name, self.here.library(name)

    def _libraries(self) -> Iterator[types.CompletionItem]:
        for name, _ in self._owners():
            yield candidate(name, Kind.Class, "", 2)

    def _statements(self) -> Iterator[types.CompletionItem]:
        for name, owner in self.here.used():
            for item in self.here.members(owner, "operation"):
                yield candidate_for(item, f"{name}.{item.name}", rank=0)
            yield candidate(f"{name}.load", Kind.Method, f"loads {inline(name)}", 1)

    def _declared(self, kind: str) -> Iterator[types.CompletionItem]:
        for name, declared in self.view.workspace.program.scope(self.view.file).items():
            if kind_of(declared.node) == kind:
                yield candidate_for(named(declared), name, rank=0)

    def _machines(self) -> Iterator[types.CompletionItem]:
        yield candidate("host", Kind.Value, "the machine that the tools run on", 0)
        yield from self._declared("machine")

    def _variables(self) -> Iterator[types.CompletionItem]:
        for name, readers in sorted(self.view.names.readers().items()):
            if name == self.place.word:
                continue  # what is being typed is no reason to type it
            owners = ", ".join(dict.fromkeys(inline(owner) for owner, _ in readers))
            yield candidate(name, Kind.Constant, f"read by {owners}", 1)

    # -------------------------------------------------------------- after a dot

    def _dotted(self) -> Iterator[types.CompletionItem]:
        head, _, rest = self.base.partition(".")
        if self.frame.kind == "machine":
            yield from self._facts(self.base)
            return
        if head == "machine":
            yield from self._facts(rest)
            return
        if self.base in MEASUREMENTS and self.here.signal is not None:
            for name in MEASUREMENTS[self.base]:
                yield candidate(name, Kind.Property, "measured while a program runs")
            return
        owner = self.here.library(self.base)
        kinds = self._member_kinds()
        yield from (candidate_for(item) for item in self.here.members(owner, *kinds))
        if owner is not None and "operation" in kinds and self.frame.kind == "run":
            yield candidate("load", Kind.Method, f"loads {inline(self.base)}", 2)
        if owner is None:
            yield from self._imported(self.base)

    def _member_kinds(self) -> tuple[str, ...]:
        head = self._head()
        if self.frame.kind == "run" and head != "limit":
            return ("operation",)
        if head == "calls":
            return ("operation",)
        if head == "runs" or (
            head == "expect" and "serialized" in (self.clause.words if self.clause else ())
        ):
            return ("pool",) if not is_expression(self.before) else ("control",)
        return tuple(MEMBERS) if head == "evidence" else ("control",)

    def _facts(self, prefix: str) -> Iterator[types.CompletionItem]:
        start = f"{prefix}." if prefix else ""
        known: Iterable[str] = (
            FACTS if self.frame.kind == "machine" else (*FACTS, *DERIVED, "gpu.memory.free")
        )
        for path in known:
            if path.startswith(start):
                value = fact_here(path)
                detail = f"{value} on this machine" if value else ""
                yield candidate(path[len(start) :], Kind.Property, fact_meaning(path) or "", 0, detail)

    # -------------------------------------------------------------- packages

    def _package(self) -> str:
        """The package in whose braces an import stands."""
        path: list[str] = []
        for token in reversed(self.place.frames[-2].held if len(self.place.frames) > 1 else []):
            if token.text == "import":
                break
            path.append(token.text)
        return "".join(reversed(path)).strip(".")

    def _packages(self, prefix: str) -> Iterator[types.CompletionItem]:
        start = f"{prefix}." if prefix else ""
        for name in self.views.packages(self.view):
            if name.startswith(start):
                yield candidate(name[len(start) :], Kind.Module, "a package", 1)

    def _imported(self, package: str) -> Iterator[types.CompletionItem]:
        for declared in self.views.declared_in(self.view, package):
            yield candidate_for(named(declared), rank=0)
        yield from self._packages(package)
