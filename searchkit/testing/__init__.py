"""For the tests of plugins: a pytest class with the laws, and hypothesis strategies.

Needs pytest and hypothesis, which nothing else in searchkit imports.
"""

from searchkit.testing.puzzle_tests import PuzzleTests
from searchkit.testing.strategies import Walk, solvable_boards, states_of, walks

__all__ = ["PuzzleTests", "Walk", "solvable_boards", "states_of", "walks"]
