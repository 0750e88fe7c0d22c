"""Pancake sorting: turn over the top of a stack until the smallest pancake lies on top.

The gap heuristic (M. Helmert, Landmark Heuristics for the Pancake Problem, 2010).

A gap is between two neighbours, of which the last pancake and the plate are two, that are none
in the goal. One turn parts one pair of neighbours and joins another, so it closes one gap at
most. The bound is consistent, and carried along a step by looking at those two pairs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from searchkit import UsageError
from searchkit.packed import PackedHeuristic
from searchkit.pattern_space import consecutive_groups
from searchkit.picture import Cell, Colour, Picture, Piece, Shape
from searchkit.pieces import Change, Definition, Move, Orbit, Pieces

THICK = 0.8
"""The height of a pancake, where the next one lies 1 below it."""
LEAST, MOST = 1.5, 9.0
"""The widths of the smallest and of the largest pancake, of a stack of ten."""


def draw(labels: Sequence[int]) -> Picture:
    """The pancakes from top to bottom, each known by its size; negative labels are burnt.

    O(pancakes).

    >>> draw([2, -1]).words
    'from the top: 2, 1 burnt side up'
    """
    size = len(labels)
    stretch = max(1.0, size / 10)
    room = stretch * MOST + 1
    pieces = [
        Piece(
            abs(label),
            room / 2,
            place + 0.6,
            stretch * (LEAST + (MOST - LEAST) * (abs(label) - 1) / max(1, size - 1)),
            THICK,
            Shape.BAR,
            colour=Colour.DARK if label < 0 else Colour.BROWN,
            label=str(abs(label)),
        )
        for place, label in enumerate(labels)
    ]
    plate = Cell(room / 2, size + 0.35, room, 0.3, Shape.BAR, Colour.FRAME)
    names = [f"{abs(label)}{' burnt side up' if label < 0 else ''}" for label in labels]
    words = f"from the top: {', '.join(names)}"
    return Picture(room, size + 0.6, pieces, [plate], words=words)


def write(labels: Sequence[int]) -> str:
    """The stack on its plate, with labels; burnt sides that are up are dark.

    >>> print(write([3, 1, 2]))
     ██████    3
       ██      1
      ████     2
    ▔▔▔▔▔▔▔▔
    """
    scale = 2 if len(labels) <= 20 else 1
    room = scale * len(labels) + 2
    lines = []
    for label in labels:
        shape = ("▓" if label < 0 else "█") * (scale * abs(label))
        lines.append(f"{shape.center(room)} {label:3}")
    return "\n".join([*lines, "▔" * room])


class GapTables(NamedTuple):
    """What the kernels of `Gap` look up: `gap[a][b]` is 1 if `a` must not lie on `b`.

    Both are fields of a state; the plate is `plate`, and `burnt` the bit that turning changes.
    `beside[a]` are the one or two that `a` may lie on, each in all bytes of a word. Operator 0
    turns over `least` pancakes.
    """

    size: int
    least: int
    plate: int
    burnt: int
    gap: tuple[tuple[int, ...], ...]
    beside: tuple[tuple[int, int], ...]


BYTES = 0x0101010101010101
HIGHEST_BITS = 0x8080808080808080
GATHERED = 0x0102040810204080
"""A word with the lowest bit of each byte, times this, has them together in the highest byte."""
ALL = (1 << 63) - 1
NONE = 127
"""What is no pancake, and not the plate."""


class Gap(PackedHeuristic):
    """How many neighbours must be parted.

    >>> from searchkit_pancakes import Pancakes
    >>> puzzle = Pancakes.read("1 3 2 5 4")
    >>> Gap(puzzle)(puzzle.start)
    3
    """

    name = "gap"
    given = "a flip parts one pair of neighbours"
    constants = ("least", "burnt")
    parts = ("problem",)

    def __init__(self, problem: Pancakes) -> None:
        self.problem = problem
        low = (problem.size - 1).bit_length()
        turned = int(problem.burnt) << low
        plate = turned + problem.size
        goal = [look | side << low for look, side in problem.unpack(problem.goal)[0]]
        joined = {(goal[-1], plate)}
        for one, other in pairwise(goal):
            joined |= {(one, other), (other ^ turned, one ^ turned)}
        below: list[list[int]] = [[] for _ in range(plate)]
        gap = [[1] * (plate + 1) for _ in below]
        for one, other in joined:
            below[one].append(other)
            gap[one][other] = 0
        self.tables = GapTables(
            size=problem.size,
            least=1 if problem.burnt else 2,
            plate=plate,
            burnt=turned,
            gap=tuple(map(tuple, gap)),
            beside=tuple(
                (min(others, default=NONE) * BYTES, max(others, default=NONE) * BYTES)
                for others in below
            ),
        )

    def below(self, state: Any, place: int) -> int:
        """Kernel: what is at a place, which may be that of the plate."""
        is_plate = place == self.tables.size
        return int(self.tables.plate if is_plate else self.problem.field(state, place))

    def estimate(self, state: Any) -> int:
        """Kernel: the number of gaps. O(pancakes)."""
        found = 0
        pancake = self.problem.field(state, 0)
        for place in range(1, self.tables.size):
            below = self.problem.field(state, place)
            found += self.tables.gap[pancake][below]
            pancake = below
        return int(found + self.tables.gap[pancake][self.tables.plate])

    def change(self, state: Any, control: int, operator: int, child: Any) -> int:
        """Kernel: the gap that is made, less the gap that is closed. O(1)."""
        turned = operator + self.tables.least
        below = self.below(state, turned)
        top = self.problem.field(state, 0) ^ self.tables.burnt
        last = self.problem.field(state, turned - 1)
        return int(self.tables.gap[top][below]) - int(self.tables.gap[last][below])


class WideGap(Gap):
    """The same for stacks with eight bits to a pancake, in several words."""

    def candidates(self, state: Any, control: int, most: int) -> int:
        """Kernel: those that lay the top on a pancake it belongs on, if gaps must be closed.

        O(words): all bytes of a word are compared at once.
        """
        if most >= 0:
            return ALL
        top = self.problem.field(state, 0) ^ self.tables.burnt
        one = self.tables.beside[top][0]
        other = self.tables.beside[top][1]
        found = 0
        for word in range(len(state)):
            # The highest bit of each byte that is neither; pancakes are numbers of seven bits.
            differs = (state[word] ^ one) + (HIGHEST_BITS - BYTES)
            differs &= (state[word] ^ other) + (HIGHEST_BITS - BYTES)
            equal = (differs & HIGHEST_BITS ^ HIGHEST_BITS) >> 7 & BYTES
            found |= (equal * GATHERED >> 56 & 255) << 8 * word
        is_last = 1 - self.tables.gap[top][self.tables.plate]
        return int(((found | is_last << self.tables.size) & ALL) >> self.tables.least)


def gap(problem: Pancakes) -> Gap:
    """The gap heuristic for stacks of any size."""
    return (WideGap if problem.words > 1 else Gap)(problem)


MOST_PANCAKES = 60


@cache
def stacks(size: int, burnt: bool = False) -> Definition:
    """Stacks of `size` pancakes; `burnt` ones have a side which must come to lie down.

    >>> [step.name for step in stacks(4).steps], [step.name for step in stacks(3, True).steps]
    (['2', '3', '4'], ['1', '2', '3'])
    """
    if not 1 <= size <= MOST_PANCAKES:
        raise UsageError(f"a stack cannot have {size} pancakes; use 1 to {MOST_PANCAKES}")
    sides = 2 if burnt else 1
    names = [sign + str(1 + each) for each in range(size) for sign in ("", "-")[:sides]]
    moves = []
    for count in range(1 if burnt or size == 1 else 2, size + 1):
        sources = (*range(count)[::-1], *range(count, size))
        turns = [sides - 1] * count + [0] * (size - count)
        moves.append(Move(str(count), {"pancake": Change(sources, turns, sides)}))
    return Definition("pancakes", [Orbit("pancake", size, sides, names=names)], moves, label=int)


PLAIN_GAP = '''

def gap(state):
    """How many neighbours, the last pancake and the plate among them, are none in the goal."""
    row, home = ([*map(int, stack.split()), "plate"] for stack in (state, GOAL))
    near = set(zip(home, home[1:]))
    near |= {{({turned} * below, {turned} * above) for above, below in zip(home, home[1:-1])}}
    return sum(pair not in near for pair in zip(row, row[1:]))


heuristics = {{"gap": gap}}
'''


class Pancakes(Pieces):
    """Sort a stack; an action is the number of pancakes that are turned over, from the top.

    >>> from searchkit_pancakes import Pancakes
    >>> puzzle = Pancakes.read("3 1 2")
    >>> [(step.action, puzzle.format_state(step.state)) for step in puzzle.successors(puzzle.start)]
    [(2, '1 3 2'), (3, '2 1 3')]
    """

    needs_places = True
    constants = ("by_place", "runs", "still")  # type: ignore[assignment]  # fewer names
    """Few, so that stacks of most sizes have one machine code."""
    complete_certificates = True

    @classmethod
    def read(cls, start: str, *, burnt: bool = False) -> Pancakes:
        """The puzzle from a start given as text; `ParseError` if it is not a stack."""
        solved = cls.of(stacks(max(1, len(start.replace(",", " ").split())), burnt))
        return solved.with_start(solved.parse(start))

    @property
    def size(self) -> int:
        """How many pancakes there are."""
        return self.definition.orbits[0].places

    @property
    def burnt(self) -> bool:
        """Whether pancakes have a burnt side."""
        return self.definition.orbits[0].orientations > 1

    def plain_text(self) -> str | None:
        """The rules as a file, and the gaps."""
        return f"{super().plain_text()}{PLAIN_GAP.format(turned=-1 if self.burnt else 1)}"

    def labels(self, state: Any) -> list[int]:
        """The pancakes from top to bottom, from 1 on; negative with the burnt side up."""
        return [*map(int, self.format_state(state).split())]

    def default_heuristic(self) -> Gap:
        """The number of gaps, carried along the steps."""
        return gap(self)

    def render(self, state: Any) -> str:
        """The stack on its plate."""
        return write(self.labels(state))

    def picture(self, state: Any) -> Picture:
        """The stack on its plate, drawn."""
        return draw(self.labels(state))

    def random_state(self, rng: random.Random) -> Any:
        """A stack drawn uniformly from all."""
        pancakes = list(range(self.size))
        rng.shuffle(pancakes)
        row = [(each, rng.randrange(2) if self.burnt else 0) for each in pancakes]
        return self.pack((tuple(row),))

    def patterns_named(self, name: str) -> Any:
        """Groups of pancakes by their sizes, the largest pancakes first, or by their numbers."""
        return consecutive_groups(name, range(self.size - 1, -1, -1))

    def patterns_by_memory(self) -> list[str]:
        """None: groups are named by their sizes."""
        return []

    def best_heuristics(self) -> tuple[str, ...]:
        """None besides the gaps."""
        return ()


def pancakes(size: int = 10) -> Pancakes:
    """A shuffled stack, the same for every call.

    >>> puzzle = pancakes(6)
    >>> puzzle.format_state(puzzle.start)
    '5 3 2 1 6 4'
    """
    return _shuffled(size, burnt=False)


def burnt_pancakes(size: int = 7) -> Pancakes:
    """A shuffled stack whose pancakes have a burnt side, the same for every call."""
    return _shuffled(size, burnt=True)


def _shuffled(size: int, *, burnt: bool) -> Pancakes:
    puzzle = Pancakes.of(stacks(size, burnt))
    return puzzle.with_start(puzzle.random_state(random.Random(0)))
