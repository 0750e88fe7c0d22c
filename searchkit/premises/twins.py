"""States of one key: whether they are interchangeable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Any

from searchkit.authors.user_code import place_of, short
from searchkit.premises.asking import are_same, guess, is_goal, steps_of
from searchkit.premises.beside import InTurn
from searchkit.premises.kinds import broken
from searchkit.premises.patience import Patience
from searchkit.problem import Problem, is_default


def check_twins(
    problem: Problem[Any, Any],
    pair: tuple[Any, Any],
    *,
    method: str = "successors",
    past_goals: bool = False,
    known: set[Hashable] | None = None,
    most: int = 1,
    patience: Patience | None = None,
) -> None:
    """Raise if two states of one key are not interchangeable, or those that they lead to.

    `most` pairs are compared while there is `patience`, none of a key that is `known`: the nearest
    and those with the smallest estimates in turn. Labels may differ: they need not be comparable.
    """
    waiting: InTurn[tuple[Any, Any]] = InTurn(2)
    waiting.add(pair, 0, 0)
    seen = set() if known is None else known
    for number in range(1, most + 1):
        both = waiting.take()
        if both is None or (patience is not None and patience.is_over()):
            return
        key = problem.key(both[0])
        goals = [is_goal(problem, state) for state in both]
        has_ways = past_goals or not any(goals)
        ways = [steps_of(problem, state, method) for state in both if has_ways]
        counts = [Counter((met.cost, met.key) for met in steps) for steps in ways]
        if goals[0] != goals[1]:
            differ = "only one of which is a goal"
        elif counts and counts[0] != counts[1]:
            differ = "from which other steps lead"
        else:
            after = {met.key: met.state for met in ways[0]} if ways else {}
            for met in ways[1] if ways else ():
                other = after[met.key]
                if met.key not in seen and not are_same(other, met.state):
                    seen.add(met.key)
                    waiting.add((other, met.state), number, guess(problem, met.state))
            continue
        if is_default(problem, "key"):
            found = f"{short(both[0])} and {short(both[1])} are equal by __eq__, {differ}"
            raise broken(problem, "keys", found, place=place_of(both[0], "__eq__"))
        hint = "; does it lack a return?" if key is None else ""
        found = f"key gives {short(key)} for {short(both[0])} and {short(both[1])}, {differ}"
        raise broken(problem, "keys", found + hint, "key")
