"""Whole state spaces: how many states there are, how far, and which are farthest."""

from searchkit.explore.exploration import Exploration
from searchkit.explore.layers import Checkpoint, explore
from searchkit.solutions.path_numbers import Paths

__all__ = ["Checkpoint", "Exploration", "Paths", "explore"]
