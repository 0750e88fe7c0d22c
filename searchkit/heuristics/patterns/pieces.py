"""Pattern spaces of puzzles whose moves carry every piece to a place that the move alone decides.

As in most permutation puzzles, where a piece goes depends on where it is and on the operator, not
on the other pieces. Every move counts in every group, so that the largest value is taken, not
the sum.
For permutations whose goal is the identity, turned nowhere, the inverse is as far from it as the
state is, and is looked up too (A. Felner, U. Zahavi, J. Schaeffer and R. Holte, Dual lookups in
pattern databases, 2005).
"""

from __future__ import annotations

import hashlib
import json
import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from searchkit.errors import UsageError
from searchkit.heuristics.patterns.locations import rank_locations, unrank_locations
from searchkit.packed import PackedProblem, PackedStep
from searchkit.pattern_space import WORD_BITS_USED, Pattern, PatternSpace

Rows = tuple[tuple[int, ...], ...]


class PieceTables(NamedTuple):
    """What the kernels of `PiecePatterns` look up.

    A piece in `place` with the orientation `turn` has the code `place * turns + turn`.
    `after[operator][code]` is its code after a move, `before[number][code]` its code before the
    operator of that number. `group[piece]` is -1 where a piece is in no group, `shift[piece]`
    the place of its bits, and `pieces[group]` lists the pieces.
    """

    places: int
    turns: int
    bits: int
    ways: tuple[int, ...]
    sizes: tuple[int, ...]
    group: tuple[int, ...]
    shift: tuple[int, ...]
    pieces: Rows
    after: Rows
    before: Rows


