"""Pattern databases of sliding puzzles against searches of their own, and what they promise."""

from __future__ import annotations

import itertools
import json
import math
import random
from contextlib import nullcontext
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import IDAStar, Limits, ProblemError, UnsuitableError, UsageError, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.heuristics.patterns import PatternHeuristic
from searchkit.heuristics.patterns.compiled_build import Build, build, halve
from searchkit.heuristics.patterns.database import UNREACHED
from searchkit.heuristics.patterns.laws import try_on_problem
from searchkit.heuristics.patterns.locations import halves, rank_locations, unrank_locations
from searchkit.packed import PackedStep
from searchkit.tables.signed import digest
from searchkit_sliding import WHEEL, Board, SlidingPuzzle, WideSlidingPuzzle
from searchkit_sliding.patterns import SlidingPatterns
from tests.support.pattern_bfs import database_of, databases_of, placements, space_of, state_with
from tests.support.sliding_bfs import CYCLE, LOLLIPOP, SQUARE_AND_PENTAGON, THETA, distances, solved

TWO_THREE, THREE = Board.rectangle(2, 3), Board.rectangle(3, 3)
FIVE = Board.rectangle(5, 5)


@given(st.data(), st.integers(1, 32))
def test_locations_are_numbered(data, cells):
    bits = max(1, (cells - 1).bit_length())
    count = data.draw(st.integers(0, min(cells, 48 // bits)))
    places = data.draw(st.permutations(range(cells)))[:count]
    word = sum(place << bits * i for i, place in enumerate(places))
    number = rank_locations(word, count, cells, bits)
    assert 0 <= number < math.perm(cells, count)
    assert unrank_locations(number, count, cells, bits) == word
    # Numbers are in the order of the first piece's place, then the second's, and so on.
    other = data.draw(st.permutations(range(cells)))[:count]
    compared = rank_locations(sum(p << bits * i for i, p in enumerate(other)), count, cells, bits)
    assert (number < compared) == (places < other)


@pytest.mark.parametrize(
    ("board", "groups"),
    [
        (Board.rectangle(4, 4), "7-8"),
        (Board.rectangle(4, 4), "1-6-3"),
        (Board.rectangle(3, 4), "4-4-3"),
        (THREE, "8"),
        (Board.rectangle(2, 2), "3"),
    ],
)
@given(st.data())
def test_locations_by_halves(board, groups, data):
    goal = " ".join(map(str, range(board.cells)))
    puzzle = SlidingPuzzle.read(board, goal, goal)
    space = puzzle.pattern_space(puzzle.patterns_named(groups))
    assert space.tables.rounds > 0
    group = data.draw(st.integers(0, len(space.groups) - 1))
    entries = space.entries(group)
    entry = data.draw(st.integers(0, entries - 1) | st.sampled_from([0, entries - 1]))
    count = len(space.groups[group])
    assert space.unrank(entry, group) == unrank_locations(entry, count, board.cells, 4)


def test_too_large_halves_are_not_made():
    assert halves((12,), 16).rounds == halves((3,), 17).rounds == halves((1, 1), 9).rounds == 0


@pytest.mark.parametrize(("cells", "count"), [(1, 1), (5, 0), (5, 3), (6, 6), (17, 2)])
def test_numbers_of_locations_have_no_gaps(cells, count):
    bits = 5
    words = {
        sum(place << bits * i for i, place in enumerate(places))
        for places in itertools.permutations(range(cells), count)
    }
    assert sorted(rank_locations(word, count, cells, bits) for word in words) == list(
        range(math.perm(cells, count))
    )


def looked_up(heuristic, word, group):
    """The value of a pattern state."""
    return heuristic.value(heuristic.entry(word, group), word, group)


def group_checks(puzzle, space, group):
    """The database of a group is what the slow search finds."""
    tiles = space.groups[group]
    goal = puzzle.packing.unpack(puzzle.goal)
    slow = placements(puzzle.board, [goal.index(tile) for tile in tiles], goal.index(0))
    database = database_of(space, group)
    assert database.entries == space.entries(group) == math.perm(puzzle.board.cells, len(tiles))
    values = []
    entries = set()
    for cells in itertools.permutations(range(puzzle.board.cells), len(tiles)):
        state = state_with(puzzle, tiles, cells)
        entry = space.rank(space.locate(state, 0, group), group)
        entries.add(entry)
        assert space.unrank(entry, group) == space.locate(state, 0, group)
        value = slow.get(cells, UNREACHED)
        assert database.values[entry] == value, cells
        values.append(value)
    assert len(entries) == database.entries
    reached = [value for value in values if value != UNREACHED]
    assert database.counts == tuple(np.bincount(reached))
    assert database.mean == pytest.approx(sum(reached) / len(reached))


ALL_PARTITIONS = [
    (chosen, tuple(sorted(set(range(1, 6)) - set(chosen))))
    for size in (1, 2)
    for chosen in itertools.combinations(range(1, 6), size)
]


@pytest.mark.parametrize("blank", [0, 1, 5])
def test_every_partition_in_two(blank):
    puzzle = solved(TWO_THREE, blank)
    for groups in ALL_PARTITIONS:
        space = space_of(puzzle, groups)
        for group in range(len(groups)):
            group_checks(puzzle, space, group)


@pytest.mark.parametrize(
    ("board", "blank", "groups"),
    [
        (THREE, 4, ((8, 1, 3),)),
        (THREE, 0, ((5, 2), (1, 7, 8), (3,))),
        (WHEEL, 0, ((1, 2, 3), (6, 4))),
        (WHEEL, 6, ((1, 4), (3, 6), (2, 5))),
        (LOLLIPOP, 0, ((1, 2), (3, 4))),  # edges with a dead end: tiles that are never freed
        (THETA, 2, ((1, 2, 3), (4, 5, 6))),
        (CYCLE, 3, ((2, 1), (4, 3))),
    ],
)
def test_other_boards(board, blank, groups):
    puzzle = solved(board, blank)
    space = space_of(puzzle, groups)
    for group in range(len(groups)):
        with nullcontext() if board is THREE else plainly():
            group_checks(puzzle, space, group)


def test_some_entries_cannot_be_reached():
    """On a path tiles cannot pass each other."""
    puzzle = solved(LOLLIPOP, 0)
    space = space_of(puzzle, ((1, 2), (3, 4)))
    assert any(UNREACHED in database.values for database in databases_of(space))


@settings(max_examples=60, deadline=None)
@given(st.data(), st.integers(0, 2**32))
def test_pattern_states_are_kept_up(data, seed):
    """Along a walk, moved and touched give what locate finds, for every image and group."""
    board = data.draw(
        st.sampled_from([TWO_THREE, THREE, WHEEL, THETA, Board.rectangle(3, 4), FIVE])
    )
    rng = random.Random(seed)
    goal = list(range(board.cells))
    rng.shuffle(goal)
    text = " ".join(map(str, goal))
    puzzle = SlidingPuzzle.read(board, text, text)
    tiles = list(range(1, board.cells))
    rng.shuffle(tiles)
    groups = tuple(filter(None, (tuple(tiles[:3]), tuple(tiles[3:5]), tuple(tiles[5:6]))))
    space = SlidingPatterns(puzzle, groups)
    state = puzzle.goal
    pairs = list(itertools.product(range(space.images), range(len(groups))))
    words = {(image, group): space.locate(state, image, group) for image, group in pairs}
    for image, group in pairs:
        assert space.goals(group)[0][0] == words[image, group]
        assert space.floor(words[image, group], group) == 0
    for _ in range(30):
        control = puzzle.control(state)
        operator = rng.choice(puzzle.operators(control))
        child = puzzle.apply(state, control, operator)
        for image, group in pairs:
            touched = space.touched(PackedStep(state, control, operator, child), image)
            found = space.locate(child, image, group)
            assert 0 <= touched <= len(groups)
            if touched == group:
                word = words[image, group]
                step = PackedStep(state, control, operator, child)
                moved = space.moved(word, step, image, group)
                assert moved == found != word
            else:
                assert found == words[image, group]
            words[image, group] = found
            assert space.unrank(space.rank(found, group), group) == found
        state = child


@cache
def whole_space():
    """A puzzle, and the distances of all its positions, which take half a second to find."""
    puzzle = solved(THREE, 0)
    return puzzle, distances(puzzle, puzzle.goal)


@pytest.mark.slow_variants("groups0")
@pytest.mark.parametrize("groups", [((1, 2, 3, 4), (5, 6, 7, 8)), ((1, 3, 5), (2, 4, 6), (7, 8))])
def test_sums_are_admissible_and_images_are_symmetric(groups):
    """For every position of the 8-puzzle."""
    puzzle, exact = whole_space()
    states = np.array([puzzle.packing.unpack(state) for state in exact])
    cell_of = np.argsort(states, axis=1)
    space = space_of(puzzle, groups)
    heuristic = PatternHeuristic(space, databases_of(space))
    assert space.images == 2
    totals = np.zeros((2, len(states)), dtype=int)
    for image, group in itertools.product(range(2), range(len(groups))):
        goals = [tile for tile in range(1, 9) if space.tables.group[image][tile] == group]
        table = np.zeros((9,) * len(goals), dtype=int)
        for cells in itertools.permutations(range(9), len(goals)):
            word = space.locate(state_with(puzzle, goals, cells), image, group)
            table[cells] = looked_up(heuristic, word, group)
        totals[image] += table[tuple(cell_of[:, tile] for tile in goals)]
    true = np.array(list(exact.values()))
    estimates = totals.max(axis=0)
    assert (estimates <= true).all()
    assert (estimates % 2 == true % 2).all()
    assert (totals[1] > totals[0]).any()
    assert estimates.mean() > 14.5
    for index in random.Random(1).sample(range(len(states)), 200):
        state = puzzle.packing.pack(states[index].tolist())
        assert heuristic(state) == estimates[index]
        mirrored = puzzle.symmetries()[1].state_map(state)
        assert heuristic(mirrored) == heuristic(state)


def test_groups_that_look_alike_have_one_database():
    """Those that a map of the board takes to each other, with the blank or without."""
    corner = SlidingPatterns(solved(THREE, 0), ((1, 2), (3, 6), (5,), (7,)))
    assert corner.identity(0) == corner.identity(1)
    assert corner.identity(2) == corner.identity(3)
    assert corner.identity(0) != corner.identity(2)
    other = solved(THREE, 8)
    goal = other.packing.unpack(other.goal)
    like = tuple(goal[8 - cell] for cell in (1, 2))
    assert SlidingPatterns(other, (like,)).identity(0) == corner.identity(0)


def test_the_blank_matters_where_it_is_shut_in():
    """Else its goal is anywhere: the blank reaches every cell without a move of the pattern."""
    shut_in, outside, open_ = (solved(THREE, blank) for blank in (0, 8, 4))

    def identity(puzzle, cells):
        goal = puzzle.packing.unpack(puzzle.goal)
        return SlidingPatterns(puzzle, (tuple(goal[cell] for cell in cells),)).identity(0)

    assert identity(shut_in, (1, 3)) != identity(outside, (1, 3))
    assert identity(open_, (1, 3)) == identity(outside, (1, 3))
    assert identity(shut_in, (1, 2)) == identity(outside, (1, 2)) == identity(open_, (1, 2))


@settings(max_examples=12, deadline=None)
@given(st.permutations(range(9)), st.integers(1, 3))
def test_equal_identities_are_equal_databases(goal, size):
    text = " ".join(map(str, goal))
    puzzle = SlidingPuzzle.read(THREE, text, text)
    for tiles in itertools.islice(itertools.combinations(range(1, 9), size), 3):
        space = space_of(puzzle, (tiles,))
        shared = database_of(space, 0)
        own = build(space, 0)
        assert (own.values == shared.values).all()
        assert (own.counts, own.entries) == (shared.counts, shared.entries)


@pytest.mark.parametrize("groups", [((1, 2, 3, 4), (5, 6, 7, 8)), ((7, 5, 2), (8,))])
def test_half_bytes(groups):
    puzzle = solved(THREE, 0)
    space = space_of(puzzle, groups)
    full = databases_of(space)
    half = [halve(space, group, full[group]) for group in range(len(groups))]
    by_bytes, by_halves = PatternHeuristic(space, full), PatternHeuristic(space, half)
    clipped = 0
    for group, (whole, less) in enumerate(zip(full, half, strict=True)):
        assert less.bytes == (whole.entries + 1) // 2
        assert (less.counts, less.entries, less.identity) == (
            whole.counts, whole.entries, whole.identity,
        )  # fmt: skip
        for entry in range(whole.entries):
            word = space.unrank(entry, group)
            value, own = (looked_up(each, word, group) for each in (by_bytes, by_halves))
            most = space.floor(word, group) + 15 * space.step
            assert own == min(value, most)
            clipped += own < value
    assert not clipped


def test_values_too_large_for_half_a_byte_are_lower_bounds():
    """An odd board on which tiles go a long way round."""
    space = space_of(solved(SQUARE_AND_PENTAGON, 0), ((1, 2, 3, 4, 5),))
    full = database_of(space, 0)
    assert UNREACHED not in full.values
    half = halve(space, 0, full)
    by_bytes, by_halves = PatternHeuristic(space, [full]), PatternHeuristic(space, [half])
    clipped = 0
    for entry in range(full.entries):
        word = space.unrank(entry, 0)
        value, own = (looked_up(each, word, 0) for each in (by_bytes, by_halves))
        assert own == min(value, space.floor(word, 0) + 15)
        clipped += own < value
    assert clipped > 100


@pytest.mark.slow
@pytest.mark.parametrize("chunk", [8, 64, 1 << 20])
def test_threads_build_the_same(chunk, monkeypatch):
    monkeypatch.setattr("searchkit.heuristics.patterns.compiled_build.CHUNK", chunk)
    for board, groups in ((THREE, ((1, 2, 3, 4),)), (WHEEL, ((1, 2, 3),)), (FIVE, ((1, 7),))):
        space = space_of(solved(board, 0), groups)
        alone, together = build(space, 0), build(space, 0, threads=3)
        assert (alone.values == together.values).all()
        assert alone.counts == together.counts


@pytest.mark.parametrize("chunk", [8, 24])
def test_slices_build_the_same(chunk, monkeypatch):
    space = space_of(solved(THREE, 0), ((1, 2, 5),))
    whole = database_of(space, 0)
    monkeypatch.setattr("searchkit.heuristics.patterns.compiled_build.CHUNK", chunk)
    told = []
    sliced = build(space, 0, progress=lambda building: told.append(building.filled))
    assert (sliced.values == whole.values).all()
    assert told == sorted(told)
    assert told[-1] == 9 * 8 * 7
    assert len(told) >= len(whole.counts) * (504 // chunk)


def test_a_build_goes_on_where_it_was_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("searchkit.heuristics.patterns.compiled_build.CHUNK", 64)
    space = space_of(solved(THREE, 0), ((1, 2, 5),))
    whole = database_of(space, 0)
    building = Build(space, 0)
    for _ in itertools.islice(building.run(), 37):
        pass
    building.keep(tmp_path / "kept")
    again = Build(space, 0)
    assert not again.resume(tmp_path / "other")
    assert again.resume(tmp_path / "kept")
    assert again.filled == building.filled > 1
    for _ in again.run():
        pass
    assert (again.database().values == whole.values).all()
    assert again.database().counts == whole.counts
    other = Build(space_of(solved(THREE, 0), ((1, 2, 6),)), 0)
    assert not other.resume(tmp_path / "kept")


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 30))
def test_words_are_carried_along(seed, most):
    """Up to `most`, follow fills in what begin does; else it gives a number in between."""
    rng = random.Random(seed)
    puzzle = solved(THREE, 0)
    space = space_of(puzzle, ((1, 2, 3, 4), (5, 6, 7)))
    heuristic = PatternHeuristic(space, databases_of(space))
    size = heuristic.memory
    state = puzzle.random_state(rng)
    memo = [0] * (2 * size)
    heuristic.begin(memo, 0, state)
    for _ in range(15):
        control = puzzle.control(state)
        operator = rng.choice(puzzle.operators(control))
        child = puzzle.apply(state, control, operator)
        fresh = [0] * size
        value = heuristic.begin(fresh, 0, child)
        limit = rng.choice([most, value, value - 1, 1 << 20])
        memo[size:] = [-9] * size
        step = PackedStep(state, control, operator, child)
        found = heuristic.follow(memo, 0, size, step, limit)
        if value <= limit:
            assert found == value == heuristic.recall(memo, size)
            assert memo[size:] == fresh
        else:
            assert limit < found <= value
        memo[:size] = fresh
        state = child


@pytest.mark.spread
@pytest.mark.parametrize("name", ["state.json", "values-*.bin", "fresh-*.bin"])
@pytest.mark.parametrize("content", [b"", b"[]", b"5", b"\x93NUMPY", b"{}", b"[" * 100_000])
def test_what_was_kept_and_cannot_be_read_is_not_used(tmp_path, name, content):
    space = space_of(solved(THREE, 0), ((1, 2, 5),))
    Build(space, 0).keep(tmp_path / "kept")
    assert Build(space, 0).resume(tmp_path / "kept")
    (kept,) = (tmp_path / "kept").glob(name)
    kept.write_bytes(content)
    assert not Build(space, 0).resume(tmp_path / "kept")


def agree(puzzle, heuristic, **options):
    results = [
        solve(puzzle, IDAStar(heuristic), engine=engine, **options)
        for engine in ("reference", "compiled")
    ]
    told = [
        (
            each.status, each.cost, each.solution, each.count,
            [(row.bound, row.expanded, row.generated) for row in each.statistics.iterations],
        )
        for each in results
    ]  # fmt: skip
    assert told[0] == told[1]
    return results[1]


@pytest.mark.spread("False")
@pytest.mark.parametrize("halved", [False, True])
def test_engines_agree_and_solutions_are_shortest(halved):
    puzzle, exact = whole_space()
    space = space_of(puzzle, ((1, 2, 3, 4), (5, 6, 7, 8)))
    databases = databases_of(space)
    if halved:
        databases[1] = halve(space, 1, databases[1])
    heuristic = PatternHeuristic(space, databases)
    for state in random.Random(3).sample(sorted(exact), 12):
        result = agree(puzzle.with_start(state), heuristic, limits=Limits(expansions=20_000))
        assert result.cost == exact[state]


@pytest.mark.parametrize("board", [TWO_THREE, THREE])
def test_positions_of_several_words(board):
    narrow = solved(board, 0)
    wide = WideSlidingPuzzle(board, *[(narrow.goal & ((1 << 60) - 1),)] * 2)
    groups = ((1, 2, 3), (5, 4))
    spaces = space_of(narrow, groups), space_of(wide, groups)
    bounds = [PatternHeuristic(space, databases_of(spaces[0])) for space in spaces]
    rng = random.Random(5)
    for _ in range(100):
        tiles = narrow.packing.unpack(narrow.random_state(rng))
        one, several = narrow.packing.pack(tiles), wide.packing.pack(tiles)
        assert bounds[0](one) == bounds[1](several)
        for image, group in itertools.product(range(spaces[0].images), range(2)):
            assert spaces[0].locate(one, image, group) == spaces[1].locate(several, image, group)


@pytest.mark.slow
def test_the_24_puzzle():
    """Small patterns: admissible along walks from the goal, and engines agree."""
    puzzle = solved(FIVE, 0)
    space = space_of(puzzle, ((1, 2), (5, 6), (24, 23)))
    heuristic = PatternHeuristic(space, databases_of(space))
    rng = random.Random(2)
    for _ in range(40):
        state = puzzle.goal
        for steps in range(60):
            assert heuristic(state) <= steps
            state = rng.choice(puzzle.successors(state)).state
    group_checks(puzzle, space, 2)
    for _ in range(3):
        state = puzzle.goal
        for _ in range(26):
            state = rng.choice(puzzle.successors(state)).state
        agree(puzzle.with_start(state), heuristic, limits=Limits(expansions=4000))


def test_boards_with_very_many_maps():
    """Every order of the cells of a complete graph is one: they were all listed."""
    cells = range(14)
    board = Board("complete", tuple(tuple(c for c in cells if c != cell) for cell in cells))
    puzzle = solved(board, 0)
    space = space_of(puzzle, ((1, 2), (3,)))
    group_checks(puzzle, space, 0)
    heuristic = PatternHeuristic(space, databases_of(space))
    assert heuristic(puzzle.goal) == 0


@pytest.mark.parametrize(
    ("groups", "told"),
    [
        (((1, 2), (2, 3)), "none in common"),
        (((1, 1),), "none in common"),
        (((),), "one tile or more each"),
        ((), "one tile or more each"),
        (((0, 1),), "there is no tile 0; tiles are from 1 to 8"),
        (((9,),), "there is no tile 9; tiles are from 1 to 8"),
        (((-1,),), "there is no tile -1; tiles are from 1 to 8"),
    ],
)
def test_patterns_that_are_none(groups, told):
    with pytest.raises(UsageError, match=told):
        SlidingPatterns(solved(THREE, 0), groups)


def test_boards_that_are_too_large():
    with pytest.raises(UnsuitableError, match=r"board '6x6' has 36 cells; .* at most 32"):
        SlidingPatterns(solved(Board.rectangle(6, 6), 0), ((1, 2),))
    with pytest.raises(UsageError, match="board '5x5' have at most 9 tiles"):
        SlidingPatterns(solved(FIVE, 0), (tuple(range(1, 11)),))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("4-5", "have 9 pieces; there are 8"),
        ("0-4", "a pattern has at least 1"),
        ("4--4", "'4--4' names no patterns"),
        ("", "'' names no patterns"),
        ("1.2/3.", "names no patterns"),
        ("four", "names no patterns; write sizes such as"),
        ("1.2\n", "names no patterns"),
        ("9" * 5000, "there are 8|names no patterns"),
        ("1." + "9" * 5000, "names no patterns|there is no tile"),
    ],
)
def test_names_that_are_none(name, told):
    puzzle = solved(THREE, 0)
    with pytest.raises(UsageError, match=told) as refused:
        puzzle.pattern_space(puzzle.patterns_named(name))
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_names_that_are_drawn():
    """The drawings cover every tile once, wherever the blank's corner is."""
    four = Board.rectangle(4, 4)
    for blank in (0, 3, 12, 15):
        puzzle = solved(four, blank)
        for name, sizes in (("6-6-3", [6, 6, 3]), ("5-5-5", [5, 5, 5]), ("7-8", [7, 8])):
            groups = puzzle.patterns_named(name)
            assert list(map(len, groups)) == sizes
            assert sorted(itertools.chain(*groups)) == list(range(1, 16))
            whole = SlidingPatterns(puzzle, groups)
            first = SlidingPatterns(solved(four, 0), solved(four, 0).patterns_named(name))
            assert [whole.identity(i) for i in range(len(sizes))] == [
                first.identity(i) for i in range(len(sizes))
            ]
    assert [len(group) for group in solved(FIVE, 0).patterns_named("6-6-6-6")] == [6] * 4


