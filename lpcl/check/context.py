"""What all rules share: the program under check, its flattened contracts, and the findings so far."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

from lpcl.check.asking import Answers, Asked, Asking, Catalogue, NoCatalogue, Notes, below
from lpcl.check.memo import Kept, Key, places
from lpcl.check.names import Names
from lpcl.diagnostics.codes import CODES
from lpcl.diagnostics.diagnostic import Diagnostic, Edit, Fix, FixGrade, Label, Location, Severity
from lpcl.model import contracts
from lpcl.model.program import Declared, Program, SourceFile
from lpcl.syntax import nodes
from lpcl.syntax.pieces import Placed
from lpcl.syntax.span import Span


def location(file: SourceFile, span: Span) -> Location:
    """A span of a file as diagnostics state it."""
    return Location(file.path, span.start, span.end)


def label(file: SourceFile, span: Span, message: str) -> Label:
    """A second place with what it has to say."""
    return Label(location(file, span), message)


def name_span(reference: nodes.Ref | nodes.Reference, part: str) -> Span:
    """The place of `part`, the whole of a dotted path, its head or its last name, in a reference."""
    start, end = reference.span.start, reference.span.end
    if part != reference.path and end - start == len(reference.path):
        if reference.path.endswith("." + part):
            return Span(end - len(part), end)
        if reference.path.startswith(part + "."):
            return Span(start, start + len(part))
    return reference.span


MANY = 1000
"""Among more names than these no slip is looked for: nobody writes so many, and it would take too long."""


def nearest(word: str, candidates: Iterable[str], likeness: float = 0.6) -> str | None:
    """The candidate that was probably meant, or None."""
    from difflib import get_close_matches

    known = sorted(set(candidates) - {word})
    found = get_close_matches(word, known, n=1, cutoff=likeness) if len(known) <= MANY else []
    if not found:
        lowered = {item.lower(): item for item in reversed(known)}
        return lowered.get(word.lower())
    return found[0]


def listed(words: Iterable[str], conjunction: str = "and") -> str:
    """Words in a sentence: `a`, `a and b`, `a, b and c`."""
    items = list(words)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {conjunction} {items[-1]}"


def offered(word: str, candidates: Iterable[str], what: str) -> str | None:
    """A help line: the near miss, else what there is to choose from."""
    known = sorted(set(candidates))
    close = nearest(word, known)
    if close is not None:
        return f"did you mean `{close}`?"
    if not known:
        return None
    shown = known[:8]
    more = f" and {len(known) - len(shown)} more" if len(known) > len(shown) else ""
    return f"{what}: {', '.join(f'`{item}`' for item in shown)}{more}"


_OFFER = re.compile(r"did you mean `([^`]+)`\?")


def _offered_name(file: SourceFile, span: Span, help_text: str | None) -> Fix | None:
    offer = _OFFER.fullmatch(help_text) if help_text is not None else None
    return renaming(file, span, offer[1]) if offer is not None else None


def renaming(file: SourceFile, span: Span, text: str) -> Fix | None:
    """Write the word that was probably meant; not where the text there is another kind of thing."""
    from difflib import SequenceMatcher

    word = file.text[span.start : span.end]
    if not word.startswith("@"):
        text = text.removeprefix("@")
    alike = SequenceMatcher(None, word.lower(), text.lower()).ratio() >= 0.6
    if not alike or word == text or word.count(".") != text.count("."):
        return None
    return Fix(f"write `{text}`", FixGrade.UNSAFE, (Edit(location(file, span), text),))


UnitT = TypeVar("UnitT")
N = TypeVar("N", bound=nodes.Node)


class Context(Names):
    """One run of the checker.

    With what the run `before` kept, which may be nothing, it notes what it asks, so that the next one can
    take again what still holds; without, nothing is noted and nothing kept.
    """

    def __init__(
        self, program: Program, catalogue: Catalogue | None = None, before: Mapping[Key, Kept] | None = None
    ) -> None:
        self.answers = Answers(program, catalogue or NoCatalogue())
        self.asking = Asking(self.answers)
        super().__init__(program if before is None else Asked(self.asking))
        self.findings: list[Diagnostic] = []
        self._kept: dict[Key, Kept] = {}
        self._before = before
        self._asked: dict[int, Notes] = {}
        self._below: dict[int, tuple[nodes.Node, Mapping[type, list[Any]]]] = {}

    def below(self, top: nodes.Node, kind: type[N]) -> Sequence[N]:
        """The nodes of a kind in a declaration or another item of a file, in order; each is walked once."""
        known = self._below.get(id(top))
        if known is None:
            placed, index = self._items.get(id(top), (None, 0))
            kinds = nodes.by_kind(top) if placed is None else below(placed)[index]
            known = self._below[id(top)] = top, kinds
        return known[1].get(kind, ())

    @cached_property
    def _items(self) -> Mapping[int, tuple[Placed, int]]:
        """The items that stand where they were parsed, by identity, each as one of its piece."""
        return {
            id(item): (placed, index)
            for file in self.program.files
            for placed in file.parsed.pieces
            if not placed.by
            for index, item in enumerate(placed.bare)
        }

    def unit(
        self, name: str, file: SourceFile, placed: Placed, index: int, work: Callable[[], UnitT]
    ) -> UnitT:
        """Do some work about one item, or take what it came to before where that still holds.

        The work may read the item, and ask the context for anything else.
        """
        if self._before is None:
            return work()
        key = (name, file.path, placed.piece, index)
        kept = self._before.get(key)
        kept = kept.now(self.answers) if kept is not None else None
        if kept is None:
            earlier, self.findings = self.findings, []
            with self.asking.noting() as notes:
                self.asking.ask("head", file.path)
                value = work()
            found, self.findings = tuple(self.findings), earlier
            kept = Kept(value, found, notes, places(found, self.answers.files, file.path, placed))
        self._kept[key] = kept
        self.findings += kept.findings
        done: UnitT = kept.value
        return done

    def for_later(self) -> Mapping[Key, Kept]:
        """What there is for the next run, once this one is done: of all items that are still there."""
        placed, before = self.answers.placed, self._before or {}
        earlier = {key: kept for key, kept in before.items() if placed(key[1], key[2]) is not None}
        return {**earlier, **self._kept}

    def contract(self, declared: Declared) -> contracts.Contract:
        """The contract or interface with what it inherits."""
        if self._before is None:
            return super().contract(declared)
        key = id(declared.node)
        if key not in self._asked:
            with self.asking.noting() as notes:
                super().contract(declared)
            self._asked[key] = notes
        self.asking.add(self._asked[key])
        return super().contract(declared)

    def report(
        self,
        code: str,
        file: SourceFile,
        span: Span,
        headline: str,
        *,
        label: str = "",
        labels: Iterable[Label] = (),
        notes: Iterable[str] = (),
        help_text: str | None = None,
        fix: Fix | None = None,
        severity: Severity | None = None,
    ) -> None:
        """Add a finding, with the severity that its code has unless another one is given.

        Without a `fix`, a help text that offers another name for what stands there becomes one.
        """
        self.findings.append(
            Diagnostic(
                code,
                severity or CODES[code].severity,
                headline,
                location(file, span),
                label=label,
                labels=tuple(labels),
                notes=tuple(notes),
                help=help_text,
                fix=fix or _offered_name(file, span, help_text),
            )
        )

    def is_broken(self, file: SourceFile, span: Span) -> bool:
        """Whether the text there has a fault of syntax, so that what is missing may only be unread."""
        return self.asking.is_broken(file, span)

    def may_be_imported(self, file: SourceFile, name: str) -> bool:
        """Whether an import that leads nowhere, and has its finding, may have brought `name`."""
        self.asking.ask("head", file.path)
        for item in file.imports:
            found = self.program.imported(file, item)
            if self.is_broken(file, Span(item.span.start, item.span.end + 2)):
                return True
            if item.star:
                if not self.asking.ask("is_package", item.path):
                    return True
            elif item.names:
                if name not in found and any(name == wanted.text for wanted in item.names):
                    return True
            elif not found and name == (item.alias.text if item.alias else item.path.rpartition(".")[2]):
                return True
        return self.may_be_lost(file, name)

    def is_whole(self, contract: contracts.Contract) -> bool:
        """Whether all that the contract inherits could be found."""
        first = contracts.lineage(self.program, contract.declared)[0].node
        return not isinstance(first, nodes.Contract | nodes.Interface) or first.base is None

    def may_be_lost(self, file: SourceFile, word: str) -> bool:
        """Whether `word` may be declared in a part of the file that could not be parsed."""
        return bool(self.asking.ask("lost", file.path, word))

    def is_excused(self, contract: contracts.Contract, name: str, known: Iterable[str]) -> bool:
        """Whether a name that a contract lacks may be one that its text, or its base's, was to declare.

        So it is where the name is there in what could not be parsed, and where some part of the declaration
        could not be parsed and the name is not a slip for one of the `known`.
        """
        if not self.is_whole(contract):
            return True
        for declared in contracts.lineage(self.program, contract.declared):
            if self.may_be_lost(declared.file, name):
                return True
            if self.is_broken(declared.file, declared.node.span) and nearest(name, known, 0.8) is None:
                return True
        return False
