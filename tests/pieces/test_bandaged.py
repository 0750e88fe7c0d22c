"""Puzzles of which some states are illegal, against a search that knows places and labels only."""

import pickle
import random
from functools import partial
from itertools import pairwise, product
from pathlib import Path

import attrs
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from searchkit import IDDFS, AStar, Bidirectional, BreadthFirst, IDAStar, Limits, solve
from searchkit.checks import check_problem
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import ParseError, UnsuitableError, UsageError
from searchkit.explore import explore
from searchkit.heuristic import distances_from
from searchkit.heuristics.patterns.laws import try_on_problem
from searchkit.packed import is_inherited
from searchkit.pieces import (
    Change,
    Definition,
    Move,
    Orbit,
    Pieces,
    read,
    read_definition,
    read_states,
    write_kpuzzle,
    write_tws,
)
from searchkit.pieces.cosets.choose import cosets_for
from searchkit.pieces.factors import words_between
from searchkit.pieces.layout import Layout
from searchkit.verify import verify_solution
from tests.pieces.test_databases import estimates
from tests.pieces.test_group import small
from tests.support.both_engines import assert_equal_answers
from tests.support.piece_puzzles import cube2

MOST_STATES = 600
"""Random puzzles of more would take most of the time."""
ENGINES = [BreadthFirst(), Bidirectional(), AStar(), IDDFS(), IDAStar()]
SQUARE = Path(__file__).parents[2] / "examples" / "square1.tws"


def start_of(definition):
    """For each orbit and place: the label there, how its turns count, and how it is turned."""
    return tuple(
        tuple(zip(orbit.pieces, orbit.counted, orbit.turned, strict=True))
        for orbit in definition.orbits
    )


def is_legal(definition, state):
    return not any(
        row[place][0] == label
        for orbit, row in zip(definition.orbits, state, strict=True)
        for place, label in orbit.illegal
    )


def moved(definition, move, state):
    rows = []
    for orbit, row in zip(definition.orbits, state, strict=True):
        change = move.changes.get(orbit.name)
        if change is not None:
            came = zip(change.turns, [row[source] for source in change.sources], strict=True)
            after = (
                (label, count, (turned + turn) % count) for turn, (label, count, turned) in came
            )
            rows.append(tuple(after))
        else:
            rows.append(row)
    return tuple(rows)


def children(definition, state):
    """The legal states that powers of moves lead to; on the way there may be illegal ones."""
    found = set()
    for move in definition.moves:
        child = moved(definition, move, state)
        while child != state:
            if is_legal(definition, child):
                found.add(child)
            child = moved(definition, move, child)
    return found


def distances(definition, start, deepest=10**9, most=10**9):
    """Of states by their depths, up to the first of these with which there are more than `most`."""
    found, layer = {start: 0}, [start]
    for depth in range(1, deepest + 1):
        layer = list({c for s in layer for c in children(definition, s)} - found.keys())
        found |= dict.fromkeys(layer, depth)
        if not layer or len(found) > most:
            break
    return found


def layers(found):
    return tuple(list(found.values()).count(depth) for depth in range(1 + max(found.values())))


def seen(definition, pattern):
    """A pattern in the form of this search."""
    return tuple(
        tuple(
            (orbit.pieces[home], orbit.counted[home], turned)
            for home, turned in ((orbit.looks.index(look), turned) for look, turned in row)
        )
        for orbit, row in zip(definition.orbits, pattern, strict=True)
    )


def bandaged(draw, definition, most=6):
    """The definition with some pairs of a place and a label that are illegal."""
    orbits = []
    for orbit in definition.orbits:
        pairs = [
            pair
            for pair in product(range(orbit.places), sorted(set(orbit.pieces)))
            if orbit.pieces[pair[0]] != pair[1]
        ]
        few = st.lists(st.sampled_from(pairs), max_size=most) if pairs else st.just([])
        orbits.append(attrs.evolve(orbit, illegal=draw(few)))
    return attrs.evolve(definition, orbits=orbits)


@st.composite
def puzzles(draw):
    definition = bandaged(draw, draw(small(distinct=draw(st.booleans()))))
    assume(definition.is_bandaged and definition.steps)
    return definition


