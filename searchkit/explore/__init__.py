"""Whole state spaces: how many states there are, how far, and which are farthest."""

from searchkit.explore.exploration import Exploration
from searchkit.explore.layers import explore

__all__ = ["Exploration", "explore"]
