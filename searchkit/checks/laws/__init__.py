"""The laws that `searchkit check` tries, by what they are about."""

from __future__ import annotations

from searchkit.checks.law import Law
from searchkit.checks.laws import (
    engines,
    heuristics,
    kernels,
    members,
    states,
    steps,
    ways_back,
)

LAWS: tuple[Law, ...] = (
    steps.starts, steps.mutation, steps.successors, steps.keys, steps.actions, steps.costs,
    states.goals, states.goal_states,
    ways_back.predecessors, ways_back.undirected, ways_back.grade, ways_back.symmetries,
    states.texts, states.pictures, states.new_starts, states.new_goals, states.random_states,
    states.certificates,
    kernels.slow_rules, kernels.words, kernels.controls, kernels.kernels, kernels.inverses,
    kernels.witness, kernels.toggles, kernels.ranks, kernels.machine_code,
    heuristics.heuristics, heuristics.estimates, heuristics.patterns,
    engines.engines, members.parameters, members.names,
)  # fmt: skip
"""In the order in which a failure is best mended: what later laws rely on comes first."""
