"""Which form depth-first search has for a problem: what is specialised, and its stack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from searchkit.algorithms import cycle_pruning
from searchkit.compiled.depth_first.counting import Buckets, Searching
from searchkit.compiled.depth_first.kernels import batched, in_flight, siblings
from searchkit.compiled.depth_first.kernels import deepening as kernels
from searchkit.compiled.depth_first.kernels.deepening import Tables
from searchkit.compiled.depth_first.siblings import Bursts
from searchkit.compiled.depth_first.stack import MaskedLists, Stack
from searchkit.compiled.depth_first.tables import Table, bytes_in_flight, line_of
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
    is_inherited,
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
    stack: Stack | Bursts
    kind: type[Buckets | Searching]
    batches: bool
    """Whether complete iterations can be done in another order, or by several threads."""

    @property
    def may_order(self) -> bool:
        """Whether there is a table in flight, so that counts depend on the order anyway."""
        return bool(getattr(self.spec.module, "REMEMBERS", False))  # only `in_flight` has it

    @classmethod
    def of(cls, task: Task, weight: Fraction, *, split: bool = False) -> Form:
        """The form for a task, where f is g + `weight` x h; of a part of it, after a `split`."""
        packed: Any = PackedChains.of(task.problem)
        is_listed, table = has_expand(packed), Table.of(task, packed.words)
        if is_listed and task.algorithm.operator_pruning and not task.every:
            raise UnsuitableError(
                "operator_pruning is not for chains of steps, nor for steps by expand; leave it out"
            )
        by_path = cycle_pruning(task.problem, task.algorithm.cycles) == "path"
        heuristic, has_workers = task.heuristic, task.executor is not None
        is_carried = isinstance(heuristic, CarriedHeuristic)
        is_prefetched = isinstance(heuristic, PrefetchedHeuristic)
        may_fly = bytes_in_flight(task) > 0 and is_prefetched and not (is_listed or split)
        may_fly = may_fly and weight == ONE and is_inherited(packed, "cost")

        def cycles(lists: OperatorLists) -> int:
            return 2 if by_path else 0 if lists.without_inverses and not is_listed else 1

        def remembers(lists: OperatorLists) -> bool:
            return may_fly and cycles(lists) == 0 and stop_of(lists) == NO_OPERATOR

        def kind_of_table(lists: OperatorLists) -> Tables:
            return Tables.NONE if remembers(lists) else table.kind

        def is_simple(lists: OperatorLists) -> bool:
            is_one_by_one = is_listed or kind_of_table(lists)
            return not is_one_by_one and cycles(lists) == 0 and is_inherited(packed, "cost")

        def is_batched(lists: OperatorLists) -> bool:
            # Words that are carried would have to be gathered with the states, which gains nothing.
            few = len(lists.controls) <= MOST_NODES_IN_BATCHES
            few = few and packed.words <= MOST_WORDS_IN_BATCHES and not is_carried
            is_static = bool((lists.following >= 0).all())
            return few and is_static and is_simple(lists) and weight == ONE

        def has_masks(lists: OperatorLists) -> bool:
            alone = not (has_workers or split) and has_candidates(heuristic)
            alone = alone and is_simple(lists) and is_inherited(packed, "legal")
            return alone and not is_batched(lists) and MaskedLists.fit(lists)

        roots = [kernels]
        if not is_listed and (may_fly or not table.kind):
            roots.append(siblings if is_carried else batched)
            if is_prefetched:
                roots.append(in_flight)
        spec = specialise(
            packed,
            heuristic,
            roots,
            skip_inverses=table.kind != Tables.LASTING,  # a step back is an error there
            learn=0 if task.every else task.algorithm.operator_pruning,
            kept=task.kept,
            **cost_range(task),
            STOP=stop_of,
            CYCLES=cycles,
            MASKS=has_masks,
            BETWEEN=False,
            PAIRWISE_BOUND=False,
            G_WEIGHT=weight.denominator,
            H_WEIGHT=weight.numerator,
            LANES=lanes(),
            TABLE=kind_of_table,
            REMEMBERS=remembers,
            LINE=line_of(packed.words),
            IMAGES=table.images.count,
        )
        bursts = is_carried and is_simple(spec.lists) and spec.module.STOP == NO_OPERATOR
        is_shared = bursts and weight == ONE and (is_prefetched or task.threads > 1 or has_workers)
        batches = is_batched(spec.lists) or is_shared
        kind = Searching if bursts else Buckets
        if bursts and (batches or not has_workers):  # a stack alone can be split
            return cls(spec, Bursts(spec, task), kind, batches)
        return cls(spec, Stack(spec, task, table), kind, batches)