class PiecePatterns(PatternSpace):
    """The space of some groups of pieces.

    `after` maps operators to rows: the code of a piece after the operator, by its code before.
    `goal` is the code of every piece in the goal. The operators must lead back as well: with
    each, `after` has its inverse. `dual` asks for the inverse permutation to be looked up. A
    subclass defines the kernel `content`; `self.problem` is there for it.
    """

    parts = ("problem",)
    undirected = True

    def __init__(
        self,
        problem: PackedProblem[Any],
        groups: Sequence[Pattern],
        *,
        puzzle: str,
        places: int,
        after: Mapping[int, Sequence[int]],
        goal: Sequence[int],
        turns: int = 1,
        dual: bool = False,
    ) -> None:
        self.problem: Any = problem
        self.groups = tuple(tuple(group) for group in groups)
        codes = places * turns
        bits = max(1, (codes - 1).bit_length())
        self._check(goal, bits)
        _check_moves(after, goal, codes)
        is_identity = list(goal) == list(range(0, len(goal) * turns, turns))
        self.images = 2 if dual and is_identity else 1
        self.operators = len(after)
        group_of, shift_of = [-1] * len(goal), [0] * len(goal)
        for number, group in enumerate(self.groups):
            for i, piece in enumerate(group):
                group_of[piece], shift_of[piece] = number, bits * i
        longest = max(map(len, self.groups))
        none = (0,) * codes
        rows = tuple(tuple(after.get(operator, none)) for operator in range(max(after) + 1))
        self._goal = tuple(goal)
        self._puzzle = puzzle
        moves = json.dumps(sorted(map(list, after.values()))).encode()
        self._moves = hashlib.sha256(moves).hexdigest()[:16]
        self.tables = PieceTables(
            places=places,
            turns=turns,
            bits=bits,
            ways=tuple(turns ** len(group) for group in self.groups),
            sizes=tuple(map(len, self.groups)),
            group=tuple(group_of),
            shift=tuple(shift_of),
            pieces=tuple((*group, *((0,) * (longest - len(group)))) for group in self.groups),
            after=rows,
            before=tuple(_inverse(row) for row in after.values()),
        )

    def _check(self, goal: Sequence[int], bits: int) -> None:
        listed = [piece for group in self.groups for piece in group]
        for piece in listed:
            if not 0 <= piece < len(goal):
                raise UsageError(f"there is no piece {piece}; pieces are from 0 to {len(goal) - 1}")
        if len(set(listed)) < len(listed) or not listed or not all(self.groups):
            raise UsageError("patterns must have one piece or more each, and none in common")
        if max(map(len, self.groups)) * bits > WORD_BITS_USED:
            raise UsageError(f"patterns have at most {WORD_BITS_USED // bits} pieces here")

    def identity(self, group: int) -> Mapping[str, Any]:
        """The puzzle, the pieces and where they go, and a digest of the moves."""
        return {
            "puzzle": self._puzzle,
            "pattern": ".".join(map(str, self.groups[group])),
            "goal": [self._goal[piece] for piece in self.groups[group]],
            "codes": [self.tables.places, self.tables.turns],
            "moves": self._moves,
            "counts": "all moves",
        }

    def entries(self, group: int) -> int:
        """Places * (places - 1) * ..., times the orientations of each piece."""
        size = self.tables.sizes[group]
        return math.perm(self.tables.places, size) * int(self.tables.ways[group])

    def goals(self, group: int) -> list[tuple[int, int]]:
        """The pieces as they are in the goal."""
        bits = self.tables.bits
        pieces = enumerate(self.groups[group])
        return [(sum(self._goal[piece] << bits * i for i, piece in pieces), 1)]

    @abstractmethod
    def content(self, state: Any, place: int) -> int:
        """Kernel: the piece in a place and its orientation, `piece * turns + turn`."""

    def locate(self, state: Any, image: int, group: int) -> int:
        """Kernel: the codes of the pieces of a group. O(places)."""
        word = 0
        turns = self.tables.turns
        if image == 1:
            for i in range(self.tables.sizes[group]):
                code = self.content(state, self.tables.pieces[group][i])
                turn = code % turns
                if turn != 0:
                    code += turns - 2 * turn
                word |= code << self.tables.bits * i
            return word
        for place in range(self.tables.places):
            content = self.content(state, place)
            piece = content // turns
            if self.tables.group[piece] == group:
                code = place * turns + content - piece * turns
                word |= code << self.tables.shift[piece]
        return word

    def moved(self, word: int, step: PackedStep, image: int, group: int) -> int:
        """Kernel: every piece where the move takes it. O(pieces)."""
        _, _, operator, child = step
        if image == 1:
            return self.locate(child, image, group)
        bits = self.tables.bits
        mask = (1 << bits) - 1
        moved = 0
        for i in range(self.tables.sizes[group]):
            moved |= self.tables.after[operator][word >> bits * i & mask] << bits * i
        return moved

    def rank(self, word: int, group: int) -> int:
        """Kernel: the number of the places, then the orientations as digits. O(pieces)."""
        turns = self.tables.turns
        bits = self.tables.bits
        size = self.tables.sizes[group]
        if turns == 1:
            return rank_locations(word, size, self.tables.places, bits)
        mask = (1 << bits) - 1
        places = 0
        digits = 0
        for i in range(size):
            code = word >> bits * i & mask
            place = code // turns
            places |= place << bits * i
            digits = digits * turns + code - place * turns
        rank = rank_locations(places, size, self.tables.places, bits)
        return int(rank * self.tables.ways[group] + digits)

    def unrank(self, entry: int, group: int) -> int:
        """Kernel: the codes with that number. O(pieces * places)."""
        turns = self.tables.turns
        bits = self.tables.bits
        size = self.tables.sizes[group]
        digits = entry % self.tables.ways[group]
        places = unrank_locations(entry // self.tables.ways[group], size, self.tables.places, bits)
        word = 0
        for k in range(size):
            i = size - 1 - k
            place = places >> bits * i & ((1 << bits) - 1)
            word |= (place * turns + digits % turns) << bits * i
            digits //= turns
        return word

    def previous(self, word: int, group: int, operator: int, choice: int) -> int:
        """Kernel: every piece where it was before the move."""
        bits = self.tables.bits
        mask = (1 << bits) - 1
        before = 0
        for i in range(self.tables.sizes[group]):
            before |= self.tables.before[operator][word >> bits * i & mask] << bits * i
        return before


def _check_moves(after: Mapping[int, Sequence[int]], goal: Sequence[int], codes: int) -> None:
    rows = {tuple(row) for row in after.values()}
    whole = list(range(codes))
    if not rows or codes < 1 or min(after) < 0:
        raise UsageError("a pattern space needs places, and operators numbered from 0")
    for row in rows:
        if sorted(row) != whole:
            raise UsageError(f"after: row {row} is not a permutation of the codes 0 to {codes - 1}")
        if _inverse(row) not in rows:
            raise UsageError(f"after: row {row} has no inverse among the rows, so no way back")
    if len(set(goal)) < len(goal) or not all(code in whole for code in goal):
        raise UsageError(f"goal {list(goal)} must hold different codes from 0 to {codes - 1}")


def _inverse(row: Sequence[int]) -> tuple[int, ...]:
    before = [0] * len(row)
    for code, after in enumerate(row):
        before[after] = code
    return tuple(before)
