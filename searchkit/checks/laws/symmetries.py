"""Symmetries form a group and keep steps, costs and goals."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from searchkit.authors.user_code import call, items, short
from searchkit.capabilities import FieldImage, HasSymmetries, Symmetry
from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.checks.law import Findings, Law
from searchkit.checks.multisets import missing
from searchkit.premises.asking import Met
from searchkit.texts.amounts import plural

PROBES = 12
"""How many states tell one map from another."""
MOST_PAIRS = 2500
"""How many pairs of symmetries are composed."""
IMAGES = 20_000
"""How many images of states are compared with them: those of the states nearest to a start."""


def check(ground: Ground) -> Findings:
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
            does, moved = "maps fields as its `fields`", _mapped(visit.state, symmetry.fields)
        else:
            does, moved = "moves bits as its `bits`", _moved(visit.state, symmetry.bits or ())
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
            _listed(ground, steps, lost[0]),
            "symmetries",
        )
    extra = missing(given, images)
    if extra is not None:
        expected = f"{name} maps the steps here to all steps {there}"
        found = f"the step {ground.action_text(extra[0])} there is the image of none"
        return Breach(expected, found, "symmetries")
    return None


def _listed(ground: Ground, steps: Sequence[Met], action: Any) -> str:
    for step in steps:
        if step.action == action:
            return f"that step leads to {ground.text(step.state)} at cost {step.cost}"
    texts = ", ".join(ground.action_text(step.action) for step in steps[:8])
    return f"the steps there are {texts or 'none'}"


def _moved(state: Any, bits: tuple[int, ...]) -> Any:
    return sum(1 << to for place, to in enumerate(bits) if state >> place & 1)


def _mapped(state: Any, fields: Iterable[FieldImage]) -> Any:
    words = [state] if isinstance(state, int) else list(state)
    images = [0] * len(words)
    for each in fields:
        value = words[each.word] // 2**each.shift % 2**each.bits
        images[each.to_word] += each.values[value] * 2**each.to_shift
    return images[0] if isinstance(state, int) else tuple(images)


LAW = Law(__name__, __doc__, check, (HasSymmetries,))