def test_databases_of_other_patterns_are_refused():
    space = space_of(solved(THREE, 0), ((1, 2), (4, 8)))
    databases = databases_of(space)
    with pytest.raises(UsageError, match="pdb: the pattern databases are not those of the groups"):
        PatternHeuristic(space, databases[::-1])
    with pytest.raises(UsageError, match="not those of the groups"):
        PatternHeuristic(space, databases[:1])


@pytest.mark.parametrize(
    "change",
    [
        {"level": "3"}, {"level": -1}, {"level": 10**6}, {"position": 10**30}, {"filled": 505},
        {"expanded": 1.5}, {"counts": None}, {"counts": [-1]}, {"counts": {"1": 2}},
        {"seconds": 3}, {"seconds": float("inf")}, {"before": True}, {"sha256": []},
        {"sha256": {}}, {"identity": None}, {"check": 7},
    ],
)  # fmt: skip
def test_kept_numbers_that_no_build_has(change, tmp_path):
    """Though their checksum is right."""
    space = space_of(solved(THREE, 0), ((1, 2, 5),))
    Build(space, 0).keep(tmp_path / "kept")
    path = tmp_path / "kept" / "state.json"
    state = json.loads(path.read_text())
    del state["check"]
    state = state | change
    state.setdefault("check", digest(state))
    path.write_text(json.dumps(state))
    assert not Build(space, 0).resume(tmp_path / "kept")


