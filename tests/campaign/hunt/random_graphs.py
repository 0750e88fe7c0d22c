"""Random explicit graphs of many shapes, with all that random problems are made from."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

from hunt.oracle import Edge, Graph

OPERATORS = 6
MOST_STATES = 64
MOST_COST = 1 << 24
DEAD = -1
"""An estimate: no goal can be reached."""


@dataclass(frozen=True)
class Space:
    """A graph whose labels are operators: state `s` has the control state `controls[s]`.

    The steps of a state are in the order `orders[its control state]` of the operators. If it is
    `paired`, operators 2k and 2k + 1 take each other back, and the control state after a step
    depends on the control state before and the operator alone.
    """

    costs: str
    graph: Graph
    controls: tuple[int, ...]
    orders: tuple[tuple[int, ...], ...]
    estimates: tuple[int, ...]
    undirected: bool = False
    after: tuple[tuple[int, ...], ...] = ()
    """By control state and operator, if it is paired, the control state that follows."""

    @property
    def paired(self) -> bool:
        return bool(self.after)

    def with_graph(self, graph: Graph, **more: Any) -> Space:
        """The same with another graph over the same states."""
        return replace(self, graph=graph, **more)


def random_costs(rng: random.Random, kind: str) -> Any:
    """What draws a cost of at least so much."""
    if kind == "unit":
        return lambda least: 1
    if kind == "zero_one":
        return lambda least: rng.randint(least, 1)
    way = rng.randrange(6)
    if way == 0:
        return lambda least: max(least, rng.choice((0, 1, MOST_COST - 1, MOST_COST)))
    if way == 1:
        return lambda least: rng.randint(least, MOST_COST)
    if way == 2:
        scale = rng.randint(1, 2000)
        return lambda least: max(least, scale * rng.randint(0, 4))
    return lambda least: rng.randint(least, 4)


def _targets(rng: random.Random, count: int) -> Any:
    """What draws the target of a step: anywhere, near by, or in a layer further on."""
    way = rng.randrange(4)
    if way == 0:
        return lambda state: min(count - 1, state + rng.randint(0, 2))
    if way == 1:
        width = rng.randint(1, 4)
        return lambda state: min(count - 1, (state // width + 1) * width + rng.randrange(width))
    if way == 2:
        return lambda state: rng.choice((max(0, state - 1), min(count - 1, state + 1)))
    return lambda state: rng.randrange(count)


def _size(rng: random.Random, most: int) -> int:
    return rng.randint(1, rng.choice((3, 6, 12, 12, 24, most)))


def loose_space(rng: random.Random, costs: str, *, total: bool = False) -> Space:
    """A directed graph, whose operators may lead anywhere; if `total`, all of them are legal."""
    count = _size(rng, MOST_STATES)
    cost_of, target_of = random_costs(rng, costs), _targets(rng, count)
    legal = rng.choice((1, 2, 4, OPERATORS))
    height = rng.sample(range(count), count)
    steps: list[dict[int, Edge]] = []
    for state in range(count):
        chosen = range(OPERATORS) if total else rng.sample(range(OPERATORS), rng.randint(0, legal))
        row = {}
        for label in chosen:
            target = target_of(state)
            least = 0 if height[target] > height[state] and costs != "unit" else 1
            row[label] = (label, target, cost_of(least))
        steps.append(row)
    return _ended(rng, costs, steps)


def paired_space(rng: random.Random, costs: str) -> Space:
    """An undirected graph in which each operator is taken back by one other alone."""
    count = _size(rng, MOST_STATES)
    cost_of, target_of = random_costs(rng, costs), _targets(rng, count)
    controls_count = rng.choice((1, 1, 2, 3))
    controls = [rng.randrange(controls_count) for _ in range(count)]
    moves = [rng.sample(range(controls_count), controls_count) for _ in range(OPERATORS // 2)]
    steps: list[dict[int, Edge]] = [{} for _ in range(count)]
    joined = set()
    for _ in range(rng.choice((count, 3 * count, 6 * count))):
        state, pair = rng.randrange(count), rng.randrange(OPERATORS // 2)
        target = target_of(state)
        fits = moves[pair][controls[state]] == controls[target] and state != target
        forward, back = 2 * pair, 2 * pair + 1
        if not fits or forward in steps[state] or back in steps[target]:
            continue
        if (state, target) in joined:
            continue
        joined |= {(state, target), (target, state)}
        cost = cost_of(1)
        steps[state][forward] = (forward, target, cost)
        steps[target][back] = (back, state, cost)
    after = [[0] * OPERATORS for _ in range(controls_count)]
    for pair, move in enumerate(moves):
        for control, following in enumerate(move):
            after[control][2 * pair] = following
            after[following][2 * pair + 1] = control
    return _ended(rng, costs, steps, controls, after)


def _ended(
    rng: random.Random,
    costs: str,
    steps: list[dict[int, Edge]],
    controls: list[int] | None = None,
    after: list[list[int]] | None = None,
) -> Space:
    """Orders, starts, goals and estimates for some steps."""
    count = len(steps)
    if controls is None:
        number = rng.choice((1, 1, 2, 3))
        controls = [rng.randrange(number) for _ in range(count)]
    orders = [list(range(OPERATORS)) for _ in after or range(max(controls) + 1)]
    for order in orders:
        if rng.random() < 0.5:
            rng.shuffle(order)
    ordered = tuple(
        tuple(row[label] for label in orders[controls[state]] if label in row)
        for state, row in enumerate(steps)
    )
    goals = frozenset(rng.sample(range(count), min(count, rng.choice((0, 1, 1, 1, 2, 3)))))
    starts = tuple(rng.sample(range(count), min(count, rng.choice((1, 1, 1, 2, 3)))))
    if rng.random() < 0.5:
        starts = (0, *(each for each in starts[1:] if each))
    graph = Graph(ordered, starts, goals)
    return Space(
        costs, graph, tuple(controls), tuple(map(tuple, orders)), (0,) * count,
        undirected=after is not None, after=tuple(map(tuple, after or ())),
    )  # fmt: skip


def admissible_estimates(rng: random.Random, graph: Graph, *, dead_ends: bool) -> tuple[int, ...]:
    """Lower bounds: none, exact, near, or anything below; `DEAD` for some states without a way."""
    way = rng.randrange(6)
    values = []
    for distance in graph.distances:
        if distance is None:
            other = [0, rng.randint(0, 9), *([DEAD, DEAD] if dead_ends else [])]
            values.append(0 if way == 0 else rng.choice(other))
        elif way == 0:
            values.append(0)
        elif way == 1:
            values.append(distance)
        elif way == 2:
            values.append(distance // 2)
        else:
            values.append(rng.randint(0, distance))
    return tuple(values)


def any_estimates(rng: random.Random, graph: Graph) -> tuple[int, ...]:
    """Numbers that are no lower bounds."""
    return tuple(rng.randint(0, 9) for _ in graph.steps)
