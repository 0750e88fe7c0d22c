"""Ordinary problems that list their predecessors: what is found is what Python finds."""

import pytest

from searchkit import AStar, BreadthFirst, UniformCost
from searchkit.compiled.specialise.plain import plainly
from tests.support.both_engines import assert_equal_answers
from tests.translation.corpus.directed import Roads


@pytest.mark.parametrize("algorithm", [AStar(), UniformCost(), BreadthFirst()])
def test_one_solution_is_named_by_all_engines(algorithm):
    for seed in range(12):
        with plainly():
            assert_equal_answers(Roads(60, seed, roads=4), algorithm)
