"""What a search has stored goes when it is over, not when Python looks for what is left."""

import gc

import pytest

from searchkit import AStar, BeamSearch, Bidirectional, BreadthFirst, IDAStar, solve
from searchkit.running.driver import Driver
from searchkit.running.task import Task
from searchkit_sliding import eight_puzzle, fifteen_puzzle

KINDS = (Driver, Task)
STARTS = {
    "Beam": (BeamSearch(width=64), fifteen_puzzle()),
    "BreadthFirst": (BreadthFirst(), eight_puzzle()),
    "Bidirectional": (Bidirectional(), eight_puzzle()),
    "up to symmetry": (Bidirectional(symmetry="auto"), eight_puzzle()),
    "AStar": (AStar(), eight_puzzle()),
    "with a beam": (AStar(incumbents="beam"), eight_puzzle()),
    "IDAStar": (IDAStar(incumbents="beam"), eight_puzzle()),
}


def kept():
    from searchkit.compiled.states.state_set import Store  # noqa: PLC0415  (numba)

    kinds = (*KINDS, Store)
    return [each for each in gc.get_objects() if isinstance(each, kinds)]


@pytest.mark.slow_variants(
    "BreadthFirst-reference", "IDAStar-reference", "up to symmetry-reference"
)
@pytest.mark.parametrize(
    ("name", "engine"),
    [(each, "compiled") for each in STARTS]
    + [(each, "reference") for each in STARTS if each != "with a beam"],  # lists of its own
)
def test_nothing_is_kept(name, engine):
    algorithm, puzzle = STARTS[name]
    gc.collect()
    before = len(kept())
    gc.disable()
    try:
        result = solve(puzzle, algorithm, engine=engine)
        assert len(kept()) == before
    finally:
        gc.enable()
    assert result.solution is not None
