"""Writes the parser: `python -m lpcl.syntax.generate` turns the grammar file into `_generated.py`.

The generated functions recognise exactly what textX would recognise (ordered choice, greedy repetition, no
look-back) and build the frozen nodes directly. Each rule is one function that takes the offset of its first
token and gives the node or None; where it ended is left in `pos` (the next token) and `end` (behind the
last). No exception is raised. A rule that can hold itself remembers where it failed and does not try again
there, which keeps the time in proportion. A token that does not fit is noted with `far`, the farthest such
place, from which the messages are made. `--check` writes nothing and fails where the file is not current.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lpcl.syntax import first, phrases, shape
from lpcl.syntax.first import First
from lpcl.syntax.rules import (
    Ahead,
    Assign,
    Choice,
    Expr,
    Grammar,
    Keyword,
    Mark,
    Optional,
    Seq,
    Token,
    Use,
    read,
)

TARGET = Path(__file__).with_name("_generated.py")

_TABLE_FROM = 4  # a choice between so many keywords looks its word up

_PRELUDE = '''"""Made from `grammar/lpcl.tx` by `python -m lpcl.syntax.generate`: not to be edited."""

# ruff: noqa
# fmt: off
# mypy: ignore-errors

import re
from collections.abc import Callable
from typing import Any

from lpcl.syntax import build, nodes, quick
from lpcl.syntax.span import Span

'''


def generate(grammar: Grammar) -> str:
    """The source of the generated module."""
    return _Writer(grammar).module()


_PARSER = {
    "rules": "dict[str, Callable[[int], Any]]",
    "heads": "dict[str, Callable[[int], dict[str, Any] | None]]",
    "state": "Callable[[], tuple[int, int, int, list[int], tuple[str, int, int] | None]]",
    "reset": "Callable[..., None]",
    "load": "Callable[[str, Callable[[int], str | None]], None]",
}


class _Scope:
    """Where the code being written stands: its offset and end, its attributes, and how it fails."""

    def __init__(self, names: dict[str, str], p: str, e: str, fail: str) -> None:
        self.names = names
        self.p = p
        self.e = e
        self.fail = fail


class _Writer:
    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.lines: list[str] = []
        self.indent = 0
        self.regexes: dict[str, str] = {}
        self.word_sets: dict[tuple[str, ...], str] = {}
        self.expected: dict[str, int] = {}
        self.counter = 0
        self.rule = ""
        self.tables: list[str] = []
        self.guarded = shape.guarded(grammar)
        self.documented = set(shape.elements(grammar))
        self.heads: dict[str, Seq] = {}

    # ------------------------------------------------------------ text

    def put(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    @contextmanager
    def block(self, line: str) -> Iterator[None]:
        self.put(line)
        self.indent += 1
        yield
        self.indent -= 1

    def fresh(self, stem: str) -> str:
        self.counter += 1
        return f"{stem}{self.counter}"

    # ------------------------------------------------------------ module

    def module(self) -> str:
        blocks = shape.blocks(self.grammar)
        functions = self.functions(blocks)
        out = [_PRELUDE]
        skip = rf"[ \t\r\n]*+(?:(?:{self.grammar.comment})[ \t\r\n]*+)*+"
        out.append(f"_SKIP = {skip!r}\n")
        out.append("skip: Callable[..., re.Match[str]] = re.compile(_SKIP).match\n")
        out.append("word = re.compile(r'([^\\d\\W]\\w*)' + _SKIP).match\n")
        for pattern, name in self.regexes.items():
            out.append(f"{name} = re.compile({'(' + pattern + ')'!r} + _SKIP, re.MULTILINE).match\n")
        for listed, name in self.word_sets.items():
            out.append(f"{name} = frozenset({listed!r})\n")
        out.append("\n_new = object.__new__\n_Span = quick.twin(Span)\n")
        for rule in sorted(self.grammar.concrete - {"Expression", "Tail"}):
            out.append(f"_{rule} = quick.twin(nodes.{rule})\n")
        out.append(f"\nEXPECTED: tuple[str, ...] = {_column(tuple(self.expected))}\n")
        out.append(f"\nTOKENS: dict[str, tuple[str, ...]] = {_column(self.tokens())}\n")
        elements = shape.element_table(self.grammar)
        out.append(f"\nELEMENTS: dict[str, dict[str, tuple[str, ...]]] = {_column(elements)}\n")
        out.append(f"\nBLOCKS: dict[str, tuple[str, str, str | None, bool]] = {_column(blocks)}\n")
        marks = tuple(sorted(shape.marks(self.grammar), key=lambda mark: (-len(mark), mark)))
        out.append(f"\nMARKS: tuple[str, ...] = {_column(marks)}\n\n\n")
        return "".join(out) + functions

    def tokens(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for token in shape.tokens(self.grammar):
            listed = first.words(token.pattern)
            if listed:
                found[token.name] = listed
        return found

    def functions(self, blocks: dict[str, tuple[str, str, str | None, bool]]) -> str:
        with self.block("class Parser:"):
            self.put('"""Functions over one text, by rule; `heads` stop before a rule\'s block."""')
            self.put("")
            self.put("__slots__ = ('rules', 'heads', 'state', 'reset', 'load')")
            self.put("")
            with self.block("def __init__(self, rules, heads, state, reset, load) -> None:"):
                for name, kind in _PARSER.items():
                    self.put(f"self.{name}: {kind} = {name}")
        self.put("")
        self.put("")
        with self.block("def parser(text: str, doc_at: Callable[[int], str | None]) -> Parser:"):
            self.put('"""The functions over `text`, which is to end in a newline and a NUL."""')
            self.put("pos = end = depth = 0")
            self.put("far = -1")
            self.put("exp = []")
            self.put("special = None")
            self.put("quantities = {}")
            self.put("heights = build.Heights()")
            for rule in sorted(self.guarded):
                self.put(f"{rule}_failed = set()")
            for rule, expr in self.grammar.rules.items():
                self.put("")
                self.function(rule, expr)
            for rule in blocks:
                self.put("")
                self.head(rule)
            self.ending(blocks)
        return "\n".join(self.lines) + "\n"

    def ending(self, blocks: dict[str, tuple[str, str, str | None, bool]]) -> None:
        self.put("")
        with self.block("def state():"):
            self.put("return pos, end, far, exp, special")
        self.put("")
        with self.block("def reset(outside=0):"):
            self.put("nonlocal far, exp, special, depth")
            self.put("far = -1")
            self.put("exp = []")
            self.put("special = None")
            self.put("depth = outside")
            for rule in sorted(self.guarded):
                self.put(f"{rule}_failed.clear()")
        self.put("")
        with self.block("def load(other, other_doc_at):"):
            self.put("nonlocal text, doc_at")
            self.put("text = other")
            self.put("doc_at = other_doc_at")
            self.put("quantities.clear()")
        self.put("")
        for line in self.tables:
            self.put(line)
        rules = ", ".join(f"{rule!r}: {rule}" for rule in self.grammar.rules)
        heads = ", ".join(f"{rule!r}: {rule}_head" for rule in blocks)
        self.put(f"rules = {{{rules}}}")
        self.put(f"heads = {{{heads}}}")
        self.put("return Parser(rules, heads, state, reset, load)")

    # ------------------------------------------------------------ rules

    def function(self, rule: str, expr: Expr) -> None:
        self.rule = rule
        self.counter = 0
        if rule not in self.grammar.concrete:
            assert isinstance(expr, Choice)
            self.choice_function(rule, expr)
            return
        with self.block(f"def {rule}(p):"):
            scope = self.begin(expr, guarded=rule in self.guarded)
            self.expression(expr, scope, following=())
            self.build(rule, scope)

    def head(self, rule: str) -> None:
        self.rule = rule
        self.counter = 0
        body = self.grammar.rules[rule]
        parts = body.parts[: shape.block_index(self.grammar, body)] if isinstance(body, Seq) else ()
        expr = Seq(parts)
        with self.block(f"def {rule}_head(p):"):
            scope = self.begin(expr, guarded=False)
            self.expression(expr, scope, following=())
            self.put("pos = p")
            self.put("end = e")
            made = ", ".join(f"{attribute!r}: {name}" for attribute, name in scope.names.items())
            self.put(f"return {{{made}}}")

    def begin(self, expr: Expr, *, guarded: bool) -> _Scope:
        deep = ", special, depth" if guarded else ", special" if self.rule in _VALUES else ""
        self.put(f"nonlocal pos, end, far, exp{deep}")
        self.put("s = p")
        if guarded:
            self.put(f"if p in {self.rule}_failed: return None")
            with self.block("if depth >= build.MAX_NESTING:"):
                self.put("special = ('nesting', p, p + 1)")
                self.put("return None")
            self.put("depth += 1")
        if first.first(self.grammar, expr).empty:
            self.put("e = p")
        failing = f"depth -= 1; {self.rule}_failed.add(s); return None"
        scope = _Scope({}, "p", "e", failing if guarded else "return None")
        for attribute, default in shape.attributes(expr).items():
            scope.names[attribute] = f"a_{attribute}"
            self.put(f"a_{attribute} = {default}")
        return scope

    def build(self, rule: str, scope: _Scope) -> None:
        if rule in self.guarded:
            self.put("depth -= 1")
        self.put("pos = p")
        self.put("end = e")
        if rule in _VALUES:
            for line in _VALUES[rule]:
                self.put(line)
            return
        self.put("span = _Span()")
        self.put("span.start = s")
        self.put("span.end = e")
        self.put("span.__class__ = Span")
        self.put(f"node = _new(_{rule})")
        for attribute, name in scope.names.items():
            self.put(f"node.{attribute} = {_CONVERSIONS.get((rule, attribute), '{}').format(name)}")
        self.put("node.span = span")
        self.put("node.doc = doc_at(s)" if rule in self.documented else "node.doc = None")
        self.put(f"node.__class__ = nodes.{rule}")
        self.put("return node")

    # ------------------------------------------------------------ alternatives between rules

    def choice_function(self, rule: str, choice: Choice) -> None:
        firsts = [(option, first.first(self.grammar, option)) for option in choice.options]
        assert all(isinstance(option, Use) and not found.empty for option, found in firsts), rule
        annotated = [option for option, found in firsts if Mark("@") in found.terminals]
        terminals = [terminal for _, found in firsts for terminal in found.terminals]
        keywords = {terminal for terminal in terminals if isinstance(terminal, Keyword)}
        if len(keywords) >= _TABLE_FROM:
            self.by_word(rule, firsts, annotated)
        else:
            self.by_character(rule, firsts)

    def by_word(self, rule: str, firsts: list[tuple[Expr, First]], annotated: list[Expr]) -> None:
        table: dict[str, list[str]] = {}
        for option, found in firsts:
            assert isinstance(option, Use)
            for terminal in found.terminals:
                if terminal == Mark("@"):
                    continue
                for listed in self.listed(terminal):
                    table.setdefault(listed, []).append(option.rule)
        table_name = f"{rule}_by_word"
        combined = {w: self.tried(rule, tuple(rules)) for w, rules in table.items()}
        entries = ", ".join(f"{w!r}: {name}" for w, name in combined.items())
        with self.block(f"def {rule}(p):"):
            self.put("nonlocal far, exp")
            self.put("m = word(text, p)")
            if annotated:
                with self.block("if m is None and text[p] == '@':"):
                    self.put("q = p")
                    with self.block("while text[q] == '@' and Annotation(q) is not None:"):
                        self.put("q = pos")
                    self.put("m = word(text, q)")
                    with self.block("if m is None:"):
                        self.note(f"rule:{rule}", "q")
                        self.put("return None")
                    self.put(f"option = {table_name}_annotated.get(m[1])")
                    with self.block("if option is None:"):
                        self.note(f"rule:{rule}", "q")
                        self.put("return None")
                    self.put("return option(p)")
            with self.block("if m is not None:"):
                self.put(f"option = {table_name}.get(m[1])")
                with self.block("if option is not None:"):
                    self.put("return option(p)")
            self.note(f"rule:{rule}", "p")
            self.put("return None")
        self.late(f"{table_name} = {{{entries}}}")
        if annotated:
            entries = ", ".join(
                f"{w!r}: {name}"
                for w, name in combined.items()
                if all(Use(option) in annotated for option in table[w])
            )
            self.late(f"{table_name}_annotated = {{{entries}}}")

    def listed(self, terminal: Keyword | Mark | Token) -> tuple[str, ...]:
        if isinstance(terminal, Keyword):
            return (terminal.word,)
        found = first.words(terminal.pattern) if isinstance(terminal, Token) else None
        assert found is not None, f"{self.rule}: {terminal}"
        assert all(w.isidentifier() for w in found), f"{self.rule}: {terminal}"
        return found

    def tried(self, rule: str, options: tuple[str, ...]) -> str:
        """A function that tries some rules in order."""
        if len(options) == 1:
            return options[0]
        name = f"{rule}_{'_'.join(options)}"
        with self.block(f"def {name}(p):"):
            for option in options[:-1]:
                self.put(f"node = {option}(p)")
                with self.block("if node is not None:"):
                    self.put("return node")
            self.put(f"return {options[-1]}(p)")
        self.put("")
        return name

    def by_character(self, rule: str, firsts: list[tuple[Expr, First]]) -> None:
        table: dict[str, list[str]] = {}
        other: list[str] = []
        for option, found in firsts:
            assert isinstance(option, Use)
            starts = frozenset[str]().union(*(first.characters(terminal) for terminal in found.terminals))
            for char in sorted(starts):
                table.setdefault(char, []).append(option.rule)
            if any(isinstance(t, Token) and first.words(t.pattern) is None for t in found.terminals):
                other.append(option.rule)
        groups: dict[tuple[str, ...], list[str]] = {}
        for char, named in table.items():
            groups.setdefault(tuple(named), []).append(char)
        with self.block(f"def {rule}(p):"):
            self.put("nonlocal far, exp")
            self.put("c = text[p]")
            for rules, chars in sorted(groups.items(), key=lambda item: (len(item[1]), item[1])):
                test = f"c == {chars[0]!r}" if len(chars) == 1 else f"c in {''.join(chars)!r}"
                with self.block(f"if {test}:"):
                    self.attempts(rule, rules)
            if other:
                with self.block("if c > '\\x7f':"):
                    self.attempts(rule, tuple(other))
            self.note(f"rule:{rule}", "p")
            self.put("return None")

    def attempts(self, rule: str, options: tuple[str, ...]) -> None:
        for option in options:
            self.put(f"node = {option}(p)")
            with self.block("if node is not None:"):
                self.put("return node")
        self.note(f"rule:{rule}", "p")
        self.put("return None")

    def late(self, line: str) -> None:
        """Keeps a line for behind all functions, which it names."""
        self.tables.append(line)

    # ------------------------------------------------------------ expressions

    def note(self, key: str, p: str) -> None:
        """Code that keeps in mind what was expected at `p`."""
        index = self.expected.setdefault(key, len(self.expected))
        with self.block(f"if {p} > far:"):
            self.put(f"far = {p}")
            self.put(f"exp = [{index}]")
        with self.block(f"elif {p} == far:"):
            self.put(f"exp.append({index})")

    def expression(self, expr: Expr, scope: _Scope, following: tuple[Expr, ...]) -> None:
        """Code that matches `expr` at `scope.p` and moves it, or fails; `following` comes after it."""
        if isinstance(expr, Seq):
            for index, part in enumerate(expr.parts):
                self.expression(part, scope, (*expr.parts[index + 1 :], *following))
        elif isinstance(expr, Optional):
            self.optional(expr.part, scope)
        elif isinstance(expr, Choice):
            self.choice(expr, scope)
        elif isinstance(expr, Assign):
            self.assign(expr, scope, following)
        elif isinstance(expr, Use):
            self.use(expr.rule, scope)
        elif isinstance(expr, Ahead):
            self.put(f"if {self.regex(expr.part)}(text, {scope.p}) is None:")
            self.failing(expr.part, scope)
        else:
            self.terminal(expr, scope, None)

    def use(self, rule: str, scope: _Scope, target: str = "v") -> None:
        self.put(f"{target} = {rule}({scope.p})")
        with self.block(f"if {target} is None:"):
            self.put(scope.fail)
        self.put(f"{scope.p} = pos")
        self.put(f"{scope.e} = end")

    def terminal(self, terminal: Keyword | Mark | Token, scope: _Scope, target: str | None) -> None:
        p, e = scope.p, scope.e
        if isinstance(terminal, Mark):
            mark = terminal.mark
            self.put(
                f"if text[{p}] != {mark!r}:" if len(mark) == 1 else f"if not text.startswith({mark!r}, {p}):"
            )
            self.failing(terminal, scope)
            self.put(f"{e} = {p} + {len(mark)}")
            self.put(f"{p} = {e} if text[{e}] not in ' \\n\\t\\r/' else skip(text, {e}).end()")
            if target:
                self.put(f"{target} = {mark!r}")
            return
        listed = (terminal.word,) if isinstance(terminal, Keyword) else first.plain_words(terminal.pattern)
        if listed is not None:
            guard = f"text[{p}] == {listed[0][0]!r}" if len(listed) == 1 else f"text[{p}] > '@'"
            self.put(f"m = word(text, {p}) if {guard} else None")
            test = f"!= {listed[0]!r}" if len(listed) == 1 else f"not in {self.word_set(listed)}"
            self.put(f"if m is None or m[1] {test}:")
            value = "m[1]"
        else:
            assert isinstance(terminal, Token)
            self.put(f"m = {self.regex(terminal)}(text, {p})")
            self.put("if m is None:")
            several = any(" " in item for item in first.words(terminal.pattern) or ())
            value = "' '.join(m[1].split())" if several else "m[1]"
        self.failing(terminal, scope)
        if target:
            self.put(f"{target} = {value}")
        self.put(f"{e} = m.end(1)")
        self.put(f"{p} = m.end()")

    def regex(self, token: Token) -> str:
        return self.regexes.setdefault(token.pattern, f"t_{token.name}")

    def word_set(self, listed: tuple[str, ...]) -> str:
        return self.word_sets.setdefault(listed, f"w_{len(self.word_sets)}")

    def failing(self, terminal: Keyword | Mark | Token, scope: _Scope) -> None:
        self.indent += 1
        self.note(self.key(terminal), scope.p)
        self.put(scope.fail)
        self.indent -= 1

    def key(self, terminal: Keyword | Mark | Token) -> str:
        if self.rule in phrases.RULES and terminal in first.first(self.grammar, Use(self.rule)).terminals:
            return f"rule:{self.rule}"
        if isinstance(terminal, Keyword):
            return f"word:{terminal.word}"
        if isinstance(terminal, Mark):
            return f"mark:{terminal.mark}"
        return f"token:{terminal.name}"

    def optional(self, part: Expr, scope: _Scope) -> None:
        with self.block("while True:"):
            inner = self.inner(part, scope)
            self.expression(part, inner, ())
            self.commit(inner, scope)
            self.put("break")

    def inner(self, part: Expr, scope: _Scope) -> _Scope:
        inner = _Scope(dict(scope.names), self.fresh("p"), self.fresh("e"), "break")
        self.put(f"{inner.p} = {scope.p}")
        for attribute, default in shape.attributes(part).items():
            name = self.fresh(f"a_{attribute}_")
            inner.names[attribute] = name
            if default != "None" or not shape.mandatory(part, attribute):
                self.put(f"{name} = {default}")
        return inner

    def commit(self, inner: _Scope, scope: _Scope) -> None:
        for attribute, name in inner.names.items():
            if scope.names[attribute] != name:
                self.put(f"{scope.names[attribute]} = {name}")
        self.put(f"{scope.p} = {inner.p}")
        self.put(f"{scope.e} = {inner.e}")

    def choice(self, choice: Choice, scope: _Scope) -> None:
        done = self.fresh("done")
        self.put(f"{done} = False")
        for index, option in enumerate(choice.options):
            if isinstance(option, Assign) and option.kind == "flag":
                option = Seq(
                    (Assign(option.attribute, "set", option.part),)
                )  # nothing does not count as a match
            if index:
                self.put(f"if not {done}:")
                self.indent += 1
            with self.block("while True:"):
                inner = self.inner(option, scope)
                self.expression(option, inner, ())
                self.commit(inner, scope)
                self.put(f"{done} = True")
                self.put("break")
            if index:
                self.indent -= 1
        with self.block(f"if not {done}:"):
            self.put(scope.fail)

    def assign(self, expr: Assign, scope: _Scope, following: tuple[Expr, ...]) -> None:
        name = scope.names[expr.attribute]
        if expr.kind == "set":
            self.expression(expr.part, scope, following)
            self.put(f"{name} = True")
        elif expr.kind == "flag":
            with self.block("while True:"):
                inner = _Scope(scope.names, self.fresh("p"), self.fresh("e"), "break")
                self.put(f"{inner.p} = {scope.p}")
                self.expression(expr.part, inner, ())
                self.put(f"{name} = True")
                self.put(f"{scope.p} = {inner.p}")
                self.put(f"{scope.e} = {inner.e}")
                self.put("break")
        elif expr.kind == "one":
            if isinstance(expr.part, Use):
                self.use(expr.part.rule, scope, name)
            else:
                assert isinstance(expr.part, Keyword | Mark | Token), self.rule
                self.terminal(expr.part, scope, name)
        else:
            self.repeat(expr, scope, name, following)

    def repeat(self, expr: Assign, scope: _Scope, name: str, following: tuple[Expr, ...]) -> None:
        assert isinstance(expr.part, Use), self.rule
        rule = expr.part.rule
        items = self.fresh("items")
        starts = first.first(self.grammar, expr.part).terminals
        closing = following[0].mark if following and isinstance(following[0], Mark) else None
        if expr.kind == "some":
            self.use(rule, scope)
            self.put(f"{items} = [v]")
            self.more(expr, scope, items)
            self.put(f"{name} = tuple({items})")
            return
        if len(starts) == 1 and isinstance(starts[0], Mark):
            guard = f"text[{scope.p}] == {starts[0].mark!r}"
        elif closing is not None and len(closing) == 1:
            guard = f"text[{scope.p}] != {closing!r}"
        else:
            guard = "True"
        if expr.separator is None:
            with self.block(f"if {guard}:" if guard != "True" else "while True:"):
                self.put(f"v = {rule}({scope.p})")
                if guard == "True":
                    with self.block("if v is None:"):
                        self.put(f"{name} = ()")
                        self.put("break")
                else:
                    self.put(f"{items} = []")
                    self.put("while v is not None:")
                    self.indent += 1
                    self.put(f"{items}.append(v)")
                    self.put(f"{scope.p} = pos")
                    self.put(f"{scope.e} = end")
                    self.put(f"if not ({guard}): break")
                    self.put(f"v = {rule}({scope.p})")
                    self.indent -= 1
                    self.put(f"{name} = tuple({items})")
                    return
                self.put(f"{items} = []")
                with self.block("while v is not None:"):
                    self.put(f"{items}.append(v)")
                    self.put(f"{scope.p} = pos")
                    self.put(f"{scope.e} = end")
                    if self.rule in _VALUES:
                        with self.block(f"if len({items}) > build.MAX_OPERATORS:"):
                            self.put("special = ('row', s, e)")
                            self.put("return None")
                    self.put(f"v = {rule}({scope.p})")
                self.put(f"{name} = {items if self.rule in _VALUES else f'tuple({items})'}")
                self.put("break")
            return
        with self.block(f"if {guard}:"):
            self.put(f"v = {rule}({scope.p})")
            with self.block("if v is not None:"):
                self.put(f"{scope.p} = pos")
                self.put(f"{scope.e} = end")
                self.put(f"{items} = [v]")
                self.more(expr, scope, items)
                self.put(f"{name} = tuple({items})")

    def more(self, expr: Assign, scope: _Scope, items: str) -> None:
        """Code for the second and further items of a list."""
        assert isinstance(expr.part, Use)
        if expr.separator is None:
            raise NotImplementedError("a repetition of one or more without a separator")
        with self.block("while True:"):
            inner = _Scope({}, self.fresh("p"), self.fresh("e"), "break")
            self.put(f"{inner.p} = {scope.p}")
            self.terminal(Mark(expr.separator), inner, None)
            self.put(f"v = {expr.part.rule}({inner.p})")
            with self.block("if v is None:"):
                self.put("break")
            self.put(f"{items}.append(v)")
            self.put(f"{scope.p} = pos")
            self.put(f"{scope.e} = end")


