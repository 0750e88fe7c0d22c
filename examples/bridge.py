"""Bridge and torch: in the dark, two at most may be on the bridge, and they need the torch.

Two who cross together walk as fast as the slower one. The cost of a step is its time, so
breadth-first search does not suit; the fewest crossings need not be the fastest.

    searchkit run --plugin examples/bridge.py bridge
    searchkit run --plugin examples/bridge.py bridge --param times=1,3,6,8,12 --all
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from string import ascii_uppercase

import attrs

from searchkit import Costs, Parameter, Problem, Step, hookimpl
from searchkit.hookspecs import RegisterPuzzle

State = tuple[bool, ...]
"""Who has crossed: the torch first, then each person."""


@attrs.frozen
class Bridge(Problem[State, str]):
    times: tuple[int, ...]

    costs = Costs.INTEGER
    undirected = True

    def initial_states(self) -> list[State]:
        return [(False,) * (1 + len(self.times))]

    def goal_states(self) -> list[State]:
        return [(True,) * (1 + len(self.times))]

    def is_goal(self, state: State) -> bool:
        return all(state)

    def successors(self, state: State) -> Iterator[Step[State, str]]:
        """One or two on the torch's side cross with it."""
        torch, *people = state
        side = [who for who, crossed in enumerate(people) if crossed is torch]
        arrow = "←" if torch else "→"
        for group in [*combinations(side, 2), *combinations(side, 1)]:
            after = [crossed ^ (who in group) for who, crossed in enumerate(people)]
            names = "".join(ascii_uppercase[who] for who in group)
            time = max(self.times[who] for who in group)
            yield Step(f"{arrow}{names}", (not torch, *after), time)

    def heuristic(self, state: State) -> int:
        """The slowest who has not crossed will have to."""
        waiting = zip(self.times, state[1:], strict=True)
        return max((time for time, crossed in waiting if not crossed), default=0)

    def render(self, state: State) -> str:
        """The two sides; `*` is the torch."""
        torch, *people = state
        left = right = ""
        for name, crossed in zip(ascii_uppercase, people, strict=False):
            left += " " if crossed else name
            right += name if crossed else " "
        return f"{left} {' ' if torch else '*'}═════{'*' if torch else ' '} {right}".rstrip()


def make_bridge(times: str) -> Bridge:
    """The puzzle for times like `1,2,5,10`."""
    numbers = tuple(int(word) for word in times.replace(",", " ").split())
    if not 1 <= len(numbers) <= len(ascii_uppercase) or min(numbers) < 1:
        raise ValueError("give 1 to 26 times, each 1 or more")
    return Bridge(numbers)


@hookimpl
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    register(
        "bridge",
        make_bridge,
        summary="all cross a bridge at night with one torch, in the least time",
        parameters=[Parameter("times", "1,2,5,10", "how long each person takes to cross")],
    )
