"""Pattern databases of pieces: exact for the pieces named, and never more than the distance."""

import random

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import AStar, IDAStar
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import UnsuitableError, UsageError
from searchkit.explore import explore
from searchkit.heuristics.patterns import PatternHeuristic
from searchkit.heuristics.patterns.choose import space_named
from searchkit.heuristics.patterns.compiled_build import Build, build
from searchkit.heuristics.patterns.laws import check_entry, check_state, try_on_problem
from searchkit.heuristics.patterns.solved import plain_build
from searchkit.pieces import Change, Definition, Move, Orbit, Pieces
from searchkit.pieces.changes import inverse
from searchkit.pieces.databases import PieceSpace
from searchkit.pieces.groups import DEFAULT_MEMORY, choose_groups, groups_named, name_of
from searchkit.pieces.images import View, views_of
from searchkit.pieces.patterns import after, solved
from searchkit.pieces.place_maps import PlaceMap
from searchkit.texts.amounts import memory_named
from searchkit_pancakes import Pancakes, stacks
from searchkit_topspin import TopSpin, ring
from tests.pieces.test_group import small
from tests.pieces.test_puzzle import beads, masked
from tests.support.both_engines import assert_equal_answers
from tests.support.piece_puzzles import cube2, cube3, cubes, pyraminx, skewb, topspin


def distances(definition, goal):
    """By the plain form, of all patterns from which the goal can be reached."""
    motions = [step.motion for step in definition.steps]
    found = {goal: 0}
    layer = [goal]
    while layer:
        following = []
        for pattern in layer:
            for motion in motions:
                child = after(definition, pattern, motion)
                if child not in found:
                    found[child] = found[pattern] + 1
                    following.append(child)
        layer = following
    return found


def estimates(puzzle, groups):
    space = puzzle.pattern_space(groups)
    databases = [plain_build(space, group, 1 << 16) for group in range(len(groups))]
    return space, PatternHeuristic(space, databases)


@st.composite
def puzzles_with_groups(draw):
    definition = draw(small())
    total = 3 * sum(orbit.places for orbit in definition.orbits)
    group = st.lists(st.integers(0, total - 1), min_size=1, max_size=6, unique=True)
    return definition, tuple(map(tuple, draw(st.lists(group, min_size=1, max_size=3))))


@settings(deadline=None, max_examples=20)
@given(puzzles_with_groups(), st.randoms(use_true_random=False))
def test_random_groups_of_random_puzzles(drawn, rng):
    """Never above the distance; exact where all pieces are named; whatever is the goal."""
    definition, groups = drawn
    if not definition.steps:
        return
    puzzle = Pieces.of(definition)
    goal = rng.choice(sorted(distances(definition, solved(definition))))
    puzzle = puzzle.with_goal(puzzle.pack(goal))
    true = distances(definition, goal)
    total = sum(orbit.places for orbit in definition.orbits)
    space, bound = estimates(puzzle, groups)
    _, exact = estimates(puzzle, (tuple(range(total)),))
    for pattern in rng.sample(sorted(true), min(20, len(true))):
        state = puzzle.pack(pattern)
        check_state(space, state, pattern == goal)
        assert bound(state) <= true[pattern] == exact(state)
    try_on_problem(space, puzzle.with_start(puzzle.pack(rng.choice(sorted(true)))))
    for group, named in enumerate(groups):
        again = groups_named(definition, name_of(definition, named))
        assert dict(puzzle.pattern_space(again).identity(0)) == dict(space.identity(group))


TWO = "corners=0-2/corners=4-6:places"
GROUPS = [
    (lambda: cube3("UR"), "corners=0-2/edges=1-3", {"corners": [0, 1, 2]}, {"edges": [1, 2, 3]}),
    (cube2, "3", {"corners": [0, 1, 2]}),
    (pyraminx, "edges", {"edges": range(6)}),
    (lambda: topspin(7), "tokens=0.3.6/tokens", {"tokens": [0, 3, 6]}, {"tokens": range(7)}),
    (lambda: topspin(8, labels=(0, 0, 0, 1, 1, 2, 2, 2)), "tokens", {"tokens": range(8)}),
]


