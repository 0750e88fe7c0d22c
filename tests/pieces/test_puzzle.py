"""Packed puzzles of pieces: published layers, and in every engine what the plain form says."""

import math
import random
from collections import Counter
from contextlib import nullcontext

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import IDDFS, Bidirectional, BreadthFirst, Limits, UniformCost, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import ParseError
from searchkit.explore import explore
from searchkit.packed import is_inherited
from searchkit.pieces import Change, Definition, Group, Move, Orbit, Pieces
from searchkit.pieces.components import Invariants
from searchkit.verify import verify_certificate, verify_solution
from tests.pieces.test_group import reachable, small
from tests.support.both_engines import assert_equal_answers, outcome
from tests.support.kernel_checks import check_ranks
from tests.support.piece_puzzles import cube2, cube3, cubes, dino, m24, pyraminx, skewb, topspin

HALF = (1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644)
QUARTER = (
    1, 6, 27, 120, 534, 2256, 8969, 33058, 114149, 360508, 930588, 1350852, 782536, 90280, 276,
)  # fmt: skip
PYRAMINX = (1, 8, 48, 288, 1728, 9896, 51808, 220111, 480467, 166276, 2457, 32)
SKEWB = (1, 8, 48, 288, 1728, 10248, 59304, 315198, 1225483, 1455856, 81028, 90)
CUBE = (1, 18, 243, 3240, 43239)
CUBE_QUARTER = (1, 12, 114, 1068, 10011)


@pytest.mark.parametrize(
    ("make", "layers"),
    [
        pytest.param(cube2, HALF, marks=pytest.mark.slow),
        (lambda: cube2(powers=False), QUARTER),
        pytest.param(pyraminx, PYRAMINX, marks=pytest.mark.slow),
        (skewb, SKEWB),
    ],
)
def test_whole_spaces(make, layers):
    """As published (J. Scherphuis)."""
    puzzle = Pieces.of(make())
    assert puzzle.words == 1
    found = explore(puzzle, engine="compiled")
    assert found.complete
    assert found.layers == layers


@pytest.mark.parametrize(
    ("make", "layers"), [(cube3, CUBE), (lambda: cube3(powers=False), CUBE_QUARTER)]
)
def test_first_layers_of_the_cube(make, layers):
    """T. Rokicki, H. Kociemba, M. Davidson and J. Dethridge, 2010."""
    found = explore(Pieces.of(make()), engine="compiled", limits=Limits(cost=4))
    assert found.layers == layers


def masked():
    """A cube of which some edges matter, and some only by where they are."""
    cross = cube3("URF").only({"edges": [0, 1, 2, 5], "corners": [0]})
    edges = cross.orbits[1]
    counted = [1 if place == 5 else each for place, each in enumerate(edges.counted)]
    return attrs.evolve(cross, orbits=[cross.orbits[0], attrs.evolve(edges, counted=counted)])


def beads():
    """By place and by piece, in one word each; orientations of some pieces do not matter."""
    return Definition(
        "beads",
        [
            Orbit("a", 5, 2, (0, 0, 1, 1, 2), (0, 1, 0, 0, 1), (2, 2, 1, 1, 2)),
            Orbit("b", 4, 3, counted=(3, 1, 1, 3)),
            Orbit("c", 3, pieces=(7, 7, 7)),
        ],
        [
            Move(
                "R",
                {
                    "a": Change((1, 2, 3, 4, 0), (1, 0, 0, 1, 0), 2),
                    "b": Change((1, 2, 3, 0), (1, 2, 0, 2), 3),
                },
            ),
            Move(
                "U",
                {
                    "a": Change((1, 0, 2, 3, 4), (0, 0, 1, 0, 0), 2),
                    "c": Change((1, 2, 0)),
                },
            ),
        ],
    )


def half():
    """A component of which the pieces look alike, beside one of others in the same orbit."""
    return Definition(
        "half",
        [Orbit("a", 3, 2, (0, 0, 1), counted=(2, 2, 1))],
        [Move("R", {"a": Change((1, 0, 2), (1, 1, 0), 2)})],
    )


def two_colours():
    """Corners of a cube, of which only the colour of the top or the bottom is seen."""
    cube = cube2("URFDLB")
    orbit = attrs.evolve(cube.orbits[0], pieces=(0, 0, 0, 0, 1, 1, 1, 1))
    return attrs.evolve(cube, orbits=[orbit])


