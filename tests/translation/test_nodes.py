"""Kernels made by typed nodes: as Python has it, or refused."""

import ast
import contextlib

import pytest

from searchkit.heuristic import ProblemHeuristic
from searchkit.kernel_language.definition import MADE_FROM
from searchkit.translation import rules as today
from searchkit.translation.cells import cells_of
from searchkit.translation.nodes.build import Refused
from searchkit.translation.nodes.node import BOOL, INT, Node, name, number, verify
from searchkit.translation.nodes.translate import translate
from searchkit.translation.types import Atoms, type_of
from tests.translation import (
    aliases,
    attacks,
    comparing,
    counting,
    handlers,
    iterating,
    patterns,
    refused,
    snippets,
    specification,
    spelling,
    test_rules,
    test_snippets,
    test_specification,
)
from tests.translation.corpus.pouring import Jugs

WRITTEN = 108
"""How many problems of the corpus have kernels by nodes; no fewer from now on."""
MODULES = (
    aliases, attacks, comparing, counting, handlers, iterating, patterns, refused, snippets, spelling,
)  # fmt: skip
SNIPPETS = [rule for module in MODULES for rule in test_snippets.rules_in(module)]


def translated(problem, states):
    has_own = "heuristic" in vars(type(problem))
    heuristic = ProblemHeuristic(problem) if has_own else None
    for words in (True, False):
        atoms = Atoms()
        kind = type_of(states, atoms, words=words)
        for state in states:
            cells_of(kind, state, atoms)
        try:
            found = translate(problem, kind, atoms, heuristic, words=words)
        except Refused:
            if not words:
                raise
        else:
            break
    return found, test_rules.Cells(kind, atoms, found.constants)


@pytest.fixture
def by_nodes(monkeypatch):
    for module in (test_rules, test_specification):
        monkeypatch.setattr(module, "translated", translated)
    monkeypatch.setattr(
        test_snippets,
        "translate",
        lambda problem, kind, atoms: translate(problem, kind, atoms, None),
    )
    monkeypatch.setattr(test_specification, "REFUSED", {})


def test_problems_are_written_as_python_has_them_or_refused(by_nodes):
    right = []
    for kind in test_rules.problems():
        problem = kind()
        with contextlib.suppress(Refused):
            found = test_rules.differing(problem, test_rules.first_states(problem, 60))
            assert found == (None, 0), kind.__name__
            right.append(kind.__name__)
    assert len(right) >= WRITTEN


@pytest.mark.parametrize("kind", test_specification.KINDS, ids=lambda kind: kind.__name__)
def test_the_specification_holds(kind, by_nodes):
    with contextlib.suppress(Refused):
        test_specification.test_what_is_translated_is_what_python_does(kind)


@pytest.mark.parametrize(
    "name",
    ["AppendedThenChanged", "TwoNames", "NewInEachRound", "ReplacedWithin", "OneRowTwice",
     "ChangedByACall", "Returned", "ChangedWhileGoneThrough", "ErrorThatNobodyComesTo"],
)  # fmt: skip
def test_lists_of_several_names_are_not_refused(name, by_nodes):
    test_specification.test_what_is_translated_is_what_python_does(getattr(specification, name))


@pytest.mark.parametrize("rule", SNIPPETS, ids=lambda rule: rule.__name__)
def test_no_kernel_says_something_else(rule, by_nodes):
    with contextlib.suppress(Refused):
        test_snippets.compare(rule, test_snippets.STATES[:12], may_trap=True)


def test_few_programs_with_lists_of_several_names_are_refused(by_nodes):
    found = []
    for rule in test_snippets.rules_in(aliases):
        with contextlib.suppress(Refused):
            test_snippets.compare(rule, test_snippets.STATES, may_trap=True)
            found.append(rule)
    assert len(found) >= 31


def test_a_process_may_ask_for_nodes(monkeypatch):
    states = test_rules.first_states(Jugs())
    monkeypatch.delenv("SEARCHKIT_NODES", raising=False)
    texts = []
    for way in (None, "1"):
        if way is not None:
            monkeypatch.setenv("SEARCHKIT_NODES", way)
        found = today.translate(Jugs(), type_of(states, Atoms()), Atoms())
        texts.append(ast.unparse(getattr(found.expand["successors"], MADE_FROM)))
    assert texts[0] != texts[1]


class ChangesItsTable(Jugs):
    table = {1: 2}  # noqa: RUF012

    def successors(self, state):
        self.table.update({2: 3})
        yield from super().successors(state)


def test_nothing_of_the_author_s_is_changed_on_the_way():
    states = Jugs().initial_states()
    with pytest.raises(Refused):
        translated(ChangesItsTable(), states)
    assert ChangesItsTable.table == {1: 2}


def test_nodes_are_printed_and_verified():
    test = Node("compare", "Lt", [name("x", INT, 0, 8), number(3)], BOOL, 0, 1)
    leaving = Node("if", None, [test], bodies=([Node("leave", 1)], []))
    block = Node("block", 1, bodies=[[leaving]])
    verify([block])
    assert "name 'x' : " in repr(block)
    with pytest.raises(AssertionError, match="leaves what it is not in"):
        verify([leaving])
    with pytest.raises(AssertionError, match="no truth value"):
        verify([Node("if", None, [number(1)], bodies=([], []))])
