"""Definitions kept by place whose moves turn over runs, with names for pieces and any goal."""

import random

import pytest

from searchkit import BreadthFirst, ParseError
from searchkit.compiled.specialise.plain import plainly
from searchkit.explore import explore
from searchkit.packed import PackedHeuristic
from searchkit.pieces import Change, Definition, Move, Orbit, Pieces
from searchkit.pieces.word_tables import runs_of
from searchkit.verify import verify_certificate
from tests.support.both_engines import assert_equal_answers
from tests.support.kernel_checks import check_kernels


class NoBound(PackedHeuristic):
    """Nothing is known."""

    def estimate(self, state):
        return 0


class ByPlace(Pieces):
    """Kept by place, and with a kernel that reads a field."""

    needs_places = True


def stacks(size, burnt=False):
    """Stacks of which the top is turned over."""
    sides = 2 if burnt else 1
    names = [sign + str(1 + each) for each in range(size) for sign in ("", "-")[:sides]]
    moves = [
        Move(
            str(count),
            {
                "pancake": Change(
                    (*range(count)[::-1], *range(count, size)),
                    [sides - 1] * count + [0] * (size - count),
                    sides,
                )
            },
        )
        for count in range(3 - sides, size + 1)
    ]
    return Definition("stacks", [Orbit("pancake", size, sides, names=names)], moves, label=int)


def ring(size, turnstile):
    """Rings, read from token 1 on, of which some tokens in a row are turned over."""
    moves = []
    for first in range(size):
        cells = [(first + i) % size for i in range(turnstile)]
        order = list(range(size))
        for cell, other in zip(cells, reversed(cells), strict=True):
            order[cell] = other
        home = order.index(0)
        moves.append(Move(str(first + 1), {"token": Change(order[home:] + order[:home])}))
    names = [str(token + 1) for token in range(size)]
    return Definition("ring", [Orbit("token", size, names=names)], moves, powers=False, label=int)


DEFINITIONS = {
    "stack": lambda: stacks(9),
    "burnt stack": lambda: stacks(5, burnt=True),
    "stack of two words": lambda: stacks(18),
    "stack of five words": lambda: stacks(37),
    "burnt stack of three words": lambda: stacks(20, burnt=True),
    "ring": lambda: ring(9, 4),
    "ring of 16": lambda: ring(16, 6),
}


@pytest.mark.parametrize("name", DEFINITIONS)
def test_steps_are_those_of_the_plain_form(name):
    puzzle = ByPlace.of(DEFINITIONS[name]())
    assert runs_of(puzzle.layout) is not None
    for seed in range(10):
        state = puzzle.random_state(random.Random(seed))
        pattern = puzzle.unpack(state)
        assert puzzle.pack(pattern) == state == puzzle.parse(puzzle.format_state(state))
        plain = puzzle.with_start(state).slow_rules()
        found = [(each.action, puzzle.unpack(each.state)) for each in puzzle.successors(state)]
        assert found == [(each.action, each.state) for each in plain.successors(pattern)]
        fields = [puzzle.field(state, i) for i in range(len(puzzle.layout.fields))]
        low = puzzle.layout.shapes[0].item_bits
        moving = [pattern[0][place] for place in puzzle.layout.components[-1].places]
        assert fields == [look | turned << low for look, turned in moving]


def test_actions_are_numbers_and_inverses_are_listed_once():
    assert [step.action for step in ByPlace.of(stacks(4)).successors(0x3210)] == [2, 3, 4]
    assert [step.name for step in ring(6, 4).steps] == ["1", "2", "3", "4", "5", "6"]


def test_moves_of_other_kinds_are_looked_up():
    thirds = Change.cycles("(0+1 1+1 2+1)", 8, 3)
    definition = Definition("thirds", [Orbit("a", 8, 3)], [Move("A", {"a": thirds})])
    assert runs_of(ByPlace.of(definition).layout) is None


@pytest.mark.parametrize("name", ["burnt stack", "stack of two words", "ring"])
def test_kernels(name):
    puzzle = ByPlace.of(DEFINITIONS[name]())
    states = [puzzle.random_state(random.Random(seed)) for seed in range(10)]
    check_kernels(puzzle, NoBound(), [puzzle.goal, *states])


@pytest.mark.parametrize("definition", [stacks(6), ring(7, 2), ring(7, 4)])
def test_different_pieces_are_numbered_in_the_order_of_what_is_in_the_places(definition):
    puzzle = ByPlace.of(definition)
    puzzle = puzzle.with_goal(puzzle.apply(puzzle.goal, 0, 1))
    states = [puzzle.unrank(rank) for rank in range(puzzle.ranks)]
    assert puzzle.ranks == 720
    assert [puzzle.rank(state) for state in states] == list(range(720))
    looks = [puzzle.unpack(state)[0] for state in states]
    assert looks == sorted(set(looks))


def test_engines_agree_and_count_all():
    puzzle = ByPlace.of(stacks(5, burnt=True))
    start = puzzle.with_start(puzzle.parse("-3 1 2 -4 5"))
    assert_equal_answers(start, BreadthFirst(), want="count")
    by_piece = Pieces.of(stacks(5, burnt=True))
    with plainly():
        found = explore(puzzle, engine="compiled")
    assert found.layers == explore(by_piece, engine="reference").layers


def test_certificates_for_any_goal():
    puzzle = Pieces.of(ring(7, 4))
    odd = puzzle.with_goal(puzzle.parse("1 3 2 4 5 6 7"))
    assert odd.complete_certificates
    certificate = odd.certificate(odd.start)
    assert certificate is not None
    assert verify_certificate(odd, certificate).finished
    assert odd.certificate(odd.goal) is None
    assert puzzle.certificate(odd.goal) is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2 4", "'4' is not a pancake; pancakes are -3 to -1 or 1 to 3, like '1 2 3'"),
        ("-1 2 1", "pancake 1 occurs 2 times; each of 1 to 3 must occur once"),
        ("1 2", "pancake 3 occurs never"),
        ("", "pancake 1 occurs never"),
    ],
)
def test_texts_that_are_no_state(text, message):
    with pytest.raises(ParseError, match=message):
        Pieces.of(stacks(3, burnt=True)).parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a a a b", "bead a occurs 3 times; it must occur 2 times, like 'a a b c'"),
        ("a a c c", "bead b occurs never; it must occur once"),
    ],
)
def test_pieces_of_one_name_are_counted_together(text, message):
    turned = Move("r", {"bead": Change((1, 2, 3, 0))})
    beads = Orbit("bead", 4, pieces=(0, 0, 1, 2), names=("a", "b", "c"))
    puzzle = Pieces.of(Definition("beads", [beads], [turned]))
    assert puzzle.format_state(puzzle.parse("a b c a")) == "a b c a"
    with pytest.raises(ParseError, match=message):
        puzzle.parse(text)


def test_moves_of_pieces_with_names_are_in_brackets():
    puzzle = Pieces.of(stacks(3))
    assert puzzle.format_state(puzzle.parse("(3 2)")) == "2 3 1"
    assert puzzle.parse("2, +3, 1") == puzzle.parse("2 3 1")
