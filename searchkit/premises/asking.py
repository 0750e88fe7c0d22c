"""One question to a problem: what it answers, or a `LawError` that says what is wrong with it.

What the problem's own code raises is passed on as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from numbers import Number
from typing import Any, NamedTuple

from searchkit.authors.user_code import is_by_identity, place_of, short, slots_of
from searchkit.errors import LawError
from searchkit.heuristic import is_estimate, wrong_estimate
from searchkit.premises.kinds import bounded, broken
from searchkit.premises.patience import Patience
from searchkit.problem import INFINITY, Problem, Step, is_default
from searchkit.running.task import PROMISED, Steps, legal_cost

MOST_GOALS = 10_000
"""How many of the listed goals are asked whether they are goals, ..."""
SECONDS_FOR_GOALS = 0.2
"""... for this much processor time."""

_LAW_OF = {"initial_states": "starts", "goal_states": "goal-states"}
_LACKS = "; does it lack a return or a yield?"
_INSTEAD: dict[type, str] = {list: "a tuple", set: "a frozenset", dict: "a tuple of its items"}


KeyOf = Callable[[Problem[Any, Any], Any, str], Hashable]


class Met(NamedTuple):
    """A step as it was given, and the key of its state at that moment."""

    action: Any
    state: Any
    cost: Any
    key: Hashable


def key_of(problem: Problem[Any, Any], state: Any, giver: str) -> Hashable:
    """The key of a state that the method `giver` gave; it must be hashable."""
    key = problem.key(state)
    try:
        hash(key)
    except TypeError as error:
        if is_default(problem, "key"):
            better = _INSTEAD.get(type(state), "hashable")
            found = f"{giver} gives the state {short(state)} ({error}); make it {better}, or "
            raise broken(problem, "keys", f"{found}define key(state)", giver) from error
        better = _INSTEAD.get(type(key), "hashable")
        found = f"key gives {short(key)} ({error}); make it {better}"
        raise broken(problem, "keys", found, "key") from error
    return key


def starts_of(problem: Problem[Any, Any]) -> tuple[Any, ...]:
    """The initial states, each once: at least one."""
    return _listed(problem, "initial_states")


def goals_of(problem: Problem[Any, Any]) -> tuple[Any, ...]:
    """The listed goals, each once: at least one."""
    return _listed(problem, "goal_states")


def _listed(problem: Problem[Any, Any], method: str) -> tuple[Any, ...]:
    states = {key_of(problem, each, method): each for each in states_of(problem, method)}
    if not states:
        found = f"{method} gives no state; there must be one"
        raise broken(problem, _LAW_OF[method], found, method)
    return tuple(states.values())


def states_of(problem: Problem[Any, Any], method: str) -> Iterator[Any]:
    """The states that a method without arguments lists, not more than anybody lists."""
    law = _LAW_OF[method]
    given = getattr(problem, method)()
    return bounded(problem, _iterable(problem, given, method, law), method, law)


def is_goal(problem: Problem[Any, Any], state: Any) -> bool:
    """Whether a state is a goal; the answer must be true, false, or a number."""
    return truth(problem, state, problem.is_goal(state))


def truth(problem: Problem[Any, Any], state: Any, answer: Any) -> bool:
    """What `is_goal` has said of a state, for engines that have asked themselves."""
    if answer.__class__ is bool:
        return answer
    if not isinstance(answer, Number) and getattr(answer, "shape", None) != ():  # that of numpy's
        hint = "; does it lack a return?" if answer is None else ""
        found = f"is_goal gives {short(answer)} for {short(state)}; it must give True or False"
        raise broken(problem, "goals", found + hint, "is_goal")
    return bool(answer)


def wavers(problem: Problem[Any, Any], state: Any) -> LawError:
    """The error to raise where `is_goal` says two things of one state."""
    found = f"is_goal says once that {short(state)} is a goal, and once that it is none"
    return broken(problem, "goals", found, "is_goal", "at_goal")


def unlisted(problem: Problem[Any, Any], state: Any) -> LawError:
    """The error to raise for a goal that is not listed, where answers rest on the list."""
    found = f"is_goal is true of {short(state)}, which goal_states does not list"
    return broken(problem, "goal-states", found, "goal_states", "is_goal")


def estimate_of(problem: Problem[Any, Any], heuristic: Any, state: Any) -> float:
    """The estimate of a state, which must be a number from 0 upwards."""
    value = heuristic(state)
    if is_estimate(value):
        return float(value)
    name = getattr(heuristic, "name", "heuristic")
    found = str(wrong_estimate(name, value, problem.format_state(state)))
    hint = "; does it lack a return?" if value is None else ""
    place = None
    if getattr(heuristic, "problem", None) is None:  # else it is the method of the problem
        place = place_of(heuristic, "__call__", "estimate", "begin")
    raise broken(problem, "heuristics", found + hint, "heuristic", place=place)


def steps_of(
    problem: Problem[Any, Any],
    state: Any,
    method: str = "successors",
    most: int = 10_000,
    *,
    give: Steps | None = None,
) -> list[Met]:
    """The first `most` steps out of a state (or into it), each a `Step` of a legal cost.

    `give` does the same as the method, where that takes longer.
    """
    given = given_steps(problem, state, method, most, give)
    steps = met_steps(problem, state, method, given)
    legal = PROMISED[problem.costs]
    for action, _, cost, _ in steps:
        if cost.__class__ is not int or cost not in legal:
            legal_cost(problem, action, cost)
    return steps


def taken(
    problem: Problem[Any, Any], state: Any, method: str, most: int, key: KeyOf | None = None
) -> list[Met]:
    """The first `most` steps out of a state (or into it), of whatever costs."""
    return met_steps(problem, state, method, given_steps(problem, state, method, most), key)


def given_steps(
    problem: Problem[Any, Any], state: Any, method: str, most: int, give: Steps | None = None
) -> Iterable[Any]:
    """What a method gives for steps, up to `most` of them, not looked at."""
    given = (give or getattr(problem, method))(state)
    if isinstance(given, Step):
        found = f"{method} returns one step, {short(given)}; yield it, or return a list of steps"
        raise broken(problem, "successors", found, method)
    return islice(_iterable(problem, given, method, "successors"), most)


def met_steps(
    problem: Problem[Any, Any],
    state: Any,
    method: str,
    given: Iterable[Any],
    key: KeyOf | None = None,
) -> list[Met]:
    """The steps that a method gave, each of which must be a `Step`; of whatever costs."""
    is_own_key = key is None and is_default(problem, "key")
    key, kind = key or key_of, state.__class__
    new = tuple.__new__  # what `Met` does, without a call of Python
    steps: list[Met] = []
    for step in given:
        if step.__class__ is not Step and (
            not isinstance(step, tuple) or len(step) != 3 or _is_state(step, state)
        ):
            raise broken(problem, "successors", _no_step(method, step, state), method, "apply")
        action, after, cost = step
        if after.__class__ is not kind:
            _check_order(problem, state, step, method)
        is_word = is_own_key and after.__class__ is int
        own = after if is_word else key(problem, after, method)
        steps.append(new(Met, (action, after, cost, own)))
    return steps


def _no_step(method: str, step: Any, state: Any) -> str:
    must = "each must be a Step(action, state, cost)"
    if _is_state(step, state):
        return f"{method} gives {short(step)}, a state without an action; {must}"
    if isinstance(step, tuple) and len(step) == 2:
        return f"{method} gives {short(step)}; {must}: write Step{short(step)}"
    return f"{method} gives {short(step)}; {must}"


def _is_state(step: Any, state: Any) -> bool:
    """Whether what was given for a step is of the kind of `state`, and holds none of that kind."""
    return type(step) is type(state) and not any(is_like(part, state) for part in step)


def is_like(value: Any, state: Any) -> bool:
    """Whether a value might be a state, going by one: of one type, and of one length."""
    if type(value) is not type(state):
        return False
    return not isinstance(state, tuple) or len(value) == len(state)


def _check_order(problem: Problem[Any, Any], state: Any, step: Any, method: str) -> None:
    """Raise if a step to a state of another kind has a label for a state and a state for a label.

    Labels may be like states, and states need not be alike: so it must be the state after the
    step that cannot be expanded, and the label that can.
    """
    action, after, _ = step
    if not is_like(action, state):
        return
    if has_steps(problem, action, method) and not has_steps(problem, after, method):
        found = f"{method} gives Step({short(action)}, {short(after)}), the state before the "
        raise broken(problem, "successors", f"{found}action; write Step(action, state)", method)


def has_steps(problem: Problem[Any, Any], state: Any, method: str) -> bool:
    """Whether steps can be asked for, whatever they are."""
    try:
        return all(len(step) == 3 for step in islice(getattr(problem, method)(state), 100))
    except Exception:  # whatever the author's code does with what is not a state
        return False


def are_equal(one: Any, other: Any) -> bool:
    """Whether two states are said to be equal; false where they cannot be compared."""
    try:
        return one is other or bool(one == other)
    except Exception:  # arrays cannot
        return False


def are_same(one: Any, other: Any) -> bool:
    """Whether two states are equal, and all their attributes, which `__eq__` may ignore."""
    return one is other or (
        are_equal(one, other)
        and (not can_hide(one.__class__) or are_equal(_inside(one), _inside(other)))
    )


@lru_cache(maxsize=64)
def can_hide(kind: type) -> bool:
    """Whether states of this kind have attributes, which their `__eq__` may ignore.

    An author's, or that of a tuple, say, for a class made of it.
    """
    own: Any = kind.__eq__
    return own is not object.__eq__ and (kind.__dictoffset__ != 0 or bool(slots_of(kind)))


def _inside(state: Any) -> list[Any]:
    """The attributes of an object, by name or in slots."""
    return [getattr(state, "__dict__", None)] + [
        getattr(state, name, None) for name in slots_of(type(state))
    ]


def has_nan(value: Any, depth: int = 8) -> bool:
    """Whether a value, or a part of it, equals nothing, itself included, as NaN does."""
    parts: Iterable[Any]
    if isinstance(value, (tuple, list, frozenset)):
        parts = value
    elif isinstance(value, dict):
        parts = value.values()
    else:
        try:
            if value != value:  # noqa: PLR0124  (this is what NaN does)
                return True
        except Exception:  # arrays cannot be compared so
            return False
        parts = _inside(value)
    return depth > 0 and any(has_nan(each, depth - 1) for each in parts)


def met_nan(problem: Problem[Any, Any], key: Hashable, giver: str) -> LawError:
    """The error to raise where a key has a NaN, and so is another one each time."""
    found = (
        f"{giver} gives {short(key)}: nan equals nothing, not even nan, so that such a state is "
        "another one each time; write None, or a number, in its place"
    )
    return broken(problem, "keys", found, giver, "key")


def guess(problem: Problem[Any, Any], state: Any) -> float:
    """The problem's own estimate of a state, to look at the best first; 0 if it has none."""
    if is_default(problem, "heuristic"):
        return 0
    try:
        return float(problem.heuristic(state))
    except Exception:  # no search need have been there
        return INFINITY