@pytest.mark.slow_variants(
    "pyraminx-edges-wanted2", "cube2-3-wanted1", "<lambda>-corners=0-2/edges=1-3-wanted0"
)
@pytest.mark.parametrize(("make", "name", "wanted"), [(a, b, c) for a, b, *c in GROUPS])
def test_layers_are_those_of_the_masked_puzzle(make, name, wanted):
    definition = make()
    space = space_named(Pieces.of(definition), name)
    for group, only in enumerate(wanted):
        found = explore(Pieces.of(definition.only(only)))
        assert plain_build(space, group, 1 << 16).counts == found.layers


def test_pieces_that_move_together_are_numbered_as_others_are():
    """Of stickers of six pieces, of which two go everywhere together; each entry has a state."""
    cycle = Change.cycles("(0 2 4 6 8 10) (1 3 5 7 9 11)", 12)
    flip = Change.cycles("(0 3) (1 2)", 12)
    moves = [Move("A", {"stickers": cycle}), Move("B", {"stickers": flip})]
    pairs = Definition("pairs", [Orbit("stickers", 12)], moves)
    space = space_named(Pieces.of(pairs), "stickers=0-4/stickers=1.3.4.5.7")
    rng = random.Random(3)
    for group, kept in enumerate(([0, 1, 2, 3, 4], [1, 3, 4, 5, 7])):
        assert space.entries(group) == 12 * 11 * 10 * 9 * 8
        for entry in rng.sample(range(space.entries(group)), 300):
            check_entry(space, group, entry)
        found = explore(Pieces.of(pairs.only({"stickers": kept})))
        assert plain_build(space, group, 1 << 16).counts == found.layers


def test_what_the_rest_determines_has_no_entry():
    cube = Pieces.of(cube3())

    def entries(name):
        space = space_named(cube, name)
        return [space.entries(group) for group in range(len(space.groups))]

    assert entries("corners/edges=0-5/edges=6-11") == [88_179_840, 42_577_920, 42_577_920]
    assert entries("corners:turns/edges:turns/corners:places") == [2187, 2048, 40320]
    assert entries("corners=0:turns+corners=0:places") == [24]
    assert entries("edges:turns+corners:turns") == [2187 * 2048]
    assert entries("edges:places") == [479_001_600]  # odd ones with an odd order of corners
    pyramid = space_named(Pieces.of(pyraminx()), "axials+edges")
    assert pyramid.entries(0) == 933_120


@pytest.mark.slow_variants(
    "<lambda>-centre2=0-3/edge1=0-5+corner0=0", "cube3-edges=0-6/edges=1-10:places/corners"
)
@pytest.mark.parametrize(
    ("make", "name"),
    [
        (cube3, "edges=0-6/edges=1-10:places/corners"),
        (lambda: cubes(4), "centre2=0-3/edge1=0-5+corner0=0"),
        (lambda: topspin(20), "7"),
        (masked, "edges+corners"),
        (beads, "a/b/c:places/a:turns+b=1"),
    ],
)
def test_entries_are_those_of_their_states(make, name):
    """Also where several coordinates are on the same places."""
    puzzle = Pieces.of(make())
    space = space_named(puzzle, name)
    rng = random.Random(5)
    for _ in range(10):
        state = puzzle.random_state(rng)
        check_state(space, state, state == puzzle.goal)
    try_on_problem(space, puzzle.with_start(state))


@pytest.mark.slow_variants("1")
@pytest.mark.parametrize("threads", [1, 2])
def test_machine_code_builds_the_same(threads):
    """From the layer, and from what was not reached."""
    space = space_named(Pieces.of(cube2()), TWO)
    for group in range(2):
        built = build(space, group, threads=threads)
        plain = plain_build(space, group, 1 << 20)
        assert np.array_equal(built.values, plain.values)
        assert built.counts == plain.counts
    with plainly():
        assert np.array_equal(build(space, 1).values, plain.values)


def test_both_ways_of_building_are_taken():
    building = Build(space_named(Pieces.of(cube2()), TWO), 0)
    ways = {building.joins for _ in building.run()}
    assert ways == {False, True}


def test_engines_agree():
    """IDA* makes children that are within the bound alone; counts are those of the reference."""
    puzzle = Pieces.of(cube2())
    puzzle = puzzle.with_start(puzzle.parse("R U' F2 R"))
    space = space_named(puzzle, TWO)
    bound = PatternHeuristic(space, [build(space, group) for group in range(2)])
    assert assert_equal_answers(puzzle, IDAStar(heuristic=bound), want="count").cost == 4
    with plainly():
        for cycles in ("parent", "path"):
            assert_equal_answers(puzzle, IDAStar(heuristic=bound, cycles=cycles))
        assert assert_equal_answers(puzzle, AStar(heuristic=bound), want="count").cost == 4


