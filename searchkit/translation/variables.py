"""The variables of an author's program: their types, found by going over it until none changes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import attrs

from searchkit.kernel_language import trees
from searchkit.translation.definitions import is_used_once_in_loop
from searchkit.translation.facts import Scope, Variable
from searchkit.translation.memory import (
    SCALARS,
    as_cell,
    false_or,
    in_memory,
    interval,
    joined_type,
    store,
    type_of,
    within_bounds,
)
from searchkit.translation.refusals import Again, of_order, own_name, refuse
from searchkit.translation.translator import Translator
from searchkit.translation.types import Bool, Int, Maybe, Never, Record, Seq, Type, join
from searchkit.translation.values import (
    FRAME,
    FUNCTIONS,
    SMALL,
    STACK,
    Chosen,
    Function,
    Interval,
    Items,
    Joined,
    Known,
    Objects,
    Place,
    Scalar,
    Stream,
    Value,
)

MOST_ROUNDS = 200
MOST_GROWTHS = 2
"""How often the bounds of a value grow as little as they must."""


def again(t: Translator, variable: Variable) -> None:
    """Begin the next round, with what is known now."""
    t.facts.rounds += 1
    if t.facts.rounds > MOST_ROUNDS:
        raise refuse(t, f"gives {variable.name} ever larger values", "use simpler rules")
    raise Again


def variable_named(t: Translator, name: str, scope: Scope | None = None) -> Variable:
    """What is known of a name of the scope."""
    return t.facts.variable(((scope or t.scope).key, name), name)


def looked_up(t: Translator, name: str) -> Value | None:
    """What a local name stands for; None if it is none."""
    scope = t.scope.of_name(name)
    if scope is None:
        return None
    return scope.bound.get(name) or value_of(t, variable_named(t, name, scope))


def value_of(t: Translator, variable: Variable) -> Value:
    """What a variable holds that is assigned to more than once."""
    kind = variable.type
    if isinstance(kind, Never):
        t.forms.fail(t, what="uses a name that was given no value on any way that was seen")
        return Known(0)
    if isinstance(kind, Bool):
        return Scalar(kind, variable.name, 0, 1)
    if isinstance(kind, SCALARS):
        return Scalar(kind, variable.name, variable.low, variable.high)
    variable.is_reset = True
    return slot_of(t, variable)


def slot_of(t: Translator, variable: Variable) -> Place:
    """The room of a variable."""
    if variable.name not in t.slots:
        place = t.forms.slot(t, variable.type)
        known = variable.interval
        if known is not None and not t.forms.is_mutable(t, variable.type):
            place = place._replace(bounds=known.bounds, parts=known.parts)
        t.slots[variable.name] = place._replace(root=variable)
    return t.slots[variable.name]


def grown(t: Translator, one: Type, other: Type, changes: int) -> Any:
    """The type of values of either, with room to grow where it has grown before."""
    found = joined_type(t, one, other)
    return found if changes < 3 else t.forms.roomy(t, one, found)


def roomy(t: Translator, before: Type, after: Type) -> Type:
    """A type with room for a value of another that may grow further."""
    if isinstance(before, Seq) and isinstance(after, Seq):
        item = t.forms.roomy(t, before.item, after.item)
        most = after.most
        if most > before.most:
            most = max(before.most, t.facts.capacity)
        return Seq(item, 0 if most > before.most else after.least, most, after.kind)
    if isinstance(before, Record) and isinstance(after, Record):
        pairs = zip(before.items, after.items, strict=True)
        return Record(tuple(t.forms.roomy(t, a, b) for a, b in pairs), after.kind)
    if isinstance(after, Maybe) and isinstance(before, Maybe):
        return attrs.evolve(after, item=t.forms.roomy(t, before.item, after.item))
    return after


def fits(t: Translator, kind: Type, within: Type) -> bool:
    """Whether values of a type can be put where another is, at worst with a test of lengths."""
    if isinstance(kind, Seq) and isinstance(within, Seq) and kind.kind is within.kind:
        is_room = within.most >= t.facts.capacity or (
            within.least <= kind.least and kind.most <= within.most
        )
        return is_room and fits(t, kind.item, within.item)
    if isinstance(kind, Record) and isinstance(within, Record):
        is_alike = kind.kind is within.kind and len(kind.items) == len(within.items)
        pairs = zip(kind.items, within.items, strict=False)
        return is_alike and all(fits(t, one, other) for one, other in pairs)
    if isinstance(within, Maybe):
        item = kind.item if isinstance(kind, Maybe) else kind
        is_alike = not isinstance(kind, Maybe) or kind.empty is within.empty
        return (is_alike and fits(t, item, within.item)) or (
            (join(kind, within) or false_or(kind, within)) == within
        )
    return join(kind, within) == within


def taken(t: Translator, value: Value, name: str) -> Value:
    """What a name stands for that is not used again: a list of its own may go elsewhere."""
    root = value.root if isinstance(value, Place) else None
    if not isinstance(value, Place) or not isinstance(root, Variable) or value.path:
        return value
    if root.key != (t.scope.key, name) or root.is_shared or root.is_aliased:
        return value
    if root.is_held or not t.forms.is_mutable(t, value.type):
        return value
    root.is_moved = True
    return value._replace(is_fresh=True)


# Assignment


def assign(t: Translator, name: str, value: Value) -> None:
    """Give a name a value."""
    t.sums.moment += 1
    scope = t.scope
    if isinstance(value, Stream) and value.is_iterator:
        if not (value.is_group and is_used_once_in_loop(scope.definition, name)):
            raise refuse(t, "gives an iterator a name", "make a list or tuple of it")
        scope.bound[name] = value
        return
    check_no_view(t, value)
    variable = variable_named(t, name)
    if scope.defined.get(name, 0) <= 1:
        _bind(t, name, variable, value)
    else:
        set_variable(t, variable, value)


def _bind(t: Translator, name: str, variable: Variable, value: Value) -> None:
    """A name that is assigned to once stands for the value itself, where that stays."""
    bound = t.scope.bound
    if isinstance(value, Known) and isinstance(value.value, (list, dict, set)):
        # Python makes a new one each time only where it is written out: see `displayed`.
        bound[name] = value
    elif isinstance(value, (Known, Function, Stream)):
        bound[name] = value
    elif isinstance(value, (Chosen, Objects)):
        bound[name] = value._replace(place=t.text.temporary(value.place, "place"))
    elif isinstance(value, Scalar):
        bound[name] = kept(t, value, variable.name)
    elif isinstance(value, Joined):
        bound[name] = owned(t, variable, value)
    elif isinstance(value, Items):
        if value.kind in (tuple, list) and _holds_functions(value):
            bound[name] = value  # which no rule can change
        elif value.kind is tuple and not variable.is_changed and not makes_lists(t, value):
            bound[name] = t.forms.settled(t, value)
        else:
            bound[name] = owned(t, variable, value)
    elif isinstance(value, Place):
        bound[name] = _bound_place(t, variable, value)


def _holds_functions(value: Value) -> bool:
    """Whether there are functions in a value."""
    if isinstance(value, Items):
        return any(map(_holds_functions, value.items))
    is_it = isinstance(value, Known) and isinstance(value.value, FUNCTIONS)
    return is_it or isinstance(value, Function)


def check_no_view(t: Translator, value: Value) -> None:
    """Refuse to keep a view of a dict that may change."""
    if isinstance(value, Stream) and not value.is_iterator and value.count is None:
        raise refuse(t, "keeps a view of a dict", "make a list or tuple of it")


def kept(t: Translator, value: Scalar, hint: str = "t") -> Scalar:
    """A number that later changes do not touch."""
    if value.text.lstrip("-").isdigit() or value.text in ("True", "False"):
        return value
    return value._replace(text=t.text.temporary(value.text, hint))


def makes_lists(t: Translator, value: Value) -> bool:
    """Whether there are lists in a value that nothing else knows yet."""
    if isinstance(value, Items):
        return value.kind in (list, set) or any(makes_lists(t, each) for each in value.items)
    if isinstance(value, Joined):
        return value.kind is list
    return isinstance(value, Place) and value.is_fresh and t.forms.is_mutable(t, value.type)


def settled(t: Translator, value: Value) -> Value:
    """A value that later changes do not touch."""
    if isinstance(value, Stream) and value.is_iterator:
        raise refuse(t, "keeps an iterator", "make a list or tuple of it")
    if isinstance(value, Scalar):
        return kept(t, value)
    if isinstance(value, Items):
        return Items(tuple(t.forms.settled(t, each) for each in value.items), value.kind)
    if isinstance(value, Place) and not value.is_stable:
        t.forms.check_sharing(t, value)
        copy = t.forms.slot(t, value.type)
        store(t, value, copy)
        return within_bounds(t, copy, value)._replace(is_stable=True)
    if isinstance(value, Joined):
        return in_memory(t, value)
    return value


def evaluated(t: Translator, value: Value) -> Value:
    """A value that nothing is left to do for which an error may be taken: see `handlers`."""
    if t.handlers and isinstance(value, Joined):
        return in_memory(t, value)
    if t.handlers and isinstance(value, Items):
        return Items(tuple(evaluated(t, each) for each in value.items), value.kind)
    return value


def owned(t: Translator, variable: Variable, value: Value) -> Place:
    """The value in room of the variable's own."""
    make_room_in(t, variable, value)
    place = slot_of(t, variable)
    store(t, value, place)
    return place._replace(is_stable=not variable.is_changed, is_fresh=False)


