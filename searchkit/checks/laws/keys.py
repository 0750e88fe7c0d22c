"""States with equal keys are interchangeable, and keys are always the same."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from typing import Any

import attrs

from searchkit.authors.user_code import is_by_identity, short
from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.checks.law import Findings, Law, at_states
from searchkit.checks.multisets import missing
from searchkit.premises.asking import Met, are_equal


@attrs.frozen(eq=False)
class Other:
    """A state with the key of one that was visited, but another one: how it was reached."""

    state: Any
    twin: Visit
    via: Visit
    actions: tuple[Any, ...]


def look(ground: Ground, visit: Visit) -> Breach | None:
    """Ask for the key again, of the same state and of an equal one made again. O(siblings)."""
    for state, which in (visit.state, "the same state"), (ground.fresh(visit), "the state"):
        key = ground.key(state)
        if key != visit.key or hash(key) != hash(visit.key):
            expected = f"the key {short(visit.key)} again, of {which} asked or made again"
            return Breach(expected, short(key), "key")
    return None


def check(ground: Ground) -> Findings:
    """Ask for keys again, and compare the steps of states that have one key. O(steps)."""
    sound = ground.sound()
    for visit in sound:
        if is_by_identity(visit.key) and visit.key is visit.state:
            yield Breach(
                "equal states have equal keys",
                f"{type(visit.key).__name__} compares by identity, so that no state is met twice; "
                "give it __eq__ and __hash__, or define key(state)",
                "key initial_states",
                at=visit,
            )
            return None
    yield from at_states(look, "key", "a hashable key")(ground)
    others: deque[Other] = deque()
    seen: set[tuple[Hashable, str]] = set()

    def note(step: Met, via: Visit, before: tuple[Any, ...] = ()) -> None:
        twin = ground.number.get(step.key)
        if twin is None or twin.failure is not None or are_equal(twin.state, step.state):
            return
        name = step.key, ground.text(step.state)
        if name not in seen and len(seen) < ground.most:
            seen.add(name)
            others.append(Other(step.state, twin, via, (*before, step.action)))

    for visit in sound:
        for step in visit.steps:
            note(step, visit)
    while others:
        other = others.popleft()
        ground.watch()
        steps = ground.take(other.state)
        difference = _difference(ground, other, steps)
        if difference is not None:
            expected, found = difference
            yield Breach(
                f"what it leads to has the key of {_way(ground, other.twin)}: {expected}",
                found,
                "key",
                then=", ".join(map(ground.action_text, other.actions)),
                at=other.via,
            )
        for step in steps:
            note(step, other.via, other.actions)
    return None


def _way(ground: Ground, visit: Visit) -> str:
    actions = ", ".join(ground.actions_to(visit))
    text = ground.text(visit.state)
    return f"{text}, reached by {actions}" if actions else f"the {visit.origin} {text}"


def _difference(ground: Ground, other: Other, steps: list[Met]) -> tuple[str, str] | None:
    """What the twin of a state has that the state has not, or the other way round."""
    is_goal = bool(ground.ask("is_goal", other.state))
    text = ground.text(other.state)
    if is_goal != other.twin.is_goal:
        which = "a goal" if other.twin.is_goal else "no goal"
        return f"{which} as well", f"{text} is {'a' if is_goal else 'no'} goal"
    ours = [(step.action, step.cost, step.key) for step in steps]
    theirs = [(step.action, step.cost, step.key) for step in other.twin.steps]
    lost, extra = missing(theirs, ours), missing(ours, theirs)
    if lost is not None:
        step = f"{ground.action_text(lost[0])} at cost {lost[1]}"
        return f"a step {step} to the same state as there", f"{text} has none"
    if extra is not None:
        step = f"{ground.action_text(extra[0])} at cost {extra[1]}"
        return f"no step {step} to a state that is not reached so there", f"{text} has one"
    return None


LAW = Law(__name__, __doc__, check)
