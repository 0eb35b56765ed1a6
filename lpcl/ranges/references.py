"""Which names the declarations of a program read of each other, each looked through once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from lpcl.check.asking import below
from lpcl.model.program import Declared, Program
from lpcl.syntax import nodes


@dataclass
class References:
    """The paths that each declaration's expressions read."""

    program: Program

    def outside(self, own: Iterable[Declared], name: str) -> bool:
        """Whether a declaration beside one's `own` reads `name` behind a dot, or an heir reads it at all."""
        return bool(self._readers.get(name, _NOBODY) - set(map(_key, own)))

    @cached_property
    def _readers(self) -> dict[str, set[tuple[int, int]]]:
        """The declarations that may read a name of another one, by the name."""
        readers: dict[str, set[tuple[int, int]]] = {}
        for file in self.program.files:
            for placed in file.parsed.pieces:
                for index, (item, kinds) in enumerate(zip(placed.bare, below(placed), strict=True)):
                    heir = isinstance(item, nodes.Contract) and item.base is not None
                    for node in kinds.get(nodes.Reference, ()):
                        if heir or "." in node.path:
                            readers.setdefault(node.path.rpartition(".")[2], set()).add((id(placed), index))
        return readers


_NOBODY: frozenset[tuple[int, int]] = frozenset()


def _key(declared: Declared) -> tuple[int, int]:
    return id(declared.placed), declared.index
