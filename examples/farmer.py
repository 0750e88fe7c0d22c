"""The farmer, the wolf, the goat and the cabbage cross a river (Alcuin, about 800).

The boat carries the farmer and one other. Left alone, the wolf eats the goat, and the goat
eats the cabbage.

    searchkit run --plugin examples/farmer.py farmer --boards
    searchkit run --plugin examples/farmer.py farmer --all
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from searchkit import ParseError, Problem, Step, hookimpl
from searchkit.registry import RegisterPuzzle

State = frozenset[str]
"""Who is on the left bank; all others are on the right."""

FARMER = "farmer"
CARGO = ("wolf", "goat", "cabbage")
EVERYBODY = frozenset([FARMER, *CARGO])
QUARRELS = (frozenset(["wolf", "goat"]), frozenset(["goat", "cabbage"]))


@attrs.frozen
class Farmer(Problem[State, str]):
    """Bring everybody to the right bank."""

    start: State = EVERYBODY

    undirected = True

    def initial_states(self) -> list[State]:
        """The start."""
        return [self.start]

    def goal_states(self) -> list[State]:
        """Nobody on the left bank."""
        return [frozenset()]

    def is_goal(self, state: State) -> bool:
        """Whether the left bank is empty."""
        return not state

    def successors(self, state: State) -> Iterator[Step[str, State]]:
        """The farmer crosses, alone or with one from his bank."""
        bank = state if FARMER in state else EVERYBODY - state
        # CARGO has an order; the order of a set of texts changes from run to run.
        for companion in [None, *(each for each in CARGO if each in bank)]:
            boat = frozenset([FARMER, companion] if companion else [FARMER])
            left_behind = bank - boat
            if not any(quarrel <= left_behind for quarrel in QUARRELS):
                yield Step(companion or "alone", state ^ boat)

    def with_start(self, state: State) -> Farmer:
        """The same puzzle with others on the left bank."""
        return attrs.evolve(self, start=state)

    def parse(self, text: str) -> State:
        """Read the left bank from `farmer wolf | goat cabbage`; the right one may be missing."""
        left = text.partition("|")[0].split()
        for name in left:
            if name not in EVERYBODY:
                raise ParseError(f"{name!r} is nobody here; known: {FARMER}, {', '.join(CARGO)}")
        return frozenset(left)

    def format_state(self, state: State) -> str:
        """Who is left and who is right of the river."""
        left, right = ([who for who in (FARMER, *CARGO) if (who in state) is side]
                       for side in (True, False))  # fmt: skip
        return f"{' '.join(left)} | {' '.join(right)}".strip()

    def render(self, state: State) -> str:
        """A line for each, left or right of the river."""
        return "\n".join(
            f"{who:<7} ~~~" if who in state else f"        ~~~ {who:<7}" for who in (FARMER, *CARGO)
        )


@hookimpl
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    """Register the puzzle."""
    register("farmer", Farmer, summary="farmer, wolf, goat and cabbage cross a river")
