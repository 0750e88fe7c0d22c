"""The farmer, the wolf, the goat and the cabbage cross a river (Alcuin, about 800).

The boat carries the farmer and one other. Left alone, the wolf eats the goat, and the goat
eats the cabbage.

    searchkit run --plugin examples/farmer.py farmer --draw
    searchkit run --plugin examples/farmer.py farmer --all
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from searchkit import ParseError, StartAndGoal, Step, hookimpl
from searchkit.hookspecs import RegisterPuzzle

State = frozenset[str]
"""Who is on the left bank; the others are on the right."""

EVERYBODY = ("farmer", "wolf", "goat", "cabbage")
QUARRELS = ({"wolf", "goat"}, {"goat", "cabbage"})


@attrs.frozen
class Farmer(StartAndGoal[State, str]):
    start: State = frozenset(EVERYBODY)
    goal: State = frozenset()

    undirected = True  # any crossing can be made again the other way

    def successors(self, state: State) -> Iterator[Step[State, str]]:
        """The farmer crosses alone or with one from his bank.

        Steps come in the order of `EVERYBODY`: a set has no order that can be relied on.
        """
        bank = {who for who in EVERYBODY if (who in state) == ("farmer" in state)}
        for companion in EVERYBODY:
            boat = {"farmer", companion}
            if companion in bank and not any(quarrel <= bank - boat for quarrel in QUARRELS):
                yield Step("alone" if companion == "farmer" else companion, state ^ boat)

    def parse(self, text: str) -> State:
        """Read the left bank from a text like `farmer wolf | goat cabbage`."""
        left = text.partition("|")[0].split()
        for name in left:
            if name not in EVERYBODY:
                raise ParseError(f"{name!r} is nobody here; known: {', '.join(EVERYBODY)}")
        return frozenset(left)

    def format_state(self, state: State) -> str:
        left = " ".join(who for who in EVERYBODY if who in state)
        right = " ".join(who for who in EVERYBODY if who not in state)
        return f"{left} | {right}".strip()

    def render(self, state: State) -> str:
        """A line for each, left or right of the river."""
        return "\n".join(
            f"{who:<7} ~~~" if who in state else f"{'':<7} ~~~ {who}" for who in EVERYBODY
        )


@hookimpl
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    register("farmer", Farmer, summary="farmer, wolf, goat and cabbage cross a river")
