"""Proofs of what transforms make of puzzles are accepted by their slow rules, and by the twin."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from searchkit import UniformCost, solve
from searchkit.capabilities import HasPlainText
from searchkit.errors import UnsuitableError
from searchkit.proofs.checker import check, read
from searchkit.proofs.distances import prove_distances
from searchkit.proofs.judging import verify_proof
from searchkit.proofs.twin import verify_by_twin
from searchkit.proofs.writing import Proof, prove
from searchkit.transforms import ChainMoves, MoverState, fix_first_step
from searchkit_pancakes import pancakes
from searchkit_peg import hoppers
from searchkit_sliding import Board, SlidingPuzzle

JUMPS = hoppers("jumps")
SLIDING = SlidingPuzzle.read(Board.rectangle(3, 3), "123456780", "012345678", "tile")
AMID = MoverState(JUMPS)
AMID = AMID.with_start(next(step.state for step in AMID.successors(AMID.initial_states()[0])))
MADE = {
    "jumps": (JUMPS, 5664),
    "chains": (ChainMoves(JUMPS), 72),
    "the mover": (MoverState(JUMPS), 72),
    "the mover amid a move": (AMID, 18),
    "first jumps": (fix_first_step(JUMPS), 1416),
    "first moves": (fix_first_step(hoppers()), 18),
    "first moves, in Python": (fix_first_step(ChainMoves(JUMPS)), 18),
    "first moves of the mover": (fix_first_step(MoverState(JUMPS)), 18),
    "chains after first jumps": (ChainMoves(fix_first_step(JUMPS)), 18),
    "the mover after first jumps": (MoverState(fix_first_step(JUMPS)), 18),
    "pancakes": (pancakes(5), None),
    "sliding": (fix_first_step(SLIDING) or SLIDING, None),
}


@pytest.mark.slow_variants(
    "sliding",
    "the mover",
    "jumps",
    "first jumps",
    "first moves, in Python",
    "chains",
    "first moves",
    "the mover amid a move",
    "first moves of the mover",
)
@pytest.mark.parametrize("name", MADE)
def test_honest_proofs_are_accepted(name, tmp_path):
    problem, count = MADE[name]
    path = tmp_path / "answer.proof"
    result = solve(problem, UniformCost(), want="count")
    assert count in (None, result.count)
    prove(result, Proof(path=path))
    verdict = verify_proof(path, problem)
    assert verdict.kind == "count"
    try:
        assert verify_by_twin(path, problem).text == verdict.text
    except UnsuitableError:
        assert "after first jumps" in name  # there is no machine code
    if isinstance(problem, HasPlainText) and problem.plain_text():
        rules: dict = {}
        exec(problem.plain_text(), rules)
        assert check(*read(path), SimpleNamespace(**rules)).text == verdict.text
    if "mover" not in name:  # whose steps may cost nothing
        prove_distances(problem, Proof(path=path))
        assert verify_proof(path, problem).kind == "distances"
