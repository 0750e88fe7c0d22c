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
    "a goal in the list": ("need(not goal and g < NEVER,", "need(g < NEVER,"),
    "any number will do": ("need(least <= c,", "need(True,"),
    "a number too large by one": ("need(least <= c,", "need(least <= c + 1,"),
    "a state may be missing": (
        "if c + h_after < below + is_counted:",
        "if c + h_after < below + is_counted and least is not None:",
    ),
    "no start is asked for": ("chain[Any](origin, table.rows())", "table.rows()"),
    "only one start is asked for": (
        "for cost, after, ends, h_after in steps:",
        "for cost, after, ends, h_after in steps if text else steps[:1]:",
    ),
    "other starts": ("need(starts and starts ==", "need(True or starts =="),
    "one too few": ("if c + h_after < below +", "if c + h_after + 1 < below +"),
    "one too many": ("if c + h_after < below +", "if c + h_after <= below +"),
    "a consistent heuristic": ("falls += h >", "falls += need(h <= cost + h_after, '') or h >"),
    "counts by the bound C": ("< below + is_counted:", "< below:"),
    "a goal below C": ("need(least <= c,", "need(ends or least <= c,"),
    "a goal at one less than C": (
        "c, least = g + cost, below if",
        "c, least = g + cost, below - 1 if",
    ),
    "solutions are not replayed": (
        'in [["", header["from"], 0], *header["solution"]]:',
        "in []:",
    ),
    "solutions cost anything": ('need(paid == header["below"],', "need(True,"),
    "solutions end anywhere": (
        'need(rules.expanded(at)[0], "the solution',
        'need(True, "the solution',
    ),
    "solutions take any step": ("need((cost, after) in {", "need(True or after in {"),
    "order": ("need(number == 0 or last < text,", "need(True,"),
    "twice": ("last < text,", "last <= text,"),
    "a list that is too short": (
        'need(number == header["states"], "the list is shorter',
        'need(True, "the list is shorter',
    ),
    "counts are not compared": ('need(number == header["count"],', "need(True,"),
    "counts along any step": (
        "if is_counted and c == least:",
        "if is_counted and least is not None and c >= least:",
    ),
    "counts of ends at any cost": (
        "if is_counted and c == least:",
        "if is_counted and (ends or c == least):",
    ),
    "counts of ways once": (
        "sum(ways.get(after, 0) for after in leads[here])",
        "sum(ways.get(after, 0) for after in set(leads[here]))",
    ),
    "circles": ("need(not any(map(ways.get, circles)),", "need(True,"),
    "every circle": ("any(map(ways.get, circles))", "circles"),
    "h of goals": ("not goal or (h == 0 and", "not goal or (True and"),
    "goals that are not listed": ("text in self.goals)", "True)"),
    "listed goals": (
        'need(rules.expanded(text)[0], "{!a} is listed',
        'need(True, "{!a} is listed',
    ),
    "the last step to a state": ("least = min(least, cost + further)", "least = cost + further"),
    "distances may be less": ("need(g == least,", "need(g <= least,"),
    "distances may be more": ("need(g == least,", "need(g >= least,"),
    "goals at a distance": ("NEVER * (not goal)", "g if goal else NEVER"),
    "states that lead nowhere at a distance": (
        "NEVER * (not goal)",
        "(g if not steps else NEVER) * (not goal)",
    ),
    "steps for nothing": ("need(cost > 0,", "need(True,"),
    "distances to what is not listed": (
        "need(further is not None,",
        "further = further or 1\n            need(True,",
    ),
    "what is in memory is all": ("if text in self.known or len(self.known) == count:", "if True:"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_checker_that_leaves_out_a_test_is_found_out(name):
    old, new = BROKEN[name]
    assert SOURCE.count(old) == 1
    broken = ModuleType("broken")
    exec(compile(SOURCE.replace(old, new), "broken", "exec"), broken.__dict__)
    assert any(trial(broken, seed)[0] for seed in range(2000))
