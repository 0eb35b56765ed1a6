"""The grammar that the benches compare with: textX finds what the names in it mean."""

from __future__ import annotations

from pathlib import Path

from tests.bench.resolving import metamodel


def test_names_are_resolved(root: Path) -> None:
    model = metamodel().model_from_file(str(root / "stdlib_contracts" / "numexpr" / "numexpr.lpcl"))
    (contract,) = (item for item in model.items if type(item).__name__ == "Contract")
    members = {item.name: item for item in contract.members if getattr(item, "name", None)}
    size = next(clause for clause in members["workers"].clauses if type(clause).__name__ == "Size")
    assert size.value.first.head is members["threads"]
    waiting = members["waiting"].indications[0]
    assert waiting.resource.name == "cpu"
    assert waiting.resource.parent is not model  # it stands in another file
    assert type(waiting.resource).__name__ == "Resource"
