"""Water jugs: measure an amount with jugs that have no marks.

Fill a jug to its brim, empty it, or pour one jug into another until one of them is full or
empty. Any jug may hold the amount at the end, so there are many goals.

    searchkit run --plugin examples/jugs.py jugs
    searchkit run --plugin examples/jugs.py jugs --param capacities=12,7,5 --param target=6
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from string import ascii_uppercase

import attrs

from searchkit import Parameter, ParseError, Problem, Step, hookimpl
from searchkit.registry import RegisterPuzzle

State = tuple[int, ...]
"""The amount in each jug."""


@attrs.frozen
class Jugs(Problem[State, str]):
    """Get `target` into one of the jugs."""

    capacities: State
    target: int
    start: State

    def initial_states(self) -> list[State]:
        """The start."""
        return [self.start]

    def successors(self, state: State) -> Iterator[Step[str, State]]:
        """Fill, empty, and pour."""
        for i, (amount, capacity) in enumerate(zip(state, self.capacities, strict=True)):
            name = ascii_uppercase[i]
            if amount < capacity:
                yield Step(f"fill {name}", changed(state, {i: capacity}))
            if amount == 0:
                continue
            yield Step(f"empty {name}", changed(state, {i: 0}))
            for j, other in enumerate(self.capacities):
                poured = min(amount, other - state[j])
                if i != j and poured:
                    after = changed(state, {i: amount - poured, j: state[j] + poured})
                    yield Step(f"pour {name} into {ascii_uppercase[j]}", after)

    def is_goal(self, state: State) -> bool:
        """Whether a jug holds the target."""
        return self.target in state

    def certificate(self, state: State) -> str | None:
        """All amounts that can be made are multiples of the greatest common divisor."""
        unit = gcd(*self.capacities, *state)
        if unit and self.target % unit:
            return f"only multiples of {unit} can be measured, and {self.target} is none"
        return None

    def with_start(self, state: State) -> Jugs:
        """The same puzzle from other amounts."""
        return attrs.evolve(self, start=state)

    def parse(self, text: str) -> State:
        """Read amounts like `0 3` or `0,3`."""
        amounts = numbers(text)
        if len(amounts) != len(self.capacities):
            raise ParseError(f"{len(amounts)} amounts, but {len(self.capacities)} jugs")
        for amount, capacity in zip(amounts, self.capacities, strict=True):
            if not 0 <= amount <= capacity:
                raise ParseError(f"amount {amount} does not fit a jug of {capacity}")
        return amounts

    def format_state(self, state: State) -> str:
        """The amounts, as `parse` reads them."""
        return " ".join(map(str, state))

    def render(self, state: State) -> str:
        """The jugs side by side, a line for each unit."""
        lines = []
        for level in range(max(self.capacities), 0, -1):
            jugs = zip(state, self.capacities, strict=True)
            lines.append(" ".join(jug_line(level, *jug) for jug in jugs).rstrip())
        return "\n".join([*lines, " ".join("└──┘" for _ in state)])


def changed(state: State, amounts: dict[int, int]) -> State:
    """`state` with new amounts in some jugs."""
    return tuple(amounts.get(i, amount) for i, amount in enumerate(state))


def jug_line(level: int, amount: int, capacity: int) -> str:
    """The part of a jug between `level - 1` and `level`."""
    if level > capacity:
        return "    "
    return "│██│" if level <= amount else "│  │"


def numbers(text: str) -> State:
    """The numbers in a text like `5,3` or `5 3`."""
    return tuple(int(word) for word in text.replace(",", " ").split())


def make_jugs(capacities: str, target: str) -> Jugs:
    """The puzzle with empty jugs; parameters arrive as text."""
    sizes = numbers(capacities)
    if not 1 <= len(sizes) <= len(ascii_uppercase) or min(sizes) < 1:
        raise ValueError("give 1 to 26 jugs, each of capacity 1 or more")
    return Jugs(sizes, int(target), start=(0,) * len(sizes))


@hookimpl
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    """Register the puzzle."""
    register(
        "jugs",
        make_jugs,
        summary="measure an amount of water with unmarked jugs",
        parameters=[
            Parameter("capacities", "5,3", "what each jug holds when full"),
            Parameter("target", "4", "the amount to be measured"),
        ],
    )
