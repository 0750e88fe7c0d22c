"""Water jugs: measure an amount with jugs that have no marks.

Fill a jug to its brim, empty it, or pour one jug into another until one of them is full or
empty. Any jug may hold the amount at the end, so there are many goals.

    searchkit run --plugin examples/jugs.py jugs --draw
    searchkit run --plugin examples/jugs.py jugs --param capacities=12,7,5 --param target=6
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from string import ascii_uppercase as names

import attrs

from searchkit import Certificate, Parameter, ParseError, Problem, Step, hookimpl
from searchkit.certificates import entries
from searchkit.hookspecs import RegisterPuzzle

State = tuple[int, ...]
"""The amount in each jug."""


@attrs.frozen
class Jugs(Problem[State, str]):
    capacities: State
    target: int
    start: State

    def initial_states(self) -> list[State]:
        return [self.start]

    def successors(self, state: State) -> Iterator[Step[str, State]]:
        jugs = range(len(state))
        for i in jugs:
            if state[i] < self.capacities[i]:
                yield Step(f"fill {names[i]}", put(state, i, self.capacities[i]))
            if state[i] > 0:
                yield Step(f"empty {names[i]}", put(state, i, 0))
            for j in jugs:
                poured = min(state[i], self.capacities[j] - state[j])
                if i != j and poured:
                    rest = put(state, i, state[i] - poured)
                    yield Step(f"pour {names[i]} into {names[j]}", put(rest, j, state[j] + poured))

    def is_goal(self, state: State) -> bool:
        return self.target in state

    def certificate(self, state: State) -> Certificate | None:
        """Only multiples of a common divisor of all amounts can be measured."""
        unit = gcd(*self.capacities, *state)
        if self.target % unit:
            text = f"only multiples of {unit} can be measured, and {self.target} is none"
            return Certificate("common divisor", text, {"divisor": unit})
        return None

    def check_certificate(self, start: State, certificate: Certificate) -> str | None:
        """What `searchkit verify` asks."""
        if certificate.kind != "common divisor":
            return "it is not a common divisor"
        (divisor,) = entries(certificate.data, {"divisor": int})
        if divisor < 1 or any(amount % divisor for amount in (*self.capacities, *start)):
            return f"{divisor} does not divide all amounts"
        return None if self.target % divisor else f"{divisor} divides {self.target}"

    def with_start(self, state: State) -> Jugs:
        return attrs.evolve(self, start=state)

    def parse(self, text: str) -> State:
        """Read amounts like `0 3`."""
        state = numbers(text)
        if len(state) != len(self.capacities):
            raise ParseError(f"give {len(self.capacities)} amounts, one for each jug")
        for amount, capacity in zip(state, self.capacities, strict=True):
            if not 0 <= amount <= capacity:
                raise ParseError(f"amount {amount} does not fit a jug of {capacity}")
        return state

    def format_state(self, state: State) -> str:
        return " ".join(map(str, state))

    def render(self, state: State) -> str:
        """The jugs side by side, with a line for each unit of water."""
        lines = ["└──┘ " * len(state)]
        for level in range(max(self.capacities)):
            line = ""
            for amount, capacity in zip(state, self.capacities, strict=True):
                line += "│██│ " if level < amount else "│  │ " if level < capacity else "     "
            lines.append(line)
        return "\n".join(line.rstrip() for line in reversed(lines))


def put(state: State, jug: int, amount: int) -> State:
    """`state` with another amount in one jug."""
    return (*state[:jug], amount, *state[jug + 1 :])


def numbers(text: str) -> State:
    """The numbers in a text like `5,3` or `5 3`."""
    return tuple(int(word) for word in text.replace(",", " ").split())


def make_jugs(capacities: str, target: int) -> Jugs:
    """The puzzle with empty jugs."""
    sizes = numbers(capacities)
    if not 1 <= len(sizes) <= len(names) or min(sizes) < 1:
        raise ValueError(f"give 1 to {len(names)} jugs, each of capacity 1 or more")
    return Jugs(sizes, target, start=(0,) * len(sizes))


@hookimpl
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    register(
        "jugs",
        make_jugs,
        summary="measure an amount of water with unmarked jugs",
        parameters=[
            Parameter("capacities", "5,3", "what each jug holds when full"),
            Parameter("target", 4, "the amount to be measured"),
        ],
    )
