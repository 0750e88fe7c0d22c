"""The rules a second time, as plainly as can be: the judge of the packed ones.

Nothing of the other modules is used here, on purpose.
"""

from __future__ import annotations

import attrs

from searchkit import Certificate, ParseError, StartAndGoal, Step
from searchkit.certificates import entries

Ring = tuple[int, ...]


@attrs.frozen
class PlainTopSpin(StartAndGoal[Ring, int]):
    """Tokens round a ring, read from token 1 on; an action is the place that a turn begins at."""

    start: Ring
    goal: Ring
    turnstile: int

    undirected = True

    def successors(self, state: Ring) -> list[Step[int, Ring]]:
        """Turn the tokens from each place on, and read the ring from token 1 on."""
        steps = []
        for place in range(len(state)):
            ring = [*state]
            cells = [(place + i) % len(ring) for i in range(self.turnstile)]
            for cell, other in zip(cells, reversed(cells), strict=True):
                ring[cell] = state[other]
            first = ring.index(1)
            steps.append(Step(place + 1, (*ring[first:], *ring[:first])))
        return steps

    def check_certificate(self, start: Ring, certificate: Certificate) -> str | None:
        """Whether parity tells the start from the goal.

        A turn of `k` tokens is `k // 2` swaps, and going once round a ring of `n` tokens by one
        place is `n - 1` swaps. If both numbers are even, so is every sequence of turns.
        """
        if certificate.kind != "parity":
            return f"{certificate.kind!r} is not a kind of certificate here; known: parity"
        claimed = entries(certificate.data, {"start": int, "goal": int})
        if len(start) % 2 == 0 or self.turnstile // 2 % 2:
            return "turns change the parity of these tokens"
        for what, state, parity in zip(("start", "goal"), (start, self.goal), claimed, strict=True):
            pairs = sum(a > b for i, a in enumerate(state) for b in state[i + 1 :])
            if parity != pairs % 2:
                return f"the parity of the {what} is {pairs % 2}"
        return None if claimed[0] != claimed[1] else "the parities of start and goal agree"

    def format_state(self, state: Ring) -> str:
        """The tokens from token 1 on."""
        return " ".join(map(str, state))

    def parse(self, text: str) -> Ring:
        """Read what `format_state` writes."""
        try:
            state = tuple(map(int, text.split()))
        except ValueError as error:
            raise ParseError(f"{text!r} is not a list of numbers") from error
        if sorted(state) != sorted(self.goal) or state[0] != 1:
            raise ParseError(f"{text!r} does not have every token of the goal once, 1 first")
        return state
