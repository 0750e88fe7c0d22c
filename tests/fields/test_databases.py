"""Pattern databases of puzzles on fields: bounds that hold, from the rules as they are written."""

import gc
import random
from contextlib import suppress
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples.hanoi import Hanoi
from searchkit import AStar, IDAStar, Limits, UniformCost, solve
from searchkit.checks import check_heuristic
from searchkit.errors import SearchkitWarning, UnsuitableError, UsageError
from searchkit.fields import Array, Fields, Int, Set, symbols
from searchkit.fields.factors import SIGNS, can_merge, merged_number, with_merged
from searchkit.heuristics.names import read_heuristic
from searchkit.heuristics.patterns.choose import space_named
from searchkit.heuristics.patterns.heuristic import PatternHeuristic
from searchkit.heuristics.patterns.solved import solved
from searchkit.result import Status
from tests.fields.puzzles import Jugs, Lights, Rush, Sokoban, Tiles
from tests.fields.random_puzzles import SmallWriter, random_puzzle
from tests.fields.test_random import states_of


def heuristic_of(puzzle, groups):
    space = puzzle.pattern_space(groups)
    return PatternHeuristic(space, [solved(space, group) for group in range(len(groups))])


def by_names(puzzle, name):
    return heuristic_of(puzzle, puzzle.patterns_named(name))


def rows_of(report):
    return report.method, report.admissible, report.consistent


class Pegs(Fields):
    """The Tower of Hanoi; smaller disks are of lower numbers."""

    undirected = True

    def __init__(self, disks=5, pegs=4):
        self.declare(peg=Array(disks, pegs))
        self.moves = [(disk, peg) for disk in range(disks) for peg in range(pegs)]
        self.start = self.pack(peg=[0] * disks)
        self.goal = self.pack(peg=[pegs - 1] * disks)

    def legal(self, s, disk, peg):
        here = s.peg[disk]
        return here != peg and not any(s.peg[other] in (here, peg) for other in range(disk))

    def apply(self, s, disk, peg):
        s.peg[disk] = peg


class Shift(Fields):
    """A token goes around; what it costs to leave a place is listed, and may be nothing."""

    def __init__(self):
        self.declare(at=Int(6), wide=Int(1 << 40), seen=Set(6))
        self.tolls = [0, 3, 0, 300, 1, 2]
        self.moves = {"on": 1, "back": 5, "stay": 0}
        self.start = self.pack(at=1, wide=7, seen=[])

    def legal(self, s, way):
        return way or len(s.seen) < 2

    def cost(self, s, way):
        return self.tolls[s.at] if way else 1

    def apply(self, s, way):
        s.at = (s.at + way) % 6
        if not way:
            s.seen.add(s.at)

    def at_goal(self, s):
        return s.at == 4 and 2 in s.seen


def test_all_fields_give_distances():
    for puzzle, name in [(Jugs(), "litres"), (Tiles(), "tiles:0-4"), (Pegs(), "peg")]:
        report = check_heuristic(puzzle, by_names(puzzle, name), max_states=2000)
        assert rows_of(report) == ("exhaustive", True, True), name
        assert report.quality.mean_estimate == report.quality.mean_distance > 3, name


