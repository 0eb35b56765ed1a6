"""What the grammar says about itself: attributes, blocks, what is repeated in them, and what nests."""

from __future__ import annotations

from collections.abc import Iterator

from lpcl.syntax import first
from lpcl.syntax.rules import Ahead, Assign, Choice, Expr, Grammar, Keyword, Mark, Optional, Seq, Token, Use


def attributes(expr: Expr) -> dict[str, str]:
    """The attributes that an expression sets, with their value where it leaves them out."""
    if isinstance(expr, Assign):
        default = {"many": "()", "some": "()", "flag": "False", "set": "False"}.get(expr.kind, "None")
        return {expr.attribute: default}
    found: dict[str, str] = {}
    parts: tuple[Expr, ...] = ()
    if isinstance(expr, Seq):
        parts = expr.parts
    elif isinstance(expr, Choice):
        parts = expr.options
    elif isinstance(expr, Optional):
        parts = (expr.part,)
    for part in parts:
        found |= {name: value for name, value in attributes(part).items() if name not in found}
    return found


def mandatory(expr: Expr, attribute: str) -> bool:
    if isinstance(expr, Assign):
        return expr.attribute == attribute and expr.kind in ("one", "some", "set")
    return isinstance(expr, Seq) and any(mandatory(part, attribute) for part in expr.parts)


def _parts(expr: Expr) -> Iterator[Expr]:
    yield expr
    inner: tuple[Expr, ...]
    if isinstance(expr, Seq):
        inner = expr.parts
    elif isinstance(expr, Choice):
        inner = expr.options
    elif isinstance(expr, Optional | Ahead | Assign):
        inner = (expr.part,)
    else:
        return
    for part in inner:
        yield from _parts(part)


def _everything(grammar: Grammar) -> Iterator[Expr]:
    for expr in grammar.rules.values():
        yield from _parts(expr)


def tokens(grammar: Grammar) -> list[Token]:
    found = {part.name: part for part in _everything(grammar) if isinstance(part, Token)}
    return list(found.values())


def marks(grammar: Grammar) -> set[str]:
    marks = {part.mark for part in _everything(grammar) if isinstance(part, Mark)}
    marks |= {part.separator for part in _everything(grammar) if isinstance(part, Assign) and part.separator}
    for token in tokens(grammar):
        marks |= {item for item in first.words(token.pattern) or () if not item[0].isalnum()}
    return marks


def guarded(grammar: Grammar) -> set[str]:
    """Rules that consume a token and can hold themselves, enough of them that no rule nests without them."""
    calls = {
        rule: {part.rule for part in _parts(expr) if isinstance(part, Use)}
        for rule, expr in grammar.rules.items()
    }
    chosen: set[str] = set()

    def reaches_itself(rule: str) -> bool:
        seen: set[str] = set()
        stack = [rule]
        while stack:
            for called in calls[stack.pop()] - chosen:
                if called == rule:
                    return True
                if called not in seen:
                    seen.add(called)
                    stack.append(called)
        return False

    for rule in sorted(grammar.concrete):
        body = grammar.rules[rule]
        if isinstance(body, Seq) and not isinstance(_leading(body), Use) and reaches_itself(rule):
            chosen.add(rule)
    assert not any(reaches_itself(rule) for rule in set(grammar.rules) - chosen)
    return chosen


def _leading(seq: Seq) -> Expr:
    part = seq.parts[0]
    return part.part if isinstance(part, Assign) else part


def _repeated(grammar: Grammar) -> Iterator[tuple[str, str]]:
    """The rules that are repeated between braces, or at the top, with the rule that repeats them."""
    for rule, expr in grammar.rules.items():
        for part in _parts(expr):
            if isinstance(part, Seq):
                for before, repeat, after in zip(part.parts, part.parts[1:], part.parts[2:], strict=False):
                    if (
                        before == Mark("{")
                        and after == Mark("}")
                        and isinstance(repeat, Assign)
                        and repeat.separator is None
                    ):
                        assert isinstance(repeat.part, Use)
                        yield rule, repeat.part.rule
        if rule == grammar.start:
            assert isinstance(expr, Assign)
            assert isinstance(expr.part, Use)
            yield rule, expr.part.rule