@pytest.mark.parametrize("name", ["corners", "corners:turns", "edges=0-3"])
def test_unsolvable_starts_are_proved_so(name):
    """What the rest determines has no entry: of such a start it would be wrong."""
    puzzle = Pieces.of(cube3())
    rows = [[(piece, 0) for piece in range(places)] for places in (8, 12)]
    rows[0][7] = (7, 1)
    pattern = tuple(map(tuple, rows))
    twisted = puzzle.with_start(puzzle.pack(pattern))
    try_on_problem(space_named(twisted, name), twisted)
    assert twisted.certificate(twisted.start) is not None


def pancakes(size, turns=1):
    """Stacks in which the first pancakes are turned over, with a burnt side if `turns` is 2."""
    moves = []
    for count in range(1 if turns == 2 else 2, size + 1):
        sources = [*reversed(range(count)), *range(count, size)]
        burnt = [turns - 1] * count + [0] * (size - count)
        moves.append(Move(str(count), {"stack": Change(sources, burnt, turns)}))
    return Definition("stack", [Orbit("stack", size, turns)], moves)


def steps_home(labels, group, burnt):
    """How many turns bring some pancakes of a stack home, the others forgotten."""

    def seen(stack):
        kept = [each if abs(each) - 1 in group else 0 for each in stack]
        return tuple(kept if burnt else map(abs, kept))

    goal = seen(range(1, len(labels) + 1))
    reached, layer = {seen(labels): 0}, [seen(labels)]
    while goal not in reached:
        for stack in [*layer]:
            layer.remove(stack)
            for count in range(1 if burnt else 2, len(stack) + 1):
                turned = [-each if burnt else each for each in reversed(stack[:count])]
                child = (*turned, *stack[count:])
                if child not in reached:
                    reached[child] = reached[stack] + 1
                    layer.append(child)
    return reached[goal]


def inverse_of(labels):
    """The stack in which places and pancakes have changed roles."""
    places = {abs(each): place for place, each in enumerate(labels, 1)}
    return [places[each] * (1 if labels[places[each] - 1] > 0 else -1) for each in sorted(places)]


@pytest.mark.parametrize("burnt", [False, True])
def test_values_are_those_of_lists(burnt):
    """Of pancakes, whose inverses are looked up as well."""
    size, groups = (4 if burnt else 6), ((0, 1, 2), (3,))
    stack = Pancakes.of(stacks(size, burnt))
    space, bound = estimates(stack, groups)
    assert space.images == 2
    rng, state = random.Random(2), stack.goal
    for _ in range(40):
        state = rng.choice(list(stack.successors(state))).state
        both = stack.labels(state), inverse_of(stack.labels(state))
        assert bound(state) == max(
            steps_home(labels, group, burnt) for labels in both for group in groups
        )


class ByPlace(Pieces):
    needs_places = True


def straight(puzzle):
    return View(PlaceMap.identity(puzzle.layout.symmetries.frame), False, (0,))


@settings(deadline=None, max_examples=15)
@given(small(distinct=True), st.sampled_from([Pieces, ByPlace]), st.randoms(use_true_random=False))
def test_inverses_are_as_far(definition, kind, rng):
    """Whatever is the goal, and turned or not: keys of inverses are those of inverse motions."""
    if not definition.steps:
        return
    puzzle = kind.of(definition)
    goal = rng.choice(sorted(distances(definition, solved(definition))))
    puzzle, true = puzzle.with_goal(puzzle.pack(goal)), distances(definition, goal)
    total = sum(orbit.places for orbit in definition.orbits)
    views = [straight(puzzle), attrs.evolve(straight(puzzle), is_inverse=True)]
    space = PieceSpace(puzzle, [tuple(range(total))], views)
    bound = PatternHeuristic(space, [plain_build(space, 0, 1 << 16)])
    for pattern in rng.sample(sorted(true), min(10, len(true))):
        words = [0] * bound.memory
        assert bound.begun(puzzle.pack(pattern), words) == true[pattern]
        assert words[1] == words[3]  # those of the state, and of its inverse


