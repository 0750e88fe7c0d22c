"""Whatever the checker accepts is true, and it accepts what is true: by brute force on small graphs
with steps of cost 0, several starts and goals, and heuristics that are neither consistent nor, now
and then, admissible. A checker that leaves any of its tests out is found out in the same way.

`pytest -m slow tests/proofs/test_random_graphs.py` takes 100,000 graphs and some two minutes.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from searchkit.proofs import checker
from tests.support.random_proofs import trial

SOURCE = Path(checker.__file__).read_text()


def accepted_without_fault(seeds: range) -> Counter[str]:
    kinds: Counter[str] = Counter()
    for seed in seeds:
        wrong, accepted = trial(checker, seed)
        assert not wrong, (seed, wrong)
        kinds.update(accepted)
    return kinds


def test_what_is_accepted_is_true_and_what_is_true_is_accepted():
    kinds = accepted_without_fault(range(500))
    assert kinds.keys() == {"lower bound", "optimal", "count", "distances"}
    assert min(kinds.values()) > 50


@pytest.mark.slow
def test_a_hundred_thousand_graphs():
    kinds = accepted_without_fault(range(1_000_000, 1_100_000))
    assert min(kinds.values()) > 10_000


BROKEN = {
    "a goal in the list": ("not (goal or g == NEVER)", "not (g == NEVER)"),
    "any number will do": ("is not None and least <= c,", "is not None,"),
    "a number too large by one": ("None and least <= c,", "None and least <= c + 1,"),
    "a state may be missing": (
        "if c + h_after < bound:",
        "if c + h_after < bound and least is not None:",
    ),
    "no start is asked for": ("SELECT NULL, 0 WHERE ? UNION", "SELECT NULL, 0 WHERE 0 * ? UNION"),
    "only one start is asked for": (
        "for cost, after, ends, h_after in steps:",
        "for cost, after, ends, h_after in steps if state else steps[:1]:",
    ),
    "other starts": ("need(starts == sorted(", "need(True or starts == sorted("),
    "one too few": ("if c + h_after < bound:", "if c + h_after + 1 < bound:"),
    "one too many": ("if c + h_after < bound:", "if c + h_after <= bound:"),
    "a consistent heuristic": ("falls += h >", "falls += need(h <= cost + h_after, '') or h >"),
    "counts by the bound C": ("bound = self.below + self.late + 1", "bound = self.below"),
    "counts by a bound too small": (
        "bound = self.below + self.late + 1",
        "bound = self.below + (self.late >= 0)",
    ),
    "a goal below C": (
        "need(least is not None and least",
        "need(ends or least is not None and least",
    ),
    "a goal at one less than C": ("least = self.below if", "least = self.below - 1 if"),
    "solutions are not replayed": (
        'in [["", self.header["from"], 0], *self.header["solution"]]:',
        "in []:",
    ),
    "solutions cost anything": ("is_goal and paid == self.below,", "is_goal,"),
    "solutions end anywhere": ("need(is_goal and paid", "need(paid"),
    "solutions take any step": ("need((cost, after) in {", "need(True or after in {"),
    "order": ("need(number == 0 or last < state,", "need(True,"),
    "a list that is too short": ("need(number == states,", "need(True,"),
    "counts are not compared": ("need(number == most,", "need(True,"),
    "counts along exact steps alone": ("0 <= c - least <= self.late:", "0 == c - least:"),
    "counts of ways that are later": ("if here[1] <= self.late:", "if here[1] <= self.late + 1:"),
    "counts of ways as late as each step": ("after[1] + more\n", "more\n"),
    "counts of ways once": (
        "sum(map(ways.__getitem__, onward[here]))",
        "sum(map(ways.__getitem__, set(onward[here])))",
    ),
    "counts of ways that meet a state twice": ("if each[0] not in path]", "if len(path) < 9]"),
    "h of goals": ("not (goal and (h or", "not (goal and (False or"),
    "goals that are not listed": ("state not in goals)))", "False)))"),
    "listed goals": (
        'need(self.expanded(state)[0], "{} is listed',
        'need(True, "{} is listed',
    ),
    "any distance that a step attains not": ("is_exact or c == least", "True"),
    "distances may be less": ("need(is_exact,", "need(True,"),
    "goals at a distance": ("g == -NEVER * (not goal)", "(goal or g == -NEVER)"),
    "states that lead nowhere at a distance": (
        "g == -NEVER * (not goal)",
        "(not steps or g == -NEVER * (not goal))",
    ),
    "steps for nothing": ("need(self.is_cost or cost > 0,", "need(True,"),
}


SEEDS = {
    "counts by the bound C": 1477,
    "counts by a bound too small": 1477,
    "counts of ways that are later": 1193,
    "counts of ways as late as each step": 1193,
    "h of goals": 318,
}
"""Graphs that find them out, where few do."""


@pytest.mark.slow_variants(
    "counts of ways that meet a state twice",
    "steps for nothing",
    "counts of ways once",
    "a list that is too short",
    "solutions end anywhere",
)
@pytest.mark.parametrize("name", BROKEN)
def test_a_checker_that_leaves_out_a_test_is_found_out(name):
    old, new = BROKEN[name]
    assert SOURCE.count(old) == 1, SOURCE.count(old)
    broken = ModuleType("broken")
    exec(compile(SOURCE.replace(old, new), "broken", "exec"), broken.__dict__)
    assert any(trial(broken, seed)[0] for seed in (SEEDS.get(name, 0), *range(2000)))
