"""Changes are a group, definitions say what is wrong with them, sequences of moves are read."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit.errors import ParseError, UsageError
from searchkit.pieces import Change, Definition, Move, Orbit, read_sequence
from searchkit.pieces.changes import inverse, order, power, then
from tests.support.piece_puzzles import cube2, cube3, cubes, dino, loopover, m24, pyraminx, skewb


@st.composite
def changes(draw, count=1, most=7):
    places = draw(st.integers(1, most))
    orientations = draw(st.integers(1, 4))
    return [
        Change(
            draw(st.permutations(range(places))),
            draw(st.lists(st.integers(0, orientations - 1), min_size=places, max_size=places)),
            orientations,
        )
        for _ in range(count)
    ]


def moved(contents, change):
    """Pieces and orientations after a change, as the definition words it."""
    return [
        (contents[source][0], (contents[source][1] + turn) % change.orientations)
        for source, turn in zip(change.sources, change.turns, strict=True)
    ]


@given(changes(count=3))
def test_changes_are_a_group(three):
    a, b, c = three
    start = [(piece, 0) for piece in range(a.places)]
    assert moved(moved(start, a), b) == moved(start, a.then(b))
    assert a.then(b).then(c) == a.then(b.then(c))
    assert a.then(a.inverse()).is_identity
    assert a.inverse().then(a).is_identity
    assert a.arrived() == tuple(
        (a.sources.index(place), a.turns[a.sources.index(place)]) for place in range(a.places)
    )


@given(changes(), st.integers(-12, 12))
def test_powers_and_orders(one, exponent):
    (change,) = one
    expected = (Change.identity(change.places, change.orientations),)
    for _ in range(abs(exponent)):
        expected = then(expected, (change if exponent > 0 else change.inverse(),))
    assert power((change,), exponent) == expected
    times = order((change,))
    assert power((change,), times)[0].is_identity
    assert not any(power((change,), n)[0].is_identity for n in range(1, times))
    assert inverse((change,)) == power((change,), times - 1)


def test_cycles():
    assert Change.cycles("", 3) == Change.identity(3)
    change = Change.cycles("(0 4 7+2 1)(2+1)", 8, 3)
    contents = moved([(piece, 0) for piece in range(8)], change)
    assert contents[4] == (0, 0)
    assert contents[1] == (7, 2)
    assert contents[2] == (2, 1)
    for text, message in {
        "(0 8)": "place 8 in '(0 8)' is not below 8",
        "(0 1 0)": "place 0 in '(0 1 0)' stands there twice",
        "(0 x)": "cycle '(0 x)' must list places",
        "0 1": "'0 1' is not made of cycles",
        "()": "cycle '()' must list places",
        "(0 1+3)": "the turn 3 at place",
    }.items():
        with pytest.raises(UsageError) as error:
            Change.cycles(text, 8, 3)
        assert message in str(error.value)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Change((0, 0)), "two places get the piece of place 0"),
        (lambda: Change((0, 2)), "there is no place 2; places are from 0 to 1"),
        (lambda: Change((0, 1), (1, 0)), "the turn 1 at place 0 must be a number from 0 to 0"),
        (lambda: Change((0, 1), (0,), 2), "1 turns for 2 places"),
        (lambda: Orbit("two words", 2), "the name of an orbit 'two words' must be one word"),
        (lambda: Orbit("a", 0), "orbit a has 0 places"),
        (lambda: Orbit("a", 2, 65), "orbit a has 65 orientations"),
        (lambda: Orbit("a", 2, 1, (0,)), "orbit a has 2 places, but 1 numbers for pieces"),
        (lambda: Orbit("a", 2, 2, turned=(0, 2)), "orbit a, place 1: orientation 2 must be"),
        (lambda: Orbit("a", 2, 4, counted=(2, 3)), "modulo 3; use a divisor of 4"),
        (lambda: Orbit("a", 2, pieces=(0, -1)), "the piece -1 must be a number from 0"),
        (lambda: Move("R'", {}), "the name of a move"),
        (lambda: Definition("p", [], []), "puzzle p has no orbit"),
        (lambda: Definition("p", [Orbit("a", 2)], []), "puzzle p has no move"),
        (lambda: Definition("p", [Orbit("a", 2)] * 2, [Move("R", {})]), "2 orbits are called a"),
        (lambda: Definition("p", [Orbit("a", 2)], [Move("R", {})] * 2), "2 moves are called R"),
        (
            lambda: Definition("p", [Orbit("a", 2)], [Move("R", {"b": Change((1, 0))})]),
            "move R names orbit 'b'; known: a",
        ),
        (
            lambda: Definition("p", [Orbit("a", 3)], [Move("R", {"a": Change((1, 0))})]),
            "move R: orbit a has 3 places and 1 orientations, its change 2 and 1",
        ),
        (lambda: cube3().with_moves(["U", "Q"]), "puzzle 3x3x3 has no move 'Q'; known: U R F"),
        (lambda: cube3().only({"edge": [1]}), "puzzle 3x3x3 has no orbit 'edge'; known: corners"),
        (lambda: cube3().only({"edges": [12]}), "orbit edges has no place 12"),
    ],
)
def test_what_is_wrong_is_named(make, message):
    with pytest.raises(UsageError) as error:
        make()
    assert message in str(error.value)


def names(definition):
    return [each.name for each in definition.steps]


def test_names_of_powers():
    assert names(cube3("UR")) == ["U", "U2", "U'", "R", "R2", "R'"]
    assert names(cube3("UR", powers=False)) == ["U", "U'", "R", "R'"]
    assert names(pyraminx())[:3] == ["a", "a'", "b"]
    assert len(names(m24())) == 22 + 1 + 4
    assert "R11'" in names(m24())
    numbered = Definition("p", [Orbit("a", 5)], [Move("D1", {"a": Change((1, 2, 3, 4, 0))})])
    assert names(numbered) == ["D1", "D1^2", "D1^2'", "D1'"]
    for each in numbered.steps:
        assert read_sequence(numbered, each.name) == each.motion


@pytest.mark.parametrize("make", [cube2, cube3, pyraminx, skewb, dino, loopover, m24])
def test_steps_have_inverses_and_are_read_by_their_names(make):
    definition = make()
    assert not definition.notes
    for each in definition.steps:
        back = definition.inverse_of(each)
        assert all(change.is_identity for change in then(each.motion, back.motion))
        assert read_sequence(definition, each.name) == each.motion


def test_moves_that_are_odd():
    swap = Change((1, 0, 2))
    definition = Definition(
        "p",
        [Orbit("a", 3), Orbit("b", 3, pieces=(4, 4, 4))],
        [
            Move("A", {"a": Change((1, 2, 0))}),
            Move("B", {"a": Change((2, 0, 1))}),
            Move("C", {"b": swap}),
            Move("D", {"a": swap}),
            Move("E", {"a": swap, "b": swap}),
        ],
    )
    assert names(definition) == ["A", "A'", "D"]
    assert definition.notes == (
        "move B and A have all powers in common, which are listed once",
        "move C changes nothing that can be seen",
        "move E and D have all powers in common, which are listed once",
    )


def test_half_turns_that_a_move_of_two_layers_has_too():
    definition = Definition(
        "p",
        [Orbit("a", 6)],
        [
            Move("A", {"a": Change.cycles("(0 1 2 3)", 6)}),
            Move("B", {"a": Change.cycles("(0 2)(1 3)", 6)}),
        ],
    )
    assert names(definition) == ["A", "A2", "A'"]
    assert definition.notes == ("move B and A have all powers in common, which are listed once",)


def test_masks():
    cross = cube3().only({"edges": [4, 5, 6, 7]})
    assert not cross.orbits[0].matters
    assert cross.orbits[1].pieces == (12, 12, 12, 12, 4, 5, 6, 7, 12, 12, 12, 12)
    assert cross.orbits[1].counted == (1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1)
    assert len(names(cross)) == 18
    places = cube3().only({"corners": range(8)}, turned=False)
    assert places.orbits[0].are_all_different
    assert places.orbits[0].told_apart == 1


def test_sequences():
    cube = cube3()
    nothing = cube.identity
    assert read_sequence(cube, "") == nothing
    assert read_sequence(cube, "(R U R' U')6") == nothing
    assert read_sequence(cube, "(R2 (U F’)2 )'") == read_sequence(cube, "F U' F U' R2'")
    assert read_sequence(cube, "(R U'3)'2 L'2") == read_sequence(cube, "U' R' U' R' L2")
    assert read_sequence(cube, "R400 U^4001") == read_sequence(cube, "U")
    assert read_sequence(cube, "[R U: F2]2") == read_sequence(cube, "")
    assert read_sequence(cube, "[R U: F]'") == read_sequence(cube, "R U F' U' R'")
    assert read_sequence(cube, "[R, [U : F]]") == read_sequence(cube, "R U F U' R' U F' U'")
    assert read_sequence(cube, "x R x'") == read_sequence(cube, "R")
    assert read_sequence(cube, "x U x'") != read_sequence(cube, "U")
    for text, message in {
        "R Q": "'Q' is not a move of 3x3x3; moves are U R F D L B, also x y z, each with a power",
        "R'2'": "\"R'2'\" is not a move",
        "(R": "a bracket '(' is not closed in",
        "R)": "')' in 'R)' has no bracket",
        "R''": "\"R''\" is not a move",
        "R1234567890": "the power 123456789... has more than 9 digits",
        "[R U]": "brackets in '[R U]' must be like [R: U] or [R, U]",
        "[R: U)": "a bracket '[' is not closed",
        "R: U": "':' in 'R: U' has no bracket",
        "(" * 200: "more than 100 brackets",
    }.items():
        with pytest.raises(ParseError) as error:
            read_sequence(cube, text)
        assert message in str(error.value)


def test_large_puzzles_can_be_defined():
    seven = cubes(7)
    assert sorted(orbit.places for orbit in seven.orbits) == [8, 12, *[24] * 8]
    assert len(seven.steps) == 54


def test_powers_of_a_move_are_made_one_from_another(monkeypatch):
    size = 60
    made = []

    def counted(self, other):
        made.append(self)
        return plain_then(self, other)

    plain_then = Change.then
    monkeypatch.setattr(Change, "then", counted)
    orbit = Orbit("beads", size)
    ring = Definition("ring", [orbit], [Move("A", {"beads": Change([*range(1, size), 0])})])
    assert len(ring.steps) == size - 1
    assert len(made) == size - 2
    assert orbit.looks is orbit.looks
    assert [step.motion for step in ring.steps] == [
        power(ring.steps[0].motion, exponent) for exponent in range(1, size)
    ]
    few = attrs.evolve(ring, powers=False)
    assert [step.name for step in few.steps] == ["A", "A'"]
    assert few.steps[1].motion == ring.steps[-1].motion


def test_tables_that_would_be_too_large_are_refused(monkeypatch):
    monkeypatch.setattr("searchkit.pieces.definition.MOST_NUMBERS", 100)
    cycle = Change((1, 2, 3, 4, 5, 6, 0))
    rings = Definition(
        "rings",
        [Orbit("a", 7), Orbit("b", 7)],
        [Move("A", {"a": cycle}), Move("B", {"b": cycle})],
    )
    with pytest.raises(UsageError, match=r"14 places, and 12 powers .* up to B: .*\(powers=F"):
        _ = rings.steps
    assert len(attrs.evolve(rings, powers=False).steps) == 4


def test_long_numbers_are_cut_off_in_messages():
    for make in (
        lambda: Orbit("a", 10**4000),
        lambda: Orbit("a", 3, pieces=(0, 1, -(10**4000))),
        lambda: Change((0, 10**4000)),
        lambda: Change((0, 1), (0, 10**4000)),
    ):
        with pytest.raises(UsageError, match=r"0\.\.\.") as error:
            make()
        assert len(str(error.value)) < 200