def tilted():
    """A ring of beads that turn over, with one symmetry: the other way round."""
    along = Change((4, 0, 1, 2, 3), (0,) * 5, 2)
    return Definition(
        "tilted",
        [Orbit("beads", 5, 2)],
        [
            Move("A", {"beads": along}),
            Move("B", {"beads": Change((1, 0, 2, 3, 4), (1,) * 2 + (0,) * 3, 2)}),
        ],
    )


SEEN = [
    (lambda: Pieces.of(cube2()), "corners=0.1/corners=2:places", True, False),
    (lambda: Pieces.of(pyraminx()), "edges=0-1/axials=0+edges=2", True, False),
    (lambda: Pieces.of(cube3("UDLR")), "edges=0/corners=1:places", True, False),
    (lambda: Pieces.of(tilted()), "beads=1.2/beads=3", True, False),
    (lambda: Pieces.of(topspin(6, labels=(0, 0, 1, 1, 2, 3))), "tokens=4/tokens=0", True, False),
    (lambda: Pieces.of(pancakes(5, 2)), "0.1/2", False, True),
    (lambda: TopSpin.of(ring(7, 4)), "2.3/5", True, True),
    (lambda: Pieces.of(topspin(7)), "2.3/5", True, True),
]


@pytest.mark.parametrize(("make", "name", "images", "inverses"), SEEN)
def test_images_are_looked_up_as_if_their_pieces_had_databases(make, name, images, inverses):
    """Each look-up of an image is that of other pieces, and all of them that of the inverse."""
    puzzle = make()
    definition, identity = puzzle.definition, straight(puzzle)
    total = sum(orbit.places for orbit in definition.orbits)
    space = space_named(puzzle, name)
    bound = PatternHeuristic(space, [plain_build(space, each, 1 << 16) for each in range(2)])
    views = views_of(puzzle.layout, puzzle.unpack(puzzle.goal), space.groups, never, additive=False)
    assert [images, inverses] == [
        any(not view.one.is_identity for view in views),
        any(view.is_inverse for view in views),
    ]
    seen = [(number, group) for number, view in enumerate(views) for group in view.groups]
    found = {}
    for number, group in seen:
        home = {to: place for place, to in enumerate(views[number].one.places)}
        pieces = tuple(p // total * total + home[p % total] for p in space.groups[group])
        one = PieceSpace(puzzle, [pieces], [identity])
        found[number, group] = PatternHeuristic(one, [plain_build(one, 0, 1 << 16)])
    assert len({tuple(each.space.groups) for each in found.values()}) > 2 - inverses
    rng = random.Random(4)
    motions = {step.name: step.motion for step in definition.steps}
    for _ in range(15):
        moves = [rng.choice(list(motions.values())) for _ in range(8)]
        pattern, back = puzzle.unpack(puzzle.goal), puzzle.unpack(puzzle.goal)
        for motion, undone in zip(moves, reversed(moves), strict=True):
            pattern = after(definition, pattern, motion)
            back = after(definition, back, inverse(undone))
        expected = [
            found[number, group](puzzle.pack(back if views[number].is_inverse else pattern))
            for number, group in seen
        ]
        values = [
            bound.value(space.rank(word, group), word, group)
            for number, group in seen
            for word in [space.locate(puzzle.pack(pattern), number, group)]
        ]
        assert values == expected
        assert bound(puzzle.pack(pattern)) == max(expected)
    try_on_problem(space, puzzle.with_start(puzzle.pack(pattern)))


def never(group):
    return False


def disjoint():
    """Two rings that share no place."""
    return Definition(
        "rings",
        [Orbit("one", 5), Orbit("two", 4, 2)],
        [
            Move("A", {"one": Change((1, 2, 3, 4, 0))}),
            Move("B", {"one": Change((1, 0, 2, 3, 4))}),
            Move("C", {"two": Change((1, 2, 3, 0), (1, 0, 0, 0), 2)}),
            Move("D", {"two": Change((1, 0, 2, 3), (0, 0, 1, 0), 2)}),
        ],
    )


def test_sums_where_moves_do_not_share_groups():
    puzzle = Pieces.of(disjoint())
    groups = groups_named(puzzle.definition, "one/two")
    space, bound = estimates(puzzle, groups)
    assert space.additive
    true = distances(puzzle.definition, solved(puzzle.definition))
    for pattern in random.Random(3).sample(sorted(true), 50):
        assert bound(puzzle.pack(pattern)) == true[pattern]
    assert not puzzle.pattern_space(groups_named(puzzle.definition, "one=0-1/one=2-3")).additive


def test_puzzles_of_one_goal_share_their_space():
    puzzle = Pieces.of(cube2())
    other = puzzle.with_start(puzzle.parse("R"))
    groups = puzzle.patterns_named("4-3")
    assert puzzle.pattern_space(groups) is other.pattern_space(groups)
    moved = puzzle.with_goal(puzzle.parse("R"))
    assert moved.pattern_space(groups).identity(0) != puzzle.pattern_space(groups).identity(0)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("wings", "'wings' names no pieces; write an orbit (corners, edges)"),
        ("edges=12", "orbit edges has no piece 12; pieces are from 0 to 11"),
        ("edges=3-1", "'3-1' must name the lower number first"),
        ("edges=a", "'a' names no pieces; write numbers like 0-3 or 0.2.5"),
        ("edges:twists", "'edges:twists': write :places or :turns"),
        ("edges/", "'' names no pieces"),
        ("8-6-7", "have 21 pieces; there are 20"),
        ("1.20", "there is no piece 20; pieces are from 0 to 19"),
    ],
)
def test_names_of_nothing(name, told):
    with pytest.raises(UsageError) as caught:
        groups_named(cube3(), name)
    assert told in str(caught.value)


