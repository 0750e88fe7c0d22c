"""`searchkit play`: moves by hand, and hints."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.cli_calls import Call

EASY = ["play", "8-puzzle", "--start", "123456078"]


def said(call: Call, *lines: str, args: list[str] = EASY) -> list[str]:
    outcome = call(*args, stdin="".join(f"{line}\n" for line in lines))
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.out.splitlines()


def test_a_puzzle_is_solved_by_hand(call: Call) -> None:
    lines = said(call, "7", "8")
    assert lines[-1] == "solved in 2 moves"
    assert lines.count("│ 7 │ 8 │   │") == 1


def test_hints_lead_to_the_goal(call: Call) -> None:
    first = said(call, "hint")
    assert "7 (2 moves to go, which is optimal)" in first
    assert "7 8 (2 moves to go, which is optimal)" in said(call, "solve")
    assert said(call, "hint", "7", "8")[-1] == "solved in 2 moves, with help"


def test_moves_are_taken_back(call: Call) -> None:
    lines = said(call, "undo", "4", "undo", "7", "restart", "quit")
    assert "there is no move to take back" in lines
    assert lines[-1] == "ended after 0 moves"
    assert sum(line.startswith("moves: ") for line in lines) == 5


def test_what_is_no_move_is_told(call: Call) -> None:
    lines = said(call, "8", "", "what", "help")
    assert "'8' is not a move here; moves: 4 7; or say help" in lines
    assert "'what' is not a move here; moves: 4 7; or say help" in lines
    assert any(line.startswith("hint ") for line in lines)
    assert lines[-1] == "ended after 0 moves"


def test_beginnings_of_moves(call: Call) -> None:
    args = ["play", "hoppers"]
    lines = said(call, "[", "[0", args=args)
    assert any("may be" in line for line in lines)
    assert lines[-1] == "ended after 1 move"


def test_letters_of_a_cube_are_its_moves(call: Call) -> None:
    args = ["play", "cube2", "--scramble", "1", "--seed", "1"]
    assert said(call, "u", "u'", args=args)[-1].endswith(" moves")


def test_several_moves_on_a_line(call: Call) -> None:
    args = ["play", "cube3", "--start", "R U2 F'"]
    assert said(call, "f u2 r'", args=args)[-1] == "solved in 3 moves"
    lines = said(call, "F U2 x", args=args)
    assert any(line.startswith("'F U2 x' is not a move here; moves: U U2") for line in lines)
    assert lines[-1] == "ended after 0 moves"


def test_a_start_that_cannot_be_solved(call: Call) -> None:
    args = ["play", "8-puzzle", "--start", "213456780"]
    told = "there is no way to the goal from here"
    lines = said(call, "hint", "8", "hint", args=args)
    assert f"{told}, nor from anywhere that moves lead to" in lines
    assert f"{told}; undo" in lines


@pytest.mark.parametrize("puzzle", ["6-puzzle", "15-puzzle", "pancakes", "topspin", "peg"])
def test_every_puzzle_can_be_played(call: Call, puzzle: str) -> None:
    lines = said(call, "quit", args=["play", puzzle])
    assert any(line.startswith("moves: ") for line in lines)


def test_moves_of_one_text_are_pointed_out_once_and_the_first_is_made(
    call: Call, tmp_path: Path
) -> None:
    file = tmp_path / "hops.py"
    file.write_text(
        "from searchkit import Problem, Step\n"
        "class Hops(Problem):\n"
        "    def initial_states(self): return [0]\n"
        "    def successors(self, state):\n"
        "        yield Step('go', state + 1)\n"
        "        yield Step('go', state + 2)\n"
        "    def is_goal(self, state): return state == 2\n"
    )
    outcome = call("play", str(file), stdin="go\ngo\n")
    assert outcome.code == 0
    assert outcome.err.count("the moves are ambiguous: go is the text of several") == 1
    assert "solved in 2 moves" in outcome.out
    file.write_text(file.read_text().replace("state + 2", "state + 1"))
    assert call("play", str(file), stdin="go\ngo\n").err == ""  # twice the same step is one
