"""What `is_goal` says is true or false, of whatever state it is asked while searching."""

import pytest

from searchkit import (
    IDDFS,
    Anytime,
    AStar,
    BeamSearch,
    BreadthFirst,
    GreedyBestFirst,
    IDAStar,
    Limits,
    Problem,
    ProblemError,
    Status,
    Step,
    UniformCost,
    WeightedAStar,
    solve,
)
from searchkit.running.reservoir import Reservoir

ALL = [
    BreadthFirst(), AStar(), UniformCost(), IDDFS(), IDAStar(), WeightedAStar(),
    GreedyBestFirst(), Anytime(), BeamSearch(width=3),
]  # fmt: skip


class Line(Problem):
    """A walk, of one far state of which `is_goal` gives no answer."""

    def __init__(self, answer):
        self.answer = answer

    def initial_states(self):
        return [0]

    def successors(self, state):
        return [Step("on", state + 1)] if state < 400 else []

    def is_goal(self, state):
        return self.answer if state == 300 else False


@pytest.mark.spread
@pytest.mark.parametrize("answer", [None, "no", []])
@pytest.mark.parametrize("algorithm", ALL, ids=lambda each: each.name)
def test_no_answer_is_refused_where_it_is_given(algorithm, answer, monkeypatch):
    """Also where a limit ends the search, and though no states are asked again."""
    monkeypatch.setattr(Reservoir, "shuffled", lambda self: [])
    limits = Limits(expansions=50_000 if isinstance(algorithm, IDDFS | IDAStar) else 350)
    with pytest.raises(ProblemError, match=r"is_goal gives .* for 300; it must give True or False"):
        solve(Line(answer), algorithm, engine="reference", limits=limits)


@pytest.mark.parametrize("algorithm", ALL, ids=lambda each: each.name)
@pytest.mark.parametrize("answer", [True, 1])
def test_numbers_are_answers(algorithm, answer):
    result = solve(Line(answer), algorithm, engine="reference")
    assert (result.status, result.cost) == (Status.SOLVED, 300)


class Numbered(Problem):
    """A walk to a number that is given as a text; `marks` are compared with texts as well."""

    def __init__(self, n="3", at=int):
        self.n, self.at = n, at

    def initial_states(self):
        return [0]

    def successors(self, state):
        return [Step("on", state + 1)] if state < 9 else []

    def is_goal(self, state):
        return self.at(state) == self.n


@pytest.mark.parametrize(
    "at", [int, lambda state: (state, 0)[0], float], ids=["int", "of", "float"]
)
def test_a_text_is_no_number(at):
    told = r"compares n = '3', a text, with \d.*, a number: they are never equal.*in is_goal\)"
    with pytest.raises(ProblemError, match=told):
        solve(Numbered(at=at), BreadthFirst())
    assert solve(Numbered(3, at), BreadthFirst()).cost == 3


@pytest.mark.parametrize("at", [str, lambda state: state or "none", hash])
def test_texts_may_be_compared_with_texts(at):
    found = solve(Numbered("ten" if at is not hash else 12, at), BreadthFirst())
    assert found.status is Status.UNSOLVABLE
