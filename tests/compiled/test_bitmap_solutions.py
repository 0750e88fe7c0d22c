"""Solutions counted and listed from bitmaps, against the reference engine."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from searchkit import (
    Bidirectional,
    BreadthFirst,
    LimitKind,
    Limits,
    Status,
    Step,
    solve,
)
from searchkit.compiled.layers.bitmaps import BitmapLayers
from searchkit.compiled.layers.linear_tables import LinearSpace
from searchkit.compiled.specialise.plain import plainly
from searchkit.engine import Engine
from searchkit.transforms import ChainMoves, FirstStepFixed
from tests.compiled.test_bitmap_paths import two_tracks
from tests.compiled.test_bitmap_symmetry import rings
from tests.support.interrupting import look_often, stopped_ever_later
from tests.support.toggle_spaces import (
    Pieces,
    SymmetricToggles,
    Toggles,
    counter,
    pegs,
    tables,
    toggle_spaces,
    wandering_pieces,
)

SYMMETRIC = [BreadthFirst(symmetry="auto"), Bidirectional(symmetry="auto")]
PLAIN = [*SYMMETRIC, Bidirectional()]
by_algorithm = pytest.mark.parametrize("algorithm", PLAIN, ids=str)
MOST = 300


class Back(Toggles):
    """Toggles that can be taken back, and only where they can be done."""

    def predecessors(self, state):
        return [
            Step(self.action(before, operator), before)
            for operator, flips in enumerate(self.toggles())
            if self.legal(before := state ^ flips, 0, operator)
        ]


class RingsBack(Back, SymmetricToggles):
    pass


class PiecesBack(Back, Pieces):
    pass


@pytest.fixture(autouse=True)
def only_bitmaps(monkeypatch, brief_looks):
    def refused(*arguments, **options):
        raise AssertionError("this is not the engine to be tested")

    monkeypatch.setattr("searchkit.compiled.breadth_first.bfs.breadth_first", refused)
    monkeypatch.setattr("searchkit.compiled.breadth_first.bidirectional.bidirectional", refused)


def check(problem, algorithm, threads=1):
    """Counts, all solutions in their order, and work done are those of the reference engine."""
    expected = solve(problem, algorithm, engine="reference", want="count")
    found = solve(problem, algorithm, engine=Engine("compiled", threads=threads), want="count")
    assert (found.status, found.cost, found.count) == (
        expected.status, expected.cost, expected.count,
    )  # fmt: skip
    assert found.complete
    if found.status is Status.SOLVED:
        assert found.solutions.count() == found.count
        options = {"want": MOST}
        listed = solve(problem, algorithm, engine=Engine("compiled", threads=threads), **options)
        wanted = solve(problem, algorithm, engine="reference", **options)
        assert list(listed.solutions) == list(wanted.solutions)
        assert listed.count == wanted.count
        assert list(listed.solutions) == list(listed.solutions)
    return found


@pytest.mark.slow_variants("1-Bidirectional(symmetry='none', incumbents='none')")
@pytest.mark.spread
@by_algorithm
@pytest.mark.parametrize("threads", [1, 2])
def test_random_toggles(algorithm, threads):
    @settings(max_examples=15, deadline=None)
    @given(toggle_spaces(5, 8))
    def run(space):
        problem = Back(*space)
        assume(problem.tables.goals)
        check(problem, algorithm, threads)

    run()


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", SYMMETRIC, ids=str)
def test_up_to_symmetry(algorithm):
    counts = set()

    @settings(max_examples=25, deadline=None)
    @given(rings())
    def run(problem):
        assume(problem.tables.goals)
        counts.add(check(RingsBack(problem.tables, problem.starts, problem.group), algorithm).count)

    run()
    assert len(counts) > 2


@pytest.mark.slow_variants("pegs-Bidirectional(symmetry='none', incumbents='none')")
@pytest.mark.spread
@by_algorithm
@pytest.mark.parametrize("spaces", [pegs, wandering_pieces])
def test_chains(algorithm, spaces):
    @settings(max_examples=25, deadline=None)
    @given(spaces())
    def run(space):
        assume(space[0].goals)
        check(ChainMoves(PiecesBack(*space)), algorithm)

    run()


@pytest.mark.slow_variants("pegs-Bidirectional(symmetry='none', incumbents='none')")
@pytest.mark.spread
@by_algorithm
@pytest.mark.parametrize("spaces", [pegs, wandering_pieces])
def test_chains_of_which_some_first_ones_are_kept(algorithm, spaces):
    kept_fewer = set()

    @settings(max_examples=15, deadline=None)
    @given(spaces(), st.randoms(), st.booleans())
    def run(space, rng, keeps_all):
        problem = ChainMoves(PiecesBack(space[0], space[1][:1]))
        (start,) = problem.initial_states()
        assume(space[0].goals and not problem.is_goal(start))
        steps = list(problem.successors(start))
        assume(steps)
        dropped = rng.randrange(len(steps))
        classes = [
            [step.action]
            for number, step in enumerate(steps)
            if keeps_all or (number != dropped and rng.random() < 0.7)
        ]
        kept_fewer.add(len(classes) < len(steps))
        fixed = FirstStepFixed(problem, start, steps, classes)
        check(fixed, algorithm)
        linear = LinearSpace.of(fixed, [start], [])
        if all(linear.canonical(goal) for goal in fixed.goal_states()):
            found, expected = (
                solve(fixed, algorithm, engine=engine, want="all").statistics
                for engine in ("compiled", "reference")
            )
            if isinstance(algorithm, Bidirectional):  # else the last layer is expanded as a whole
                assert (found.expanded, found.generated) == (expected.expanded, expected.generated)

    run()
    assert kept_fewer == {False, True}


@pytest.mark.spread
@by_algorithm
@pytest.mark.parametrize("step", [1, 64, 65, 129])
def test_numbers_of_several_words(algorithm, step):
    problem = Back(tables(two_tracks(), goals=(step | 1 << 63,)), (0,))
    assert check(problem, algorithm).count == 2**step - 1


@by_algorithm
def test_without_the_compiler(algorithm):
    with plainly():
        assert check(Back(tables(two_tracks(), goals=(9 | 1 << 63,)), (0,)), algorithm).count == 511


@by_algorithm
def test_chains_without_the_compiler(algorithm):
    @settings(max_examples=6, deadline=None)
    @given(pegs())
    def run(space):
        problem = ChainMoves(PiecesBack(space[0], tuple(start | 1 << 63 for start in space[1])))
        assume(problem.goal_states())
        with plainly():
            check(problem, algorithm)

    run()


def long_way():
    return Back(tables(counter(6, (3, 2, 1, 1, 1, 1)), goals=(50,)), (0, 3))


@by_algorithm
def test_ctrl_c_at_any_place(algorithm, monkeypatch):
    """What was found until then is right, and the cost is kept once it is known."""
    look_often(monkeypatch)
    problem = long_way()
    whole = solve(problem, algorithm, engine="reference", want="count")

    def run(stop):
        return solve(problem, algorithm, engine="compiled", want="count", progress=stop)

    *parts, found = stopped_ever_later(run)
    for part in parts:
        assert (part.status, part.limit, part.complete) == (Status.INTERRUPTED, None, False)
    assert {part.cost for part in parts} == {None, whole.cost}
    assert (found.status, found.cost, found.count) == (Status.SOLVED, whole.cost, whole.count)


@by_algorithm
def test_the_time_limit_holds_for_counting(algorithm, monkeypatch, clock):
    """The cost is known by then."""
    clock.tick = 0
    enter = "searchkit.compiled.layers.path_counts.PathCounts.enter"
    monkeypatch.setattr(enter, lambda self, layer: clock.pass_by(2))
    monkeypatch.setattr(
        "searchkit.compiled.layers.path_counts.PathCounts.advance",
        lambda *arguments: iter([None] * 3),
    )
    found = solve(long_way(), algorithm, engine="compiled", want="count", limits=Limits(time=1))
    assert (found.status, found.limit) == (Status.LIMIT, LimitKind.TIME)
    assert (found.cost, found.count, found.optimal) == (47, None, True)


@by_algorithm
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 300))
def test_memory_limits(algorithm, most):
    """The whole answer, or none: a limit that is reached says so."""
    found = solve(
        long_way(), algorithm, engine="compiled", want="count", limits=Limits(memory=most)
    )
    if found.status is Status.SOLVED:
        assert found.count == WAYS
    else:
        assert found.limit is LimitKind.MEMORY
        assert found.count in (None, 0, 1)


WAYS = solve(long_way(), BreadthFirst(), engine="reference", want="count").count


def test_expansion_limits_do_not_stop_counting():
    for algorithm in PLAIN:
        expanded = solve(long_way(), algorithm, engine="compiled").statistics.expanded
        limits = Limits(expansions=expanded)
        found = solve(long_way(), algorithm, engine="compiled", want="count", limits=limits)
        assert (found.count, found.statistics.expanded) == (WAYS, expanded)


def test_bitmaps_are_given_up(monkeypatch):
    made = []
    prepare = BitmapLayers.prepare.__func__

    def noted(cls, *arguments, **options):
        made.append(prepare(cls, *arguments, **options))
        return made[-1]

    monkeypatch.setattr(BitmapLayers, "prepare", classmethod(noted))
    for algorithm in PLAIN:
        solve(long_way(), algorithm, engine=Engine("compiled", threads=2), want="count")
    for layers in made:
        assert not len(layers.bitmap)
        assert not any(len(worker.fresh) for worker in layers.workers.threads)
