"""The algorithms as frozen values with their options."""

from searchkit.algorithms.values import (
    ALGORITHMS,
    IDDFS,
    Algorithm,
    Anytime,
    AStar,
    BeamSearch,
    Bidirectional,
    BreadthFirst,
    GreedyBestFirst,
    IDAStar,
    Stages,
    UniformCost,
    WeightedAStar,
    WeightedIDAStar,
    cycle_pruning,
)

__all__ = [
    "ALGORITHMS",
    "IDDFS",
    "AStar",
    "Algorithm",
    "Anytime",
    "BeamSearch",
    "Bidirectional",
    "BreadthFirst",
    "GreedyBestFirst",
    "IDAStar",
    "Stages",
    "UniformCost",
    "WeightedAStar",
    "WeightedIDAStar",
    "cycle_pruning",
]