def check_goals(problem: Problem[Any, Any]) -> frozenset[Hashable] | None:
    """The keys of the listed goals, each of which must be a goal; None if there are many.

    The first `MOST_GOALS` are asked, while there is time.
    """
    given = states_of(problem, "goal_states")
    listed = list(islice(given, MOST_GOALS))
    keys = []
    patience = Patience(SECONDS_FOR_GOALS)
    for goal in listed:
        keys.append(key_of(problem, goal, "goal_states"))
        if not patience.is_over() and not is_goal(problem, goal):
            found = f"goal_states lists {short(goal)}, which is_goal denies"
            raise broken(problem, "goal-states", found, "goal_states", "is_goal")
    more = sum(1 for _ in given)  # to the end: engines take them all
    return None if more else frozenset(keys)


def _iterable(problem: Any, given: Any, method: str, law: str) -> Iterable[Any]:
    """What a method gave, if it can be iterated over."""
    try:
        items: Iterable[Any] = iter(given)
    except TypeError as error:
        hint = _LACKS if given is None else f"; return a list, like [{short(given)}]"
        what = "steps" if law == "successors" else "states"
        found = f"{method} returns {short(given)}, which is not a list of {what}"
        raise broken(problem, law, found + hint, method) from error
    return items


def check_unchanged(
    problem: Problem[Any, Any], state: Any, key: Hashable, method: str, *names: str
) -> None:
    """Raise if a state has another key than before a method was asked about it."""
    after = problem.key(state)
    if after != key and not is_by_identity(key):
        if has_nan(key):
            raise met_nan(problem, key, method)
        found = (
            f"{method} has changed the state that it was given: its key was {short(key)} and is "
            f"{short(after)}; change a copy"
        )
        raise broken(problem, "mutation", found, *(names or (method,)))
