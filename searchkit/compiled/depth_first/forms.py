"""Which form depth-first search has for a problem: what is specialised, and its stack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from searchkit.algorithms import cycle_pruning
from searchkit.compiled.depth_first.batch_buckets import Buckets
from searchkit.compiled.depth_first.kernels import batched, in_flight, masked, siblings
from searchkit.compiled.depth_first.kernels import deepening as kernels
from searchkit.compiled.depth_first.kernels.deepening import Tables
from searchkit.compiled.depth_first.masked import Masked, fits_masks
from searchkit.compiled.depth_first.searching import Searching
from searchkit.compiled.depth_first.siblings import Bursts
from searchkit.compiled.depth_first.stack import Stack
from searchkit.compiled.depth_first.tables import Table
from searchkit.compiled.specialise.costs import cost_range
from searchkit.compiled.specialise.operators import NO_OPERATOR, OperatorLists, stop_of
from searchkit.compiled.specialise.prepare import Specialised, specialise
from searchkit.compiled.specialise.processor import lanes
from searchkit.engines.deepening import ONE
from searchkit.errors import UnsuitableError
from searchkit.packed import (
    CarriedHeuristic,
    PrefetchedHeuristic,
    has_candidates,
    has_expand,
)
from searchkit.running.task import Task
from searchkit.transforms.packed_chains import PackedChains

if TYPE_CHECKING:
    from fractions import Fraction

MOST_NODES_IN_BATCHES = 100
"""With more nodes of the operator lists, too few states wait in each bucket."""

MOST_WORDS_IN_BATCHES = 1
"""States of several words gain nothing: one vector instruction does not treat them all."""


@attrs.frozen(eq=False, repr=False)
class Form:
    """The module of a search, the stack of its paths, and what counts runs of subtrees."""

    spec: Specialised
    stack: Stack | Bursts | Masked
    kind: type[Buckets | Searching]
    batches: bool
    """Whether complete iterations can be done in another order, or by several threads."""

    @classmethod
    def of(cls, task: Task, weight: Fraction) -> Form:
        """The form for a task, where f is g + `weight` x h."""
        packed: Any = PackedChains.of(task.problem)
        table = Table.of(task, packed.words)
        if has_expand(packed) and task.algorithm.operator_pruning and not task.every:
            raise UnsuitableError(
                "operator_pruning is not for chains of steps, nor for steps by expand; leave it out"
            )
        spec = _specialised(task, packed, weight, table)
        if has_expand(packed) or table.kind:
            return cls(spec, Stack(spec, task, table), Buckets, batches=False)
        return cls._by_operators(task, weight, spec)

    @classmethod
    def _by_operators(cls, task: Task, weight: Fraction, spec: Specialised) -> Form:
        module = spec.module
        is_simple = module.UNIT_COSTS and module.CYCLES == 0
        bursts = is_simple and module.MEMORY and module.STOP == NO_OPERATOR
        # Words that are carried would have to be gathered with the states, which gains nothing.
        batches = bool(
            is_simple
            and module.STATIC
            and len(spec.lists.controls) <= MOST_NODES_IN_BATCHES
            and not module.MEMORY
            and weight == ONE
            and module.WORDS <= MOST_WORDS_IN_BATCHES
        )
        gains = isinstance(task.heuristic, PrefetchedHeuristic) or task.threads > 1
        gains = gains or task.executor is not None
        shared = batches or bool(bursts and gains and weight == ONE)
        kind = Searching if bursts else Buckets
        if task.executor is not None and not shared:  # a stack alone can be split
            return cls(spec, Stack(spec, task), kind, shared)
        if bursts:
            return cls(spec, Bursts(spec, task), kind, shared)
        by_masks = is_simple and has_candidates(task.heuristic) and not batches
        if by_masks and module.ALWAYS_LEGAL and fits_masks(spec.lists):
            return cls(spec, Masked(spec, task), kind, shared)
        return cls(spec, Stack(spec, task), kind, shared)


def _specialised(task: Task, packed: Any, weight: Fraction, table: Table) -> Specialised:
    """The module of all loops that a search may go through."""
    roots = [kernels]
    if not has_expand(packed) and not table.kind:
        roots.append(siblings if isinstance(task.heuristic, CarriedHeuristic) else batched)
        if has_candidates(task.heuristic):
            roots.append(masked)
        if isinstance(task.heuristic, PrefetchedHeuristic):
            roots.append(in_flight)
    by_path = cycle_pruning(task.problem, task.algorithm.cycles) == "path"

    def cycles(lists: OperatorLists) -> int:
        leaves_out = lists.without_inverses and not has_expand(packed)
        return 2 if by_path else 0 if leaves_out else 1

    return specialise(
        packed,
        task.heuristic,
        roots,
        skip_inverses=table.kind != Tables.LASTING,  # a step back is an error there
        learn=0 if task.every else task.algorithm.operator_pruning,
        kept=task.kept,
        **cost_range(task),
        STOP=stop_of,
        CYCLES=cycles,
        G_WEIGHT=weight.denominator,
        H_WEIGHT=weight.numerator,
        LANES=lanes(),
        TABLE=table.kind,
        IMAGES=table.images.count,
    )
