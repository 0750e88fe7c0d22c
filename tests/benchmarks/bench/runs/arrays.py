"""Whole spaces by arrays of states, as CayleyPy searches them; written for this comparison.

CayleyPy (A. Chervov and others, https://github.com/cayleypy/cayleypy) has a state of up to 16
things, four bits each, as one number. All neighbours of a layer are made at once, a generator after
the other; equal ones are dropped by sorting, and what is in this layer or the one before by binary
search: no other layer can have it, as every generator has its inverse. Large layers are done in
batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bench.runs.timing import Report, Stopwatch, check

Words = np.ndarray[Any, np.dtype[np.uint64]]
BATCH = 1 << 18
"""How many states are expanded at once."""


def whole(puzzle: str, size: int, states: int, repeats: int = 1) -> Report:
    """All orders of `size` pancakes, or of the tokens of a ring."""
    sources = {"pancakes": pancakes, "ring": ring}[puzzle](size)
    watch = Stopwatch()
    for _ in range(repeats):
        layers = watch.time(lambda: growth(sources, size))
        check(sum(layers) == states, f"finds {sum(layers)} states, not {states}")
    return watch.report(nodes=states, layers=layers)


def pancakes(size: int) -> list[list[int]]:
    """From which place each place gets its pancake, for every turn."""
    return [[*range(count)[::-1], *range(count, size)] for count in range(2, size + 1)]


def ring(size: int) -> list[list[int]]:
    """The same for a ring that turns by one place, and whose first four tokens turn over."""
    places = [*range(size)]
    return [places[1:] + places[:1], places[-1:] + places[:-1], [3, 2, 1, 0, *places[4:]]]


def growth(sources: Sequence[Sequence[int]], size: int) -> list[int]:
    """How many states there are at every distance from the sorted one."""
    moves = [_masks(each) for each in sources]
    before = np.zeros(0, np.uint64)
    layer = np.array([sum(i << 4 * i for i in range(size))], np.uint64)
    layers = []
    while layer.size:
        layers.append(int(layer.size))
        found: list[Words] = []
        for begin in range(0, layer.size, BATCH):
            states = layer[begin : begin + BATCH]
            new = np.sort(np.concatenate([_moved(states, move) for move in moves]))
            new = new[np.append(True, new[1:] != new[:-1])]
            for seen in (layer, before, *found):
                new = new[~_is_in(new, seen)]
            found.append(new)
        before, layer = layer, np.sort(np.concatenate(found))
    return layers


def _masks(sources: Sequence[int]) -> list[tuple[int, np.uint64]]:
    """Which bits of a state are moved how far up, one mask for each distance."""
    masks: dict[int, int] = {}
    for place, source in enumerate(sources):
        masks[place - source] = masks.get(place - source, 0) | 15 << 4 * source
    return [(4 * distance, np.uint64(mask)) for distance, mask in masks.items()]


def _moved(states: Words, move: list[tuple[int, np.uint64]]) -> Words:
    after = np.zeros_like(states)
    for distance, mask in move:
        part = states & mask
        after |= part << np.uint64(distance) if distance > 0 else part >> np.uint64(-distance)
    return after


def _is_in(states: Words, others: Words) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which of some states are among others, which are sorted."""
    if not others.size:
        return np.zeros(states.shape, np.bool_)
    at = np.minimum(np.searchsorted(others, states), others.size - 1)
    return others[at] == states
