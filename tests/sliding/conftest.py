import json
from pathlib import Path

import pytest

from searchkit_sliding import eight_puzzle
from tests.support.sliding_bfs import distances


@pytest.fixture(scope="session")
def published():
    return json.loads((Path(__file__).parent / "data" / "published.json").read_text())


@pytest.fixture(scope="session")
def eight_distances():
    """The distance of all 181440 positions to the goal of the 8-puzzle."""
    puzzle = eight_puzzle()
    return distances(puzzle, puzzle.goal)
