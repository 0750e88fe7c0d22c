"""The algorithms as frozen values with their options."""

from searchkit.algorithms import values
from searchkit.algorithms.values import *  # noqa: F403
from searchkit.algorithms.values import ALGORITHMS, cycle_pruning

__all__ = ["ALGORITHMS", "cycle_pruning"]
__all__ += values.__all__