@pytest.mark.slow_variants(
    "Lights-lit=0-6", "Sokoban-player//5+boxes=25.28", "Pegs-peg=0-1%3/peg=2.4//2"
)
@pytest.mark.parametrize(
    ("puzzle", "name"),
    [
        (Jugs(), "litres=0.2"), (Tiles(), "tiles=0-2"), (Tiles(), "tiles:1-3/tiles:4-5"),
        (Pegs(), "peg=0-1%3/peg=2.4//2"), (Sokoban(), "player//5+boxes=25.28"),
        (Tiles(), "tiles:1-5//2+tiles:1-5%2"), (Shift(), "at//2+at%2+seen=2"),
        (Lights(3), "lit=0-6"), (Jugs(), "auto=300B"),
        pytest.param(Rush(), "offset=0-3.12+full=29", marks=pytest.mark.slow),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)  # fmt: skip
def test_bounds_hold_in_all_states(puzzle, name):
    report = check_heuristic(puzzle, by_names(puzzle, name), max_states=5000)
    assert rows_of(report) == ("exhaustive", True, True), str(report)
    assert report.quality.mean_estimate > 0


@pytest.mark.slow
@given(st.integers(0, 1 << 40), st.integers(0, 1 << 40))
@settings(max_examples=6, deadline=None)
def test_no_step_of_a_random_puzzle_lowers_a_bound_by_more_than_it_costs(seed, choice):
    puzzle, text = random_puzzle(seed, SmallWriter)
    try:
        factors = space_named(puzzle, "one").factors
    except UnsuitableError:
        return
    rng = random.Random(choice)
    group, size = [], 1
    for chosen in rng.sample(range(factors.count), min(6, factors.count)):
        number, sign, by = chosen, rng.choice(SIGNS), rng.randrange(2, 6)
        if rng.random() < 0.6 and can_merge(factors.variables[number], by):
            number = merged_number(factors, number, sign, by)
        digits = with_merged(factors, [number]).variables[number].size
        if size * digits <= 2000:
            group.append(number)
            size *= digits
    bound = heuristic_of(puzzle, [tuple(group)])
    for state, steps in states_of(puzzle.slow_rules(), 15):
        here = bound(state)
        assert here == 0 or not puzzle.is_goal(state), text
        for _, after, cost in steps:
            assert here <= cost + bound(after), text


def test_merged_values_say_at_most_as_much_and_more_than_nothing():
    puzzle = Jugs()
    names = "litres=0+litres=1", "litres=0+litres=1+litres=2%3", "litres"
    reports = [check_heuristic(puzzle, by_names(puzzle, each)) for each in names]
    means = [each.quality.mean_estimate for each in reports]
    assert 0 < means[0] < means[1] < means[2] == 11.1875


@pytest.mark.slow
def test_most_random_puzzles_have_databases():
    known = 0
    for seed in range(4, 10):
        with suppress(UnsuitableError):
            known += bool(space_named(random_puzzle(seed, SmallWriter)[0], "one").groups)
    assert known >= 4


def test_engines_agree_with_a_database():
    puzzle = Jugs()
    bound = by_names(puzzle, "litres=0-1+litres=2%3")
    expected = solve(puzzle, UniformCost(), engine="reference", want="count")
    informed = solve(puzzle, AStar(heuristic=bound), engine="reference")
    assert expected.statistics.expanded > informed.statistics.expanded
    for algorithm in (AStar(heuristic=bound), IDAStar(heuristic=bound)):
        found = [
            solve(puzzle, algorithm, engine=engine, want="count")
            for engine in ("reference", "checked", "compiled")
        ]
        assert {(each.cost, each.count) for each in found} == {(expected.cost, expected.count)}
        assert len({each.statistics.expanded for each in found}) == 1
        limited = [
            solve(puzzle, algorithm, engine=engine, limits=Limits(expansions=3))
            for engine in ("reference", "compiled")
        ]
        assert len({(each.status, each.lower_bound) for each in limited}) == 1


def test_sums_are_of_moves_that_change_one_group():
    pegs, tiles = Pegs(), Tiles()
    assert pegs.pattern_space(pegs.patterns_named("peg=0-1/peg=2-4")).additive
    assert tiles.pattern_space(tiles.patterns_named("tiles:1.2/tiles:3-5")).additive
    assert not tiles.pattern_space(tiles.patterns_named("tiles:0.1/tiles:2.3")).additive
    assert not tiles.pattern_space(tiles.patterns_named("tiles=0.1/tiles=2.3")).additive


@pytest.mark.parametrize(
    ("kind", "few", "many", "cost"),
    [(Pegs, 200, 1000, 13), pytest.param(Sokoban, 1000, 20_000, 33, marks=pytest.mark.slow)],
)
def test_more_memory_gives_larger_bounds(kind, few, many, cost):
    puzzle = kind()
    sizes, starts = [], []
    for memory in (few, many):
        bound = by_names(puzzle, f"auto={memory}B")
        sizes.append(sum(database.entries for database in bound.databases))
        starts.append(bound(puzzle.start))
    assert sizes[0] <= few < sizes[1] <= many
    assert 0 < starts[0] < starts[1] <= cost


def test_auto_merges_values_of_what_does_not_fit():
    puzzle = Jugs()
    for memory, most in (("100B", 81), ("300B", 243)):
        (group,) = puzzle.patterns_named(f"auto={memory}")
        space = puzzle.pattern_space([group])
        assert space.entries(0) == most
        assert ("%3" in space.name_of(0)) == (memory == "300B")
    bound = by_names(puzzle, "auto=300B")
    assert bound(puzzle.start) > by_names(puzzle, "auto=100B")(puzzle.start)


@pytest.mark.spread("5kB-names1")
@pytest.mark.parametrize(("memory", "names"), [("20kB", ["1-7", "0"]), ("5kB", ["2-7", "0-1"])])
def test_auto_puts_together_what_can_come_home_first(memory, names):
    """Large disks do not stand in the way of small ones, which say as much near the start."""
    puzzle = Hanoi(8, 4)
    space = puzzle.pattern_space(puzzle.patterns_named(f"auto={memory}"))
    found = [space.name_of(group) for group in range(len(space.groups))]
    assert found == [f"peg={each}" for each in names]


def test_auto_adds_up_what_can_be_added_up():
    puzzle = Pegs(8, 3)
    groups = puzzle.patterns_named("auto=200B")
    space = puzzle.pattern_space(groups)
    assert space.additive
    assert len(groups) > 1
    assert puzzle.patterns_named("auto=10kB") != groups


def test_costs_count_also_where_they_are_nothing():
    puzzle = Shift()
    bound = by_names(puzzle, "at+seen=2")
    report = check_heuristic(puzzle, bound)
    assert rows_of(report) == ("exhaustive", True, True)
    # 1 to 2 for 3, stay for 1, and back over 1, 0 and 5, as 3 costs 300: 3 + 1 + 0 + 3 + 0 + 2.
    assert bound(puzzle.start) == solve(puzzle, UniformCost()).cost == 9


class Odd(Shift):
    """What no database can be made of."""

    def __init__(self, rule):
        self.rule = rule
        super().__init__()

    def cost(self, s, which):
        return -1 if self.rule == "cost" else 1

    def at_goal(self, s):
        if self.rule == "wide":
            return s.wide == 3
        if self.rule == "sum":
            return sum(s.seen) * s.at == 77 and len(s.seen) == 9
        return type(s.at) is int and s.at < 9


@pytest.mark.parametrize(
    ("puzzle", "name", "message"),
    [
        (Odd("wide"), "auto", "at_goal cannot be followed .* the field wide has 1,099,511,627,776"),
        (Odd("cost"), "at", "the move .* cannot be followed .* a step costs -1"),
        (Odd("sum"), "at", "no state that can be reached is a goal"),
        (Odd("int"), "at", "at_goal cannot be followed .* it does something else"),
        (Shift(), "to", "'to' names no part of a state; there are at, wide, seen=..."),
        (Shift(), "seen=3-9", "'seen=3-9': there is no seen=6; there are seen=0-5"),
        (Shift(), "wide", "pattern wide has 1,099,511,627,776 entries"),
        (Shift(), "at+wide//9", "'wide//9' merges no values: wide has 1,099,511,627,776"),
        (Shift(), "at%6", "'at%6' merges no values: at has 6; write a number above 1 and below"),
        (Shift(), "at//", "'at//' merges no values: at has 6"),
        (Shift(), "auto=x", "'auto=x' allows no memory; write one like auto=16MB"),
        (Lights(2), "auto=1B", "no pattern database of Lights within 1 B says anything"),
        (Tiles(), "tiles:9", "there is no tiles:9; there are tiles:0-5"),
    ],
)
def test_what_cannot_be_made_is_said(puzzle, name, message):
    with pytest.raises(UsageError, match=message):
        space_named(puzzle, name)


class NoWay(Fields):
    """It never comes to where its goal is."""

    def __init__(self):
        self.declare(at=Array(2, 5))
        self.moves = [(0, 2), (1, 1), (0, -2)]
        self.start = self.pack(at=[0, 0])

    def legal(self, s, i, k):
        return 0 <= s.at[i] + k < 5

    def apply(self, s, i, k):
        s.at[i] += k

    def at_goal(self, s):
        return s.at[0] == 3


def test_where_there_is_nothing_to_measure_from_a_search_says_no():
    with pytest.warns(SearchkitWarning, match="pdb:auto is not used: NoWay: no state that can be"):
        heuristic = read_heuristic(NoWay(), "pdb:auto", pytest.fail)
    found = solve(NoWay(), AStar(heuristic=heuristic), engine="reference")
    assert (found.status, found.statistics.expanded) == (Status.UNSOLVABLE, 15)


class Steps(Fields):
    """A number is raised by 1; its field is called as whatever a state might have besides."""

    def __init__(self, name):
        self.name = name
        self.declare(**{name: Array(2, 5)})
        self.moves = [0, 1]
        self.start = self.pack(**{name: [0, 0]})
        self.goal = self.pack(**{name: [4, 4]})


class Numbers(Steps):
    def apply(self, s, i):
        s.numbers[i] += 1

    def legal(self, s, i):
        return s.numbers[i] < 4


class Bits(Steps):
    def apply(self, s, i):
        s.bits[i] += 1

    def legal(self, s, i):
        return s.bits[i] < 4


@pytest.mark.parametrize(("kind", "name"), [(Numbers, "numbers"), (Bits, "bits")])
def test_fields_may_have_any_name(kind, name):
    puzzle = kind(name)
    assert by_names(puzzle, name)(puzzle.start) == 8


def test_names_are_read_as_they_are_written():
    puzzle = Shift()
    for name in ("at+seen=0.2-4", "seen=5+seen=1+at", "seen=0-5", "at//2+at%4", "at%3+seen=0-1"):
        space = space_named(puzzle, f"seen=1/{name}/at//2")
        assert [space.name_of(group) for group in range(3)] == ["seen=1", name, "at//2"]
        assert puzzle.patterns_named(name)[0] == space.groups[1]


def test_other_starts_share_a_database_where_they_can():
    puzzle = Tiles()
    bound = by_names(puzzle, "tiles:0-3")
    other = puzzle.with_start(puzzle.pack(tiles=[1, 2, 0, 4, 5, 3]))
    assert bound.unfit(other) is None
    assert bound(other.start) == solve(other, AStar(heuristic=bound)).cost == 1
    boxes = Sokoban()
    bound = by_names(boxes, "player")
    apart = boxes.with_start(boxes.pack(player=9, boxes=[8, 33]))
    assert "no state that can be reached is a goal" in str(bound.unfit(apart))


@cache
def is_positive(number):
    return number > 0


def test_rules_that_remember_keep_no_unknown_numbers():
    class Remembering(Fields):
        def __init__(self):
            self.moves = range(3)
            self.declare(at=Array(3, 4))
            self.start, self.goal = self.pack(at=[3, 2, 1]), self.pack(at=[0, 0, 0])

        def legal(self, s, i):
            return is_positive(s.at[i])

        def apply(self, s, i):
            s.at[i] -= 1

    problem = Remembering()
    heuristic = read_heuristic(problem, "pdb:at=0-1", None)
    assert heuristic.estimate(problem.start) == 5
    assert solve(problem, AStar(heuristic=heuristic), engine="reference").cost == 6
    gc.collect()
    assert not symbols._runs.kept
