"""Words of a file that are no states: one among many is refused, and no state is."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import Limits, UsageError
from searchkit.checked.problem import checked_problem
from searchkit.compiled.specialise.module import state_array
from searchkit.compiled.specialise.plain import plainly
from searchkit.explore import explore
from searchkit.fields import Array, Fields, Int, Set
from searchkit.pieces import Pieces
from searchkit.tables import Table
from searchkit.transforms import ChainMoves
from searchkit_cube import cube2, cube3
from searchkit_pancakes import burnt_pancakes, pancakes
from searchkit_peg import HOPPERS, PegSolitaire
from searchkit_sliding import Board, SlidingPuzzle
from searchkit_topspin import topspin
from tests.support import piece_puzzles
from tests.support.forging import forge_layer


def sliding(rows: int, columns: int) -> SlidingPuzzle:
    goal = " ".join(map(str, [*range(1, rows * columns), 0]))
    return SlidingPuzzle.read(Board.rectangle(rows, columns), goal, goal)


class Lamps(Fields):
    """Fields of all kinds; numbers of two of them do not use all values of their bits."""

    undirected = True
    next_to = (1, 0, 3, 2, 5, 4)

    def __init__(self) -> None:
        self.declare(at=Int(6), turned=Array(5, -1, 2), lit=Set(70))
        self.start = self.goal = self.pack(at=0, turned=[0] * 5, lit=[])
        self.moves = [(number,) for number in range(5)]

    def apply(self, s: Any, number: int) -> None:
        s.at = self.next_to[s.at]
        s.turned[number] = 0 - s.turned[number]
        if number in s.lit:
            s.lit.remove(number)
        else:
            s.lit.add(number)


PUZZLES: dict[str, Callable[[], Any]] = {
    "15": lambda: sliding(4, 4),
    "24": lambda: sliding(5, 5),
    "3x3": lambda: sliding(3, 3),
    "9x8": lambda: sliding(9, 8),
    "peg": lambda: PegSolitaire.single_vacancy(HOPPERS, 6),
    "pancakes": lambda: pancakes(7),
    "many pancakes": lambda: pancakes(20),
    "burnt": lambda: burnt_pancakes(5),
    "topspin": topspin,
    "lamps": Lamps,
    "cube2": cube2,
    "cube3": cube3,
    "pyraminx": lambda: Pieces.of(piece_puzzles.pyraminx()),
    "dino": lambda: Pieces.of(piece_puzzles.dino()),
    "loopover": lambda: Pieces.of(piece_puzzles.loopover()),
}


@cache
def puzzle_of(kind: str) -> tuple[Any, Any]:
    puzzle = PUZZLES[kind]()
    return puzzle, checked_problem(puzzle)


def walked(puzzle: Any, rng: random.Random) -> Any:
    (state,) = puzzle.initial_states()
    for _ in range(rng.randrange(30)):
        steps = list(puzzle.successors(state))
        state = rng.choice(steps).state if steps else state
    return state


def changed(state: Any, rng: random.Random) -> Any:
    """The words with a few bits turned over, or with other bits behind some place."""
    words = list(state) if isinstance(state, tuple) else [state]
    for _ in range(rng.randrange(1, 4)):
        other = 1 << rng.randrange(64) if rng.random() < 0.7 else rng.getrandbits(64)
        words[rng.randrange(len(words))] ^= other
    return tuple(words) if isinstance(state, tuple) else words[0]


def are_states(puzzle: Any, *states: Any) -> bool:
    return puzzle.are_states(state_array(list(states), puzzle.words))


@given(st.sampled_from(sorted(PUZZLES)), st.integers(0, 1 << 32))
def test_states_are_taken_and_what_is_taken_is_safe(kind: str, seed: int) -> None:
    puzzle, checked = puzzle_of(kind)
    rng = random.Random(seed)
    state, other = walked(puzzle, rng), walked(puzzle, rng)
    assert are_states(puzzle, state, other)
    word = changed(state, rng)
    taken = are_states(puzzle, word)
    assert are_states(puzzle, state, word, other) == taken
    if isinstance(puzzle, SlidingPuzzle):
        assert taken == is_position(puzzle, word)
    if isinstance(puzzle, PegSolitaire):
        assert taken == (word <= puzzle.board.full)
    if isinstance(puzzle, Fields):
        assert taken == is_packed(puzzle, word)
    # Where states have numbers, tables hold these: what no moves lead to may have that of another.
    if taken and (not puzzle.ranks or puzzle.unrank(puzzle.rank(word)) == word):
        for step in checked.successors(word):
            assert are_states(puzzle, step.state)


def is_position(puzzle: Any, word: Any) -> bool:
    try:
        puzzle.packing.check("start", word)
    except UsageError:
        return False
    return True


def is_packed(puzzle: Any, word: Any) -> bool:
    fields = puzzle.unpack(word)
    try:
        values = {"at": fields.at, "turned": list(fields.turned), "lit": sorted(fields.lit)}
        return bool(puzzle.pack(**values) == word)
    except UsageError:
        return False


@pytest.mark.slow_variants("cube3", "many pancakes")
@pytest.mark.parametrize("kind", ["15", "24", "cube3", "many pancakes", "lamps", "chains"])
def test_one_word_among_many(kind: str, tmp_path: Path) -> None:
    with nullcontext() if kind == "chains" else plainly():
        check_one_word(kind, tmp_path)


def check_one_word(kind: str, tmp_path: Path) -> None:
    puzzle = ChainMoves(PUZZLES["peg"]()) if kind == "chains" else PUZZLES[kind]()
    depth = 5 if kind in ("15", "24", "chains") else 3
    explore(puzzle, checkpoint=tmp_path, limits=Limits(cost=depth))
    name = forge_layer(tmp_path, lambda rows: sorted([*rows, forged_of(rows)]))
    limits = Limits(cost=depth + 1)
    for call in (
        lambda: explore(puzzle, checkpoint=tmp_path, limits=limits),
        lambda: list(Table.open(tmp_path, puzzle).check()),
    ):
        with pytest.raises(UsageError, match=f"{name}: block .* holds what is not a state"):
            call()


def forged_of(rows: list[Any]) -> Any:
    """Words that are all ones, in the middle of which there would be no blank."""
    return tuple((1 << 64) - 1 for _ in rows[0]) if isinstance(rows[0], tuple) else (1 << 64) - 1
