"""A lower bound looked up in a table of cosets, for a state and for its inverse."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from searchkit.packed import PackedStep, PrefetchedHeuristic
from searchkit.pieces.cosets.coordinates import (
    COLOURS,
    FLIPS,
    MOST_SYMMETRIES,
    SPOTS,
    SYMMETRY_BITS,
    Cosets,
)
from searchkit.pieces.cosets.gauge import Kind
from searchkit.pieces.cosets.numbering import Array
from searchkit.pieces.cosets.tables import CosetTable
from searchkit.pieces.patterns import solved
from searchkit.pieces.puzzle import Pieces

OWN, INVERSE = 0, 1
HIGH = 32
LOW = (1 << HIGH) - 1
ENTRY_MASK = (1 << 62) - 1


class LookUpTables(NamedTuple):
    """What the kernels of `CosetHeuristic` look up.

    `first_parts[i]` and `second_parts[i]` have, by the bits of a field, what piece `i` adds to the
    codes of a state: for orientations in the low 32 bits, for colours above; then, again for each
    piece, what it adds to those of the inverse. The fields begin with number `first_field` and
    `second_field`.
    """

    far: Array
    coarse: Array
    operators: int
    flips: int
    deepest: int
    keeping: tuple[int, ...]
    first_parts: tuple[tuple[int, ...], ...]
    second_parts: tuple[tuple[int, ...], ...]
    turn_numbers: Array
    colour_numbers: Array
    spot_numbers: Array
    first_pieces: int
    second_pieces: int
    first_field: int
    second_field: int


class CosetHeuristic(PrefetchedHeuristic):
    """The larger of what a table says of a state and of its inverse.

    A state and its inverse are as far from the solved puzzle. Steps that lead from the solved
    puzzle into its own coset change nothing that is looked up of the inverse: of a state whose
    inverse is as far away as steps are left, they need no look-up. Four words are carried: the
    estimate, the coset, the distance of the inverse, and two bits for each child.

    Sources: the cosets and their table are those of S. Tronto's H48 (nissy), after the
    reduced coordinates of H. Kociemba's programs (1992); other tables of two bits are in T.
    Rokicki's nxopt.
    """

    operator_pruning = 2
    parts = ("cosets", "puzzle")
    constants = (
        "operators", "flips", "deepest", "first_pieces", "second_pieces", "first_field",
        "second_field",
    )  # fmt: skip
    memory = 4
    far_bits = 2

    def __init__(self, puzzle: Pieces, cosets: Cosets, table: CosetTable, name: str) -> None:
        self.name = name
        self.puzzle = puzzle
        self.cosets = cosets
        self.table = table
        first, second = cosets.kinds
        self.tables = LookUpTables(
            far=table.fine,
            coarse=table.coarse,
            operators=len(cosets.layout.steps),
            flips=table.flips,
            deepest=table.deepest,
            keeping=cosets.keeping_steps,
            first_parts=_parts(puzzle, first, cosets.turns.weights, cosets.colours.weights),
            second_parts=_parts(
                puzzle, second, 1 << np.arange(len(second.colours)), cosets.spots.weights
            ),
            turn_numbers=cosets.turns.number.astype(np.int32),
            colour_numbers=cosets.colours.number.astype(np.int32),
            spot_numbers=cosets.spots.number.astype(np.int32),
            first_pieces=len(first.colours),
            second_pieces=len(second.colours),
            first_field=_first_field(puzzle, first),
            second_field=_first_field(puzzle, second),
        )

    def entry(self, coset: int) -> int:
        """Kernel: the entry of a coset."""
        reduced = self.cosets.reduction(coset)
        seconds = self.cosets.image(coset >> SPOTS, reduced & MOST_SYMMETRIES - 1)
        number = self.cosets.number(reduced >> SYMMETRY_BITS, seconds, self.tables.flips)
        return int(number & ENTRY_MASK)

    def code(self, entry: int) -> int:
        """Kernel: the two bits of an entry."""
        return int(self.tables.far[entry >> 2]) >> 2 * (entry & 3) & 3

    def codes_after(self, coset: int) -> int:
        """Kernel: the codes of the cosets after all operators, two bits for each.

        None waits for the memory of another.
        """
        codes = 0
        for operator in range(self.tables.operators):
            codes |= self.code(self.entry(self.cosets.after(coset, operator))) << 2 * operator
        return codes

    def distance(self, coset: int) -> int:
        """Kernel: how many steps lead from the solved puzzle to a coset, at least."""
        return self.distance_of(self.entry(coset))

    def distance_of(self, entry: int) -> int:
        """Kernel: how many steps lead to the cosets of an entry, at least."""
        code = self.code(entry)
        if code != 3:
            return int(self.tables.deepest + 1 - code)
        entry = entry >> self.tables.flips
        code = int(self.tables.coarse[entry >> 2]) >> 2 * (entry & 3) & 3
        if code != 3:
            return int(self.tables.deepest - 2 - code)
        return 0

    def unfit(self, problem: Any) -> str | None:
        """That `problem` is another puzzle, or not to be solved, if it is so."""
        if not isinstance(problem, Pieces) or problem.definition != self.puzzle.definition:
            return "its table is that of another puzzle; make one for this one, by its name"
        if problem.goal != problem.pack(solved(problem.definition)):
            return "its table is of ways to the solved puzzle, which is not the goal here"
        return None

    def coset(self, state: Any, row: int) -> int:
        """Kernel: the coset of a state (`row` is OWN), or of its inverse (INVERSE)."""
        codes = 0
        for piece in range(self.tables.first_pieces):
            code = self.puzzle.field(state, self.tables.first_field + piece)
            number = row * self.tables.first_pieces + piece
            codes += int(self.tables.first_parts[number][code])
        coset = int(self.tables.turn_numbers[codes & LOW])
        coset |= int(self.tables.colour_numbers[codes >> HIGH]) << COLOURS
        codes = 0
        for piece in range(self.tables.second_pieces):
            code = self.puzzle.field(state, self.tables.second_field + piece)
            number = row * self.tables.second_pieces + piece
            codes += int(self.tables.second_parts[number][code])
        coset |= int(self.tables.spot_numbers[codes >> HIGH]) << SPOTS
        return coset | (codes & LOW) << FLIPS

    def begin(self, memo: Any, at: int, state: Any) -> int:
        """Kernel: look a state and its inverse up, and all children."""
        own = self.coset(state, OWN)
        inverse = self.distance(self.coset(state, INVERSE))
        best = max(self.distance(own), inverse)
        memo[at] = best
        memo[at + 1] = own
        memo[at + 2] = inverse
        memo[at + 3] = self.codes_after(own)
        return best

    def follow(self, memo: Any, at: int, after: int, step: PackedStep, most: int) -> int:
        """Kernel: what was looked up of the child; its inverse if that leaves it within the bound.

        If so does that, its own children are looked up at once.
        """
        state, control, operator, _ = step
        if self.tables.keeping[operator] != 0 and memo[at + 2] > most:
            return int(memo[at + 2])
        code = memo[at + 3] >> 2 * operator & 3
        best = self.tables.deepest + 1 - code
        if code != 3 and best > most:
            return int(best)
        coset = self.cosets.after(memo[at + 1], operator)
        if code == 3:
            best = self.distance(coset)
            if best > most:
                return int(best)
        inverse = self.distance(self.coset(self.puzzle.apply(state, control, operator), INVERSE))
        best = max(best, inverse)
        if best > most:
            return int(best)
        memo[after] = best
        memo[after + 1] = coset
        memo[after + 2] = inverse
        memo[after + 3] = self.codes_after(coset)
        return int(best)

    def ask(self, memo: Any, at: int, operator: int, most: int) -> int:
        """Kernel: the entry of the child; -1 if that of its inverse is too far."""
        if self.tables.keeping[operator] != 0 and memo[at + 2] > most:
            return -1
        return self.entry(self.cosets.after(memo[at + 1], operator))

    def told(
        self, memo: Any, at: int, kept: Any, after: int, step: PackedStep, most: int, entry: int
    ) -> int:
        """Kernel: what was looked up of the child; the entry of its inverse is the last word."""
        state, control, operator, _ = step
        if entry < 0:
            return int(memo[at + 2])
        code = self.code(entry)
        best = self.tables.deepest + 1 - code
        if code == 3:
            best = self.distance_of(entry)
        if best > most:
            return int(best)
        kept[after] = best
        kept[after + 1] = self.cosets.after(memo[at + 1], operator)
        if self.tables.keeping[operator] != 0:
            kept[after + 2] = memo[at + 2]
            kept[after + 3] = -1
        else:
            inverse = self.coset(self.puzzle.apply(state, control, operator), INVERSE)
            kept[after + 3] = self.entry(inverse)
        return int(best)

    def settle(self, memo: Any, at: int) -> int:
        """Kernel: the larger of both distances."""
        if memo[at + 3] >= 0:
            memo[at + 2] = self.distance_of(memo[at + 3])
        memo[at] = max(memo[at], memo[at + 2])
        return int(memo[at])


def _first_field(puzzle: Pieces, kind: Kind) -> int:
    """The number of the field of the first piece of a kind; those of the others follow it."""
    fields = puzzle.layout.fields_of[puzzle.layout.components.index(kind.component)]
    return puzzle.layout.fields.index(fields[0])


def _parts(
    puzzle: Pieces, kind: Kind, turn_weights: Array, colour_weights: Array
) -> tuple[tuple[int, ...], ...]:
    """What pieces add to codes, by the bits of their fields: see `LookUpTables`."""
    bits = max(word.bits for word in puzzle.layout.words)
    places, modulus = len(kind.colours), kind.component.orientations
    place_bits = (places - 1).bit_length()
    zero, colours = kind.zero, kind.colours
    rows = []
    for is_inverse in (False, True):
        for piece in range(places):
            row = []
            for code in range(1 << bits):
                place, turn = code & (1 << place_bits) - 1, code >> place_bits
                if place >= places or turn >= modulus:
                    row.append(0)
                    continue
                turn = (turn + zero[place] - zero[piece]) % modulus
                at, colour = place, colours[piece]
                if is_inverse:
                    at, colour, turn = piece, colours[place], -turn % modulus
                row.append(turn * int(turn_weights[at]) | colour * int(colour_weights[at]) << HIGH)
            rows.append(tuple(row))
    return tuple(rows)
