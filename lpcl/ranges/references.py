"""Which names the declarations of a program read, each looked through once."""

from __future__ import annotations

from dataclasses import dataclass, field

from lpcl.model.program import Program
from lpcl.syntax import nodes


@dataclass
class References:
    """The paths that each declaration's expressions read."""

    program: Program
    _known: dict[int, tuple[nodes.Node, frozenset[str]]] = field(default_factory=dict, init=False)

    def of(self, item: nodes.Node) -> frozenset[str]:
        """The paths that the expressions of a declaration read."""
        found = self._known.get(id(item))
        if found is None:
            paths = frozenset(node.path for node in item.walk() if isinstance(node, nodes.Reference))
            found = self._known[id(item)] = (item, paths)
        return found[1]

    def outside(self, own: frozenset[int]) -> frozenset[str]:
        """The last names of what declarations read behind a dot, and of all that heirs read.

        `own` are the identities of the declarations that are left out.
        """
        names: set[str] = set()
        for file in self.program.files:
            for item in file.parsed.file.items:
                if id(item) not in own:
                    heir = isinstance(item, nodes.Contract) and item.base is not None
                    names.update(path.rpartition(".")[2] for path in self.of(item) if heir or "." in path)
        return frozenset(names)