@pytest.mark.parametrize("name", ["values-*", "seen-*", "layer-*", "fresh-*", "state.json"])
def test_kept_builds_that_have_changed_are_not_gone_on_with(name, tmp_path):
    space = space_of(solved(THREE, 0), ((1, 2),))
    Build(space, 0).keep(tmp_path / "kept")
    (path,) = (tmp_path / "kept").glob(name)
    content = bytearray(path.read_bytes())
    place = -1 if name.endswith("*") else content.index(b'"level": 0') + 9
    content[place] ^= 1
    path.write_bytes(content)
    assert not Build(space, 0).resume(tmp_path / "kept")


@pytest.mark.parametrize(
    ("board", "groups", "follows"),
    [
        (Board.rectangle(4, 4), "6-6-3", True),
        (Board.rectangle(4, 3), "4-3", True),
        (Board.rectangle(3, 4), "1-5", True),
        (Board.rectangle(2, 5), "4-5", False),  # cells of neighbours are numbered 5 apart
        (FIVE, "3-3", False),
    ],
)
@given(st.randoms(use_true_random=False))
def test_entries_after_steps(board, groups, follows, rng):
    """Of states that need not be near the goal, whose blank need not be first or last."""
    place = rng.randrange(board.cells)
    tiles = [*range(1, place + 1), 0, *range(place + 1, board.cells)]
    goal = " ".join(map(str, tiles))
    puzzle = SlidingPuzzle.read(board, goal, goal)
    space = puzzle.pattern_space(puzzle.patterns_named(groups))
    assert space.follows == follows
    puzzle = puzzle.with_start(puzzle.random_state(rng))
    try_on_problem(space, puzzle, rng.randrange(1 << 20))


def test_a_wrong_entry_after_a_step():
    class Wrong(SlidingPatterns):
        def entry_after(self, entry, step, image, group):
            return entry + 1

    puzzle = solved(THREE, 0)
    space = Wrong(puzzle, ((1, 2), (3, 4)))
    with pytest.raises(ProblemError, match="entry_after to give"):
        try_on_problem(space, puzzle)
