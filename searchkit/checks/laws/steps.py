"""Laws of starts and steps: they stay as they are, and differ where they should."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Hashable
from functools import partial
from graphlib import CycleError, TopologicalSorter
from itertools import zip_longest
from typing import Any

import attrs

from searchkit.authors.user_code import is_by_identity, short
from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.checks.law import Breaches, Findings, at_states, law, missing, repeated
from searchkit.premises.asking import Met, are_equal, has_nan, met_nan
from searchkit.problem import Costs
from searchkit.running.task import promised_cost, whole_cost
from searchkit.texts.amounts import plural

EXPECTED = "one start or several, of which the key is hashable"


@law("`initial_states` lists one state or several, the same when asked again")
def starts(ground: Ground) -> Findings:
    """List the starts a second time. O(starts)."""
    if ground.failure is not None:
        yield ground.breach(ground.failure, EXPECTED, "key initial_states")
        return None
    again = ground.listed("initial_states")
    if [ground.key(start) for start in ground.starts] != [ground.key(start) for start in again]:
        expected = f"the same starts again: {_first(ground, ground.starts)}"
        yield Breach(expected, _first(ground, again), "initial_states key")
    return plural(len(again), "start")


def _first(ground: Ground, states: list[Any]) -> str:
    return ", ".join(ground.text(state) for state in states[:3]) or "none"


CANNOT_CHANGE = (int, str, bytes, float, complex, frozenset, bool)


@law("no method changes a state, be it given to the method or by it")
@at_states
def mutation(ground: Ground, visit: Visit) -> Breach | None:
    """Compare keys and copies before and after. O(steps)."""
    for method in ("is_goal", "heuristic", "successors"):
        state = ground.fresh(visit)
        before, key = _copy(state), ground.key(state)
        if method == "successors":
            ground.take(state)
        else:
            ground.ask(method, state)
        has_other_key = not is_by_identity(visit.key) and ground.key(state) != key
        if has_other_key or (before is not None and not are_equal(before, state)):
            visit.state = ground.fresh(visit)  # it was changed when it was expanded
            found = f"it has become {ground.text(state)}"
            return Breach(f"{method} leaves the state as it is", found, f"{method} at_goal")
    if visit.changed is not None:
        step, became = visit.changed
        return Breach(
            "the state of a step stays as it was when the step was given",
            f"it has become {became} when the next step was made",
            "successors",
            then=ground.action_text(step.action),
        )
    return None


def _copy(state: Any) -> Any:
    """A deep copy that equals the state; None if there is none, or no need of one."""
    if isinstance(state, CANNOT_CHANGE):
        return None
    try:
        made = copy.deepcopy(state)
        return made if made == state else None
    except Exception:  # states need not be copied by anyone but us
        return None


@law("`successors` gives the same steps in the same order, always")
@partial(at_states, method="successors", expected="steps, each as Step(action, state, cost)")
def successors(ground: Ground, visit: Visit) -> Breach | None:
    """Ask again, of the same state and of an equal one made again. O(steps).

    Engines ask again to rebuild solutions.
    """
    for state, which in (visit.state, "the same state"), (ground.fresh(visit), "an equal state"):
        again = ground.take(state)
        for number, (old, new) in enumerate(zip_longest(visit.steps, again), start=1):
            if old is None or new is None or not _same(old, new):
                if old is not None and has_nan(old.key):
                    found = met_nan(ground.problem, old.key, "successors").found
                    return Breach("steps to states that equal themselves", found, "successors")
                return Breach(
                    f"from {which}, asked again, step {number} is {ground.step_text(old)}",
                    ground.step_text(new),
                    "successors apply operators action",
                )
    return None


def _same(old: Met, new: Met) -> bool:
    # States that Python tells apart by identity alone are a matter of their keys.
    is_same_state = old.key == new.key or is_by_identity(old.key)
    return bool(old.action == new.action and old.cost == new.cost and is_same_state)


@attrs.frozen(eq=False)
class Other:
    """A state with the key of one that was visited, but another one: how it was reached."""

    state: Any
    twin: Visit
    via: Visit
    actions: tuple[Any, ...]


def _key_again(ground: Ground, visit: Visit) -> Breach | None:
    """Ask for the key again, of the same state and of an equal one made again. O(siblings)."""
    for state, which in (visit.state, "the same state"), (ground.fresh(visit), "the state"):
        key = ground.key(state)
        if key != visit.key or hash(key) != hash(visit.key):
            expected = f"the key {short(visit.key)} again, of {which} asked or made again"
            return Breach(expected, short(key), "key")
    return None


@law("states with equal keys are interchangeable, and keys are always the same")
def keys(ground: Ground) -> Findings:
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
    yield from at_states(_key_again, "key", "a hashable key")(ground)
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
                f"what it leads to has the key of {_way_to(ground, other.twin)}: {expected}",
                found,
                "key",
                then=", ".join(map(ground.action_text, other.actions)),
                at=other.via,
            )
        for step in steps:
            note(step, other.via, other.actions)
    return None


def _way_to(ground: Ground, visit: Visit) -> str:
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


@law("the actions of one state differ, and their texts")
@at_states
def actions(ground: Ground, visit: Visit) -> Breach | None:
    """Compare the actions of the state, and their texts, with each other. O(steps)."""
    actions = [step.action for step in visit.steps]
    twice = repeated(actions)
    if twice is not None:
        found = f"two steps have the action {short(twice)}"
        return Breach("every action is that of one step", found, "action successors")
    texts = []
    for action in actions:
        text = ground.ask("format_action", action)
        if not isinstance(text, str) or not text or not text.isprintable():
            found = f"the action {short(action)} has the text {short(text)}"
            return Breach("a text of one line", found, "format_action")
        texts.append(text)
    same = repeated(texts)
    if same is not None:
        found = f"two have the text {same!r}"
        return Breach("the texts of different actions differ", found, "format_action action")
    return None


WORDS = {
    Costs.UNIT: "a cost of 1",
    Costs.ZERO_ONE: "a cost of 0 or 1",
    Costs.INTEGER: "a whole number from 0 to 2**53",
}


@law("steps cost what `costs` promises, and no cycle costs 0")
def costs(ground: Ground) -> Breaches:
    """Look at the cost of every step, then for cycles of steps that cost 0. O(steps)."""
    promised = ground.problem.costs
    if not isinstance(promised, Costs):
        yield Breach("one of Costs", f"costs = {promised!r}", "costs")
        return
    for visit in ground.visits():
        for step in visit.steps:
            if promised_cost(promised, step.cost) is None:
                yield Breach(
                    f"{WORDS[promised]}, as costs = {promised} promises",
                    f"a cost of {step.cost!r}",
                    "cost successors costs",
                    then=ground.action_text(step.action),
                )
                break
    if promised is not Costs.UNIT:
        cycle = _free_cycle(ground)
        if cycle is not None:
            found = " to ".join(ground.text(visit.state) for visit in cycle)
            expected = "no cycle of steps that all cost 0"
            yield Breach(expected, found, "cost successors", at=cycle[0])


def _free_cycle(ground: Ground) -> list[Visit] | None:
    into: dict[Visit, list[Visit]] = {visit: [] for visit in ground.visited}
    for visit in ground.visits():
        for step in visit.steps:
            if whole_cost(step.cost) == 0 and step.key in ground.number:
                into[ground.number[step.key]].append(visit)
    try:
        TopologicalSorter(into).prepare()
    except CycleError as error:
        cycle: list[Visit] = error.args[1]
        return cycle
    return None
