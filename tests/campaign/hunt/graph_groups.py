"""The groups of random problems over explicit graphs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

from hunt.graphs import FEW, FLAVOURS, Case, compiled_case, packed_case, plain_case, run
from hunt.group import Group
from hunt.pressure import press
from hunt.shrink import smaller_cases


class Graphs(Group):
    """Random problems by every algorithm, against the oracle."""

    compiled = False

    def run(self, case: Case) -> Counter[str]:
        return run(case)

    def smaller(self, case: Case) -> Iterable[Any]:
        return smaller_cases(case)


class PlainGraphs(Graphs):
    """Problems in plain Python."""

    name = "plain"
    summary = "random problems in plain Python, by every algorithm, against the oracle"
    short, minutes, hours, chunk = 300, 15_000, 110_000, 200

    def make(self, rng: random.Random) -> Case:
        press(rng, compiled=False)
        return plain_case(rng)


class PackedGraphs(Graphs):
    """Packed problems by the reference engines."""

    name = "packed"
    summary = "random packed problems by the reference engines, against the oracle"
    short, minutes, hours, chunk = 300, 15_000, 60_000, 200

    def make(self, rng: random.Random) -> Case:
        press(rng, compiled=False)
        return packed_case(rng)


class CompiledGraphs(Graphs):
    """Packed problems by both engines, state by state."""

    name = "compiled"
    summary = "random packed problems by both engines, against the oracle and each other"
    short, minutes, hours = 60, 3000, 40_000
    patience = 240.0  # machine code is made

    def make(self, rng: random.Random) -> Case:
        press(rng, compiled=True)
        return compiled_case(rng, FEW if self.brief else FLAVOURS)