@settings(deadline=None, max_examples=40)
@given(puzzles(), st.randoms(use_true_random=False))
def test_words_of_legal_steps_lead_home(definition, rng):
    """From every state that a search reaches, where all states differ; never by an illegal step."""
    puzzle = Pieces.of(definition)
    states = sorted(distances_from(puzzle.goal, partial(steps_from, puzzle), most=MOST_STATES))
    group, inverses = puzzle.layout.group, puzzle.layout.inverses
    assume(None not in inverses)
    goal = puzzle.unpack(puzzle.goal)
    for start in rng.sample(states, min(3, len(states))):
        words = [
            each
            for each in words_between(puzzle.layout, puzzle.unpack(start), goal)
            if each is not None
        ]
        assert words or not group.are_all_different
        assert [len(word) for word in words] == sorted({len(word) for word in words}, reverse=True)
        for word in words:
            state = start
            for operator in word:
                assert puzzle.legal(state, 0, operator)
                state = puzzle.apply(state, 0, operator)
            assert state == puzzle.goal or not group.are_all_different


def steps_from(puzzle, state):
    operators = range(len(puzzle.layout.steps))
    return [puzzle.apply(state, 0, each) for each in operators if puzzle.legal(state, 0, each)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_square_1_has_some_solution_soon(seed):
    """From a shape in which few moves are legal."""
    puzzle = Pieces.of(read(SQUARE))
    puzzle = puzzle.with_start(puzzle.random_state(random.Random(seed)))
    limits = Limits(expansions=2_500)
    result = solve(puzzle, Bidirectional(incumbents="words"), engine="reference", limits=limits)
    assert result.lower_bound < result.cost < 100
    verify_solution(puzzle, result.solution)


@settings(deadline=None, max_examples=40)
@given(puzzles(), st.randoms(use_true_random=False))
def test_random_puzzles(definition, rng):
    """Layers, steps, distances, symmetries, states that cannot be reached, and what is illegal."""
    puzzle, plain = Pieces.of(definition), Pieces.of(definition).slow_rules()
    found = distances(definition, start_of(definition), most=MOST_STATES)
    assume(len(found) <= MOST_STATES)
    assert not is_inherited(puzzle, "legal")
    assert explore(puzzle).layers == explore(plain).layers == layers(found)
    free = attrs.evolve(definition, orbits=[attrs.evolve(o, illegal=()) for o in definition.orbits])
    relaxed = Pieces.of(free)
    for _ in range(12):
        pattern = relaxed.unpack(relaxed.random_state(rng))
        state = seen(definition, pattern)
        if not is_legal(definition, state):
            for refuses in (lambda: puzzle.pack(pattern), lambda: plain.with_start(pattern)):  # noqa: B023
                with pytest.raises(ParseError, match="illegal"):
                    refuses()
            with pytest.raises(ParseError, match="illegal"):
                puzzle.parse(relaxed.format_state(relaxed.pack(pattern)))
            continue
        word = puzzle.pack(pattern)
        assert puzzle.unpack(word) == pattern
        steps = [(each.action, puzzle.unpack(each.state)) for each in puzzle.successors(word)]
        assert steps == [(each.action, each.state) for each in plain.successors(pattern)]
        assert {seen(definition, child) for _, child in steps} - {state} == children(
            definition, state
        )
        result = solve(puzzle.with_start(word), BreadthFirst())
        assert result.cost == found.get(state)
        if result.cost is None:
            assert result.status.name == "UNSOLVABLE"
        else:
            assert puzzle.certificate(word) is None
        images = {each.state_map(word) for each in puzzle.symmetries()}
        for image in images:
            assert is_legal(definition, seen(definition, puzzle.unpack(image)))
            assert found.get(seen(definition, puzzle.unpack(image))) == result.cost
    assert seen(definition, puzzle.unpack(puzzle.random_state(rng))) in found
    assert seen(definition, plain.random_state(rng)) in found


@pytest.mark.few
@settings(deadline=None, max_examples=8)
@given(puzzles(), st.data())
def test_engines_agree(definition, data):
    """The lengths of solutions, by engines whose kernels are run as plain Python."""
    puzzle = Pieces.of(definition)
    found = distances(definition, start_of(definition))
    target = data.draw(st.sampled_from(sorted(found)))
    states = {seen(definition, puzzle.unpack(state)): state for state in walk(puzzle)}
    start = puzzle.with_start(states[target])
    with plainly():
        assert explore(puzzle, engine="compiled").layers == layers(found)
        for algorithm in ENGINES:
            result = assert_equal_answers(start, algorithm)
            assert result.cost == found[target]
            verify_solution(start, result.solution)


def walk(puzzle):
    known, todo = {puzzle.goal}, [puzzle.goal]
    while todo:
        for step in puzzle.successors(todo.pop()):
            if step.state not in known:
                known.add(step.state)
                todo.append(step.state)
    return known


def corners(illegal, wanted=(0, 2)):
    """Some corners of a 2x2x2; all others have label 8 and look alike."""
    definition = cube2().only({"corners": wanted}) if len(wanted) < 8 else cube2()
    return attrs.evolve(definition, orbits=[attrs.evolve(definition.orbits[0], illegal=illegal)])


SHAPES = {
    "by piece": [(4, 0), (5, 0), (1, 2)],
    "by place": [(4, 0), (1, 2), (2, 8)],
}


@pytest.mark.slow_variants("by place")
@pytest.mark.parametrize("name", SHAPES)
def test_a_bandaged_2x2x2(name):
    """In machine code: all states by their numbers, and solutions of each algorithm."""
    definition = corners(SHAPES[name])
    puzzle = Pieces.of(definition)
    assert puzzle.tables.by_place == (name == "by place")
    assert is_inherited(puzzle, "rank_after")
    found = distances(definition, start_of(definition))
    assert puzzle.ranks
    for engine in ("reference", "compiled"):
        explored = explore(puzzle, engine=engine)
        assert explored.complete
        assert explored.layers == layers(found)
    assert sum(layers(found)) < explore(Pieces.of(corners(()))).states
    far = max(found, key=found.get)
    start = next(s for s in walk(puzzle) if seen(definition, puzzle.unpack(s)) == far)
    for algorithm in (Bidirectional(), IDAStar()):
        result = assert_equal_answers(puzzle.with_start(start), algorithm)
        assert result.cost == found[far]
        verify_solution(puzzle.with_start(start), result.solution)


@pytest.mark.few
@settings(deadline=None, max_examples=15)
@given(puzzles(), st.data())
def test_databases_are_lower_bounds(definition, data):
    """They are made without regard to what is illegal; solutions are as short as can be."""
    puzzle = Pieces.of(definition)
    found = distances(definition, start_of(definition))
    total = 3 * sum(orbit.places for orbit in definition.orbits)
    group = st.lists(st.integers(0, total - 1), min_size=1, max_size=6, unique=True)
    groups = data.draw(st.lists(group, min_size=1, max_size=2))
    space, bound = estimates(puzzle, tuple(map(tuple, groups)))
    states = {seen(definition, puzzle.unpack(state)): state for state in walk(puzzle)}
    assert states.keys() == found.keys()
    assert all(bound(states[each]) <= distance for each, distance in found.items())
    target = data.draw(st.sampled_from(sorted(found)))
    try_on_problem(space, puzzle.with_start(states[target]))
    for algorithm in (AStar(bound), IDAStar(bound)):
        result = solve(puzzle.with_start(states[target]), algorithm, engine="reference")
        assert result.cost == found[target]


def test_cosets_are_refused():
    puzzle = Pieces.of(corners(SHAPES["by piece"], range(8)))
    with pytest.raises(UnsuitableError, match="some of its states are illegal"):
        cosets_for(puzzle)
    assert "cosets" not in puzzle.best_heuristics()


def test_a_whole_2x2x2_and_its_promises():
    definition = corners([(4, 0), (5, 0), (1, 2), (3, 6)], range(8))
    puzzle = Pieces.of(definition)
    found = distances(definition, start_of(definition), 4)
    assert explore(puzzle, engine="reference", limits=Limits(cost=4)).layers == layers(found)
    assert puzzle.inverse(0, 0) is not None
    assert not hasattr(puzzle, "witness")
    assert not puzzle.complete_certificates
    assert dict(puzzle.facts())["states that can be reached"] == "at most 3,674,160"
    twisted = puzzle.unpack(puzzle.goal)[0]
    twisted = (((0, 1), *twisted[1:]),)
    assert puzzle.certificate(puzzle.pack(twisted)) is not None
    again = pickle.loads(pickle.dumps(puzzle))
    assert again.definition == definition
    assert again.legal(again.goal, 0, 0) == puzzle.legal(puzzle.goal, 0, 0)


@pytest.mark.slow
def test_laws_hold():
    """Of the protocol, by conformance tests."""
    report = check_problem(Pieces.of(corners(SHAPES["by piece"])), engine="reference")
    assert report.ok, report


def test_symmetries_keep_what_is_legal():
    """A ring can be turned and turned over; what stays is what keeps the pairs."""
    beads = [(i, (i + 2) % 5) for i in range(5)]
    ring = [Move("A", {"beads": Change((4, 0, 1, 2, 3))})]

    def order(illegal):
        definition = Definition("ring", [Orbit("beads", 5, illegal=illegal)], ring)
        found = Layout(definition).symmetries
        assert found.order == len(found.maps)
        products = {one.then(other).steps for one in found.maps for other in found.maps}
        assert products == {each.steps for each in found.maps}
        assert len({each.steps for each in found.few}) == len(found.few)
        return len(found.maps)

    every = [(a, b) for a in range(5) for b in range(5) if a != b]
    assert order(()) == order(every) == 4
    assert order([*beads, *((b, a) for a, b in beads)]) == 2
    assert order(beads) == 1


LINES = """
Set SPOT 4
Illegal SPOT 1 3 4
Move A
SPOT
4 1 2 3
End
Move B
SPOT
2 1 3 4
End
"""


def test_lines_are_read_and_written():
    definition = read_definition(LINES)
    assert definition.orbits[0].illegal == ((0, 2), (0, 3))
    assert read_definition(write_tws(definition)) == definition
    both = read_definition(LINES.replace("Move A", "Illegal SPOT 1 3\nIllegal SPOT 2 1\nMove A"))
    assert both.orbits[0].illegal == ((0, 2), (0, 3), (1, 0))
    with pytest.raises(UsageError, match="cannot say which states are illegal"):
        write_kpuzzle(definition)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Illegal SPOT 1", "line 3: write a set, a place, and the pieces that may not be there"),
        ("Illegal SPOTS 1 2", "known sets: SPOT"),
        ("Illegal SPOT 5 2", "line 3: place 5 must be a number from 1 to 4"),
        ("Illegal SPOT 1 5", "line 3: set SPOT has no piece 5"),
        ("Illegal SPOT 1 0", "line 3: piece 0 must be a number from 1"),
        ("Illegal SPOT 1 1", "line 3: piece 1 is in place 1 when the puzzle is solved"),
        ("Illegal SPOT 1 2\nMove x\nSPOT\n2 1 3 4\nEnd", "the rotation x, after which its places"),
    ],
)
def test_mistakes_in_lines(line, message):
    with pytest.raises(ParseError) as error:
        read_definition(LINES.replace("Illegal SPOT 1 3 4", line))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_sequences_are_checked_step_by_step(tmp_path):
    """Powers are one step; in groups, conjugates and words each step counts."""
    definition = read_definition(LINES)
    puzzle = Pieces.of(definition)
    # A takes piece 4 (3, from 0) to the first place, and A' piece 2.
    assert puzzle.format_state(puzzle.parse("A'")) == "1 2 3 0"
    cases = {
        "A": 1, "A2": 1, "A' A'": 2, "B A' A": 0, "(B A')2": 3, "(A' B)2": 2, "[A: B]": 1,
        "[B: A']": 3, "[B, B]": 0,
    }  # fmt: skip
    for text, step in cases.items():
        if not step:
            puzzle.parse(text)
        else:
            with pytest.raises(ParseError, match=f"step {step} is illegal: orbit SPOT: piece"):
                puzzle.parse(text)
    assert puzzle.parse("A4 B") == puzzle.parse("B")
    words = attrs.evolve(definition, words={"go": "B A'"})
    assert Pieces.of(words).parse("go") == puzzle.parse("B A'")
    with pytest.raises(ParseError, match="step 3 is illegal"):
        Pieces.of(words).parse("go2")
    single = Pieces.of(attrs.evolve(definition, powers=False))
    assert puzzle.parse("A3") == puzzle.parse("A'")
    with pytest.raises(ParseError, match="step 1 is illegal"):
        single.parse("A3")
    with pytest.raises(ParseError, match="more than 100,000 steps"):
        puzzle.parse("(A' A)99999999")
    file = tmp_path / "states"
    for text in ("A' A'\n", "Scramble one\nSPOT\n3 1 2 4\nEnd\n"):
        file.write_text(text)
        with pytest.raises(ParseError, match=r"line [14]: .*illegal"):
            read_states(definition, file)


