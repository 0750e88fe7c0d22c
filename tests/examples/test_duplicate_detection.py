"""The comparisons of each way to know a state again, as a teaching article's programs make them."""

from __future__ import annotations

from collections import Counter
from types import ModuleType

import pytest

from searchkit.explore import explore
from searchkit_sliding import eight_puzzle, six_puzzle
from tests.support.examples import EXAMPLES

WHEEL_LAYERS = [1, 3, 9, 22, 42, 86, 183, 327, 516, 676, 783, 902, 834, 480, 152, 24]
COMPARISONS = {"ByList": 43_454_059, "ByTree": 353_230, "ByNumber": 0}
"""Of breadth-first search from the goal, of all 5040 positions (recomputed)."""
LONGEST_CHAINS = {19_997: 24, 18_144: 138, 16_384: 28}
TREE_HEIGHT = 73


@pytest.fixture(scope="module")
def example() -> ModuleType:
    """The example as a module."""
    module = ModuleType("duplicate_detection")
    code = (EXAMPLES / "duplicate_detection.py").read_text(encoding="utf-8")
    exec(compile(code, "duplicate_detection.py", "exec"), module.__dict__)
    return module


@pytest.mark.slow_variants("ByList-43454059")
@pytest.mark.parametrize(("kind", "comparisons"), COMPARISONS.items())
def test_comparisons_on_the_wheel(example: ModuleType, kind: str, comparisons: int) -> None:
    known = getattr(example, kind)(*[5040] * (kind == "ByNumber"))
    assert example.explore(example.Digits("wheel"), known) == WHEEL_LAYERS
    assert known.comparisons == comparisons


def test_hash_table_makes_the_comparisons_of_its_chains(example: ModuleType) -> None:
    known = example.ByHash(1009)
    assert example.explore(example.Digits("wheel"), known) == WHEEL_LAYERS
    assert known.comparisons == sum(chain.comparisons for chain in known.chains)
    assert sum(len(chain.met) for chain in known.chains) == 5040


@pytest.mark.slow
def test_chains_on_3x3(example: ModuleType) -> None:
    known = example.ByHash(19_997)
    assert sum(example.explore(example.Digits("3x3"), known)) == 181_440
    assert known.longest == LONGEST_CHAINS[19_997]
    boards = [int(board) for chain in known.chains for board in chain.met]
    for size, longest in LONGEST_CHAINS.items():
        assert max(Counter(board % size for board in boards).values()) == longest


@pytest.mark.slow
@pytest.mark.parametrize("turns_back", [True, False])
def test_tree_on_3x3(example: ModuleType, turns_back: bool) -> None:
    known = example.ByTree()
    assert sum(example.explore(example.Digits("3x3"), known, turns_back=turns_back)) == 181_440
    assert known.height == TREE_HEIGHT


def test_layers_are_those_of_the_packed_puzzles(example: ModuleType) -> None:
    wheel = six_puzzle()
    assert explore(wheel.with_start(wheel.goal)).layers == tuple(WHEEL_LAYERS)
    texts = {eight_puzzle().format_state(each.state) for each in eight_puzzle().successors(
        eight_puzzle().start)}  # fmt: skip
    steps = example.Digits("3x3").successors("867254301")
    assert {step.state for step in steps} == texts


@pytest.mark.parametrize(
    ("text", "rank"), [("867254301", 357_478), ("0123456", 0), ("6543210", 5039)]
)
def test_lehmer_rank(example: ModuleType, text: str, rank: int) -> None:
    assert example.lehmer_rank(text) == rank
