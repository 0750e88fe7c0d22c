"""The groups of random problems over explicit graphs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

from hunt.graphs import FLAVOURS, Case, compiled_case, packed_case, plain_case, run
from hunt.group import Group
from hunt.pressure import press
from hunt.shrink import smaller_cases
from searchkit.compiled.specialise.plain import plainly

LEAST_FLAVOURS = 3
TRIALS_PER_FLAVOUR = 100


class Graphs(Group):
    """Random problems by every algorithm, against the oracle."""

    compiled = False

    def run(self, case: Case) -> Counter[str]:
        return run(case)

    def smaller(self, case: Case) -> Iterable[Any]:
        return smaller_cases(case)


class PlainGraphs(Graphs):
    """Problems in plain Python, also translated after their trials."""

    name = "plain"
    summary = "random problems in plain Python, by every algorithm, against the oracle"
    short, minutes, hours, chunk = 150, 15_000, 110_000, 200

    def run(self, case: Case) -> Counter[str]:
        with plainly():  # rules that are translated would be compiled for each problem
            return super().run(case)

    def make(self, rng: random.Random) -> Case:
        press(rng, compiled=False)
        return plain_case(rng)


class PackedGraphs(Graphs):
    """Packed problems by the reference engines."""

    name = "packed"
    summary = "random packed problems by the reference engines, against the oracle"
    short, minutes, hours, chunk = 100, 15_000, 60_000, 200

    def make(self, rng: random.Random) -> Case:
        press(rng, compiled=False)
        return packed_case(rng)


class CompiledGraphs(Graphs):
    """Packed problems by both engines, state by state."""

    name = "compiled"
    summary = "random packed problems by both engines, against the oracle and each other"
    short, minutes, hours = 30, 3000, 40_000
    patience = 240.0  # machine code is made

    def case(self, seed: int, number: int) -> Case:
        """Draw a case; more kinds of machine code are made the longer it goes on."""
        self.flavours = FLAVOURS[: LEAST_FLAVOURS + number // TRIALS_PER_FLAVOUR]
        return super().case(seed, number)

    def make(self, rng: random.Random) -> Case:
        press(rng, compiled=True)
        return compiled_case(rng, self.flavours)
