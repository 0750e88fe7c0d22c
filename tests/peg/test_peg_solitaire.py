import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import INFINITY, ParseError, UsageError
from searchkit.packed import PackedHeuristic, PackedProblem
from searchkit.registry import Registry
from searchkit.transforms import ChainBound, fix_first_step
from searchkit_peg import HOPPERS, PegBoard, PegsAboveGoal, PegSolitaire, hoppers
from searchkit_peg.board import bits_of
from tests.support.peg_naive import (
    ENGLISH,
    jumps_problem,
    layers,
    position_class,
    to_goal,
    zero_one_distances,
)

positions = st.integers(0, HOPPERS.full)


def count_sequences(problem):
    """Jump sequences from the start to a goal, by the obvious recursion with a memory."""
    known = {}

    def count(state):
        if problem.is_goal(state):
            return 1
        if state not in known:
            known[state] = sum(count(step.state) for step in problem.successors(state))
        return known[state]

    return count(problem.start)


def test_boards_by_number_of_jumps(facts):
    sizes = layers(jumps_problem())
    assert sizes == facts["boards_by_jumps"]
    assert sum(sizes) == facts["reachable_boards"] == 2344


def test_jump_sequences(facts):
    problem = jumps_problem()
    assert count_sequences(problem) == facts["jump_sequences_centre_to_centre"] == 5664
    anywhere = PegSolitaire(HOPPERS, problem.start, tuple(1 << cell for cell in range(13)))
    assert count_sequences(anywhere) == facts["jump_sequences_to_any_single_peg"]


def test_boards_modulo_symmetry(facts):
    problem = jumps_problem()
    symmetries = problem.symmetries()
    by_jumps = {}
    for state in zero_one_distances(problem):
        canonical = min(symmetry.state_map(state) for symmetry in symmetries)
        by_jumps.setdefault(12 - state.bit_count(), set()).add(canonical)
    sizes = [len(by_jumps[jumps]) for jumps in sorted(by_jumps)]
    assert sizes == facts["boards_by_jumps_modulo_symmetry"]


@given(positions)
def test_predecessors_invert_successors(state):
    problem = jumps_problem()
    for action, after, cost in problem.successors(state):
        assert (action, state, cost) in problem.predecessors(after)
        assert problem.grade(after) == problem.grade(state) - 1
    for action, before, cost in problem.predecessors(state):
        assert (action, state, cost) in problem.successors(before)


@given(positions)
def test_kernels_agree(state):
    problem = jumps_problem()
    assert list(PackedProblem.successors(problem, state)) == problem.successors(state)
    assert problem.at_goal(state) == problem.is_goal(state)
    bound = problem.default_heuristic()
    assert isinstance(bound, PegsAboveGoal)
    assert PackedHeuristic.__call__(bound, state) == bound(state) == problem.heuristic(state)


def test_kernels_know_the_cells_of_a_jump():
    problem = jumps_problem()
    for operator in problem.operators(0):
        jump = problem.action(problem.start, operator)
        assert problem.moved_from(0, operator) == problem.piece_before(jump)
        assert problem.moved_to(0, operator) == problem.piece_after(jump)


def test_boards_must_fit_a_word():
    line = PegBoard.draw("line", "o" * 65, {"E": (0, 1), "W": (0, -1)})
    with pytest.raises(UsageError, match="board line has 65 cells; a word holds the pegs of at"):
        PegSolitaire.single_vacancy(line, 0)


@given(positions)
def test_slow_rules_agree(state):
    problem = jumps_problem().with_start(state)
    slow = problem.slow_rules()
    plain = slow.parse(problem.format_state(state))
    assert list(slow.initial_states()) == [plain]
    assert slow.is_goal(plain) == problem.is_goal(state)
    assert sorted(
        (slow.format_action(step.action), slow.format_state(step.state), step.cost)
        for step in slow.successors(plain)
    ) == sorted(
        (problem.format_action(step.action), problem.format_state(step.state), step.cost)
        for step in problem.successors(state)
    )


