"""Laws of steps seen from elsewhere: from their other ends, and under symmetries."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from searchkit.authors.user_code import call, items, short
from searchkit.capabilities import HasGrade, HasPredecessors, HasSymmetries, Symmetry
from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.checks.law import Breaches, Findings, at_states, law, missing, repeated, unless
from searchkit.linear_index import moved_bits
from searchkit.premises.asking import Met
from searchkit.symmetry import image_by_fields
from searchkit.texts.amounts import plural


@law("predecessors are the successors seen from the other end", HasPredecessors)
def predecessors(ground: Ground) -> Breaches:
    """Look for each step among the predecessors of its end, and the other way round. O(steps)."""
    known: dict[Hashable, list[Met]] = {}
    forward: dict[Hashable, list[Met]] = {}
    # States that were not visited are looked at as well, but no more than were.
    for visit in ground.visits():
        here = visit.key
        for step in visit.steps:
            if step.key not in known:
                if step.key not in ground.number and len(known) > ground.most:
                    continue
                known[step.key] = ground.take(step.state, "predecessors")
            if _is_missing(step, here, known[step.key]):
                action = ground.action_text(step.action)
                yield Breach(
                    f"predecessors({ground.text(step.state)}) has {action} from "
                    f"{ground.text(visit.state)} at cost {step.cost}",
                    _listed(ground, known[step.key]),
                    "predecessors",
                    then=action,
                )
                break
        if here not in known:
            known[here] = ground.take(visit.state, "predecessors")
        for step in known[here]:
            if step.key not in forward:
                if not ground.is_expanded(step.key) and len(forward) > ground.most:
                    continue
                forward[step.key] = ground.steps_from(step)
            if _is_missing(step, here, forward[step.key]):
                yield Breach(
                    f"{ground.action_text(step.action)} leads here from {ground.text(step.state)} "
                    f"at cost {step.cost}, as predecessors says",
                    f"successors there has {_listed(ground, forward[step.key])}",
                    "predecessors",
                )
                break
        twice = repeated([(each.action, each.key) for each in known[here]])
        if twice is not None:
            found = f"predecessors has {ground.action_text(twice[0])} twice"
            yield Breach("each step is listed once", found, "predecessors")


def _is_missing(step: Met, key: Hashable, steps: list[Met]) -> bool:
    """Whether no step like `step`, but with the key `key`, is among `steps`."""
    rows = [(each.action, each.key, each.cost) for each in steps]
    return missing([(step.action, key, step.cost)], rows) is not None


def _listed(ground: Ground, steps: list[Met]) -> str:
    texts = [
        f"{ground.action_text(step.action)} with {ground.text(step.state)} at cost {step.cost}"
        for step in steps[:4]
    ]
    return "; ".join(texts) + ("; ..." if len(steps) > 4 else "") or "nothing"


@law(
    "every step can be taken back by one of the same cost",
    unless("undirected is false", lambda problem: problem.undirected),
    relies_on=("successors",),
)
def undirected(ground: Ground) -> Breaches:
    """Look for a step back from the end of every step. O(steps)."""
    outside: dict[Hashable, set[tuple[Hashable, str]]] = {}
    for visit in ground.visits():
        for step in visit.steps:
            if step.key not in outside:
                steps = ground.steps_from(step)
                outside[step.key] = {(back.key, short(back.cost)) for back in steps}
            back = outside[step.key]
            if (visit.key, short(step.cost)) not in back:
                costs = sorted(cost for after, cost in back if after == visit.key)
                yield Breach(
                    f"a step of cost {step.cost} back from {ground.text(step.state)}, as "
                    "undirected = True promises",
                    f"steps back cost {', '.join(costs)}" if costs else "no step leads back",
                    "undirected successors",
                    then=ground.action_text(step.action),
                )
                break


@law("every step lowers the grade", HasGrade)
@at_states
def grade(ground: Ground, visit: Visit) -> Breach | None:
    """Compare the grades of both ends of every step. O(steps)."""
    own = ground.ask("grade", visit.state)
    if not isinstance(own, int):
        return Breach("an integer", f"{own!r}", "grade")
    for step in visit.steps:
        after = ground.ask("grade", step.state)
        if not after < own:
            expected = f"a grade less than {own}, as the step begins at"
            found = f"{ground.text(step.state)} has {after!r}"
            return Breach(expected, found, "grade", then=ground.action_text(step.action))
    return None


PROBES = 12
"""How many states tell one map from another."""
MOST_PAIRS = 2500
"""How many pairs of symmetries are composed."""
IMAGES = 20_000
"""How many images of states are compared with them: those of the states nearest to a start."""


@law("symmetries form a group and keep steps, costs and goals", HasSymmetries)
def symmetries(ground: Ground) -> Findings:
    """Compose the maps of a few states, then map steps. O(symmetries² + symmetries x steps)."""
    group: list[Symmetry[Any, Any]] = items("symmetries", ground.ask, "symmetries")
    if not all(isinstance(each, Symmetry) for each in group):
        yield Breach("objects of Symmetry", short(group), "symmetries")
        return None
    yield from _group_laws(ground, group)
    seen = 0
    for visit in ground.visits():
        breaches = (_commutes(ground, symmetry, visit) for symmetry in group)
        breach = next(filter(None, breaches), None)
        if breach is not None:
            yield breach
        seen += len(group)
        if seen > IMAGES:
            break
    return f"{ground.scope()}, under {plural(len(group), 'map')}"


def _image(symmetry: Symmetry[Any, Any], state: Any) -> Any:
    return call("symmetries", symmetry.state_map, state)


def _group_laws(ground: Ground, group: Sequence[Symmetry[Any, Any]]) -> Findings:
    """The identity is there, and whatever two of the maps do one after the other is there.

    A finite set of one-to-one maps that is closed in this way has the inverses, too.
    """
    probes = [visit.state for visit in ground.sound(PROBES)]
    actions = [step.action for visit in ground.visited[:PROBES] for step in visit.steps][:PROBES]

    def signature(*maps: Symmetry[Any, Any]) -> tuple[Hashable, ...]:
        found: list[Hashable] = []
        for state in probes:
            for each in maps:
                state = _image(each, state)  # noqa: PLW2901  (one after the other)
            found.append(ground.key(state))
        for action in actions:
            for each in maps:
                action = call("symmetries", each.action_map, action)  # noqa: PLW2901
            found.append(ground.action_text(action))
        return tuple(found)

    known = {signature(each) for each in group}
    if signature() not in known:
        names = ", ".join(repr(each.name) for each in group[:6]) or "no symmetries"
        found = f"none of {names} maps every state and action to itself"
        yield Breach("one of the symmetries is the identity", found, "symmetries")
    pairs = [(one, two) for one in group for two in group]
    for one, two in pairs[:: max(1, len(pairs) // MOST_PAIRS)]:
        ground.watch()
        if signature(one, two) not in known:
            expected = f"{one.name!r} and then {two.name!r} are together a symmetry of the list"
            found = "no symmetry of the list does that to all states and actions"
            yield Breach(expected, found, "symmetries")
    return None


def _commutes(ground: Ground, symmetry: Symmetry[Any, Any], visit: Visit) -> Breach | None:
    image = _image(symmetry, visit.state)
    name = f"symmetry {symmetry.name!r}"

    there = f"at its image {ground.text(image)}"
    if bool(ground.ask("is_goal", image)) != visit.is_goal:
        expected = f"{name} maps goals to goals, and other states to others"
        found = f"is_goal is {visit.is_goal} here and {not visit.is_goal} {there}"
        return Breach(expected, found, "symmetries")
    if symmetry.is_packed:
        if symmetry.fields is not None:
            does, moved = (
                "maps fields as its `fields`",
                image_by_fields(symmetry.fields, visit.state),
            )
        else:
            does, moved = "moves bits as its `bits`", moved_bits(visit.state, symmetry.bits or ())
        if moved != image:
            expected = f"state_map of {name} {does} say, to {ground.text(moved)}"
            return Breach(expected, ground.text(image), "symmetries")
    steps = ground.steps_from(Met(None, image, 0, ground.key(image)))
    images = [
        (call("symmetries", symmetry.action_map, step.action), step.cost,
         ground.key(_image(symmetry, step.state)))
        for step in visit.steps
    ]  # fmt: skip
    given = [(step.action, step.cost, step.key) for step in steps]
    lost = missing(images, given)
    if lost is not None:
        step = visit.steps[next(i for i, each in enumerate(images) if each == lost)]
        return Breach(
            f"{name} maps the step {ground.action_text(step.action)} to a step "
            f"{ground.action_text(lost[0])} at cost {lost[1]} {there}, to "
            f"{ground.text(_image(symmetry, step.state))}",
            _steps_there(ground, steps, lost[0]),
            "symmetries",
        )
    extra = missing(given, images)
    if extra is not None:
        expected = f"{name} maps the steps here to all steps {there}"
        found = f"the step {ground.action_text(extra[0])} there is the image of none"
        return Breach(expected, found, "symmetries")
    return None


def _steps_there(ground: Ground, steps: Sequence[Met], action: Any) -> str:
    for step in steps:
        if step.action == action:
            return f"that step leads to {ground.text(step.state)} at cost {step.cost}"
    texts = ", ".join(ground.action_text(step.action) for step in steps[:8])
    return f"the steps there are {texts or 'none'}"