def _bound_place(t: Translator, variable: Variable, value: Place) -> Place:
    if (
        value.root is None
        and value.is_fresh
        and (not value.base or t.forms.is_mutable(t, value.type))
    ):
        own = t.scope.routine
        is_there = not value.base or (own is not None and value.base == own.pointer)
        if not is_there or (variable.is_set and variable.type != value.type):
            return owned(t, variable, value)
        variable.type, variable.is_set = value.type, True
        return value._replace(
            root=variable, path=(), is_fresh=False, is_stable=not variable.is_changed,
            words=None if variable.has_no_words else value.words,
        )  # fmt: skip
    if value.is_stable or t.forms.is_mutable(t, value.type):
        # The same object by another name; addresses stay what they are now.
        is_part = isinstance(value.root, Variable) and value.path and not t.is_calm
        if is_part and value.root.is_replaced and not may_name_part(t, variable, value.root):
            raise refuse(
                t,
                "gives a name to a list within a list, of which whole lists are replaced",
                "write out the index each time",
            )
        if not t.forms.is_mutable(t, value.type):
            return value
        root = value.root if isinstance(value.root, Variable) else None
        if root is None or not root.is_reset or t.scope.begins or _stays(t, root):
            if root is not None and not t.scope.begins and not root.is_aliased:
                root.is_aliased = True
                if root.is_moved:
                    again(t, root)
            return value._replace(is_fresh=False)
        value = value._replace(is_fresh=False)
        t.forms.check_sharing(t, value, variable)
    return owned(t, variable, value)