def test_starts_and_goals_must_be_legal():
    puzzle = Pieces.of(read_definition(LINES))
    free = Pieces.of(attrs.evolve(puzzle.definition, orbits=[Orbit("SPOT", 4)]))
    for replace in (puzzle.with_start, puzzle.with_goal):
        with pytest.raises(ParseError, match=r"is illegal: orbit SPOT: piece 3 may not be in pl"):
            replace(free.parse("A"))
    away = puzzle.with_goal(puzzle.parse("A'"))
    assert solve(away).cost == 1


def test_pieces_that_are_named_must_matter():
    definition = corners([(4, 0)], range(8))
    kept = definition.only({"corners": [0, 5]})
    assert kept.orbits[0].illegal == ((4, 0),)
    with pytest.raises(UsageError, match="piece 0 of place 0 must matter"):
        definition.only({"corners": [1, 5]})


def cuts(layer):
    """The ways to turn a layer of wedges, from a cut on, so that another cut is opposite."""
    found = []
    for begin in range(len(layer)):
        turned, wide = layer[begin:] + layer[:begin], 0
        for end, (_, width) in enumerate(turned):
            if wide == 6:
                found.append((turned, end))
            wide += width
    return found


def turned_over(half, other):
    """Two layers after a cut, whose right halves are exchanged."""
    (above, end), (below, last) = half, other
    return below[:last] + above[end:], above[:end] + below[last:]


