"""Certificates as values, and their checks: closed sets, several starts, forgeries."""

import math
import pickle

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import (
    BreadthFirst,
    Costs,
    Limits,
    Problem,
    ProblemError,
    SearchResult,
    Status,
    Step,
    UniformCost,
    solve,
)
from searchkit.certificates import (
    Certificate,
    closed_set,
    entries,
    read_certificate,
    start_by_start,
)
from searchkit.errors import VerificationError
from searchkit.verify import Recheck, verify_certificate
from tests.support.graphs import Graph

# The value


def test_a_certificate_is_a_value():
    one = Certificate("of\n parity", " odd\n  swaps ", {"cells": (1, 2)})
    assert (one.kind, one.text, one.data) == ("of parity", "odd swaps", {"cells": [1, 2]})
    assert one == Certificate("of parity", "odd swaps", {"cells": [1, 2]})
    assert hash(one) == hash(Certificate("of parity", "odd swaps"))
    assert one != Certificate("of parity", "odd swaps")
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        one.kind = "other"
    assert read_certificate(attrs.asdict(one)) == one


def test_a_kind_is_what_was_written():
    fields = {"kind": " parity", "text": "  of people,\nfor people", "data": {}}
    with pytest.raises(VerificationError, match=r"its kind is ' parity'; did you mean 'parity'\?"):
        read_certificate(fields)
    assert read_certificate(fields | {"kind": "parity"}).text == "of people, for people"


def test_the_data_are_a_copy():
    cells = [1, 2]
    certificate = Certificate("parity", "odd", {"cells": cells})
    cells.append(3)
    assert certificate.data == {"cells": [1, 2]}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("", "text"), "a certificate has no kind; give it one line"),
        (("kind", " \n"), "a certificate has no text; give it one line"),
        (("kind", "text", {"a": {1, 2}}), "data that JSON cannot hold: .*set is not JSON"),
        (("kind", "text", {"a": math.nan}), "data that JSON cannot hold"),
        (("kind", "text", 3), "data that JSON cannot hold"),
    ],
)
def test_what_is_no_certificate(arguments, message):
    with pytest.raises(ProblemError, match=message):
        Certificate(*arguments)


def test_a_result_tells_the_reason():
    result = SearchResult(status=Status.UNSOLVABLE, algorithm=BreadthFirst(), engine="reference")
    assert result.reason is None
    result = attrs.evolve(result, certificate=Certificate("kind", "why"))
    assert (result.reason, result.advice) == ("why", "unsolvable: why")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "its data must have the entries 'cells', 'start', 'note', and no other"),
        ({"cells": [1], "start": 1}, "must have the entries"),
        ({"cells": [1], "start": 1, "note": {}, "more": 1}, "and no other"),
        ({"cells": 1, "start": 1, "note": {}}, "entry 'cells' of its data must be a list of whole"),
        ({"cells": [1.5], "start": 1, "note": {}}, "must be a list of whole numbers"),
        ({"cells": [True], "start": 1, "note": {}}, "must be a list of whole numbers"),
        ({"cells": [1], "start": "1", "note": {}}, "entry 'start' of its data must be a whole num"),
        ({"cells": [1], "start": 1, "note": []}, "entry 'note' of its data must be an object"),
    ],
)
def test_entries_of_the_wrong_type(data, message):
    types = {"cells": list[int], "start": int, "note": dict}
    assert entries({"start": 2, "note": {}, "cells": [1]}, types) == [[1], 2, {}]
    with pytest.raises(VerificationError, match=message):
        entries(data, types)


def test_lists_of_lists():
    assert entries({"a": [[1], []]}, {"a": list[list[int]]}) == [[[1], []]]
    with pytest.raises(VerificationError, match="must be a list of lists of whole numbers"):
        entries({"a": [1]}, {"a": list[list[int]]})


# Closed sets


def line(*edges, starts=(0,), goals=(9,)):
    """A graph of ten states with those edges, each of cost 1."""
    return Graph(10, tuple((a, f"{a}{b}", b, 1) for a, b in edges), starts, frozenset(goals),
                 Costs.UNIT)  # fmt: skip