def test_the_heuristic_is_exact_or_sees_a_dead_end_only_where_there_is_one():
    problem = jumps_problem()
    states = zero_one_distances(problem)
    left = to_goal(problem, states)
    for state in states:
        h = problem.heuristic(state)
        if state in left:
            assert h == left[state]
        for step in problem.successors(state):
            assert h <= 1 + problem.heuristic(step.state)
    assert problem.heuristic(0) == INFINITY
    assert problem.heuristic(1) == INFINITY


@pytest.mark.parametrize("each", [25, pytest.param(5, marks=pytest.mark.slow)])
def test_certificates_are_never_wrong_and_not_silent(each):
    problem = jumps_problem()
    solvable = to_goal(problem, set(range(HOPPERS.full + 1)))
    for state in sorted(solvable)[::each]:
        assert problem.certificate(state) is None
    assert problem.certificate(0).text.startswith("fewer pegs (0) than the goal (1)")
    assert problem.certificate(1).text.startswith("as many pegs as the goal (1) but others")


def test_a_parity_certificate_names_the_cells():
    problem = PegSolitaire.single_vacancy(ENGLISH, 16, 15)
    reason = problem.certificate(problem.start).text
    assert "the number of pegs on cells" in reason
    assert "in the goal it is" in reason
    assert "\n" not in reason
    # Two goals, each excluded by another parity only.
    classes = {cell: position_class(problem.board, 1 << cell) for cell in range(len(ENGLISH.cells))}
    start = position_class(problem.board, problem.start)
    for one, other in product(classes, repeat=2):
        goals = (classes[one], classes[other])
        if start not in goals and all(map(lambda *bits: bits[0] in bits[1:], start, *goals)):
            both = PegSolitaire(ENGLISH, problem.start, (1 << one, 1 << other))
            assert "position class" in both.certificate(problem.start).text
            break
    else:
        pytest.fail("no such pair of goals")


@given(st.integers())
def test_random_states_can_be_solved(seed):
    problem = jumps_problem()
    state = problem.random_state(random.Random(seed))
    assert not problem.is_goal(state)
    assert state == problem.random_state(random.Random(seed))
    frontier = {state}
    while not any(map(problem.is_goal, frontier)):
        frontier = {step.state for now in frontier for step in problem.successors(now)}
        assert frontier


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_symmetries_commute_with_steps(every):
    problem = jumps_problem()
    symmetries = problem.symmetries()
    assert len(symmetries) == 8
    for state in list(zero_one_distances(problem))[::every]:
        for symmetry in symmetries:
            image = symmetry.state_map(state)
            assert problem.is_goal(image) == problem.is_goal(state)
            assert {
                (symmetry.action_map(step.action), symmetry.state_map(step.state))
                for step in problem.successors(state)
            } == {(step.action, step.state) for step in problem.successors(image)}


def test_symmetries_keep_the_goal():
    assert len(PegSolitaire.single_vacancy(HOPPERS, 6, 0).symmetries()) == 2
    assert len(PegSolitaire.single_vacancy(HOPPERS, 6, 3).symmetries()) == 2
    corners = PegSolitaire(HOPPERS, 1, tuple(1 << cell for cell in (0, 2, 10, 12)))
    assert len(corners.symmetries()) == 8


