"""What runs where nobody names an algorithm: the library and the command line choose alike."""

from __future__ import annotations

import json

import pytest

from searchkit import Limits, puzzle, solve
from searchkit.registry import installed

NAMES = [entry.name for entry in installed().puzzles.entries]


@pytest.mark.slow_variants("cube3-count-words1", "24-puzzle-one-words0", "15-puzzle-one-words0")
@pytest.mark.spread
@pytest.mark.parametrize(("want", "words"), [("one", ()), ("count", ("--count",))])
@pytest.mark.parametrize("name", NAMES)
def test_solve_chooses_what_the_command_line_does(name, want, words, call):
    found = solve(puzzle(name), want=want, limits=Limits(expansions=0))
    told = json.loads(call("run", name, *words, "--max-expansions", "0", "--json").out)
    ours = (type(found.algorithm).name, found.heuristic)
    assert ours == (told["algorithm"], told["heuristic"])
