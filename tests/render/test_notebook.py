"""How values show themselves in Jupyter."""

from __future__ import annotations

import attrs

from searchkit import AStar, BreadthFirst, Problem, Step, solve
from searchkit.picture import Picture, Piece
from searchkit_sliding import eight_puzzle
from tests.support.pages import EVIL, Hostile, HostilePicture, Page


def test_a_result_tells_how_it_ended_and_plays_what_it_found() -> None:
    problem = eight_puzzle().with_start(eight_puzzle().parse("123450786"))
    shown = Page(solve(problem, AStar())._repr_html_())
    (frame,) = shown.all("iframe")
    assert frame["sandbox"] == "allow-scripts"
    inside = Page(frame["srcdoc"] or "")
    assert inside.data["title"] == "SlidingPuzzle"
    assert [step["move"] for step in inside.data["solutions"][0]["steps"]] == ["6"]
    assert "solved with cost 1 (optimal)" in shown.inside("p")
    assert "AStar (reference engine)" in shown.inside("td")


def test_a_result_without_a_solution_says_why() -> None:
    problem = eight_puzzle().with_start(eight_puzzle().parse("123456870"))
    shown = Page(solve(problem, AStar())._repr_html_())
    assert shown.all("iframe") == []
    assert any("unsolvable: odd permutation" in text for text in shown.inside("p"))


def test_results_are_equal_or_not_whatever_problem_they_are_of() -> None:
    result = solve(Hostile(), BreadthFirst())
    assert isinstance(result.problem, Hostile)
    assert attrs.evolve(result, problem=None) == result
    assert "problem" not in repr(result)
    assert "iframe" not in attrs.evolve(result, problem=None)._repr_html_()


def test_hostile_texts_stay_texts() -> None:
    for problem in (Hostile(), HostilePicture()):
        result = solve(problem, BreadthFirst())
        assert result.solution is not None
        for value in (problem, result, result.solution):
            shown = Page(value._repr_html_())
            assert {tag for tag, _ in shown.elements} <= {
                "p", "code", "pre", "iframe", "table", "tr", "th", "td"
            }  # fmt: skip
            for frame in shown.all("iframe"):
                assert "img" not in {tag for tag, _ in Page(frame["srcdoc"] or "").elements}
    assert Page(Hostile()._repr_html_()).inside("pre")[0].startswith(EVIL)


class Long(Problem[int, str]):
    def initial_states(self):
        return [0]

    def successors(self, state):
        return [Step(f"<{state}>", state + 1)]

    def is_goal(self, state):
        return state == 300


def test_a_solution_tells_its_first_moves() -> None:
    solution = solve(Long(), BreadthFirst()).solution
    assert solution is not None
    shown = Page(solution._repr_html_())
    assert shown.inside("code") == [f"<{number}>" for number in range(200)]
    assert "300 steps, cost 300" in shown.inside("p")[0]
    assert shown.inside("p")[-1].endswith("…")


def test_a_picture_shows_itself() -> None:
    shown = Page(Picture(1, 1, [Piece("a", 0.5, 0.5, label="<7>")])._repr_html_())
    (frame,) = shown.all("iframe")
    assert Page(frame["srcdoc"] or "").inside("text") == ["<7>"]


class Nowhere(Long):
    def initial_states(self):
        return []


def test_a_problem_without_a_start_says_its_name() -> None:
    assert Nowhere()._repr_html_() == "<p><code>Nowhere</code></p>"
