"""A table of cosets, and the lower bound that is looked up in it for a state and its inverse.

A table is kept as a pattern database is; what it must keep is tried in plain Python.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import attrs
import numpy as np

from searchkit.errors import ProblemError, UsageError
from searchkit.heuristics.patterns.database import PatternDatabase
from searchkit.heuristics.patterns.library import Library
from searchkit.packed import PackedStep, PrefetchedHeuristic
from searchkit.pieces.cosets.coordinates import (
    ALL_FLIPS,
    COLOURS,
    FLIPS,
    PART,
    SPOTS,
    Array,
    Cosets,
)
from searchkit.pieces.cosets.gauge import Kind
from searchkit.pieces.patterns import Pattern, after, solved
from searchkit.pieces.puzzle import Pieces

IN_BYTE = 4
"""Entries of two bits."""
SPREAD = 2
"""Values up to `deepest - SPREAD` are one, and those above `deepest`."""
WALKS, WALK = 64, 30
DIGITS = 32


@attrs.frozen(eq=False)
class CosetTable:
    """How many steps lead from the solved puzzle to each coset, in two bits, and again coarsely.

    A fine entry that is 0 says more than `deepest`; 1, 2 and 3 say `deepest`, one less, and two
    less or fewer, of which the coarse ones, without flips, say more: from three steps less on.
    """

    flips: int
    deepest: int
    values: np.ndarray[Any, Any] = attrs.field(repr=False)
    cut: int
    """How many bytes of `values` are fine; the others are coarse."""


def bytes_of(cosets: Cosets, flips: int) -> tuple[int, int]:
    """The bytes of the fine and the coarse entries."""
    fine, coarse = (-(-cosets.entries(count) // IN_BYTE) for count in (flips, 0))
    return fine, coarse


def identity_of(cosets: Cosets, flips: int) -> dict[str, Any]:
    """What the table depends on; `in_byte` is how many of its entries are in a byte."""
    return {
        "puzzle": cosets.layout.definition.name,
        "pattern": f"cosets-{flips}",
        "numbering": cosets.fingerprint,
        "in_byte": IN_BYTE,
    }


def rules_of(cosets: Cosets, flips: int) -> str:
    """A hash of what the kernels make of random walks: equal where entries are numbered equally."""
    digest = hashlib.sha256()
    for coset in walks(cosets, random.Random(flips), WALKS):
        numbers = (coset, cosets.entry(coset, flips), cosets.least(coset), ALL_FLIPS)
        digest.update(repr(numbers).encode())
    return digest.hexdigest()[:DIGITS]


def walks(cosets: Cosets, rng: random.Random, count: int) -> Iterator[int]:
    """Cosets at the ends of random walks from the solved puzzle."""
    for _ in range(count):
        coset = cosets.solved
        for _ in range(rng.randrange(WALK)):
            coset = cosets.after(coset, rng.randrange(len(cosets.layout.steps)))
        yield coset


def load(cosets: Cosets, flips: int, library: Library) -> CosetTable | None:
    """The table, if it was built; `UsageError` if it is not what was written, or of other rules."""
    if not library.has(identity_of(cosets, flips), halved=False):
        return None
    database = checked(cosets, flips, library)
    deepest = len(database.counts) - SPREAD
    return CosetTable(flips, deepest, database.values, bytes_of(cosets, flips)[0])


def checked(cosets: Cosets, flips: int, library: Library) -> PatternDatabase:
    """Reads the table, which is there, from the library; `UsageError` if it cannot be used."""
    identity = identity_of(cosets, flips)
    database = library.load(identity, halved=False)
    folder = library.path_of(identity, halved=False)
    if database.rules != rules_of(cosets, flips):
        raise UsageError(
            f"table {folder} was made by another version; delete the folder and build it again: "
            f"searchkit pdb build PUZZLE cosets:{flips}"
        )
    if database.entries != sum(bytes_of(cosets, flips)) or len(database.counts) < SPREAD + 2:
        raise UsageError(f"table {folder} has another size; delete the folder and build it again")
    return database


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
            far=table.values[: table.cut],
            coarse=table.values[table.cut :],
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
        return int(self.cosets.entry(coset, self.tables.flips) & ENTRY_MASK)

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

    def ask(self, memo: Any, at: int, step: PackedStep, most: int) -> int:
        """Kernel: the entry of the child; -1 if that of its inverse is too far."""
        _, _, operator, _ = step
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
    modulus, zero, colours = kind.component.orientations, kind.zero, kind.colours
    fields = puzzle.layout.fields_of[puzzle.layout.components.index(kind.component)]
    rows = []
    for is_inverse in (False, True):
        for piece, field in enumerate(fields):
            row = [0] * (1 << bits)
            for value, place, _, turned in puzzle.layout.values_of(field):
                turn = (turned + zero[place] - zero[piece]) % modulus
                at, colour = place, colours[piece]
                if is_inverse:
                    at, colour, turn = piece, colours[place], -turn % modulus
                row[value] = turn * int(turn_weights[at]) | colour * int(colour_weights[at]) << HIGH
            rows.append(tuple(row))
    return tuple(rows)


TRIED = 4
"""How many random sequences of each length are tried."""


def check_table(heuristic: CosetHeuristic, tried: int = TRIED) -> None:
    """Raise `ProblemError` if random sequences lead to states that the table says are farther.

    The states are found by the plain rules of patterns; from these, what can be seen in each place
    is read off plainly. Images under symmetries must have the same values, where they
    have one entry.
    """
    cosets, definition = heuristic.cosets, heuristic.puzzle.definition
    rng = random.Random(heuristic.table.flips)
    what = f"{heuristic.name} of {definition.name}"
    advice = "delete its folder (searchkit pdb list) and build it again"
    if heuristic.distance(cosets.solved) != 0:
        raise ProblemError(f"{what} does not give 0 for the solved puzzle; {advice}")
    for length in range(1, heuristic.table.deepest + 2):
        for _ in range(tried):
            pattern, coset, image = solved(definition), cosets.solved, cosets.solved
            steps = [rng.randrange(len(definition.steps)) for _ in range(length)]
            symmetry = rng.randrange(len(cosets.maps))
            for step in steps:
                pattern = after(definition, pattern, definition.steps[step].motion)
                coset = cosets.after(coset, step)
                image = cosets.after(image, cosets.maps[symmetry].steps[step])
            names = " ".join(definition.steps[step].name for step in steps)
            if seen_in(cosets, coset) != tuple(_seen(kind, pattern) for kind in cosets.kinds):
                raise ProblemError(f"{what} takes {names} for another coset than it leads to")
            value, other = heuristic.distance(coset), heuristic.distance(image)
            if value > length:
                raise ProblemError(f"{what} gives {value} after {names}; {advice}")
            if value != other and cosets.is_fixed(coset, heuristic.table.flips):
                raise ProblemError(
                    f"{what} gives {value} after {names}, and {other} for its image under a "
                    f"symmetry; {advice}"
                )


def seen_in(cosets: Cosets, coset: int) -> tuple[Any, Any]:
    """The orientation and the colour in each place of both kinds of pieces."""
    turns = cosets.turns.digits[coset & PART].tolist()
    colours = cosets.colours.digits[coset >> COLOURS & PART].tolist()
    spots = cosets.spots.digits[coset >> SPOTS & PART].tolist()
    flips = [coset >> FLIPS + place & 1 for place in range(len(spots))]
    return tuple(zip(turns, colours, strict=True)), tuple(zip(flips, spots, strict=True))


def _seen(kind: Kind, pattern: Pattern) -> tuple[tuple[int, int], ...]:
    component = kind.component
    row = [pattern[component.orbit][place] for place in component.places]
    home = {look: i for i, look in enumerate(kind.looks)}
    found = []
    for place, (look, turned) in enumerate(row):
        piece = home[look]
        turn = (turned + kind.zero[place] - kind.zero[piece]) % component.orientations
        found.append((turn, kind.colours[piece]))
    return tuple(found)