CUT = line((0, 1), (1, 2), (2, 0), (8, 9))


def test_a_search_that_tried_everything_certifies_it():
    result = solve(CUT, BreadthFirst())
    assert result.certificate == Certificate(
        "closed set",
        "every state that can be reached was tried (3 expanded)",
        {"from": "start", "expanded": 3, "algorithm": "bfs", "symmetry": "none"},
    )
    assert verify_certificate(CUT, result.certificate) == Recheck(3)


@pytest.mark.parametrize("limits", [Limits(expansions=2), Limits(cost=1)])
def test_a_search_that_gave_up_certifies_nothing(limits):
    assert solve(CUT, BreadthFirst(), limits=limits).certificate is None


def test_a_solved_problem_has_no_certificate():
    assert solve(line((0, 9)), BreadthFirst()).certificate is None


def test_a_closed_set_is_explored_to_a_limit():
    certificate = closed_set("all tried", expanded=3, algorithm="astar")
    assert verify_certificate(CUT, certificate, max_expansions=3) == Recheck(3)
    assert verify_certificate(CUT, certificate, max_expansions=2) == Recheck(2, finished=False)
    large = closed_set("all tried", expanded=3, algorithm="bfs")
    assert verify_certificate(CUT, large, max_expansions=2) == Recheck(0, finished=False)


def test_the_listener_hears_of_expansions():
    class Count(Problem):
        def initial_states(self):
            return [0]

        def successors(self, state):
            return [Step("+", state + 1)] if state < 2500 else []

        def is_goal(self, state):
            return False

    heard = []
    result = solve(Count(), UniformCost())
    verify_certificate(Count(), result.certificate, listener=heard.append)
    assert heard == [1000, 2000]


@pytest.mark.parametrize(
    ("problem", "certificate", "message"),
    [
        (
            line((0, 1), (1, 2), (2, 9)),
            closed_set("no", expanded=3, algorithm="bfs"),
            "there is a way between a start and a goal, at 9",
        ),
        (
            line(goals=(0,)),
            closed_set("no", expanded=1, algorithm="bfs"),
            "there is a way between a start and a goal, at 0",
        ),
        (
            CUT,
            closed_set("no", expanded=4, algorithm="bfs"),
            "it says that bfs expanded 4 states, but there are 3",
        ),
        (CUT, closed_set("no", expanded=2, algorithm="ucs"), "ucs expanded 2 states, but there ar"),
        (
            CUT,
            closed_set("no", expanded=3, algorithm="bfs", origin="middle"),
            "its states cannot be explored from 'middle'",
        ),
        (
            CUT,  # is directed
            closed_set("no", expanded=3, algorithm="bfs", origin="goal"),
            "its states cannot be explored from 'goal'",
        ),
        (CUT, Certificate("closed set", "no", {"expanded": 3}), "must have the entries 'from', "),
        (
            CUT,
            Certificate(
                "closed set",
                "no",
                {"from": "start", "expanded": 3.5, "algorithm": "bfs", "symmetry": "none"},
            ),
            "'expanded' of its data must be a whole number",
        ),
        (CUT, Certificate("parity", "no"), "nothing can check it, for Graph has no check_cert"),
    ],
)
def test_forged_certificates_are_refused(problem, certificate, message):
    with pytest.raises(VerificationError, match=message):
        verify_certificate(problem, certificate)


def test_a_search_without_symmetric_first_steps_expands_less():
    certificate = closed_set("no", expanded=2, algorithm="bfs")
    assert verify_certificate(CUT, certificate, exact=False) == Recheck(3)


class Rooms(Problem):
    """The numbers to 9, and doors between neighbours but for one pair; back and forth."""

    undirected = True

    def __init__(self, wall=5, start=7, goal=2):
        self.wall, self.start, self.goal = wall, start, goal

    def initial_states(self):
        return [self.start]

    def successors(self, state):
        for other in (state - 1, state + 1):
            if 0 <= other <= 9 and {state, other} != {self.wall - 1, self.wall}:
                yield Step(other, other)

    def is_goal(self, state):
        return state == self.goal

    def goal_states(self):
        return [self.goal]


