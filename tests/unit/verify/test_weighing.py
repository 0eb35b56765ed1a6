"""Which lies an experiment notices is worked out from few of them; here each is told, as a check of that."""

from __future__ import annotations

import pytest

from lpcl.compose.evaluate import evaluate
from lpcl.compose.refusal import Refusal
from lpcl.model.contracts import contract as flatten
from lpcl.syntax import nodes
from lpcl.verify.coverage import MACHINE
from lpcl.verify.experiments import Experiment, every
from lpcl.verify.judgement import names_of
from lpcl.verify.reading import Book, differing, watched
from lpcl.verify.selection import select
from lpcl.verify.weighing import Witness, asked, noticed

CONTRACTS = (
    "concurrent_futures",
    "joblib",
    "multiprocessing",
    "numexpr",
    "numpy",
    "openblas",
    "samtools",
    "threadpoolctl",
)


def values(experiment: Experiment) -> list[object]:
    """All that the expectations of an experiment ask of its contract."""
    found: list[object] = []
    for trial in experiment.trials:
        if trial.setup is not None:
            names = names_of(experiment, trial, None, MACHINE)
            for item in trial.expectations:
                for node in asked(item.condition):
                    try:
                        found.append(evaluate(node, names))
                    except Refusal:
                        found.append(None)
    return found


@pytest.mark.parametrize("name", CONTRACTS)
def test_the_same_lies_are_noticed_when_each_is_told(name: str) -> None:
    noticed_at_all = 0
    for chosen in select([name]).chosen:
        program = chosen.workspace.program
        for declared in chosen.contracts:
            contract = flatten(program, declared)
            witness = Witness(program, contract)
            for experiment in every(program, contract, MACHINE)[:6]:
                truth = values(experiment)
                told = {
                    number
                    for number in range(len(witness.lies))
                    if truth and values(witness.with_lie(experiment, number)) != truth
                }
                assert noticed(experiment, witness, MACHINE) == told, experiment.label
                noticed_at_all += len(told)
    assert noticed_at_all > 0


def control() -> nodes.Control:
    """The control of a contract in a text."""
    from lpcl.syntax.parser import parse

    text = "contract c { control threads : count in 1..9 { env A, B default 4 } }"
    (made,) = parse(text).file.items
    assert isinstance(made, nodes.Contract)
    (member,) = made.members
    assert isinstance(member, nodes.Control)
    return member


def test_a_watched_node_reads_like_the_original_and_writes_down_what_was_looked_at() -> None:
    node, book = control(), Book()
    copy = watched(node, book)
    assert isinstance(copy, nodes.Control)
    assert copy.name.text == "threads"
    assert book.turn() == {(id(node), "name"), (id(node.name), "text")}
    assert book.turn() == frozenset()
    assert copy == node
    assert hash(copy.name) == hash(node.name)
    assert [type(one).__name__ for one in copy.walk()] == [type(one).__name__ for one in node.walk()]


def test_what_differs_is_named_by_the_attribute_that_holds_it() -> None:
    from dataclasses import replace

    node = control()
    variables, default = node.clauses
    assert isinstance(variables, nodes.EnvSource)
    assert isinstance(default, nodes.Default)
    fewer = replace(variables, names=variables.names[:1])
    assert list(differing(node, node)) == []
    assert list(differing(node, replace(node, clauses=(fewer, default)))) == [(id(variables), "names")]
    assert list(differing(node, replace(node, clauses=(default,)))) == [(id(node), "clauses")]
    other = replace(variables, names=tuple(reversed(variables.names)))
    first, second = variables.names
    places = set(differing(node, replace(node, clauses=(other, default))))
    assert places >= {(id(first), "text"), (id(second), "text")}


def test_the_last_lines_do_not_say_of_a_proved_experiment_that_nothing_is_proved() -> None:
    from lpcl.verify.judgement import Outcome, Verdict
    from lpcl.verify.render.text import summary
    from lpcl.verify.session import Proof

    (chosen,) = select(["samtools"]).chosen
    program, (declared, *_) = chosen.workspace.program, chosen.contracts
    contract = flatten(program, declared)
    outcome = Outcome(every(program, contract, MACHINE)[0], Verdict.PROVED)
    none = Proof(contract, (), ("a", "b"))
    first, *rest = summary([outcome], [none]).splitlines()
    assert first.startswith("experiments: 1 proved, 0 refuted, ")
    assert rest[0].startswith("clauses: 0 of 2 proved: what holds would hold as well")
    assert "figures alone" in rest[1]
    assert summary([outcome], [Proof(contract, ("a",), ("a", "b"))]).endswith(
        "clauses: 1 of 2 proved: had one of them said something else, an experiment would have been refuted"
    )
