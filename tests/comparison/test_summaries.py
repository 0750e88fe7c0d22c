"""Medians, spreads and disagreements, against slow definitions and by hand."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit.comparison import (
    Board,
    Spread,
    disagreements,
    summaries,
)
from searchkit.comparison.comparison import common_boards
from searchkit.comparison.tables import (
    basis,
    csv_head,
    csv_line,
    json_text,
    markdown_table,
    notes,
    summary_table,
)
from tests.support.comparisons import ASTAR, BFS, boards, comparison, limited, run


@given(st.lists(st.floats(0, 1e12), min_size=1, max_size=40))
def test_a_spread_is_that_of_numpy(values: list[float]) -> None:
    spread = Spread.of(values)
    assert spread is not None
    found = (spread.least, spread.lower, spread.median, spread.upper, spread.most)
    assert found == pytest.approx(np.percentile(values, [0, 25, 50, 75, 100]), rel=1e-12)


def test_nothing_has_no_spread() -> None:
    assert Spread.of([]) is None


def test_runs_that_failed_are_counted_apart_and_never_averaged() -> None:
    runs = [
        run(1, seconds=1.0),
        run(1, seconds=3.0, repeat=2),
        limited(2, seconds=60.0),
        limited(2, limit="memory", seconds=50.0, repeat=2),
        run(3, cost=None, status="unsolvable", seconds=70.0),
        run(3, cost=None, status="crashed", seconds=80.0, reason="it broke", repeat=2),
    ]
    (summary,) = summaries([BFS], runs)
    assert summary.outcomes == {
        "solved": 2, "time limit": 1, "memory limit": 1, "unsolvable": 1, "crashed": 1
    }  # fmt: skip
    assert (summary.solved, summary.runs) == (2, 6)
    assert summary.own["seconds"] == Spread(1.0, 1.5, 2.0, 2.5, 3.0)
    assert summary.reasons == ("it broke",)


def test_medians_that_are_compared_are_of_boards_that_all_have_solved() -> None:
    runs = [
        run(1, seconds=1.0), run(2, seconds=2.0), run(3, seconds=100.0),
        run(1, ASTAR, seconds=5.0), run(2, ASTAR, seconds=7.0), limited(3, ASTAR),
    ]  # fmt: skip
    assert common_boards([BFS, ASTAR], runs) == {1, 2}
    bfs, astar = summaries([BFS, ASTAR], runs)
    assert bfs.own["seconds"].median == 2.0
    assert bfs.common["seconds"].median == 1.5
    assert astar.own == astar.common


def test_who_has_solved_nothing_takes_no_board_from_the_others() -> None:
    runs = [run(1), run(2), limited(1, ASTAR), limited(2, ASTAR)]
    assert common_boards([BFS, ASTAR], runs) == {1, 2}


def test_a_board_that_one_repeat_has_not_solved_is_not_common() -> None:
    runs = [run(1), limited(1, repeat=2), run(2), run(2, repeat=2)]
    assert common_boards([BFS], runs) == {2}


COSTS = st.integers(0, 6)


@given(
    st.lists(
        st.tuples(st.sampled_from(["optimal", "some", "none", "limit"]), COSTS, st.integers(0, 3)),
        max_size=6,
    ),
    st.none() | COSTS,
)
def test_a_disagreement_is_a_board_without_a_cost_that_all_allow(
    told: list[tuple[str, int, int]], known: int | None
) -> None:
    """An optimal cost that fits all runs exists, or infinity does, or it is told."""
    runs = []
    for kind, cost, slack in told:
        if kind == "none":
            runs.append(run(1, cost=None, status="unsolvable", lower_bound=None))
        elif kind == "limit":
            runs.append(limited(1, lower_bound=float(cost)))
        else:
            bound = cost if kind == "optimal" else max(0, cost - slack)
            runs.append(run(1, cost=cost, optimal=kind == "optimal", lower_bound=float(bound)))

    def fits(optimum: float) -> bool:
        if known is not None and optimum != known:
            return False
        for kind, cost, slack in told:
            good = {
                "optimal": optimum == cost,
                "some": max(0, cost - slack) <= optimum <= cost,
                "none": optimum == math.inf,
                "limit": optimum >= cost,
            }[kind]
            if not good:
                return False
        return True

    agree = any(fits(optimum) for optimum in [*range(8), math.inf])
    assert bool(disagreements(boards(known), runs)) is not agree


def test_a_disagreement_names_the_board_and_both_sides() -> None:
    (line,) = disagreements(boards(None, None), [run(1), run(2), run(2, ASTAR, cost=7)])
    for words in ["bfs says 5", "astar (m) says 7, optimal", "b2: s2"]:
        assert words in line
    (line,) = disagreements(boards(4), [run(1)])
    assert "4 is known to be optimal" in line
    assert "bfs says 5" in line


def test_what_was_proved_below_a_solution_that_is_not_optimal_is_no_disagreement() -> None:
    runs = [run(1), run(1, ASTAR, cost=9, optimal=False, lower_bound=3.0)]
    assert disagreements(boards(5), runs) == []


def test_csv_is_read_back() -> None:
    odd = Board(number=1, name='say "a, b"', text="1 2 /\n3", known_cost=5)
    record = run(1, ASTAR, seconds=0.1, lower_bound=math.inf, reason="x,y")
    text = csv_head() + csv_line(record, comparison([], boards=(odd,)))
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["board_name"], row["start"]) == (odd.name, odd.text)
    assert (row["algorithm"], row["heuristic"], row["known_cost"]) == ("astar", "m", "5")
    assert (row["seconds"], row["optimal"], row["lower_bound"]) == ("0.1", "true", "")
    assert (row["cpu_seconds"], row["reason"]) == ("", "x,y")
    assert None not in row


def test_json_has_all_and_knows_no_infinity() -> None:
    runs = [run(1), limited(2, lower_bound=math.inf)]
    document = json.loads(json_text(comparison(runs)), parse_constant=pytest.fail)
    assert document["format"] == "searchkit-comparison/1"
    assert document["complete"] is False
    assert [each["board"] for each in document["runs"]] == [1, 2]
    assert document["runs"][1]["lower_bound"] is None
    assert document["summaries"][0]["outcomes"] == {"solved": 1, "time limit": 1}
    assert document["common_boards"] == [1]
    assert {"python", "numba", "system"} <= set(document["environment"])


def test_the_table_says_what_it_is_of() -> None:
    runs = [run(1), limited(2), run(1, ASTAR, seconds=0.001), run(2, ASTAR, engine="compiled")]
    made = comparison(runs)
    table = summary_table(made)
    assert [row[:5] for row in table.rows] == [
        ["bfs", "", "1/2", "1 time limit", "5"],
        ["astar", "m", "2/2", "", "5"],
    ]
    assert "the 1 of 2 boards" in basis(made)
    told = " ".join(notes(made))
    assert "astar (m) ran on more than one engine (1 reference, 1 compiled)" in told
    assert "stopped" not in told
    assert "stopped after 3 of 4 runs" in " ".join(notes(comparison(runs[:3])))
    assert "no board was solved" in basis(comparison([limited(1)]))


def test_markdown() -> None:
    assert markdown_table(["a|b", "n"], [["x", "1"]], ["n"]) == (
        "| a\\|b | n |\n| --- | ---: |\n| x | 1 |\n"
    )


def test_why_there_was_no_machine_code_is_said() -> None:
    why = "Grid.successors, grid.py:7: uses finally"
    runs = [run(1, engine="reference", engine_reason=why), run(1, ASTAR, engine="compiled")]
    made = comparison(runs)
    said = "ran on the reference engine, for there is no machine code: Grid.successors, grid.py:7"
    assert [each for each in notes(made) if said in each] == [
        f"{BFS.label} ran on the reference engine, for there is no machine code: {why}"
    ]
    assert json.loads(json_text(made))["summaries"][0]["engine_reasons"] == [why]
