"""Packed problems whose rules are in tables: a few classes, so that few kernels are compiled.

A state is the word of a place: the place is in six of its bits, the others are noise. Of wide
states the second of three words tells the place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from hunt.random_graphs import DEAD, OPERATORS, Space
from searchkit import Costs, Step
from searchkit.bits import replace_word, shift_right
from searchkit.certificates import Certificate
from searchkit.packed import DEAD_END, PackedProblem
from tests.support.carried import Words
from tests.support.packed_graphs import CarriedEstimate, TableEstimate

COSTS = {"unit": Costs.UNIT, "zero_one": Costs.ZERO_ONE, "integer": Costs.INTEGER}
PLACES = 64
SHIFT = 40


class SpaceTables(NamedTuple):
    following: tuple[tuple[int, ...], ...]
    """By place and operator, the place that it leads to; -1 where it is not legal."""
    costs: tuple[tuple[int, ...], ...]
    words: tuple[int, ...]
    """The word of every place."""
    goals: tuple[int, ...]
    controls: tuple[int, ...]
    ranks: tuple[int, ...]
    """The number of every place."""
    places: tuple[int, ...]
    """The place of every number."""


def tables_of(space: Space, noise: Any) -> SpaceTables:
    """The tables of a space; `noise` is a random number generator."""
    count = len(space.graph.steps)
    following = [[-1] * OPERATORS for _ in range(count)]
    costs = [[1] * OPERATORS for _ in range(count)]
    for place, steps in enumerate(space.graph.steps):
        for label, target, cost in steps:
            following[place][label] = target
            costs[place][label] = cost
    order = noise.sample(range(PLACES), PLACES)
    places = [0] * PLACES
    for place in range(count):
        places[order[place]] = place
    return SpaceTables(
        tuple(map(tuple, following)),
        tuple(map(tuple, costs)),
        tuple(noise.getrandbits(58) << 6 | place for place in range(count)),
        tuple(int(place in space.graph.goals) for place in range(count)),
        space.controls,
        tuple(order[:count]),
        tuple(places),
    )


class Scattered(PackedProblem[int]):
    """Unit costs, one word."""

    def __init__(self, space: Space, noise: Any) -> None:
        self.space = space
        self.tables = tables_of(space, noise)
        self.costs = COSTS[space.costs]
        self.controls = len(space.orders)
        self.undirected = space.undirected

    def word(self, place: int) -> Any:
        return self.tables.words[place]

    def place(self, state: Any) -> int:
        return int(state & 63)

    def initial_states(self) -> list[Any]:
        return [self.word(start) for start in self.space.graph.starts]

    def goal_states(self) -> list[Any]:
        return [self.word(goal) for goal in sorted(self.space.graph.goals)]

    def predecessors(self, state: Any) -> Iterator[Step[Any, int]]:
        place = self.place(state)
        for source, steps in enumerate(self.space.graph.steps):
            for label, target, cost in steps:
                if target == place:
                    yield Step(label, self.word(source), cost)

    def heuristic(self, state: Any) -> float:
        value = self.space.estimates[self.place(state)]
        return float("inf") if value == DEAD else value

    def operators(self, control: int) -> Sequence[int]:
        return self.space.orders[control]

    def next_control(self, control: int, operator: int) -> int | None:
        if self.space.paired:
            return self.space.after[control][operator]
        return 0 if self.controls == 1 else None

    def inverse(self, control: int, operator: int) -> int | None:
        return operator ^ 1 if self.space.paired else None

    def action(self, state: Any, operator: int) -> int:
        return operator

    def at_goal(self, state: Any) -> bool:
        return self.tables.goals[state & 63] != 0

    def control(self, state: Any) -> int:
        return self.tables.controls[state & 63]

    def legal(self, state: Any, control: int, operator: int) -> bool:
        return self.tables.following[state & 63][operator] >= 0

    def apply(self, state: Any, control: int, operator: int) -> Any:
        return self.tables.words[self.tables.following[state & 63][operator]]


class Priced(Scattered):
    """Any costs, one word."""

    def cost(self, state: Any, control: int, operator: int) -> int:
        return self.tables.costs[state & 63][operator]


class Total(Scattered):
    """Unit costs, and every operator is legal everywhere."""

    legal = PackedProblem.legal


class Ranked(Scattered):
    """Unit costs, one word, and a number for every state."""

    ranks = PLACES

    def rank(self, state: Any) -> int:
        return self.tables.ranks[state & 63]

    def unrank(self, index: int) -> Any:
        return self.tables.words[self.tables.places[index]]


class Wide(Scattered):
    """Unit costs, three words."""

    words = 3

    def word(self, place: int) -> Any:
        word = self.tables.words[place]
        return (2**64 - 1, place << SHIFT | word >> 26, word)

    def place(self, state: Any) -> int:
        return int(state[1] >> SHIFT)

    def at_goal(self, state: Any) -> bool:
        return self.tables.goals[shift_right(state[1], 40)] != 0

    def control(self, state: Any) -> int:
        return self.tables.controls[shift_right(state[1], 40)]

    def legal(self, state: Any, control: int, operator: int) -> bool:
        return self.tables.following[shift_right(state[1], 40)][operator] >= 0

    def apply(self, state: Any, control: int, operator: int) -> Any:
        after = self.tables.following[shift_right(state[1], 40)][operator]
        word = self.tables.words[after]
        return replace_word(replace_word(state, 1, after << 40 | shift_right(word, 26)), 2, word)


class WidePriced(Wide):
    """Any costs, three words."""

    def cost(self, state: Any, control: int, operator: int) -> int:
        return self.tables.costs[shift_right(state[1], 40)][operator]


class ListedTables(NamedTuple):
    following: tuple[tuple[int, ...], ...]
    costs: tuple[tuple[int, ...], ...]
    words: tuple[int, ...]
    goals: tuple[int, ...]
    controls: tuple[int, ...]
    orders: tuple[tuple[int, ...], ...]
    """By control state, the operators in their order, and -1 behind them."""


class Listed(Scattered):
    """Unit costs, one word, steps by `expand`."""

    def __init__(self, space: Space, noise: Any) -> None:
        super().__init__(space, noise)
        orders = tuple((*each, *(-1,) * (OPERATORS - len(each))) for each in space.orders)
        self.tables: Any = ListedTables(*self.tables[:5], orders)

    def expand(self, state: Any) -> Iterator[Any]:
        place = state & 63
        for operator in self.tables.orders[self.tables.controls[place]]:
            if operator < 0:
                return
            after = self.tables.following[place][operator]
            if after >= 0:
                yield operator, self.tables.words[after]


class ListedPriced(Listed):
    """Any costs, one word, steps by `expand`."""

    def expand(self, state: Any) -> Iterator[Any]:
        place = state & 63
        control = self.tables.controls[place]
        for i in range(OPERATORS):
            operator = self.tables.orders[control][i]
            if operator < 0 or self.tables.following[place][operator] < 0:
                continue
            child = self.tables.words[self.tables.following[place][operator]]
            yield operator, child, self.tables.costs[place][operator]


class WideListed(Listed, Wide):
    """Any costs, three words, steps by `expand`."""

    def expand(self, state: Any) -> Iterator[Any]:
        place = shift_right(state[1], 40)
        i = 0
        while i < OPERATORS:
            operator = self.tables.orders[self.tables.controls[place]][i]
            i += 1
            if operator >= 0 and self.tables.following[place][operator] >= 0:
                child = self.apply(state, 0, operator)
                yield operator, child, self.tables.costs[place][operator]


CLASSES = {
    each.__name__: each
    for each in (
        Scattered, Priced, Total, Ranked, Wide, WidePriced, Listed, ListedPriced, WideListed,
    )
}  # fmt: skip


class Certain(Scattered):
    """Certifies every start that cannot be solved."""

    complete_certificates = True

    def certificate(self, state: Any) -> Certificate | None:
        if self.space.graph.distances[self.place(state)] is None:
            return Certificate("by the oracle", "the oracle says so", {"place": self.place(state)})
        return None


class CertainPriced(Certain, Priced):
    """The same with costs."""


def estimates_of(values: Iterable[int], early: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    """The estimates, and how far below each `follow` may stop."""
    words = tuple(DEAD_END if value == DEAD else value for value in values)
    return words, tuple(early) or (0,) * len(words)


class Table(TableEstimate):
    """Estimates from a table, looked up for every state."""

    def __init__(self, values: Iterable[int], early: Iterable[int] = ()) -> None:
        super().__init__(estimates_of(values, early)[0])

    def place(self, state: Any) -> int:
        return int(state & 63)


class Change(Table):
    """The same, carried along as differences."""

    name = "change"
    change = CarriedEstimate.change


class WideTable(Table):
    """The same for three words."""

    def place(self, state: Any) -> int:
        return int(shift_right(state[1], 40))


class WideChange(WideTable):
    """Differences for three words."""

    name = "change"
    change = CarriedEstimate.change


class Carried(Words):
    """Words that are carried along and checked."""

    name = "carried"

    def __init__(self, values: Iterable[int], early: Iterable[int] = ()) -> None:
        super().__init__(*estimates_of(values, early))

    def place(self, state: Any) -> int:
        return int(state & 63)


HEURISTICS: dict[str, dict[bool, Any]] = {
    "table": {False: Table, True: WideTable},
    "change": {False: Change, True: WideChange},
    "carried": {False: Carried},
}
"""By name and by whether states have several words."""
