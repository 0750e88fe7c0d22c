"""Keys are hashable, always the same, and equal for interchangeable states alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from typing import Any

import attrs

from searchkit.authors.user_code import call, is_by_identity, short
from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.checks.law import Findings, Law
from searchkit.checks.multisets import missing
from searchkit.premises.asking import Met


@attrs.frozen(eq=False)
class Other:
    """A state with the key of one that was visited, but another one: how it was reached."""

    state: Any
    twin: Visit
    via: Visit
    actions: tuple[Any, ...]


def check(ground: Ground) -> Findings:
    """Ask for keys again, and compare the steps of states that have one key. O(steps)."""
    others: deque[Other] = deque()
    seen: set[tuple[Hashable, str]] = set()

    def note(state: Any, key: Hashable, via: Visit, actions: tuple[Any, ...]) -> None:
        twin = ground.number.get(key)
        if twin is None or twin.failure is not None or _equal(twin.state, state):
            return
        name = key, ground.text(state)
        if name not in seen and len(seen) < ground.most:
            seen.add(name)
            others.append(Other(state, twin, via, actions))

    for visit in ground.watched(ground.visited):
        if visit.failure is not None:
            if visit.failure.method == "key":
                yield ground.breach(visit.failure, "a hashable key", "key", "successors")
            continue
        if is_by_identity(visit.key) and visit.key is visit.state:
            yield Breach(
                at=visit,
                expected="equal states have equal keys",
                found=f"{type(visit.key).__name__} compares by identity, so that no state is met "
                "twice; give it __eq__ and __hash__, or define key(state)",
                blame=("key", "initial_states"),
            )
            return None
        for state, which in (visit.state, "the same state"), (ground.fresh(visit), "the state"):
            key = ground.key(state)
            if key != visit.key or hash(key) != hash(visit.key):
                yield Breach(
                    at=visit,
                    expected=f"the key {short(visit.key)} again, of {which} asked or made again",
                    found=short(key),
                    blame=("key",),
                )
                break
        for step in visit.steps:
            note(step.state, step.key, visit, (step.action,))
    while others:
        other = others.popleft()
        ground.watch()
        steps = ground.take(other.state)
        difference = _difference(ground, other, steps)
        if difference is not None:
            expected, found = difference
            yield Breach(
                at=other.via,
                then=tuple(map(ground.action_text, other.actions)),
                expected=f"what it leads to has the key of {_way(ground, other.twin)}: {expected}",
                found=found,
                blame=("key",),
            )
        for step in steps:
            note(step.state, step.key, other.via, (*other.actions, step.action))
    return None


def _equal(one: Any, other: Any) -> bool:
    try:
        return bool(one is other or one == other)
    except Exception:  # states need not be comparable
        return False


def _way(ground: Ground, visit: Visit) -> str:
    actions = ", ".join(ground.actions_to(visit))
    text = ground.text(visit.state)
    return f"{text}, reached by {actions}" if actions else f"the {visit.origin} {text}"


def _difference(ground: Ground, other: Other, steps: list[Met]) -> tuple[str, str] | None:
    """What the twin of a state has that the state has not, or the other way round."""
    is_goal = bool(call("is_goal", ground.problem.is_goal, other.state))
    text = ground.text(other.state)
    if is_goal != other.twin.is_goal:
        which = "a goal" if other.twin.is_goal else "no goal"
        return f"{which} as well", f"{text} is {'a' if is_goal else 'no'} goal"
    ours = [(step.action, step.cost, step.key) for step in steps]
    theirs = [(step.action, step.cost, step.key) for step in other.twin.steps]
    for kind, one, two in (("also", theirs, ours), ("not", ours, theirs)):
        lost = missing(one, two)
        if lost is not None:
            told = f"{ground.action_text(lost[0])} at cost {lost[1]}"
            if kind == "also":
                return f"a step {told} to the same state as there", f"{text} has none"
            return f"no step {told} to a state that is not reached so there", f"{text} has one"
    return None


LAW = Law("keys", "states with equal keys are interchangeable, and keys are always the same", check)