def least(layer):
    return min(layer[i:] + layer[:i] for i in range(len(layer)))


def square_one(text):
    return tuple((each, 2 if each.isupper() else 1) for each in text)


@pytest.mark.slow
def test_square_one_by_slashes():
    """Positions by how often the right half is turned (M. Masonjones, 2005): turns are free."""
    first = least(square_one("AaBbCcDd")), least(square_one("eEfFgGhH")), 0
    known, layer, sizes = {first}, [first], [1]
    for _ in range(2):
        fresh = set()
        for above, below, middle in layer:
            for half, other in product(cuts(above), cuts(below)):
                after = turned_over(half, other)
                fresh.add((*map(least, after), 1 - middle))
        layer = list(fresh - known)
        known |= fresh
        sizes.append(len(layer))
    assert sizes == [1, 64, 1153]
    assert slashes(Pieces.of(read(SQUARE)), 2) == sizes


def slashes(puzzle, most):
    """The same by the steps of the puzzle."""
    slash = puzzle.layout.labels.index("S")

    def turned(state):
        tops = [state, *(each.state for each in puzzle.successors(state) if each.action[0] == "U")]
        ends = [
            each.state for top in tops for each in puzzle.successors(top) if each.action[0] == "D"
        ]
        return {*tops, *ends}

    layer, sizes = [turned(puzzle.goal)], [1]
    known = set(layer[0])
    for _ in range(most):
        fresh = []
        for state in {each for one in layer for each in one}:
            assert puzzle.legal(state, 0, slash)
            after = puzzle.apply(state, 0, slash)
            if after not in known:
                fresh.append(turned(after))
                known |= fresh[-1]
        layer = fresh
        sizes.append(len(layer))
    return sizes


def test_square_one_step_by_step():
    """Layers of all steps, as the search of this file has them; solutions in both directions."""
    definition = read(SQUARE)
    puzzle = Pieces.of(definition)
    found = distances(definition, start_of(definition), 4)
    assert layers(found) == (1, 15, 69, 212, 1141)
    assert explore(puzzle, engine="reference", limits=Limits(cost=4)).layers == layers(found)
    assert puzzle.words == 3
    start = puzzle.parse("U3 S D3 S")
    result = solve(puzzle.with_start(start), Bidirectional(), engine="reference")
    assert result.cost == found[seen(definition, puzzle.unpack(start))]
    assert all(one != two for one, two in pairwise(result.solution.states))