def _stays(t: Translator, root: Variable) -> bool:
    """Whether a variable is given no other value while names live that are bound now."""
    scope = t.scope
    while not t.is_calm and scope is not None and scope.key != root.key[0]:
        if scope.yielded is not None or scope.outer is not None or t.running:
            return False
        scope = scope.caller
    return t.is_calm or scope not in (None, t.scope)


def set_variable(t: Translator, variable: Variable, value: Value) -> None:
    """Write to a variable that is assigned to more than once."""
    check_one(t, value)
    if isinstance(value, Place) and value.root is variable and not value.path:
        return  # it is there
    value = that_may_grow(value)
    t.forms.check_sharing(t, value, variable)
    make_room_in(t, variable, value)
    if isinstance(variable.type, SCALARS):
        t.text.line(f"{variable.name} = {scalar_text(t, variable, value)}")
    else:
        place = slot_of(t, variable)
        if _reads(value, place):
            value = in_memory(t, value, variable.type)
        store(t, value, place)


def check_one(t: Translator, value: Value) -> None:
    """Refuse to give a name, or an argument, several values of kinds that are not copied."""
    if isinstance(value, (Function, Stream)):
        raise refuse(t, "gives a name several functions or ranges", "use two names")
    if isinstance(value, Known) and isinstance(value.value, (dict, set)):
        cure = "fill one dict that begins as {}, or use a list of pairs"
        raise refuse(t, "gives a name, or returns, several dicts or sets", cure)


