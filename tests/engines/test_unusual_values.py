"""States, steps, costs and estimates that are right but unlike those of most problems."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from searchkit import (
    IDDFS,
    AStar,
    BeamSearch,
    Costs,
    GreedyBestFirst,
    IDAStar,
    Problem,
    Step,
    UniformCost,
    WeightedAStar,
    WeightedIDAStar,
    solve,
)
from searchkit.documents.cheapest_paths import cheapest_paths
from searchkit.verify import replay_texts

OPTIMAL = (UniformCost(), AStar(), IDDFS(), IDAStar())
OTHERS = (
    WeightedAStar(weight=2),
    WeightedIDAStar(weight=2),
    GreedyBestFirst(),
    BeamSearch(width=9),
)
ALL = pytest.mark.parametrize("algorithm", OPTIMAL + OTHERS, ids=lambda each: each.name)


class ListStates(Problem[list[int], int]):
    """From [0, 0] to [3, 3]; only the keys are hashable."""

    def initial_states(self) -> list[list[int]]:
        return [[0, 0]]

    def successors(self, state: list[int]) -> Iterator[Step[list[int], int]]:
        x, y = state
        if x < 3:
            yield Step(0, [x + 1, y])
        if y < 3:
            yield Step(1, [x, y + 1])

    def is_goal(self, state: list[int]) -> bool:
        return state == [3, 3]

    def key(self, state: list[int]) -> tuple[int, ...]:
        return tuple(state)


class PlainTuples(ListStates):
    """Its steps are tuples, but no `Step`s."""

    def successors(self, state: list[int]) -> Iterator[Any]:
        for step in super().successors(state):
            yield tuple(step)


class ShortIntegers(Problem[int, str]):
    """Costs and estimates from arrays of 8 bits: 200 + 100 is 44 in them, and 250 is less."""

    costs = Costs.INTEGER
    prices = np.array([200, 100, 250], dtype=np.uint8)
    estimates = np.array([250, 100, 100, 0], dtype=np.uint8)

    def initial_states(self) -> list[int]:
        return [0]

    def successors(self, state: int) -> Iterator[Step[int, str]]:
        if state == 0:
            yield Step("first", 1, self.prices[0])
            yield Step("at once", 3, self.prices[2])
        if state == 1:
            yield Step("second", 3, self.prices[1])

    def is_goal(self, state: int) -> bool:
        return state == 3

    def heuristic(self, state: int) -> float:
        return self.estimates[state]  # type: ignore[no-any-return]


@ALL
@pytest.mark.parametrize("problem", [ListStates(), PlainTuples()], ids=type)
def test_states_need_keys_only_and_steps_may_be_tuples(problem: Any, algorithm: Any) -> None:
    result = solve(problem, algorithm)
    assert result.cost == 6
    if algorithm in OPTIMAL:
        assert solve(problem, algorithm, want="count").count == 20


@ALL
def test_short_integers_do_not_overflow(algorithm: Any) -> None:
    result = solve(ShortIntegers(), algorithm)
    assert result.cost in (250, 300)
    assert result.lower_bound <= 250
    assert sum(int(step.cost) for step in result.solution.steps) == result.cost
    if algorithm in OPTIMAL:
        assert (result.cost, result.optimal) == (250, True)


def test_short_integers_do_not_overflow_where_a_document_is_verified() -> None:
    assert replay_texts(ShortIntegers(), "0", ["first", "second"]).cost == 300
    assert cheapest_paths(ShortIntegers(), 300, max_expansions=10).cost == 250