def colours():
    """Turns that are counted of one look only, so that what they become depends on the looks."""
    orbit = Orbit("a", 6, 3, (0, 1, 0, 1, 2, 1), (0, 2, 1, 0, 0, 0), (1, 3, 1, 3, 1, 3))
    return Definition(
        "colours",
        [orbit, Orbit("b", 3, 2)],
        [
            Move(
                "R",
                {
                    "a": Change((1, 2, 3, 0, 4, 5), (1, 0, 2, 0, 0, 1), 3),
                    "b": Change((1, 2, 0), (1, 0, 1), 2),
                },
            ),
            Move("U", {"a": Change((0, 1, 5, 3, 2, 4), (0, 0, 2, 0, 1, 1), 3)}),
        ],
    )


def coin():
    """Coordinates of few values beside one of tens of thousands."""
    ring = topspin(8)
    s, f = (each.changes["tokens"] for each in ring.moves)
    return Definition(
        "coin",
        [Orbit("dial", 1, 16), Orbit("tokens", 8), Orbit("coin", 1, 2)],
        [
            Move("s", {"tokens": s, "dial": Change((0,), (1,), 16)}),
            Move("f", {"tokens": f, "coin": Change((0,), (1,), 2)}),
        ],
        powers=False,
    )


def round_(places):
    """A move that takes all pieces one place further."""
    return Move("R", {"a": Change((*range(1, places), 0))})


PUZZLES = {
    "corners": cube2,
    "colours": colours,
    "two colours": two_colours,
    "skewb": skewb,
    "tokens": lambda: topspin(7),
    "alike": lambda: topspin(7, labels=(0, 0, 0, 0, 1, 1, 1)),
    "masked": masked,
    "beads": beads,
    "half": half,
    "two words": m24,
    "four": lambda: cubes(4),
}


def walk(problem, moves, seed=1):
    rng, state = random.Random(seed), problem.goal
    for _ in range(moves):
        state = rng.choice(list(problem.successors(state))).state
    return state


@pytest.mark.slow_variants("beads", "four")
@pytest.mark.parametrize("name", PUZZLES)
def test_steps_are_those_of_the_plain_form(name):
    puzzle = Pieces.of(PUZZLES[name]())
    plain = puzzle.slow_rules()
    for seed in range(20):
        pattern = walk(plain, seed, seed)
        state = puzzle.pack(pattern)
        assert puzzle.unpack(state) == pattern
        assert puzzle.parse(puzzle.format_state(state)) == state
        assert puzzle.is_goal(state) == plain.is_goal(pattern)
        expected = [(each.action, each.state) for each in plain.successors(pattern)]
        found = [(each.action, puzzle.unpack(each.state)) for each in puzzle.successors(state)]
        assert found == expected


@pytest.mark.few
@settings(deadline=None, max_examples=30)
@given(small(), st.randoms(use_true_random=False))
def test_random_puzzles(definition, rng):
    """All states, their steps, their numbers."""
    if not definition.steps:
        return
    puzzle = Pieces.of(definition)
    plain = puzzle.slow_rules()
    states = reachable(definition)
    assert len({puzzle.pack(state) for state in states}) == len(states)
    for pattern in rng.sample(sorted(states), min(20, len(states))):
        state = puzzle.pack(pattern)
        assert puzzle.unpack(state) == pattern
        found = [(each.action, puzzle.unpack(each.state)) for each in puzzle.successors(state)]
        assert found == [(each.action, each.state) for each in plain.successors(pattern)]
        if puzzle.ranks:
            assert 0 <= puzzle.rank(state) < puzzle.ranks
            assert puzzle.unrank(puzzle.rank(state)) == state
            if not is_inherited(puzzle, "rank_after"):
                for operator in puzzle.operators(0):
                    after = puzzle.rank(puzzle.apply(state, 0, operator))
                    assert puzzle.rank_after(puzzle.rank(state), 0, operator) == after
        assert puzzle.certificate(state) is None
    assert puzzle.unpack(puzzle.random_state(rng)) in states


QUICK = [
    ("tokens", BreadthFirst()),
    ("tokens", IDDFS()),
    ("four", Bidirectional()),
    ("beads", BreadthFirst()),
    ("two words", UniformCost()),
]


@pytest.mark.slow_variants(
    "four-Bidirectional(symmetry='none', incumbents='none')",
    "beads-BreadthFirst(symmetry='none')",
    "two words-UniformCost()",
)
@pytest.mark.parametrize(("name", "algorithm"), QUICK, ids=str)
def test_engines_agree(name, algorithm):
    """In reference, checked and compiled engines; and with the plain form, up to notation.

    Searches for one solution are modules of their own, so these are not compiled here.
    """
    puzzle = Pieces.of(PUZZLES[name]())
    for moves in (0, 2):
        start = puzzle.with_start(walk(puzzle, moves))
        for want in ("one", "all", "count"):
            with plainly() if want == "one" else nullcontext():
                found = assert_equal_answers(start, algorithm, want=want)
            theirs = solve(start.slow_rules(), algorithm, want=want)
            ours = outcome(found)
            expected = outcome(theirs)
            for result in (ours, expected):
                for each in ("solution", "solutions"):
                    value = result[each]
                    if value is not None:
                        listed = value if each == "solutions" else [value]
                        result[each] = [solution.actions for solution in listed]
            assert ours == expected
            assert found.statistics.generated == theirs.statistics.generated
            if found.solution is not None:
                verify_solution(start, found.solution)
    with plainly():
        assert_equal_answers(start, algorithm, limits=Limits(expansions=7))
    checked = solve(start, algorithm, engine="checked")
    assert checked.cost == solve(start, algorithm, engine="reference").cost