# ---------------------------------------------------------------- values that are not plain nodes

_CONVERSIONS = {
    ("Text", "value"): "build.text({})",
    ("Boolean", "value"): "{} == 'true'",
}

_VALUES: dict[str, list[str]] = {
    "Tail": ["return a_op, s, a_right"],
    "Expression": [
        "if not a_rest:",
        "    return a_first",
        "if len(a_rest) == 1:",
        "    op, at, right = a_rest[0]",
        "    node = quick.binary(op, a_first, right, at)",
        "else:",
        "    chained = build.chained(a_rest)",
        "    if chained is not None:",
        "        special = ('chained', a_rest[chained][1], a_rest[chained][1] + len(a_rest[chained][0]))",
        "        return None",
        "    if len(a_rest) >= build.MAX_HEIGHT and build.too_long(a_rest):",
        "        special = ('row', s, e)",
        "        return None",
        "    node = build.fold(a_first, a_rest)",
        "if len(a_rest) * (depth + 1) > 20 and heights.of(node) > build.MAX_HEIGHT:",
        "    special = ('height', s, e)",
        "    return None",
        "return node",
    ],
    "Quantity": [
        "value = quantities.get((a_number, a_unit))",
        "if value is None:",
        "    if len(a_number) > build.MAX_DIGITS:",
        "        special = ('number', s, s + len(a_number))",
        "        return None",
        "    value = quantities[a_number, a_unit] = build.quantity(a_number, a_unit)",
        "span = _Span()",
        "span.start = s",
        "span.end = e",
        "span.__class__ = Span",
        "node = _new(_Quantity)",
        "node.value = value",
        "node.unit = a_unit",
        "node.span = span",
        "node.doc = None",
        "node.__class__ = nodes.Quantity",
        "return node",
    ],
}


def _column(value: object) -> str:
    """A table in source form, one entry a line."""
    if isinstance(value, dict):
        return "{\n" + "".join(f"    {key!r}: {entry!r},\n" for key, entry in value.items()) + "}"
    assert isinstance(value, tuple)
    return "(\n" + "".join(f"    {entry!r},\n" for entry in value) + ")"


def main(arguments: list[str]) -> int:
    source = generate(read())
    if arguments == ["--check"]:
        current = TARGET.exists() and TARGET.read_text(encoding="utf-8") == source
        if not current:
            print(f"{TARGET.name} is not current: run python -m lpcl.syntax.generate", file=sys.stderr)
        return 0 if current else 1
    TARGET.write_text(source, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