def test_too_many_pieces():
    with pytest.raises(UnsuitableError, match="too many for a database; name fewer pieces"):
        space_named(Pieces.of(cube3()), "corners+edges")
    alike = topspin(20, labels=(0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3))
    with pytest.raises(UnsuitableError, match="more than 262,144 arrangements"):
        space_named(Pieces.of(alike), "tokens")


def test_names():
    definition = attrs.evolve(cube3())
    for name in ("corners", "edges=0-3.7", "corners:turns+edges=1:places", "edges:places"):
        (group,) = groups_named(definition, name)
        assert name_of(definition, group) == name


CHOSEN = [
    (cube2, "auto=1MB", ["corners=0-4"]),
    (cube3, "auto", ["corners", "edges=0-5"]),
    (cube3, "auto=2GB", ["edges=0-6", "corners"]),
    (pyraminx, "auto=1MB", ["axials+edges"]),
    (skewb, "auto=1MB", ["corners", "centres"]),
    (lambda: topspin(12), "auto", ["tokens=0-9"]),
]


@pytest.mark.slow_variants("cube3-auto=2GB-expected2")
@pytest.mark.parametrize(("make", "name", "expected"), CHOSEN)
def test_groups_by_memory(make, name, expected):
    puzzle = Pieces.of(make())
    groups = puzzle.patterns_named(name)
    assert [name_of(puzzle.definition, group) for group in groups] == expected
    space = puzzle.pattern_space(groups)
    entries = [space.entries(group) for group in range(len(groups))]
    assert sum(entries) <= memory_named(name, DEFAULT_MEMORY)
    assert entries == sorted(entries, reverse=True)


@settings(deadline=None, max_examples=30)
@given(small(), st.integers(2, 10_000))
def test_groups_by_memory_of_random_puzzles(definition, most):
    puzzle = Pieces.of(definition)
    groups = choose_groups(puzzle.layout, most) if definition.steps else ()
    if groups:
        space = puzzle.pattern_space(groups)
        assert sum(space.entries(group) for group in range(len(groups))) <= most


@pytest.mark.parametrize("name", ["auto=", "auto=much", "auto=0"])
def test_no_amount_of_memory(name):
    with pytest.raises(UsageError, match="allows no memory; write one like auto=256MB"):
        Pieces.of(cube2()).patterns_named(name)


def test_of_pieces_on_many_places_none_are_chosen_that_cannot_be_made():
    """Five of sixty, of which images show all others, are five coordinates: one too many."""
    swaps = [Move(f"s{i}-", {"p": Change.cycles(f"({i} {(i + 1) % 60})", 60)}) for i in range(60)]
    seats = Pieces.of(Definition("ring", [Orbit("p", 60)], swaps))
    spaces = [seats.pattern_space(seats.patterns_named(n)) for n in seats.patterns_by_memory()]
    assert [space.entries(0) for space in spaces] == [60 * 59 * 58, 60 * 59 * 58 * 57]
