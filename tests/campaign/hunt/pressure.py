"""Small rooms for large engines: what grows, is cut or is shared out does so at every opportunity.

The sizes that machine code does not know are set for each problem; small problems then go the ways
that otherwise only large ones go.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

SIZES = {
    "running.driver.FIRST_BUDGET": (1, 3, 7, 1000),
    "running.driver.MOST_BUDGET": (1, 5, 1 << 40, 1 << 40),
    "solving.plan.TRIAL_NODES": (0, 3, 40, 30_000),
}
COMPILED_SIZES = {
    "compiled.depth_first.deepening.BATCHES_FROM": (2, 40, 8000),
    "compiled.depth_first.batch_plan.RUN_OVERHEAD": (1, 40, 60_000),
    "compiled.depth_first.batch_plan.MOST_ROOTS": (1, 50, 1000),
    "compiled.depth_first.batch_plan.DEEPER": (1, 6),
    "compiled.depth_first.batched.SEARCHED_DEPTH_FIRST": (0, 20, 20_000),
    "compiled.depth_first.crews.STATES_PER_THREAD": (1, 100, 1_000_000),
    "compiled.depth_first.siblings.FIRST_CAPACITY": (2, 64),
    "compiled.best_first.closed_list.MOST_LOAD": (0.9, 0.5),
    "compiled.best_first.closed_list.STEPS": (3, 1000),
    "compiled.best_first.closed_list.FIRST_LINES": (1, 16),
    "compiled.best_first.open_list.FIRST_CHUNKS": (1, 64),
    "compiled.best_first.open_list.FIRST_BUCKETS": (1, 64),
}


def press(rng: random.Random, *, compiled: bool) -> None:
    """Set sizes at random."""
    for name, values in (SIZES | (COMPILED_SIZES if compiled else {})).items():
        module, constant = name.rsplit(".", 1)
        owner = import_module(f"searchkit.{module}")
        if not hasattr(owner, constant):
            raise AttributeError(f"searchkit.{module} has no {constant}")
        setattr(owner, constant, rng.choice(values))


@contextmanager
def as_before() -> Iterator[None]:
    """All sizes are as they were when this ends."""
    places = [
        (import_module(f"searchkit.{name.rsplit('.', 1)[0]}"), name.rsplit(".", 1)[1])
        for name in SIZES | COMPILED_SIZES
    ]
    before = [(owner, constant, getattr(owner, constant)) for owner, constant in places]
    try:
        yield
    finally:
        for owner, constant, value in before:
            setattr(owner, constant, value)