def make_room_in(t: Translator, variable: Variable, value: Value) -> None:
    """Give a variable a type, and bounds, that hold a value."""
    kind = type_of(t, value)
    low, high = 0, 0
    if isinstance(kind, (Int, Bool)):
        number = t.forms.number(t, value, "")
        low, high = max(number.low, 1 - SMALL), min(number.high, SMALL - 1)
    if not variable.is_set or not fits(t, kind, variable.type):
        variable.type = grown(t, variable.type, kind, variable.changes)
        variable.changes += 1
        if variable.is_set:
            variable.low, variable.high = min(low, variable.low), max(high, variable.high)
            again(t, variable)
        variable.low, variable.high = low, high
        variable.is_set = True
    if not isinstance(variable.type, SCALARS):
        _note_interval(t, variable, value)
    if isinstance(variable.type, Int) and not variable.low <= low <= high <= variable.high:
        variable.changes += 1
        if variable.changes > 2:
            low = 1 - SMALL if low < variable.low else variable.low
            high = SMALL - 1 if high > variable.high else variable.high
        variable.low, variable.high = min(low, variable.low), max(high, variable.high)
        again(t, variable)


def _note_interval(t: Translator, variable: Variable, value: Value) -> None:
    """Give a variable whose value lies in memory bounds that hold another's numbers."""
    before, found = variable.interval, interval(value)
    after = found if before is None else before.joined(found)
    if before is None:
        variable.interval = after
    if before in (None, after) or t.forms.is_mutable(t, variable.type):
        return
    variable.growths += 1
    if variable.growths > MOST_GROWTHS:
        low = 1 - SMALL if after.low < before.low else before.low
        high = SMALL - 1 if after.high > before.high else before.high
        after = Interval(low, high)
    variable.interval = after
    if after != before:
        again(t, variable)


def scalar_text(t: Translator, variable: Variable, value: Value) -> str:
    """The text of a value for a variable of one cell."""
    if isinstance(variable.type, Bool):
        return t.forms.truth(t, value).text
    if not isinstance(variable.type, Int):
        variable.low, variable.high = 0, SMALL - 1
    text = as_cell(t, value, variable.type)
    assert text is not None
    return text


def _reads(value: Value, place: Place) -> bool:
    """Whether what is written may be read from there."""
    if isinstance(value, Place):
        return value.root is place.root and bool(value.path)
    return isinstance(value, (Items, Joined)) and touches(value, place)


def touches(value: Value, place: Place) -> bool:
    """Whether a value is, or may be, a part of what is at a place."""
    if isinstance(value, Place):
        return value.root is place.root
    if isinstance(value, (Items, Joined)):
        parts = value.items if isinstance(value, Items) else value.parts
        return any(touches(each, place) for each in parts)
    return isinstance(value, Stream)


# Lists that are changed in place


def check_sharing(t: Translator, value: Value, target: Variable | None = None) -> None:
    """Refuse to copy a list that Python would not copy, if that could be told apart."""
    if not isinstance(value, Place) or not t.forms.is_mutable(t, value.type) or value.is_fresh:
        return
    if isinstance(value.root, Variable):
        for variable in (value.root, target):
            if variable is not None:
                _share(t, variable)
    elif target is not None and target.is_changed:
        raise t.forms.of_sharing(t, target)


def _share(t: Translator, variable: Variable) -> None:
    if variable.is_changed:
        raise t.forms.of_sharing(t, variable)
    if not variable.is_shared and (variable.is_freed or variable.is_moved):
        variable.is_shared = True
        again(t, variable)
    variable.is_shared = True


