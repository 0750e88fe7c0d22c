"""The Tower of Hanoi with four pegs (Reve's puzzle, Dudeney 1907), or any number of pegs.

All disks go to the last peg, one at a time, and never a larger one onto a smaller one.

    searchkit run --plugin examples/hanoi.py hanoi
    searchkit run --plugin examples/hanoi.py hanoi --param disks=5 --random --seed 1
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import attrs

from searchkit import Parameter, ParseError, Problem, Step, hookimpl
from searchkit.hookspecs import RegisterPuzzle

State = tuple[int, ...]
"""The peg of each disk, the smallest disk first."""

Move = tuple[int, int]
"""From which peg to which."""


@attrs.frozen
class Hanoi(Problem[State, Move]):
    pegs: int
    start: State

    undirected = True

    def initial_states(self) -> list[State]:
        return [self.start]

    def goal_states(self) -> list[State]:
        return [(self.pegs - 1,) * len(self.start)]

    def is_goal(self, state: State) -> bool:
        return all(peg == self.pegs - 1 for peg in state)

    def successors(self, state: State) -> Iterator[Step[Move, State]]:
        """The top disk of a peg goes to a peg whose top disk is larger, or that is empty."""
        for disk, peg in enumerate(state):
            smaller = state[:disk]
            if peg in smaller:
                continue
            for other in range(self.pegs):
                if other != peg and other not in smaller:
                    yield Step((peg, other), (*smaller, other, *state[disk + 1 :]))

    def heuristic(self, state: State) -> int:
        """A disk elsewhere must move; one on the goal peg must make way for a larger one."""
        moves = 0
        awaited = False
        for peg in reversed(state):
            if peg != self.pegs - 1:
                awaited = True
                moves += 1
            elif awaited:
                moves += 2
        return moves

    def random_state(self, rng: random.Random) -> State:
        """Any disks on any pegs: all such states can be reached."""
        return tuple(rng.randrange(self.pegs) for _ in self.start)

    def with_start(self, state: State) -> Hanoi:
        return attrs.evolve(self, start=state)

    def parse(self, text: str) -> State:
        """Read the pegs of the disks, the smallest disk first, like `1 1 2 4`."""
        pegs = tuple(int(word) - 1 for word in text.split())
        if len(pegs) != len(self.start) or not all(0 <= peg < self.pegs for peg in pegs):
            raise ParseError(f"give {len(self.start)} pegs from 1 to {self.pegs}")
        return pegs

    def format_state(self, state: State) -> str:
        return " ".join(str(peg + 1) for peg in state)

    def format_action(self, action: Move) -> str:
        return f"{action[0] + 1}→{action[1] + 1}"

    def render(self, state: State) -> str:
        disks = len(state)
        width = 2 * disks + 1
        towers = []
        for peg in range(self.pegs):
            here = ["█" * (2 * disk + 3) for disk in range(disks) if state[disk] == peg]
            poles = ["│"] * (disks - len(here))
            towers.append([row.center(width) for row in [*poles, *here]])
        rows = [" ".join(parts).rstrip() for parts in zip(*towers, strict=True)]
        return "\n".join([*rows, "─" * (self.pegs * (width + 1) - 1)])


@hookimpl
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    register(
        "hanoi",
        lambda disks, pegs: Hanoi(pegs, start=(0,) * disks),
        summary="the Tower of Hanoi with four pegs",
        parameters=[
            Parameter("disks", 4, "how many disks"),
            Parameter("pegs", 4, "how many pegs"),
        ],
    )
