"""Top-Spin: tokens round a ring, some of which in a row can be turned over.

Gaps in a ring, as in stacks of pancakes (M. Helmert, Landmark Heuristics, 2010).

A gap is between two neighbours that are none in the goal. A turn parts two pairs of neighbours
and joins two, so it closes two gaps at most.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from searchkit import UsageError
from searchkit.packed import PackedHeuristic
from searchkit.picture import Cell, Colour, Phase, Picture, Piece, Shape
from searchkit.pieces import Change, Definition, Move, Orbit, Pieces

TOKEN = 0.86
"""The diameter of a token, where the next one is 1 further along the ring."""


def write(tokens: Sequence[int]) -> str:
    """The ring, clockwise from the first token.

    >>> print(write(range(7)))
    ╭─ 1 ─ 2 ─ 3 ─ 4 ─╮
    ╰─── 7 ─ 6 ─ 5 ───╯
    """
    width = len(str(len(tokens)))
    labels = [str(token + 1).rjust(width) for token in tokens]
    half = -(-len(labels) // 2)
    upper, lower = (" ─ ".join(part) for part in (labels[:half], labels[half:][::-1]))
    room = len(upper) - len(lower)
    left, right = "─" * (room // 2), "─" * (room - room // 2)
    return f"╭─ {upper} ─╮\n╰─{left} {lower} {right}─╯"


def draw(tokens: Sequence[int], lifted: Collection[int] = ()) -> Picture:
    """The tokens clockwise from the top; those in `lifted` are set off. O(tokens).

    >>> [piece.label for piece in draw([0, 2, 1, 3]).pieces]
    ['1', '3', '2', '4']
    """
    size = len(tokens)
    radius = 0.5 / math.sin(math.pi / size)
    middle = radius + 0.75
    pieces = []
    for place, token in enumerate(tokens):
        turn = 2 * math.pi * place / size
        x, y = middle + radius * math.sin(turn), middle - radius * math.cos(turn)
        colour = Colour.ACCENT if token in lifted else Colour.PLAIN
        pieces.append(Piece(token, x, y, TOKEN, TOKEN, Shape.ROUND, colour, str(token + 1)))
    ring = [
        Cell(middle, middle, 2 * radius + 1.2, 2 * radius + 1.2, Shape.ROUND, Colour.FRAME),
        Cell(middle, middle, 2 * radius - 1.1, 2 * radius - 1.1, Shape.ROUND)
    ]  # fmt: skip
    words = "clockwise: " + " ".join(str(token + 1) for token in tokens)
    return Picture(2 * middle, 2 * middle, pieces, ring, words=words)


def turn(tokens: Sequence[int], place: int, turnstile: int) -> Iterator[Phase]:
    """Turn over the tokens from a place on, then the whole ring, so that the first is on top."""
    size = len(tokens)
    places = [(place + step) % size for step in range(turnstile)]
    turned = list(tokens)
    for before, after in zip(places, reversed(places), strict=True):
        turned[after] = tokens[before]
    lifted = {tokens[each] for each in places}
    yield Phase(draw(tokens, lifted))
    yield Phase(draw(turned, lifted))
    first = turned.index(0)
    yield Phase(draw([*turned[first:], *turned[:first]]))


class GapTables(NamedTuple):
    """What the kernels of `RingGap` look up: `gap[a][b]` is 1 if `a` and `b` are to be parted.

    There are `others` tokens beside the first.
    """

    others: int
    gap: tuple[tuple[int, ...], ...]


class RingGap(PackedHeuristic):
    """Half the number of neighbours that must be parted, rounded up.

    It is consistent.

    >>> from searchkit_topspin import TopSpin, ring
    >>> puzzle = TopSpin.of(ring(8, 4))
    >>> RingGap(puzzle)(puzzle.parse("1 2 7 4 5 6 3 8"))
    2
    """

    name = "ring-gap"
    given = "a move parts two pairs of neighbours"

    def __init__(self, problem: TopSpin) -> None:
        goal = problem.tokens(problem.goal)
        joined = {frozenset((goal[i - 1], token)) for i, token in enumerate(goal)}
        tokens = range(problem.size)
        self.tables = GapTables(
            others=problem.size - 1,
            gap=tuple(
                tuple(int(frozenset((one, other)) not in joined) for other in tokens)
                for one in tokens
            ),
        )

    def estimate(self, state: int) -> int:
        """Kernel: half the gaps. O(tokens)."""
        found = 0
        before = 0
        for place in range(self.tables.others):
            token = state >> 4 * place & 15
            found += self.tables.gap[before][token]
            before = token
        found += self.tables.gap[before][0]
        return int(found + 1 >> 1)


MOST_TOKENS = 16


@cache
def ring(size: int, turnstile: int) -> Definition:
    """A ring of tokens, read from the first on; each move turns over `turnstile` in a row.

    Moves have the number of the place of the first token that is turned over, counted from 1.

    >>> [step.name for step in ring(6, 4).steps]
    ['1', '2', '3', '4', '5', '6']
    """
    if not 4 <= size <= MOST_TOKENS:
        raise UsageError(f"{size} tokens are too few or many; use 4 to {MOST_TOKENS}")
    if not 2 <= turnstile <= size - 2 or turnstile % 2:
        raise UsageError(
            f"a turnstile of {turnstile} does not suit {size} tokens; "
            f"use an even number from 2 to {size - 2}"
        )
    moves = []
    for first in range(size):
        cells = [(first + i) % size for i in range(turnstile)]
        order = list(range(size))
        for cell, other in zip(cells, reversed(cells), strict=True):
            order[cell] = other
        home = order.index(0)
        moves.append(Move(str(first + 1), {"token": Change(order[home:] + order[:home])}))
    # The ring turns freely, so that texts may begin with any token.
    along = Move("along", {"token": Change([*range(1, size), 0])})
    tokens = Orbit("token", size, names=[str(token + 1) for token in range(size)])
    return Definition("topspin", [tokens], moves, [along], powers=False, label=int)


PLAIN_GAP = '''

def ring_gap(state):
    """Half the neighbours in the ring that are none in the goal, rounded up."""
    row, home = state.split(), GOAL.split()
    near = {frozenset(pair) for pair in zip(home, home[1:] + home[:1])}
    return (sum(frozenset(pair) not in near for pair in zip(row, row[1:] + row[:1])) + 1) // 2


heuristics = {"ring-gap": ring_gap}
'''


class TopSpin(Pieces):
    """Turn over some tokens in a row until the ring is as in the goal.

    An action is the place, counted from 1, of the first token that is turned over. Turning the
    ring as a whole costs nothing.

    >>> from searchkit_topspin import TopSpin, ring
    >>> puzzle = TopSpin.of(ring(6, 4))
    >>> [puzzle.format_state(step.state) for step in puzzle.successors(puzzle.start)][:3]
    ['1 5 6 4 3 2', '1 5 4 3 2 6', '1 2 6 5 4 3']
    """

    needs_places = True

    @property
    def size(self) -> int:
        """How many tokens there are."""
        return self.definition.orbits[0].places

    @property
    def turnstile(self) -> int:
        """How many tokens are turned over."""
        # If they begin with the first token, which is the last of them then, the next one follows.
        return self.definition.steps[0].motion[0].sources[1]

    def default_heuristic(self) -> RingGap:
        """Half the gaps, rounded up."""
        return RingGap(self)

    def best_heuristics(self) -> tuple[str, ...]:
        """None besides the gaps."""
        return ()

    def plain_text(self) -> str | None:
        """The rules as a file, and the gaps."""
        return f"{super().plain_text()}{PLAIN_GAP}"

    def tokens(self, state: int) -> list[int]:
        """The tokens, numbered from 0 on, clockwise from the first."""
        return [token for token, _ in self.unpack(state)[0]]

    def render(self, state: int) -> str:
        """The ring."""
        return write(self.tokens(state))

    def picture(self, state: int) -> Picture:
        """The ring, drawn."""
        return draw(self.tokens(state))

    def motion(self, state: int, action: int) -> Iterable[Phase]:
        """The tokens are turned over, then the ring is turned until the first is on top."""
        return turn(self.tokens(state), action - 1, self.turnstile)

    def random_state(self, rng: random.Random) -> int:
        """A ring drawn uniformly from those that can become the goal."""
        tokens = list(range(1, self.size))
        rng.shuffle(tokens)
        drawn = self._ring(tokens)
        # Turns keep the parity, or nothing: exchanging two tokens always helps.
        return self._ring([*tokens[:-2], *tokens[:-3:-1]]) if self.certificate(drawn) else drawn

    def _ring(self, others: list[int]) -> int:
        """The state in which these tokens follow the first."""
        return int(self.pack((tuple((token, 0) for token in (0, *others)),)))


def topspin(size: int = 10, turnstile: int = 4) -> TopSpin:
    """A shuffled ring, the same for every call.

    >>> print(topspin(8).render(topspin(8).start))
    ╭─ 1 ─ 6 ─ 4 ─ 3 ─╮
    ╰─ 8 ─ 5 ─ 7 ─ 2 ─╯
    """
    puzzle = TopSpin.of(ring(size, turnstile))
    return puzzle.with_start(puzzle.random_state(random.Random(0)))