def of_sharing(t: Translator, variable: Variable) -> Exception:
    """The error for a change of a list that has two names."""
    name = own_name(str(variable.key[1]))
    shown = f"the list `{name}`, which" if name.isidentifier() else "a list that"
    return refuse(
        t, f"changes {shown} has two names, or is part of another", "copy it with list(...)"
    )


def change(t: Translator, place: Place, *, whole: bool = False, by_item: bool = False) -> None:
    """Note that a list is changed in place; `whole` if items that are lists are.

    `by_item` says that one of its items is going to be put there, and nothing else.
    """
    if place.memory not in (FRAME, STACK):
        raise refuse(
            t, "changes a list that does not belong to the state", "copy it with list(...) first"
        )
    variable = place.root
    if variable is None:
        if not place.is_fresh:
            raise refuse(t, "changes a list that may have other names", "copy it first")
        return
    if not isinstance(variable, Variable):
        raise refuse(t, "changes the state", "copy it with list(...) first")
    if variable.is_shared:
        raise t.forms.of_sharing(t, variable)
    for key in t.unordered:
        if len(variable.key[0]) <= len(key) or variable.key[0][: len(key)] != key:
            raise of_order(t, "changes a list while it goes through a set")
    if any(each is variable for each in t.turned):
        raise refuse(t, "changes a list while it goes through its columns", "use tuples")
    if place.words is not None and not by_item:
        variable.has_no_words = True
        again(t, variable)
    whole = whole and isinstance(place.type, Seq) and t.forms.is_mutable(t, place.type.item)
    if not variable.is_changed or (whole and not variable.is_replaced):
        variable.is_changed = True
        variable.is_replaced |= whole
        again(t, variable)


def enlarge(t: Translator, place: Place, item: Type) -> Place:
    """Make sure that a list may have items of a type, and more of them than now."""
    kind = place.type
    most = max(t.facts.capacity, kind.most)
    wanted = Seq(joined_type(t, kind.item, item), 0, most, kind.kind)
    if kind == wanted:
        return place
    variable = place.root
    if not isinstance(variable, Variable):
        raise refuse(t, "adds to a list that has no name", "give it one before")
    variable.type = t.forms.with_part(
        t, variable.type, place.path, lambda before: joined_type(t, before, wanted)
    )
    again(t, variable)
    return place


def with_part(
    t: Translator, kind: Type, path: tuple[int | None, ...], change: Callable[[Type], Type]
) -> Type:
    """A type with another type of one of its parts."""
    if not path:
        return change(kind)
    first, *rest = path
    if isinstance(kind, Maybe):
        return attrs.evolve(kind, item=t.forms.with_part(t, kind.item, tuple(rest), change))
    if isinstance(kind, Record):
        items = [
            t.forms.with_part(t, each, tuple(rest), change) if i == first else each
            for i, each in enumerate(kind.items)
        ]
        return Record(tuple(items), kind.kind)
    assert isinstance(kind, Seq)
    inner = t.forms.with_part(t, kind.item, tuple(rest), change)
    return attrs.evolve(kind, item=join(kind.item, inner) or inner)


def may_name_part(t: Translator, variable: Variable, root: Variable) -> bool:
    """Whether a list of a dict may have a name: until the end of a loop over the dict."""
    for each, loop in t.open_dicts:
        if each is root and loop is not None:
            name = variable.key[1]
            inside = {id(node) for node in trees.nodes(loop)}
            uses = (e for e in trees.nodes(t.scope.definition) if isinstance(e, ast.Name))
            if all(id(node) in inside for node in uses if node.id == name):
                t.named_parts = (*t.named_parts, root)
                return True
    return False


def that_may_grow(value: Value) -> Value:
    """An empty frozenset as one that more members may be joined with, whatever these are."""
    is_set = isinstance(value, Known) and isinstance(value.value, frozenset)
    return Items((), frozenset) if is_set and not value.value else value  # type: ignore[union-attr]