@pytest.mark.slow_variants("pyraminx-933120")
@pytest.mark.parametrize(
    ("make", "ranks"),
    [
        (cube2, 3674160),
        (lambda: cube2("URFDLB"), 88179840),
        (pyraminx, 933120),
        (skewb, 3 * 3149280),
        (dino, 239500800),
        (lambda: cube3().only({"edges": [4, 5, 6, 7]}), 190_080),
        (lambda: cube3().only({"edges": [4, 5], "corners": [0, 6]}), 22 * 24 * 21 * 24),
        (lambda: topspin(7, labels=(0, 0, 0, 0, 1, 1, 1)), 35),
        (two_colours, 70 * 3**7),
        (lambda: cube3().only({"edges": [4, 5, 6], "corners": [0]}), 24 * 1320 * 8),
        (coin, 16 * 40_320 * 2),
        (lambda: topspin(15, labels=(*range(14), 13)), math.factorial(15) // 2),
    ],
)
def test_numbers_of_states(make, ranks):
    puzzle = Pieces.of(make())
    assert puzzle.ranks == ranks
    rng = random.Random(7)
    states = [puzzle.random_state(rng) for _ in range(200)]
    assert all(puzzle.unrank(puzzle.rank(state)) == state for state in states)
    assert all(0 <= puzzle.rank(state) < ranks for state in states)
    if not is_inherited(puzzle, "rank_after"):
        for state in states[:20]:
            for operator in puzzle.operators(0):
                after = puzzle.rank(puzzle.apply(state, 0, operator))
                assert puzzle.rank_after(puzzle.rank(state), 0, operator) == after
    if puzzle.layout.group.count.states == ranks:
        check_ranks(puzzle, np.random.default_rng(1).integers(0, ranks, 3000))


def test_numbers_of_states_that_become_another_goal():
    puzzle = Pieces.of(cube2())
    other = puzzle.layout.pack(puzzle.slow_rules().parse("1 0 2+1 3 4 5 6 7"))[0]
    twisted = puzzle.with_goal(other)
    rng = random.Random(7)
    for _ in range(50):
        state = twisted.random_state(rng)
        assert twisted.unrank(twisted.rank(state)) == state
        assert sum(turned for _, turned in twisted.unpack(state)[0]) % 3 == 1
    assert twisted.complete_certificates
    certificate = twisted.certificate(puzzle.goal)
    assert verify_certificate(twisted.with_start(puzzle.goal), certificate).finished


def test_numbers_after_moves_are_looked_up_where_tables_are_small():
    looked_up = (cube2, pyraminx, skewb, lambda: topspin(7), masked, two_colours)
    some = cube3().only({"edges": [4, 5, 6, 7], "corners": [0]})
    small_tables = [*(make() for make in looked_up), some]
    assert not any(is_inherited(Pieces.of(each), "rank_after") for each in small_tables)
    edges = cube3().only({"edges": [4, 5, 6, 7]})
    too_large = (dino(), topspin(9), edges, topspin(20, labels=(0,) * 10 + (1,) * 10))
    assert all(is_inherited(Pieces.of(each), "rank_after") for each in too_large)


def test_a_puzzle_of_one_state():
    """Its move changes what cannot be seen, but not in every place."""
    puzzle = Pieces.of(
        Definition(
            "p",
            [Orbit("a", 3, 2, counted=(1, 2, 2))],
            [Move("R", {"a": Change((0, 1, 2), (1, 0, 0), 2)})],
        )
    )
    assert (puzzle.ranks, puzzle.layout.group.count.states) == (1, 1)
    assert [puzzle.rank_after(0, 0, operator) for operator in puzzle.operators(0)] == [0]


@pytest.mark.parametrize(
    ("orbit", "change"),
    [
        (Orbit("a", 3), None),
        (Orbit("a", 3, pieces=(1, 1, 1)), Change((1, 2, 0))),
        (Orbit("a", 3, 2, (0, 0, 0), counted=(1, 1, 2)), Change((1, 0, 2), (0, 1, 0), 2)),
    ],
)
def test_a_puzzle_in_which_nothing_is_seen_to_move_has_no_numbers(orbit, change):
    moves = [Move("R", {} if change is None else {"a": change})]
    puzzle = Pieces.of(Definition("p", [orbit], moves))
    assert not puzzle.ranks
    assert explore(puzzle, engine="compiled").layers == (1,)
    assert solve(puzzle, BreadthFirst(), engine="compiled").cost == 0


def test_what_has_no_numbers():
    assert not Pieces.of(cube3()).ranks
    assert not Pieces.of(m24()).ranks
    many = Definition("p", [Orbit("a", 40, pieces=[*range(39), 38])], [round_(40)])
    assert not Pieces.of(many).ranks


@pytest.mark.slow_variants("beads")
@pytest.mark.parametrize("name", ["beads", "colours"])
def test_whole_spaces_of_pieces_that_look_alike(name):
    """By numbers: of several words, and of words whose numbers are looked up after moves."""
    puzzle = Pieces.of(PUZZLES[name]())
    found = explore(puzzle, engine="compiled")
    expected = Counter(distances(puzzle).values())
    assert found.layers == tuple(expected[depth] for depth in range(len(expected)))


def distances(puzzle):
    """By every state: how far it is from the goal, in the plain form."""
    plain = puzzle.slow_rules()
    found, todo = {plain.goal: 0}, [plain.goal]
    for state in todo:
        for step in plain.successors(state):
            if step.state not in found:
                found[step.state] = found[state] + 1
                todo.append(step.state)
    return found


def test_layouts():
    def widths(definition):
        return [(w.bits, w.by_place, len(w.fields)) for w in Pieces.of(definition).layout.words]

    assert widths(cube2()) == [(5, False, 7)]
    assert widths(cube3()) == [(5, False, 12), (5, False, 8)]
    assert widths(skewb()) == [(4, False, 14)]
    assert widths(pyraminx()) == [(4, False, 10)]
    assert widths(m24()) == [(5, False, 12), (5, False, 12)]
    assert widths(topspin(16)) == [(4, False, 16)]
    assert widths(cube3().only({"edges": [4, 5, 6, 7]})) == [(5, False, 4)]
    assert widths(topspin(20, labels=(0,) * 10 + (1,) * 10)) == [(1, True, 20)]
    assert widths(cubes(4)) == [
        (5, False, 12), (5, False, 12), (5, False, 8), (3, True, 21), (3, True, 3),
    ]  # fmt: skip


def test_a_puzzle_that_cannot_be_solved():
    puzzle = Pieces.of(cube3())
    text = "corners 0 1 2 3 4 5 6 7 / edges 0+1 1 2 3 4 5 6 7 8 9 10 11"
    start = puzzle.with_start(puzzle.parse(text))
    assert start.complete_certificates
    result = solve(start, BreadthFirst())
    assert result.certificate is not None
    assert result.certificate.text.startswith("turns of edges")
    verify_certificate(start, result.certificate)


def test_states_that_no_move_can_mend():
    puzzle = Pieces.of(skewb())
    with pytest.raises(ParseError, match="no move leads there what is there"):
        puzzle.parse("corners 1 0 2 3 4 5 6 7 / centres 0 1 2 3 4 5")
    still = Pieces.of(cube2("UR"))
    with pytest.raises(ParseError, match="orbit corners, places 5: no move leads"):
        still.parse("0 1 2 3 4 5+1 6+2 7")


def test_sequences_are_learned_where_pieces_differ():
    start = Pieces.of(cube3())
    start = start.with_start(start.parse("R U F"))
    plain = solve(start, IDDFS(), engine="compiled")
    pruned = solve(start, IDDFS(operator_pruning=2), engine="compiled")
    assert pruned.cost == plain.cost == 3
    assert pruned.statistics.generated < plain.statistics.generated
    assert not hasattr(Pieces.of(masked()), "witness")


def test_random_states_are_uniform():
    puzzle = Pieces.of(cube3().only({"corners": [0]}))
    rng = random.Random(2)
    drawn = [puzzle.random_state(rng) for _ in range(2400)]
    counts = [drawn.count(state) for state in set(drawn)]
    assert len(counts) == 24
    assert sum((count - 100) ** 2 / 100 for count in counts) < 50


def test_invariants_of_a_definition_without_moves_that_matter():
    definition = Definition("p", [Orbit("a", 2)], [Move("R", {})])
    group = Group(definition)
    assert (group.order, group.count.states, group.factors) == (1, 1, ())
    assert Invariants.of(group.components, group.motions).index == 1
    assert Pieces.of(definition).format_state(Pieces.of(definition).goal) == "0 1"
