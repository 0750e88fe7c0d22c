"""What an answer rests on, as the command line tells it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.cli_calls import Call

PLUGIN = """
from searchkit import *; from searchkit.errors import *; from searchkit.certificates import *

class Row(Problem):
    def __init__(self, start=4): self.start = int(start)
    def initial_states(self): return [self.start]
    def successors(self, state): return [Step("left", state - 1), Step("right", state + 1)]
    def is_goal(self, state): return state == 0
    def heuristic(self, state): return 3 * abs(state)
    def parse(self, text): return int(text)
    def with_start(self, state): return Row(state)

class Forgetful(Row):
    def is_goal(self, state): state == 0

@hookimpl
def searchkit_register_puzzles(register):
    register("row", Row)
    register("forgetful", Forgetful)
"""
TOLD = "not proved optimal: the heuristic overestimates: 12 at 4, 4 from a goal"


@pytest.fixture
def plugin(tmp_path: Path) -> str:
    file = tmp_path / "rows.py"
    file.write_text(PLUGIN)
    return str(file)


def test_an_overestimate_is_told(call: Call, plugin: str) -> None:
    row = ["run", "row", "--plugin", plugin, "--algo", "astar"]
    outcome = call(*row)
    assert outcome.code == 0
    assert f"4 moves, {TOLD}" in outcome.err + outcome.out
    boards = call(*row, "--boards", "-", stdin="4\n")
    assert boards.lines == [f"1: 4: 4 moves, {TOLD}: left left left left"]


def test_documents_tell_it_and_are_verified(call: Call, plugin: str) -> None:
    for more in ["--all"], []:
        text = call(
            "run", "row", "--plugin", plugin, "--algo", "astar", "-q", "--json", *more
        ).out  # fmt: skip
        document = json.loads(text)
        assert document["overestimate"] == TOLD.partition(": ")[2]
        assert (document["optimal"], document["lower_bound"]) == (False, 0)
        assert call("verify", "-", "--plugin", plugin, stdin=text).code == 0
        document |= {"lower_bound": 4, "optimal": True, "within": 1.0}
        forged = call("verify", "-", "--plugin", plugin, stdin=json.dumps(document))
        assert forged.code == 2
        assert "its heuristic overestimates, but its lower bound is 4" in forged.err


@pytest.mark.parametrize("command", [["run"], ["explore", "--max-cost", "3"]])
def test_a_broken_law_is_an_error_of_the_puzzle(
    call: Call, plugin: str, command: list[str]
) -> None:
    outcome = call(command[0], "forgetful", "--plugin", plugin, *command[1:])
    assert (outcome.code, len(outcome.err_lines)) == (1, 1)
    assert "Forgetful breaks the law goals: is_goal gives None for 4" in outcome.err
    assert f"{plugin}:14 in is_goal" in outcome.err
    assert "unsolvable" not in outcome.err + outcome.out
