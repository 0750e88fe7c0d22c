"""Whether a table that is to be gone on with was made by the rules at hand.

Nobody can say so without making it again. So the first layers are made again, and of the others
some states are looked at: a table of other rules, or one that was forged without care, is found
out; one state that is taken away is not.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from searchkit.authors.user_code import short
from searchkit.capabilities import Symmetry
from searchkit.errors import UsageError
from searchkit.problem import Problem, Step
from searchkit.symmetry import canonical_state
from searchkit.tables.layers import Layers
from searchkit.tables.numbers import FEW, check_keys
from searchkit.tables.writer import TableWriter

REMADE = 1 << 12
"""How many states of the first layers are made again, divided by the number of symmetries."""
SAMPLED = 32
LOOKED_AT = 8
"""Of the last layer: which states have no parent says only that."""
Expand = Callable[[Any], Iterable[Step[Any, Any]]]


def check_rules(
    table: TableWriter,
    problem: Problem[Any, Any],
    expand: Expand,
    symmetries: Sequence[Symmetry[Any, Any]],
    roots: Sequence[Any],
) -> None:
    """Refuse a table whose layers are not what the rules make, as far as a sample tells.

    The first layers are what the `roots` lead to; all rows of the last one are of states, as far as
    the problem can tell. Successors of states of the last layer but one, and of some others, are in
    some layer, as are those of the last one in a table that is complete; states of the last one are
    canonical and, in an undirected problem, have a successor in the one before.
    """
    if not table.depth:
        return
    layers = table.layers(problem)
    is_small = sum(entry.canonical for entry in table.manifest.layers) <= FEW
    for depth in range(0 if is_small else table.depth - 1, table.depth):
        for file in layers.files[depth]:
            check_keys(file, layers.coding, problem)
    for root in roots[:SAMPLED]:
        if not layers.holds(0, canonical_state(root, symmetries)):
            raise _lacking(table, problem, root)
    _check_last(table, layers, problem, expand, symmetries)
    whole = table.depth if table.manifest.complete else table.depth - 1
    early = max(0, table.depth - 2)
    drawn = Counter(random.choices(range(early), k=SAMPLED) if early else ())
    drawn.update(dict.fromkeys(range(early, whole), SAMPLED))
    for layer, count in sorted(drawn.items(), reverse=True):
        for state in _drawn(layers, layer, count):
            for step in _steps(table, state, expand):
                child = canonical_state(step.state, symmetries)
                if not any(layers.holds(depth, child) for depth in reversed(range(table.depth))):
                    raise _lacking(table, problem, step.state, state)
    _check_first(table, layers, problem, expand, symmetries, roots)


def _check_first(
    table: TableWriter,
    layers: Layers,
    problem: Problem[Any, Any],
    expand: Expand,
    symmetries: Sequence[Symmetry[Any, Any]],
    roots: Sequence[Any],
) -> None:
    """Make the first layers again, and compare all of their states."""
    left, known = REMADE // max(1, len(symmetries)), set[Any]()
    after: list[tuple[Any, Any]] = [(root, None) for root in roots]
    for depth, entry in enumerate(table.manifest.layers):
        left -= entry.canonical
        if left < 0:
            return
        made = {layers.key_of(canonical_state(each, symmetries)): (each, of) for each, of in after}
        there = {layers.key_of(state): state for state in layers.states(depth)}
        known.update(there)
        for key, (state, parent) in made.items():
            if key not in known:
                raise _lacking(table, problem, state, parent)
        for key, state in there.items():
            if key not in made:
                raise _led_to_by_none(table, problem, state, depth)
        steps = ((state, _steps(table, state, expand)) for state in there.values())
        after = [(step.state, state) for state, found in steps for step in found]


def _check_last(
    table: TableWriter,
    layers: Layers,
    problem: Problem[Any, Any],
    expand: Expand,
    symmetries: Sequence[Symmetry[Any, Any]],
) -> None:
    """Look at some states of the last layer."""
    last = table.depth - 1
    for state in _drawn(layers, last, LOOKED_AT):
        steps = _steps(table, state, expand)
        is_canonical = layers.holds(last, canonical_state(state, symmetries))
        children = [canonical_state(step.state, symmetries) for step in steps]
        has_parent = not (last and problem.undirected) or any(
            layers.holds(last - 1, child) for child in children
        )
        if not (is_canonical and has_parent):
            raise _led_to_by_none(table, problem, state, last)


def _steps(table: TableWriter, state: Any, expand: Expand) -> list[Step[Any, Any]]:
    """The steps out of a state of a table; `UsageError` where the rules have none for it."""
    try:
        return list(expand(state))
    except Exception as error:  # of whatever kind the rules have for what is no state
        why = f"a state of its last layers, {state!r:.80} ({short(error, 120)})"
        raise _other_rules(table, f"the rules fail for {why}") from error


def _lacking(table: TableWriter, problem: Any, state: Any, parent: Any = None) -> UsageError:
    shown = problem.format_state(state)
    if parent is None:
        return _other_rules(table, f"its first layer lacks {shown}")
    return _other_rules(table, f"it lacks {shown}, a successor of {problem.format_state(parent)}")


def _led_to_by_none(table: TableWriter, problem: Any, state: Any, depth: int) -> UsageError:
    shown = f"{problem.format_state(state)} of layer {depth}"
    return _other_rules(table, f"no step leads from layer {depth - 1} to {shown}")


def _other_rules(table: TableWriter, why: str) -> UsageError:
    where = f"{table.store} was made by other rules, or forged"
    return UsageError(f"{where}: {why}; explore into an empty folder")


def _drawn(layers: Layers, depth: int, count: int) -> list[Any]:
    """Some states of a layer: the last, and others from anywhere."""
    states = layers.states(depth)
    choose = random.Random()
    places = {len(states) - 1, *(choose.randrange(len(states)) for _ in range(count - 1))}
    return [states[place] for place in sorted(places)]
