"""What a provider does not keep of its interface: what the interface leaves out is open to it.

Where the interface says nothing it is completed with what the provider says. What users of the completed one
would notice of the provider is what the interface promises in vain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from lpcl.syntax import nodes
from tests.property.clauses import TRIED
from tests.property.plain_broken import Broken, Found, dimension_of, is_so, shown
from tests.property.plain_values import OTHER_WAYS, Version, clause


def completed(interface: nodes.Interface, provider: nodes.Contract) -> tuple[nodes.Contract, nodes.Contract]:
    """The completed interface, and the provider, both without what no interface speaks of."""
    promised = {(type(one), one.name.text): one for one in interface.members}
    before: list[nodes.ContractMember] = []
    after: list[nodes.ContractMember] = []
    for member in provider.members:
        if isinstance(member, nodes.Let):
            before.append(member)
            after.append(member)
        elif isinstance(member, nodes.Control | nodes.Pool | nodes.Operation):
            stated = promised.get((type(member), member.name.text))
            if isinstance(stated, nodes.Operation) and isinstance(member, nodes.Operation):
                member = _spoken_of(stated, member)
            before.append(member if stated is None else _completed(stated, member))
            after.append(member)
    return replace(provider, members=tuple(before)), replace(provider, members=tuple(after))


Member = nodes.Control | nodes.Pool | nodes.Operation
ClauseT = TypeVar("ClauseT")


def _completed(stated: Member, given: Member) -> Member:
    if isinstance(stated, nodes.Operation) and isinstance(given, nodes.Operation):
        ways = [one for one in stated.clauses if isinstance(one, nodes.RunsOn | nodes.Workers)]
        clauses = [_with_block(one, given) for one in stated.clauses]
        demanded = {one.resource.path for one in stated.clauses if isinstance(one, nodes.Demand)}
        for one in given.clauses:
            if isinstance(one, nodes.RunsOn | nodes.Workers):
                left_out = not ways
            else:
                left_out = not isinstance(one, nodes.Demand) or one.resource.path not in demanded
            if left_out and not isinstance(one, nodes.Assume):
                clauses.append(one)
        return replace(stated, clauses=tuple(clauses))
    if isinstance(stated, nodes.Control) and isinstance(given, nodes.Control):
        further = _further(stated.clauses, given.clauses)
        if clause(stated, nodes.EnvSource) is not None:  # its users set it by what the interface names
            further = (one for one in further if not isinstance(one, OTHER_WAYS))
        return replace(stated, type=given.type, clauses=(*stated.clauses, *further))
    assert isinstance(stated, nodes.Pool)
    assert isinstance(given, nodes.Pool)
    sized = clause(stated, nodes.Size) is not None
    said = [
        one for one in stated.clauses if sized or not (isinstance(one, nodes.Existing) and _reads_size(one))
    ]
    return replace(stated, clauses=(*said, *_further(said, given.clauses)))


def _reads_size(existing: nodes.Existing) -> bool:
    return any(isinstance(one, nodes.Reference) and one.path == "size" for one in existing.walk())


def _further(stated: Iterable[ClauseT], given: Iterable[ClauseT]) -> Iterator[ClauseT]:
    """The clauses of kinds that the interface leaves out."""
    kinds = {type(one) for one in stated}
    return (one for one in given if type(one) not in kinds)


def _with_block(stated: nodes.OperationClause, given: nodes.Operation) -> nodes.OperationClause:
    """Workers of an interface, with what a provider's of that kind see in addition."""
    if not isinstance(stated, nodes.Workers):
        return stated
    others = (one for one in given.clauses if isinstance(one, nodes.Workers) and one.kind == stated.kind)
    said = {_subject(one) for one in stated.clauses}
    further = [one for other in others for one in other.clauses if _subject(one) not in said]
    return replace(stated, clauses=(*stated.clauses, *further))


def _subject(node: nodes.Node) -> tuple[object, ...]:
    match node:
        case nodes.SetVariable():
            return type(node), node.name.text, node.weak
        case nodes.Demand():
            return type(node), node.resource.path
        case nodes.Limit():
            return type(node), node.target.path
    return (type(node),)


def _spoken_of(stated: nodes.Operation, given: nodes.Operation) -> nodes.Operation:
    """An operation of a provider without what it may assume where the interface assumes nothing."""
    if any(isinstance(one, nodes.Assume) for one in stated.clauses):
        return given
    return replace(given, clauses=tuple(one for one in given.clauses if not isinstance(one, nodes.Assume)))


def ranges(interface: nodes.Interface, provider: Version) -> Found:
    """The values that a control takes on one side alone, where others have what they have in a setting."""
    promised = replace(provider, node=interface)
    for name, control in promised.controls.items():
        given = provider.controls.get(name)
        if given is None or name not in TRIED or isinstance(given.type, nodes.EnumType):
            continue
        invalid = clause(given, nodes.Invalid)
        for value in TRIED[name]:
            taken = is_so(promised.takes, control.type, value), is_so(provider.takes, given.type, value)
            if taken == (False, True) or (
                taken == (True, False) and invalid is not None and invalid.policy == "rejects"
            ):
                yield Broken("control-range", name, now=shown(value, dimension_of(control.type)))
