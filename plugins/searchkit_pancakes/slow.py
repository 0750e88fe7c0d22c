"""The rules a second time, as plainly as can be: the judge of the packed ones.

Nothing of the other modules is used here, on purpose.
"""

from __future__ import annotations

import attrs

from searchkit import ParseError, StartAndGoal, Step

Stack = tuple[int, ...]


@attrs.frozen
class PlainPancakes(StartAndGoal[Stack, int]):
    """Pancakes from top to bottom; with burnt sides, negative where the burnt side is up."""

    start: Stack
    goal: Stack
    burnt: bool

    undirected = True

    def successors(self, state: Stack) -> list[Step[int, Stack]]:
        """Turn over the top, one pancake more each time."""
        steps = []
        for count in range(1, len(state) + 1):
            if self.burnt:
                top = tuple(-pancake for pancake in state[:count][::-1])
            elif count > 1:
                top = state[:count][::-1]
            else:
                continue
            steps.append(Step(count, top + state[count:]))
        return steps

    def format_state(self, state: Stack) -> str:
        """The numbers from top to bottom."""
        return " ".join(str(pancake) for pancake in state)

    def parse(self, text: str) -> Stack:
        """Read what `format_state` writes."""
        try:
            state = tuple(int(word) for word in text.split())
        except ValueError as error:
            raise ParseError(f"{text!r} is not a list of numbers") from error
        sizes = sorted(abs(pancake) for pancake in self.goal)
        if sorted(abs(pancake) if self.burnt else pancake for pancake in state) != sizes:
            raise ParseError(f"{text!r} does not have every pancake of the goal once")
        return state