@given(positions)
def test_positions_are_read_back(state):
    problem = jumps_problem()
    assert problem.parse(problem.format_state(state)) == state
    assert problem.parse(problem.render(state)) == state
    bits = "".join(str(state >> cell & 1) for cell in range(13))
    assert problem.parse(bits) == state
    assert problem.parse(f" {bits[:5]} {bits[5:]}\n") == state
    cells = [cell for cell in range(13) if state >> cell & 1]
    if cells:
        assert problem.parse("pegs " + ",".join(map(str, cells))) == state
    holes = [cell for cell in range(13) if not state >> cell & 1]
    if holes:
        assert problem.parse("vacant " + " ".join(map(str, holes))) == state


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the position is empty; write .oo/oo/ooo/oo/ooo or 'vacant 0'"),
        ("  / ", "'  / ' has 0 marks; board hoppers has 13 cells, like .oo/oo/ooo/oo/ooo"),
        ("6", "'6' in '6' is not a mark; write o for a peg and . for a hole, like"),
        ("111", "'111' has 3 marks; board hoppers has 13 cells"),
        ("o" * 14, "has 14 marks"),
        ("o0o", "'o0o' mixes marks; use only o and . or only 1 and 0 or only ● and ○"),
        ("oooo/o/ooo/oo/ooo", "do not fit board hoppers, whose rows have 3, 2, 3, 2, 3 cells"),
        ("ooo/oo/o.o/ooooo", "do not fit board hoppers"),
        ("vacant", "'vacant' names no cells; write them like 'vacant 0,1'"),
        ("pegs ,", "'pegs ,' names no cells; write them like 'pegs 0,1'"),
        ("vacant 13", "'13' in 'vacant 13' is not a cell; cells are 0 to 12"),
        ("vacant -1", "'-1' in 'vacant -1' is not a cell"),
        ("vacant ²", "'²' in 'vacant ²' is not a cell"),
        ("vacant " + "9" * 5000, "is not a cell"),
        ("pegs 3, 3", "cell 3 is named twice in 'pegs 3, 3'; name it once"),
        ("Vacant 6", "'V' in 'Vacant 6' is not a mark"),
        ("x" * 1000, "xxx...' is not a mark"),
    ],
)
def test_bad_positions_are_refused_in_one_line(text, message):
    with pytest.raises(ParseError) as caught:
        jumps_problem().parse(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


@given(st.text(alphabet="o.10●○/ pegsvacnt,0123456789\n²x-", max_size=40))
def test_reading_never_fails_otherwise(text):
    try:
        state = jumps_problem().parse(text)
    except ParseError:
        return
    assert 0 <= state <= HOPPERS.full


def test_slow_rules_read_only_their_own_notation():
    slow = jumps_problem().slow_rules()
    with pytest.raises(
        ParseError,
        match=r"'vacant 6' is not a position; write it like "
        r"ooo/oo/o.o/",
    ):
        slow.parse("vacant 6")


def test_starts_and_goals_can_be_replaced():
    problem = jumps_problem().with_start(7).with_goal(8)
    assert list(problem.initial_states()) == [7]
    assert list(problem.goal_states()) == [8]
    assert problem.board is HOPPERS
    with pytest.raises(UsageError, match="start 8192 is not a set of cells of board hoppers"):
        problem.with_start(1 << 13)
    with pytest.raises(UsageError, match="goals"):
        problem.with_goal(-1)
    with pytest.raises(UsageError, match="equally many pegs"):
        PegSolitaire(HOPPERS, 1, (1, 3))
    with pytest.raises(UsageError, match="equally many pegs"):
        PegSolitaire(HOPPERS, 1, ())


def test_the_bound_on_chains_counts_corners_not_in_the_goal():
    problem = PegSolitaire.single_vacancy(HOPPERS, 6, 0)
    assert problem.chain_bound(bits_of([0, 2, 12, 5])) == 2
    assert problem.chain_bound(bits_of([0, 2, 12, 5]), 12) == 1
    assert problem.chain_bound(bits_of([0, 5])) == 1
    assert problem.chain_bound(bits_of([0, 5]), 5) == 0
    assert problem.chain_bound(1) == 0
    assert problem.chain_bound(2) == INFINITY


def test_registered_puzzle_and_heuristics():
    registry = Registry.load()
    assert not [problem for problem in registry.problems if "peg" in problem.origin]
    entry = registry.puzzles.get("hoppers")
    models = {model: entry.create(model=model) for model in ("chain", "jumps", "mover")}
    assert models["chain"] == entry.create() == hoppers()
    assert models["jumps"] == jumps_problem()
    with pytest.raises(UsageError, match="model 'x' is unknown; known: chain, jumps"):
        entry.create(model="x")
    for model, problem in models.items():
        name, kind = (
            ("pegs", PegsAboveGoal)
            if model == "jumps"
            else (
                "regions",
                ChainBound,
            )
        )
        for suited in (problem, fix_first_step(problem)):
            names = {found.name for found in registry.heuristics.suiting(suited)}
            assert name in names
            assert not names & {"pegs", "regions"} - {name}
            heuristic = registry.heuristics.get(name, suited).factory(suited)
            assert isinstance(heuristic, kind)
            (start,) = suited.initial_states()
            assert heuristic(start) == problem.heuristic(start) == (11 if model == "jumps" else 4)