def _options(grammar: Grammar, rule: str) -> list[str]:
    """The concrete rules that a rule stands for."""
    if rule in grammar.concrete:
        return [rule]
    choice = grammar.rules[rule]
    assert isinstance(choice, Choice)
    return [
        name
        for option in choice.options
        if isinstance(option, Use)
        for name in _options(grammar, option.rule)
    ]


def elements(grammar: Grammar) -> list[str]:
    """The rules whose nodes carry documentation: what is repeated between braces or at the top."""
    found = [name for _, element in _repeated(grammar) for name in _options(grammar, element)]
    return list(dict.fromkeys(found))


def element_table(grammar: Grammar) -> dict[str, dict[str, tuple[str, ...]]]:
    """By repeated rule: the words and marks that start an element (`*`: any name) and what it then is."""
    table: dict[str, dict[str, tuple[str, ...]]] = {}
    for _, element in _repeated(grammar):
        starts: dict[str, list[str]] = {}
        for rule in _options(grammar, element):
            for terminal in first.first(grammar, Use(rule)).terminals:
                if terminal == Mark("@"):
                    continue
                if isinstance(terminal, Token):
                    keys = first.words(terminal.pattern) or ("*",)
                else:
                    keys = (terminal.word,) if isinstance(terminal, Keyword) else (terminal.mark,)
                for key in keys:
                    starts.setdefault(key, []).append(rule)
        table[element] = {key: tuple(rules) for key, rules in starts.items()}
    return table


def block_index(grammar: Grammar, body: Expr) -> int:
    """Which part of a rule's sequence is, or holds, its block; the number of parts where there is none."""
    if not isinstance(body, Seq):
        return 0
    for index, part in enumerate(body.parts):
        if _block_of(body, index) is not None or _inner_block(grammar, part) is not None:
            return index
    return len(body.parts)


def _block_of(body: Seq, index: int) -> tuple[str, str] | None:
    """The attribute and element of a block that begins with the brace at `index` of a sequence."""
    if body.parts[index] != Mark("{") or index + 2 >= len(body.parts):
        return None
    repeat = body.parts[index + 1]
    if not isinstance(repeat, Assign) or repeat.kind != "many" or repeat.separator is not None:
        return None
    assert isinstance(repeat.part, Use)
    return repeat.attribute, repeat.part.rule


def _inner_block(grammar: Grammar, part: Expr) -> tuple[str, str, str | None] | None:
    """The attribute, element and rule of a block that is optional, an alternative or of a rule of its own."""
    if isinstance(part, Optional):
        part = part.part
    for option in part.options if isinstance(part, Choice) else (part,):
        if isinstance(option, Seq) and option.parts[0] == Mark("{"):
            found = _block_of(option, 0)
            if found is not None:
                return (*found, None)
        if (
            isinstance(option, Assign)
            and isinstance(option.part, Use)
            and option.part.rule in grammar.concrete
        ):
            body = grammar.rules[option.part.rule]
            if isinstance(body, Seq) and body.parts[0] == Mark("{"):
                found = _block_of(body, 0)
                if found is not None:
                    return option.attribute, found[1], option.part.rule
    return None


def blocks(grammar: Grammar) -> dict[str, tuple[str, str, str | None, bool]]:
    """By rule with a block: its attribute, what is repeated in it, its own rule, and whether it may lack."""
    table: dict[str, tuple[str, str, str | None, bool]] = {}
    for rule in elements(grammar):
        body = grammar.rules[rule]
        if not isinstance(body, Seq):
            continue
        index = block_index(grammar, body)
        if index == len(body.parts):
            continue
        direct = _block_of(body, index)
        if direct is not None:
            table[rule] = (*direct, None, False)
            continue
        part = body.parts[index]
        inner = _inner_block(grammar, part)
        assert inner is not None
        attribute, element, wrapper = inner
        table[rule] = (attribute, element, wrapper, isinstance(part, Optional | Choice))
    return table
