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
    kinds = accepted_without_fault(range(2000))
    assert kinds.keys() == {"lower bound", "optimal", "count", "distances"}
    assert min(kinds.values()) > 200


@pytest.mark.slow
def test_a_hundred_thousand_graphs():
    kinds = accepted_without_fault(range(1_000_000, 1_100_000))
    assert min(kinds.values()) > 10_000


BROKEN = {
    "a goal in the list": ("need(not goal and g is not None,", "need(g is not None,"),
    "any number will do": ("need(g <= cost,", "need(True,"),
    "a state may be missing": (
        '                raise Refused(f"{text!a} is reached, and',
        '                continue\n                raise Refused(f"{text!a} is reached, and',
    ),
    "no start is asked for": (
        "elif g + cost + h_after < bound",
        "elif text and g + cost + h_after < bound",
    ),
    "only one start is asked for": (
        "in rules.expanded(None)[2]]",
        "in rules.expanded(None)[2][:1]]",
    ),
    "other starts": ("need(starts and sorted", "need(True or sorted"),
    "one too few": ("g + cost + h_after < bound", "g + cost + h_after < bound - 1"),
    "one too many": ("g + cost + h_after < bound", "g + cost + h_after <= bound"),
    "a consistent heuristic": ("falls += h >", "falls += need(h <= cost + h_after, '') or h >"),
    "counts by the bound C": ('header["below"] + (header["count"] is not None)', 'header["below"]'),
    "a goal below C": ("need(g + cost >= below,", "need(True,"),
    "a goal at one less than C": ("need(g + cost >= below,", "need(g + cost >= below - 1,"),
    "solutions are not replayed": ("        replay(header, rules)\n", ""),
    "solutions cost anything": ('need(paid == header["below"],', "need(True,"),
    "solutions end anywhere": ("need(rules.expanded(at)[0],", "need(True,"),
    "solutions take any step": ("need((cost, after) in {", "need(True or after in {"),
    "order": ("need(number == 0 or last < text,", "need(True,"),
    "twice": ("last < text,", "last <= text,"),
    "the length of the list": ("need(number == header[", "need(True or header["),
    "counts are not compared": ("need(ways == header[", "need(True or header["),
    "counts along any step": (
        "if exact.get(after) == paid",
        "if 0 <= exact.get(after, -1) <= paid",
    ),
    "counts of ends at any cost": (
        "sum(goal and paid == below for",
        "sum(goal for",
    ),
    "counts of ways once": (
        "sum(ways.get(after, 0) for after in on)",
        "sum(ways.get(after, 0) for after in set(on))",
    ),
    "circles": ("need(not any(map(ways.get, circles)),", "need(True,"),
    "every circle": ("any(map(ways.get, circles))", "circles"),
    "h of goals": ("if goal and (h or", "if goal and (False or"),
    "goals that are not listed": ("text not in self.goals)", "False)"),
    "listed goals": (
        'need(rules.expanded(text)[0], f"{text!a} is listed',
        'need(True, f"{text!a} is listed',
    ),
    "the last number of a key": ("min(number, least.get(key, number))", "number"),
    "the greatest number of a file": ("next(same)[1]", "max(same)[1]"),
    "distances may be less": ("need(g == distance,", "need(g is not None and g <= distance,"),
    "distances may be more": ("need(g == distance,", "need(g is not None and g >= distance,"),
    "distances from nowhere": ("need(finite == 0,", "need(True,"),
    "goals at a distance": ("need(goal == (g == 0),", "need(goal or g != 0,"),
    "steps for nothing": ("need(cost > 0,", "need(True,"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_checker_that_leaves_out_a_test_is_found_out(name):
    old, new = BROKEN[name]
    assert SOURCE.count(old) == 1
    broken = ModuleType("broken")
    exec(compile(SOURCE.replace(old, new), "broken", "exec"), broken.__dict__)
    assert any(trial(broken, seed)[0] for seed in range(2000))
