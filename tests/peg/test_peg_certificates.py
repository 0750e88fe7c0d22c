"""Why there is no solution: never wrong, checked by other code, and found by known boards."""

import copy
import random
import re
import sys
import time
from collections import Counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from searchkit import BreadthFirst, Limits, Status, UniformCost, solve
from searchkit.certificates import Certificate
from searchkit.errors import VerificationError
from searchkit.transforms import ChainMoves, MoverState
from searchkit.verify import Recheck, verify_certificate
from searchkit_peg import HOPPERS, PegBoard, PegSolitaire, impossible
from searchkit_peg.board import bits_of, cell_maps
from searchkit_peg.boards import (
    BOARDS,
    DIAMOND,
    ENGLISH,
    FRENCH,
    ORTHOGONAL,
    WIEGLEB,
    triangle,
)
from tests.support.peg_naive import position_class

SQUARE = PegBoard.draw("square", "ooo\nooo\nooo", ORTHOGONAL)
SMALL = [
    *(PegBoard.draw(f"line{cells}", "o" * cells, ORTHOGONAL) for cells in (3, 5, 7)),
    PegBoard.draw("ladder", "oooo\noooo", ORTHOGONAL),
    PegBoard.draw("ring", "ooo\no o\nooo", ORTHOGONAL),
    SQUARE,
    PegBoard.draw("plank", "ooo\nooo\nooo\nooo", ORTHOGONAL),
    triangle(4),
    HOPPERS,
]
KINDS = ["peg count", "position class", "pagoda", "goal by goal", "closed set", "nonsense"]


def in_reach(board, start):
    """Every set of pegs that jumps make of `start`."""
    found = {start}
    stack = [start]
    while stack:
        pegs = stack.pop()
        for jump in board.jumps:
            before = 1 << jump.start | 1 << jump.over
            if pegs & before == before and not pegs >> jump.land & 1:
                after = pegs ^ before ^ 1 << jump.land
                if after not in found:
                    found.add(after)
                    stack.append(after)
    return found


@st.composite
def problems(draw):
    """A small board, any start, and one to three goals of equally many pegs."""
    board = draw(st.sampled_from(SMALL))
    start = draw(st.integers(0, board.full))
    cells = st.sets(st.integers(0, len(board.cells) - 1), min_size=1, max_size=3)
    first = draw(cells)
    same = st.sets(st.integers(0, len(board.cells) - 1), min_size=len(first), max_size=len(first))
    goals = [first, *draw(st.lists(same, max_size=2))]
    return PegSolitaire(board, start, tuple(dict.fromkeys(map(bits_of, goals))))


def holds(problem, certificate):
    try:
        assert verify_certificate(problem, certificate) == Recheck()
    except VerificationError as error:
        return "\n" in str(error)  # it must be one line
    return True


@settings(max_examples=80, deadline=None)
@given(problems())
def test_certificates_are_true_and_pass_the_check(problem):
    certificate = problem.certificate(problem.start)
    if certificate is not None:
        assert not in_reach(problem.board, problem.start) & set(problem.goals)
        for model in (problem, ChainMoves(problem), MoverState(problem)):
            assert holds(model, certificate)


# Forgeries