@given(st.integers(1, 9), st.integers(0, 9), st.integers(0, 9))
def test_closed_sets_from_either_side(wall, start, goal):
    rooms = Rooms(wall, start, goal)
    apart = (start < wall) != (goal < wall)
    sizes = {
        "start": wall if start < wall else 10 - wall,
        "goal": wall if goal < wall else 10 - wall,
    }
    for origin, size in sizes.items():
        for claimed in (size, size + 1):
            certificate = closed_set("apart", expanded=claimed, algorithm="bfs", origin=origin)
            if apart and claimed == size:
                assert verify_certificate(rooms, certificate) == Recheck(size)
            else:
                with pytest.raises(VerificationError):
                    verify_certificate(rooms, certificate)


# Several starts


class Sinks(Graph):
    """A graph that certifies its sinks."""

    def certificate(self, state):
        return Certificate("sink", f"{state} is a sink", {"n": state}) if state > 5 else None

    def check_certificate(self, start, certificate):
        if certificate.kind != "sink":
            return f"{certificate.kind} is not a sink"
        (state,) = entries(certificate.data, {"n": int})
        return None if state == start and not self.successors(start) else "it is not a sink"


def sinks(*starts):
    return Sinks(10, ((0, "a", 1, 1),), starts, frozenset({1}), Costs.UNIT)


def test_each_of_several_starts_has_its_certificate():
    problem = sinks(6, 7)
    result = solve(problem, BreadthFirst())
    assert result.statistics.generated == 0
    assert result.reason == "6 is a sink"
    assert result.certificate == start_by_start(
        {str(start): problem.certificate(start) for start in (6, 7)}
    )
    assert result.certificate.kind == "start by start"
    assert [part["start"] for part in result.certificate.data["parts"]] == ["6", "7"]
    assert verify_certificate(problem, result.certificate) == Recheck()
    # One start that is not certified leaves it to the search.
    assert solve(sinks(6, 3), BreadthFirst()).certificate.kind == "closed set"
    assert solve(sinks(6), BreadthFirst()).certificate.kind == "sink"


def _change(number, **fields):
    def change(parts):
        parts[number].update(fields)

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda parts: parts.pop(), "it does not exclude the start '7'"),
        (_change(1, start="6"), "it excludes '6', which is not a start or is excluded twice"),
        (_change(0, start="5"), "it excludes '5', which is not a start"),
        (_change(0, start=[]), "it excludes \\[\\], which is not a start"),
        (_change(0, kind="hole"), "hole is not a sink"),
        (_change(0, kind=" "), "a certificate has no kind"),
        (_change(0, data={"n": 7}), "it is not a sink"),
        (_change(0, data={"n": True}), "'n' of its data must be a whole number"),
        (_change(0, more=1), "it must have the entries 'kind', 'text', 'data', and no other"),
        (_change(0, kind="start by start", data={"parts": []}), "start by start is not a sink"),
    ],
)
def test_forged_parts_are_refused(change, message):
    problem = sinks(6, 7)
    parts = [{"start": str(start), **attrs.asdict(problem.certificate(start))} for start in (6, 7)]
    change(parts)
    with pytest.raises(VerificationError, match=message):
        verify_certificate(problem, Certificate("start by start", "no", {"parts": parts}))


def test_closed_sets_of_several_starts_share_no_limit():
    problem = sinks(6, 7)
    certificate = start_by_start(
        {text: closed_set("no", expanded=1, algorithm="bfs") for text in ("6", "7")}
    )
    assert verify_certificate(problem, certificate) == Recheck(2)
    loop = Sinks(10, ((7, "a", 7, 1), (7, "b", 8, 1)), (6, 7), frozenset({1}), Costs.UNIT)
    certificate = start_by_start(
        {text: closed_set("no", expanded=1, algorithm="astar") for text in ("6", "7")}
    )
    assert verify_certificate(loop, certificate, max_expansions=1) == Recheck(2, finished=False)


def test_a_certificate_of_one_start_must_hold_for_all():
    problem = sinks(6, 7)
    with pytest.raises(VerificationError, match="it is not a sink"):
        verify_certificate(problem, problem.certificate(6))
