"""Which form depth-first search has for a problem: what is specialised, and its stack."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from searchkit.algorithms import cycle_pruning
from searchkit.compiled.depth_first.batch_buckets import Buckets
from searchkit.compiled.depth_first.kernels import batched, in_flight, listed, masked, siblings
from searchkit.compiled.depth_first.kernels import deepening as kernels
from searchkit.compiled.depth_first.kernels.listed import Tables
from searchkit.compiled.depth_first.listed import Listed, TablePlan
from searchkit.compiled.depth_first.masked import Masked, fits_masks
from searchkit.compiled.depth_first.searching import Searching
from searchkit.compiled.depth_first.siblings import Bursts
from searchkit.compiled.depth_first.stack import Stack
from searchkit.compiled.specialise.costs import cost_range
from searchkit.compiled.specialise.operators import NO_OPERATOR, stop_of
from searchkit.compiled.specialise.prepare import Specialised, gives_floats, specialise
from searchkit.compiled.specialise.processor import lanes
from searchkit.engines.deepening import ONE
from searchkit.errors import CompilationError, UnsuitableError
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
    stack: Stack | Bursts | Listed | Masked
    kind: type[Buckets | Searching]
    batches: bool
    """Whether complete iterations can be done in another order, or by several threads."""

    @classmethod
    def of(cls, task: Task, weight: Fraction) -> Form:
        """The form for a task, where f is g + `weight` x h."""
        path = cycle_pruning(task.problem, task.algorithm.cycles) == "path"
        carried = isinstance(task.heuristic, CarriedHeuristic)
        packed = PackedChains.of(task.problem)
        is_listed = has_expand(packed)
        if is_listed and task.algorithm.operator_pruning and not task.every:
            raise UnsuitableError(
                "operator_pruning is not for chains of steps, nor for steps by expand; leave it out"
            )
        table = TablePlan.of(task)
        if table.kind == Tables.LASTING and gives_floats(task.heuristic):
            raise CompilationError(
                f"{type(task.problem).__name__}: a table that lasts is not for estimates with a "
                "decimal point; use whole numbers, or leave the table out"
            )
        is_listed = is_listed or bool(table.kind)
        roots = [listed] if is_listed else [kernels, siblings if carried else batched]
        by_masks = not is_listed and has_candidates(task.heuristic)
        if by_masks:
            roots.append(masked)
        if not is_listed and isinstance(task.heuristic, PrefetchedHeuristic):
            roots.append(in_flight)
        spec = specialise(
            packed,
            task.heuristic,
            roots,
            skip_inverses=True,
            learn=0 if task.every else task.algorithm.operator_pruning,
            kept=task.kept,
            **cost_range(task),
            STOP=stop_of,
            CYCLES=lambda lists: (
                2 if path else 0 if lists.without_inverses and not is_listed else 1
            ),
            G_WEIGHT=weight.denominator,
            H_WEIGHT=weight.numerator,
            LANES=lanes(),
            TABLE=table.kind,
            IMAGES=table.images.count,
        )
        module = spec.module
        if is_listed:
            stack: Stack | Bursts | Listed | Masked = Listed(spec, task, table)
            return cls(spec, stack, Buckets, batches=False)
        bursts = module.MEMORY and module.UNIT_COSTS and module.CYCLES == 0
        bursts = bursts and module.STOP == NO_OPERATOR
        few = len(spec.lists.controls) <= MOST_NODES_IN_BATCHES
        # Words that are carried would have to be gathered with the states, which gains nothing.
        plain = module.UNIT_COSTS and not module.MEMORY and weight == ONE
        plain = plain and module.WORDS <= MOST_WORDS_IN_BATCHES
        batches = bool(module.CYCLES == 0 and module.STATIC and few and plain)
        by_masks = by_masks and not batches and module.CYCLES == 0 and module.UNIT_COSTS
        is_prefetched = isinstance(task.heuristic, PrefetchedHeuristic)
        is_shared = is_prefetched or task.threads > 1 or task.executor is not None
        shared = batches or (bursts and is_shared and weight == ONE)
        is_split = task.executor is not None and not shared  # which a stack alone can be
        if by_masks and module.ALWAYS_LEGAL and fits_masks(spec.lists) and not is_split:
            stack = Masked(spec, task)
        else:
            stack = Bursts(spec, task) if bursts and not is_split else Stack(spec, task)
        kind = Searching if bursts else Buckets
        return cls(spec, stack, kind, shared)