def leaves(data, path=()):
    """The paths to all numbers, texts and lists in `data`."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for name, value in items:
        yield (*path, name)
        if isinstance(value, (dict, list)):
            yield from leaves(value, (*path, name))


def inside(data, path):
    for name in path:
        data = data[name]
    return data


@st.composite
def altered(draw, certificate):
    """The certificate with another kind, or with one thing in its data changed."""
    if draw(st.integers(0, 4)) == 0:
        kind = draw(st.sampled_from([kind for kind in KINDS if kind != certificate.kind]))
        return Certificate(kind, certificate.text, certificate.data)
    data = copy.deepcopy(certificate.data)
    path = draw(st.sampled_from(list(leaves(data))))
    holder, name = inside(data, path[:-1]), path[-1]
    value = holder[name]
    changes = ["drop", "null"]
    if isinstance(value, int):
        changes += ["number"] * 6
    if isinstance(value, str):
        changes += ["text"]
    if isinstance(value, list):
        changes += ["twice", "empty"]
    change = draw(st.sampled_from(changes))
    if change == "drop":
        del holder[name]
    elif change == "twice":
        value.append(copy.deepcopy(value[-1]) if value else 0)
    else:
        other = draw(st.integers(-3, 40) | st.integers())
        holder[name] = {"null": None, "number": other, "text": f"{value}o", "empty": []}[change]
    assume(data != certificate.data)
    return Certificate(certificate.kind, certificate.text, data)


def is_pagoda(board, data, start, goals):
    """Whether the weights of a certificate prove what they say they do."""
    weights = data["weights"]
    return (
        len(weights) == len(board.cells)
        and all(type(weight) is int for weight in weights)
        and all(weights[j.start] + weights[j.over] >= weights[j.land] for j in board.jumps)
        and data["start"] == weigh(weights, start)
        and data["goal"] == min(weigh(weights, goal) for goal in goals)
        and data["start"] < data["goal"]
    )


def weigh(weights, pegs):
    return sum(weight for cell, weight in enumerate(weights) if pegs >> cell & 1)


def pagoda_parts(problem, certificate):
    """The data of the pagodas in a certificate, and the goals that each excludes."""
    if certificate.kind == "pagoda":
        yield certificate.data, problem.goals
    for part in certificate.data.get("parts", ()):
        if part["kind"] == "pagoda":
            yield part["data"], [problem.parse(goal) for goal in part["goals"]]


@settings(max_examples=120, deadline=None)
@given(st.data(), problems())
def test_altered_certificates_are_refused(data, problem):
    certificate = problem.certificate(problem.start)
    assume(certificate is not None)
    forged = data.draw(altered(certificate))
    if holds(problem, forged):
        # Only weights can differ and still be true: those of cells that no sum has in it.
        assert forged.kind == certificate.kind in ("pagoda", "goal by goal")
        assert all(
            is_pagoda(problem.board, each, problem.start, goals)
            for each, goals in pagoda_parts(problem, forged)
        )


@settings(max_examples=60, deadline=None)
@given(st.data(), problems())
def test_no_certificate_holds_where_there_is_a_solution(data, other):
    """Certificates of other starts and goals, altered ones too, are refused."""
    certificate = other.certificate(other.start)
    assume(certificate is not None)
    reached = sorted(in_reach(other.board, data.draw(st.integers(0, other.board.full))))
    start = max(reached, key=int.bit_count)
    goal = data.draw(st.sampled_from(reached))
    solvable = PegSolitaire(other.board, start, (goal,))
    assert solvable.certificate(start) is None
    assert not holds(solvable, certificate)
    assert not holds(solvable, data.draw(altered(certificate)))


TWO_GOALS = PegSolitaire(SQUARE, SQUARE.full & ~1, (1, 2))
BY_COUNT = PegSolitaire(SQUARE, 1, (1 << 4,))
BY_CLASS = PegSolitaire(SQUARE, SQUARE.full & ~1, (2,))
BY_PAGODA = PegSolitaire(SQUARE, SQUARE.full & ~1, (1,))
WEIGHTS = [-1, 0, -1, 0, 0, 0, -1, 0, -1]


@pytest.mark.parametrize(
    ("problem", "kind", "data", "message"),
    [
        (BY_COUNT, "peg count", {"pegs": 2, "goal_pegs": 1}, "the start has 1 pegs, not 2"),
        (BY_COUNT, "peg count", {"pegs": 1, "goal_pegs": 2}, "a goal has 1 pegs, not 2"),
        (BY_PAGODA, "peg count", {"pegs": 8, "goal_pegs": 1}, "8 pegs can become 1, as far as"),
        (BY_COUNT.with_start(16), "peg count", {"pegs": 1, "goal_pegs": 1}, "the start is a goal"),
        (
            BY_CLASS,
            "position class",
            {"cells": [0, 9], "start": 0, "goal": 1},
            "cell 9 is none of the 9 cells",
        ),
        (
            BY_CLASS,
            "position class",
            {"cells": [1, -1], "start": 0, "goal": 1},
            "cell -1 is none of the 9 cells",
        ),
        (
            BY_CLASS,
            "position class",
            {"cells": [1, 2, 1], "start": 0, "goal": 1},
            "cell 1 is none of the 9 cells, or is named twice",
        ),
        (
            BY_CLASS,
            "position class",
            {"cells": [1, 4], "start": 0, "goal": 1},
            "the jump from 0 over 1 to 2 changes the number of pegs on its cells by one",
        ),
        (
            BY_CLASS,
            "position class",
            {"cells": [0, 2, 6, 8], "start": 0, "goal": 1},
            "the pegs on its cells, modulo 2, are not 0 at the start",
        ),
        (
            BY_CLASS,
            "position class",
            {"cells": [0, 2, 6, 8], "start": 1, "goal": 1},
            "the pegs on its cells, modulo 2, are not 1 in a goal",
        ),
        (
            BY_PAGODA,
            "position class",
            {"cells": [0, 2, 6, 8], "start": 1, "goal": 1},
            "the start and a goal are of the same class",
        ),
        (
            BY_PAGODA,
            "pagoda",
            {"weights": WEIGHTS[:-1], "start": -3, "goal": -1},
            "it has 8 weights for 9 cells",
        ),
        (
            BY_PAGODA,
            "pagoda",
            {"weights": [5, *WEIGHTS[1:]], "start": -3, "goal": 5},
            "the jump from 2 over 1 to 0 makes the pegs heavier: -1 and 0 become 5",
        ),
        (
            BY_PAGODA,
            "pagoda",
            {"weights": WEIGHTS, "start": -4, "goal": -1},
            "the start weighs -3, not -4",
        ),
        (
            BY_PAGODA,
            "pagoda",
            {"weights": WEIGHTS, "start": -3, "goal": 1},
            "the lightest goal weighs -1, not 1",
        ),
        (
            BY_PAGODA,
            "pagoda",
            {"weights": [0] * 9, "start": 0, "goal": 0},
            "the start weighs 0, no less than a goal",
        ),
        (
            BY_PAGODA,
            "magic",
            {},
            "'magic' is not a kind of certificate here; known: peg count, pos",
        ),
        (BY_PAGODA, "goal by goal", {"parts": []}, "it does not exclude the goal o../.../..."),
        (
            BY_PAGODA,
            "goal by goal",
            {"parts": [{"kind": "pagoda", "data": {}, "goals": []}]},
            "it excludes no goal",
        ),
        (
            BY_PAGODA,
            "goal by goal",
            {"parts": [{"kind": "pagoda", "data": {}, "goals": [".o./.../..."]}]},
            "it excludes '.o./.../...', which is not a goal or excluded twice",
        ),
        (
            BY_PAGODA,
            "goal by goal",
            {"parts": [{"kind": "goal by goal", "data": {}, "goals": ["o../.../..."]}]},
            "'goal by goal' is not a kind of certificate here",
        ),
        (
            BY_PAGODA,
            "goal by goal",
            {"parts": [{"kind": "pagoda", "goals": ["o../.../..."]}]},
            "a part must have the entries 'kind', 'data', 'goals', and no other",
        ),
    ],
)
def test_why_a_forgery_is_refused(problem, kind, data, message):
    with pytest.raises(VerificationError) as caught:
        verify_certificate(problem, Certificate(kind, "no", data))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


# What the kinds are


def test_a_pagoda_excludes_what_position_classes_allow():
    """All but one corner of 3x3 cells, and the last peg in that corner."""
    problem = BY_PAGODA
    assert position_class(problem.board, problem.start) == position_class(problem.board, 1)
    certificate = problem.certificate(problem.start)
    assert certificate.kind == "pagoda"
    assert certificate.text.endswith("(pagoda function)")
    assert is_pagoda(SQUARE, certificate.data, problem.start, problem.goals)
    # No jump can take a peg in a corner: three are left, whose weights are below 0.
    by_hand = Certificate("pagoda", "by hand", {"weights": WEIGHTS, "start": -3, "goal": -1})
    assert holds(problem, by_hand)


@pytest.mark.slow
def test_all_of_3x3_cells_against_enumeration():
    found = Counter()
    for start in range(SQUARE.full + 1):
        if start.bit_count() > 1:
            reached = in_reach(SQUARE, start)
            for cell in range(9):
                certificate = PegSolitaire(SQUARE, start, (1 << cell,)).certificate(start)
                found[1 << cell in reached, certificate and certificate.kind] += 1
    assert found == {
        (True, None): 64,
        (False, "position class"): 4239,
        (False, "pagoda"): 210,
        (False, None): 5,
    }


def test_goals_are_excluded_one_by_one():
    certificate = TWO_GOALS.certificate(TWO_GOALS.start)
    assert certificate.kind == "goal by goal"
    assert certificate.text == (
        "none of the 2 goals can be reached, by position classes and pagoda functions"
    )
    kinds = {goal: part["kind"] for part in certificate.data["parts"] for goal in part["goals"]}
    assert kinds == {"o../.../...": "pagoda", ".o./.../...": "position class"}
    assert holds(TWO_GOALS, certificate)


@pytest.mark.slow_variants("french-18")
@pytest.mark.parametrize(("board", "centre"), [(FRENCH, 18), (DIAMOND, 20)],
                         ids=lambda value: getattr(value, "name", None))  # fmt: skip
def test_from_the_centre_to_one_peg_is_impossible(board, centre):
    anywhere = tuple(1 << cell for cell in range(len(board.cells)))
    problem = PegSolitaire(board, board.full & ~(1 << centre), anywhere)
    certificate = problem.certificate(problem.start)
    assert certificate.text.startswith(
        "its position class, which no jump changes, is that of no goal; position classes exclude "
        "every last peg from here, but not where the only hole is on 0, "
    )
    assert {part["kind"] for part in certificate.data["parts"]} == {"position class"}
    for model in (problem, ChainMoves(problem), MoverState(problem)):
        result = solve(model, UniformCost())
        assert (result.status, result.statistics.generated) == (Status.UNSOLVABLE, 0)
        assert holds(model, result.certificate)


def test_single_vacancies_of_the_english_board_have_no_certificate():
    """All 21 problems that the rule of three allows can be solved (Beasley 1985)."""
    problems = allowed_by_classes(ENGLISH)
    assert len(problems) == 21
    assert all(problem.certificate(problem.start) is None for problem in problems)


def test_pagodas_exclude_three_problems_of_the_diamond_board():
    certificates = [
        (problem, problem.certificate(problem.start)) for problem in allowed_by_classes(DIAMOND)
    ]
    assert len(certificates) == 17
    excluded = [(problem, found) for problem, found in certificates if found is not None]
    assert len(excluded) == 3
    assert all(found.kind == "pagoda" and holds(each, found) for each, found in excluded)


def allowed_by_classes(board):
    """From one hole to one peg, up to symmetry, where the position classes are the same."""
    maps = [permutation for _, permutation in cell_maps(board)]
    found = {}
    for vacant in range(len(board.cells)):
        for last in range(len(board.cells)):
            problem = PegSolitaire.single_vacancy(board, vacant, last)
            if position_class(problem.board, problem.start) == position_class(
                problem.board, 1 << last
            ):
                found.setdefault(min((each[vacant], each[last]) for each in maps), problem)
    return list(found.values())


# The solver


def test_pagodas_are_found_in_no_time():
    problem = PegSolitaire.single_vacancy(WIEGLEB, 22)
    impossible.pagodas(problem.board, problem.start, problem.goals)  # loads the solver
    times = []
    for _ in range(5):
        began = time.process_time()
        assert problem.certificate(problem.start) is None
        times.append(time.process_time() - began)
    assert min(times) < 0.05


@pytest.fixture
def forget():
    """Forget what is known of the solver, before and after."""

    def clear():
        impossible._solver.cache_clear()

    clear()
    yield
    clear()


@pytest.mark.usefixtures("forget")
@pytest.mark.parametrize("missing", ["scipy", "scipy.optimize"])
def test_without_the_solver_no_pagoda_is_found(missing, monkeypatch):
    monkeypatch.setitem(sys.modules, missing, None)
    if missing == "scipy":
        monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    assert BY_PAGODA.certificate(BY_PAGODA.start) is None
    assert TWO_GOALS.certificate(TWO_GOALS.start) is None
    assert BY_CLASS.certificate(BY_CLASS.start).kind == "position class"
    assert solve(BY_PAGODA, BreadthFirst()).certificate.kind == "closed set"


@pytest.mark.usefixtures("forget")
@pytest.mark.parametrize("weights", [[1.0] * 9, [0.0] * 9, [-1 + 1e-3] * 8 + [1.0]])
def test_a_solver_that_errs_is_not_believed(weights, monkeypatch):
    monkeypatch.setattr(impossible, "_solve", lambda board, difference: weights)
    assert BY_PAGODA.certificate(BY_PAGODA.start) is None


def test_what_is_solved_at_once_needs_no_solver(monkeypatch):
    monkeypatch.delitem(sys.modules, "scipy.optimize", raising=False)
    monkeypatch.setattr(impossible, "_weights", None)
    for vacant in (0, 6):
        problem = PegSolitaire.single_vacancy(HOPPERS, vacant)
        assert problem.certificate(problem.start) is None
    assert impossible.found_at_once(SQUARE, 0b11, [0b100])
    assert not impossible.found_at_once(SQUARE, 0b11, [0b1000])
    assert not impossible.found_at_once(ENGLISH, ENGLISH.full & ~(1 << 16), [1 << 16])  # gives up


@pytest.mark.slow_variants("hoppers", "diamond")
@pytest.mark.parametrize("board", BOARDS.values(), ids=lambda board: board.name)
def test_the_weights_of_every_board_are_exact(board):
    rng = random.Random(board.name)
    cells = range(len(board.cells))
    found = 0
    for _ in range(100):
        start = bits_of(rng.sample(cells, rng.randint(2, 8)))
        problem = PegSolitaire(board, start, tuple(1 << cell for cell in rng.sample(cells, 3)))
        certificate = problem.certificate(problem.start)
        if certificate is not None:
            assert holds(problem, certificate)
            for data, goals in pagoda_parts(problem, certificate):
                assert is_pagoda(board, data, problem.start, goals)
                found += 1
    assert found > 5


@pytest.mark.spread
@pytest.mark.parametrize("board", [FRENCH, DIAMOND, ENGLISH], ids=lambda board: board.name)
@pytest.mark.parametrize("vacant", [0, 2, 5, 18])
def test_what_position_classes_leave_open_is_told_beside_what_they_exclude(board, vacant):
    start = board.full & ~(1 << vacant)
    cells = range(len(board.cells))
    kinds = {
        cell: getattr(PegSolitaire(board, start, (1 << cell,)).certificate(start), "kind", None)
        for cell in cells
    }
    left = [cell for cell in cells if kinds[cell] != "position class"]
    for cell in cells:
        if kinds[cell] != "position class":
            continue
        text = PegSolitaire(board, start, (1 << cell,)).certificate(start).text
        if left:
            named = text.split("do not exclude a last peg on ")[1]
        else:
            named = text.split("where the only hole is on ")[1]
            assert str(vacant) not in re.findall(r"\d+", named)
        assert not left or [*map(int, re.findall(r"\d+", named))] == left


@pytest.mark.parametrize("model", [PegSolitaire, ChainMoves, MoverState])
def test_who_gives_up_is_told_which_last_pegs_are_left_open(model):
    anywhere = tuple(1 << cell for cell in range(len(FRENCH.cells)))
    jumps = PegSolitaire(FRENCH, FRENCH.full & ~1, anywhere)
    problem = jumps if model is PegSolitaire else model(jumps)
    told = "position classes exclude every last peg but one on 2, 16, 19 or 36"
    gave_up = solve(problem, UniformCost(), limits=Limits(expansions=3))
    assert gave_up.open_goals == told
    assert f"; {told}; raise the limit" in gave_up.advice
    one = solve(jumps.with_goal(1 << 2), UniformCost(), limits=Limits(expansions=3))
    assert one.open_goals is None


@pytest.mark.parametrize("board", [FRENCH, HOPPERS], ids=lambda board: board.name)
@pytest.mark.parametrize("vacant", [0, 5])
def test_a_last_peg_is_left_open_just_where_it_has_no_certificate(board, vacant):
    cells = range(len(board.cells))
    problem = PegSolitaire(board, board.full & ~(1 << vacant), tuple(1 << cell for cell in cells))
    left = [
        cell for cell in cells if problem.with_goal(1 << cell).certificate(problem.start) is None
    ]
    told = problem.open_goals(problem.start)
    if len(left) == len(cells):
        assert told is None
    else:
        assert [*map(int, re.findall(r"\d+", told))] == left
