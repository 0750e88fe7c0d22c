"""States with declared fields, which rules copy and change in place: records within bounds.

They are read as what `searchkit.fields.states` shows rules in Python: indices count from 0,
members of sets come in their order, and a number out of bounds is an error, so that the state is
left to Python where there may be one.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable
from functools import partial
from typing import Any

import attrs

from searchkit.errors import ProblemError
from searchkit.kernel_language import trees
from searchkit.problem import Step
from searchkit.translation import (
    counters,
    entries,
    lookups,
    members,
    memory,
    methods,
    sequences,
    sets,
    statements,
    variables,
)
from searchkit.translation.calls import check_label, known_name, split_source, value_of_function
from searchkit.translation.comparison import FALSE
from searchkit.translation.definitions import is_generator
from searchkit.translation.effects import may_change
from searchkit.translation.facts import Variable
from searchkit.translation.loops import is_set
from searchkit.translation.memory import (
    class_of_atom,
    constant,
    copied,
    fields_of,
    in_memory,
    kind_of,
    loaded,
    now,
    repeat,
    store,
    there,
)
from searchkit.translation.methods import Bound, changed_members
from searchkit.translation.refusals import describe, refuse, trap, written
from searchkit.translation.sets import bit_of, clear_set, is_any_set, put_all, zeros
from searchkit.translation.statements import give
from searchkit.translation.strings import parts_of
from searchkit.translation.translator import Rows, Translator
from searchkit.translation.types import Bits, Bool, Grid, Int, Maybe, Object, Record, Seq, Type
from searchkit.translation.values import (
    CONSTANTS,
    FRAME,
    SMALL,
    Chosen,
    Function,
    Items,
    Joined,
    Known,
    Place,
    Scalar,
    Stream,
    Value,
)
from searchkit.translation.variables import again, kept, looked_up

NONE = Known(None)
_SET_SIGNS = (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor)
_UPDATES: dict[str, type[ast.operator]] = {
    "update": ast.BitOr,
    "difference_update": ast.Sub,
    "intersection_update": ast.BitAnd,
    "symmetric_difference_update": ast.BitXor,
}


def wrong(t: Translator, what: str) -> ProblemError:
    """The error for what no engine could do."""
    return ProblemError(str(refuse(t, what)))


def _is_field_set(value: Value) -> bool:
    return isinstance(value, Place) and value.is_field and isinstance(value.type, Bits)


# Reading


def field_of(t: Translator, place: Place, number: int) -> Place:
    """An item of a record; of an object, with its bounds."""
    found = memory.field_of(t, place, number)
    if isinstance(place.type, Object):
        return found._replace(bounds=place.type.bounds[number], is_field=True)
    return found


def attribute(t: Translator, value: Value, name: str) -> Value:
    """`value.name`; a field of an object must be there."""
    kind = value.type if isinstance(value, Place) else None
    kind = kind.item if isinstance(kind, Maybe) else kind
    if isinstance(kind, Object) and name not in kind.names:
        known = ", ".join(kind.names)
        raise t.forms.wrong(t, f"there is no field {name!r}; the fields are {known}")
    return members.attribute(t, value, name)


def is_mutable(t: Translator, kind: Type) -> bool:
    """Whether values of a type can be changed in place."""
    return isinstance(kind, Object) or memory.is_mutable(t, kind)


def method(t: Translator, owner: Value, name: str) -> Bound | None:
    """A method: of an object, `copy`."""
    owner = t.forms.chosen_set(t, owner)
    owner = there(t, owner)
    if isinstance(owner, Place) and isinstance(owner.type, Object):
        return Bound(owner, partial(copied, t)) if name == "copy" else None
    if _is_field_set(owner):
        if name in _UPDATES:
            return Bound(owner, lambda one, *more: _updated(t, one, _UPDATES[name], more))
        if name == "clear":
            return Bound(owner, partial(_cleared, t))
    return counters.method(t, owner, name)


def place_of_item(t: Translator, value: Value, index: Value) -> Place | Known:
    """Where `value[index]` is; indices of fields are not negative."""
    if isinstance(value, Place) and value.is_field and isinstance(value.type, Seq):
        number = t.forms.number(t, index, "indexes by")
        if number.high < 0 or number.low >= value.type.most:
            t.forms.fail(t)
            return Known(0)
        # No IndexError, which rules may take: Python raises an error of another class.
        return t.forms.item_at(t, value, t.forms.within(t, number, 0, value.type.most - 1).text)
    return sequences.place_of_item(t, value, index)


def collected(t: Translator, value: Value, kind: type) -> Value:
    """`list(value)` and the like, of which machine code knows no bounds."""
    found = sets.collected(t, value, kind)
    if isinstance(found, Place) and found.is_field:
        return found._replace(is_field=False, bounds=(1 - SMALL, SMALL - 1))
    return found


# Changes


def change(t: Translator, place: Place, *, whole: bool = False, by_item: bool = False) -> None:
    """Note that something is changed in place: never the state that rules were given."""
    is_given = place.root is None and not place.is_fresh and place.memory == FRAME
    if is_given and (place.is_field or isinstance(place.type, Object)):
        raise t.forms.wrong(
            t, "changes the state that it was given; change a copy, as in t = s.copy()"
        )
    variables.change(t, place, whole=whole, by_item=by_item)


def assign_target(t: Translator, target: ast.expr, value: Value) -> None:
    """Give names, or places, a value; fields of objects among them."""
    if isinstance(target, ast.Attribute):
        field = field_to_change(t, target)
        if field is not None:
            t.forms.put_field(t, field, value)
            return
    statements.assign_target(t, target, value)


def field_to_change(t: Translator, target: ast.Attribute) -> Place | None:
    """The field that a store changes; None if it is no field."""
    owner = t.forms.value(t, target.value)
    owner = there(t, owner)
    if not isinstance(owner, Place) or not isinstance(owner.type, Object):
        return None
    found = t.forms.attribute(t, owner, target.attr)  # whether there is one
    t.forms.change(t, owner)
    if isinstance(found, Place) and owner.root is not None and not owner.root.is_replaced:
        # Another name for the field would show what is put there, which in Python it does not.
        owner.root.is_replaced = True
        again(t, owner.root)
    return t.forms.field_of(t, owner, owner.type.names.index(target.attr))


def put_field(t: Translator, place: Place, value: Value) -> None:
    """Write a value to a field."""
    kind = place.type
    if isinstance(kind, Int):
        t.forms.put(t, place, value)
    elif isinstance(kind, Bits):
        made = t.forms.bits_of(t, value, place)
        t.forms.copy(t, made._replace(type=kind), place)
    else:
        _put_items(t, place, value)


def _put_items(t: Translator, place: Place, value: Value) -> None:
    kind: Seq = place.type
    if isinstance(value, Stream) or is_set(value):
        value = t.forms.collected(t, value, list)
    if isinstance(value, (Known, Items)):
        parts = parts_of(t, value)
        if len(parts) != kind.most:
            t.forms.fail(t)
            return
        numbers = [kept(t, t.forms.fitting(t, place, each)) for each in parts]
        for i, number in enumerate(numbers):
            store(t, number, t.forms.item_at(t, place, str(i)))
        return
    row = in_memory(t, value) if isinstance(value, Joined) else value
    if not isinstance(row, Place) or not isinstance(row.type, Seq):
        raise refuse(t, f"assigns {describe(value)} to an Array", "assign a list")
    count = t.forms.length(t, row)
    if not count.low == count.high == kind.most:
        trap(t, f"{count.text} != {kind.most}")
    if row.type.item != kind.item:
        what = "truth values" if isinstance(row.type.item, (Int, Bool)) else "no numbers"
        raise refuse(t, f"assigns a list of {what} to an Array", "assign numbers")
    full = Scalar.whole(kind.most)

    def put(i: str) -> None:
        number = t.forms.fitting(t, place, loaded(t, t.forms.item_at(t, row, i)))
        store(t, number, t.forms.item_at(t, place, i))

    repeat(t, full, put)


def fitting(t: Translator, place: Place, value: Value) -> Scalar:
    """A number that fits a field; leaves the state to Python where it does not."""
    if isinstance(value, Known) and isinstance(value.value, enum.Enum):
        value = Known(value.value.value)
    if isinstance(class_of_atom(value), enum.EnumMeta):
        value = t.forms.attribute(t, value, "value")
    return t.forms.within(t, t.forms.number(t, value, "gives a field"), *place.bounds)


def put(t: Translator, place: Place, value: Value) -> None:
    """Write to an item of a list, or to a field, which has bounds."""
    if place.is_field and isinstance(place.type, Int):
        store(t, t.forms.fitting(t, place, value), place)
        return
    entries.put(t, place, value)


def do_augassign(t: Translator, node: ast.AugAssign) -> None:
    """An assignment that adds, or changes a set that is a field."""
    target = node.target
    if isinstance(target, ast.Name):
        before = looked_up(t, target.id)
        if isinstance(before, Place) and before.is_field:
            # Python gives the name a new set.
            _check_set(t, before, node)
            t.forms.assign(
                t, target.id, t.forms.combined(t, node.op, before, t.forms.value(t, node.value))
            )
            return
    field = field_to_change(t, target) if isinstance(target, ast.Attribute) else None
    if field is None:
        statements.do_augassign(t, node)
    elif isinstance(field.type, Int):
        before = t.forms.settled(t, loaded(t, field))
        t.forms.put(t, field, t.forms.combined(t, node.op, before, t.forms.value(t, node.value)))
    else:
        _check_set(t, field, node)
        t.forms.put_field(
            t, field, t.forms.combined(t, node.op, field, t.forms.value(t, node.value))
        )


def _check_set(t: Translator, field: Place, node: ast.AugAssign) -> None:
    if not isinstance(field.type, Bits) or not isinstance(node.op, _SET_SIGNS):
        raise refuse(t, f"changes `{written(node.target)}` by this operator", "assign a list")
    base = node.target
    while isinstance(base, ast.Attribute):
        base = base.value  # type: ignore[assignment]
    name = base.id if isinstance(base, ast.Name) else ""
    parts = list(trees.nodes(node.value))
    is_used = any(isinstance(each, ast.Name) and each.id == name for each in parts)
    if is_used and any(map(may_change, parts)):
        raise refuse(
            t,
            f"calls what may change {written(base)} while a field of it is changed",
            "give what it returns a name before",
        )


def do_for(t: Translator, node: ast.For) -> None:
    """A loop; not through a field that is given another value there."""
    kinds = dict(zip(t.kind.names, t.kind.items, strict=True))
    through = [node.iter, *getattr(node.iter, "args", ())]
    names = {each.attr for each in through if isinstance(each, ast.Attribute)}
    fields = [each for each in trees.nodes(node) if isinstance(each, ast.Attribute)]
    for name in names & {each.attr for each in fields if isinstance(each.ctx, ast.Store)}:
        if isinstance(kinds.get(name), Seq):  # Python goes on through what was there
            what = f"gives {name} another value while it goes through it"
            raise refuse(t, what, "go through a copy: list(...)")
    statements.do_for(t, node)


def store_slice(t: Translator, target: ast.Subscript, part: ast.Slice, value: Value) -> None:
    """Write to a slice of a list; a field keeps its length."""
    owner = t.forms.value(t, target.value)
    if isinstance(owner, Place) and owner.is_field:
        raise refuse(t, "changes a slice of a field", "change its items")
    statements.store_slice(t, target, part, value)


def list_to_change(t: Translator, owner: Value, *, whole: bool = False) -> Place:
    """A list that is going to be changed in place."""
    found = methods.list_to_change(t, owner, whole=whole)
    if found.is_field and isinstance(t.node, ast.Call):
        name = getattr(t.node.func, "attr", "")
        if name not in ("reverse", "sort"):
            raise refuse(t, f"calls {name} of an Array", "its length stays: change items")
    return found


def of_sharing(t: Translator, variable: Variable) -> Exception:
    """The error for a change of what has two names."""
    return refuse(
        t,
        "changes a state, list or set that has two names, or is part of another",
        "copy it: t.copy(), list(...), set(...)",
    )


# Types of objects never change


def with_part(
    t: Translator, kind: Type, path: tuple[int | None, ...], change: Callable[[Type], Type]
) -> Type:
    """A type with another type of one of its parts: an object has none."""
    if isinstance(kind, Object) and path:
        raise refuse(t, "puts another type into a field", "put numbers there")
    return variables.with_part(t, kind, path, change)


def enlarge(t: Translator, place: Place, item: Type) -> Place:
    """Make sure that a list may have items of a type; a field keeps its length."""
    if place.is_field:
        raise refuse(t, "makes a field longer, or shorter", "its length stays")
    return variables.enlarge(t, place, item)


def roomy(t: Translator, before: Type, after: Type) -> Type:
    """A type with more room; an object has all that it needs."""
    return after if isinstance(after, Object) else variables.roomy(t, before, after)


# Sets


def type_of_known(t: Translator, value: Any) -> Any:
    """The type of an object of Python; sets have the members of a field where that has all."""
    return _like_fields(t, memory.type_of_known(t, value))


def chosen_set(t: Translator, value: Value, other: Value | None = None) -> Value:
    """One of several sets of the author's as bits; any other value as it is.

    `other` is what it is joined or compared with.
    """
    if not isinstance(value, Chosen) or not is_any_set(value):
        return value
    values = tuple(map(set, value.values))
    kind = t.forms.type_of_known(t, values)
    if not isinstance(kind, Seq) or not isinstance(kind.item, Bits):
        return value
    return loaded(t, t.forms.item_at(t, constant(t, values, kind), value.place))


def _like_fields(t: Translator, kind: Type) -> Type:
    if isinstance(kind, Bits) and isinstance(kind.universe, Grid) and kind.universe.is_bare:
        (low,), (size,) = kind.universe.lows, kind.universe.sizes
        sets = [each for each in t.kind.items if isinstance(each, Bits) and low >= 0]
        enough = [each for each in sets if low + size <= each.universe.size]
        least = min(enough, key=lambda each: each.universe.size, default=kind)
        return attrs.evolve(least, kind=kind.kind)
    if isinstance(kind, Seq):
        return attrs.evolve(kind, item=_like_fields(t, kind.item))
    if isinstance(kind, Record):
        return attrs.evolve(kind, items=tuple(_like_fields(t, each) for each in kind.items))
    return Maybe(_like_fields(t, kind.item)) if isinstance(kind, Maybe) else kind


def as_set(t: Translator, value: Value) -> Value:
    """A value as a set."""
    return methods.as_set(t, t.forms.chosen_set(t, value))


def set_isdisjoint(t: Translator, owner: Value, other: Value) -> Value:
    """`isdisjoint` of a set; of a field by its bits."""
    other = t.forms.chosen_set(t, other, owner)
    if isinstance(owner, Place) and t.forms.alike(t, owner, other):
        return t.forms.cells_hold(t, owner, other, "{a} & {b} == 0")  # type: ignore[arg-type]
    return methods.set_isdisjoint(t, owner, other)


def members_in(t: Translator, value: Place) -> Stream:
    """The members of a set; those of a field in their order."""
    found = sets.members_in(t, value)
    return found._replace(is_ordered=True) if value.is_field else found


def in_set(t: Translator, value: Value, item: Value) -> Scalar:
    """Whether something is in a set; in a field only what may be."""
    if not isinstance(value, Place) or not value.is_field:
        return sets.in_set(t, value, item)
    found = t.forms.member_place(t, value.type, item)
    if found is None:
        t.forms.fail(t)
        return FALSE
    number, test = found
    if test != "True":
        trap(t, f"not ({test})")
    cell, bit = bit_of(t, value, number)
    return Scalar(Bool(), now(t, value, f"({cell} >> {bit} & 1 != 0)"), 0, 1)


def with_bit(t: Translator, place: Place, item: Value, sign: str, *, must: bool) -> None:
    """Put a member into a set, or take it out; a field takes no other members."""
    sets.with_bit(t, place, item, sign, must=must or place.is_field)


def bits_of(t: Translator, value: Value, like: Place) -> Place:
    """Any numbers as a set like a field; leaves the state to Python where one is outside."""
    kind: Bits = like.type
    value = t.forms.chosen_set(t, value)
    is_bits = isinstance(value, Place) and isinstance(value.type, Bits)
    if is_bits and value.type.universe == kind.universe:  # type: ignore[union-attr]
        return value  # type: ignore[return-value]
    if not is_set(value):
        if isinstance(value, Known):
            if not hasattr(value.value, "__iter__"):
                raise refuse(t, f"uses {value.value!r:.40} as a set", "use a set")
            value = Known(set(value.value))
        elif isinstance(value, Items):
            value = Items(value.items, set)
        else:
            made = zeros(t, kind)
            put_all(t, made, value)
            return made
    made = t.forms.slot(t, attrs.evolve(kind, kind=kind_of(value) or set))
    store(t, value, made)
    return made.made()


def combined_sets(t: Translator, op: ast.operator, left: Value, right: Value) -> Value:
    """`|`, `&`, `-` and `^` of sets; of a field with any numbers that may be its members."""
    if isinstance(left, Place) and left.is_field and isinstance(op, _SET_SIGNS):
        made: Any = lookups.combined_sets(t, op, left, t.forms.bits_of(t, right, left))
        return made._replace(is_field=True)  # type: ignore[no-any-return]
    return lookups.combined_sets(t, op, left, right)


def combined(t: Translator, op: ast.operator, left: Value, right: Value) -> Value:
    """A binary operator on values of any kind."""
    left, right = t.forms.chosen_set(t, left, right), t.forms.chosen_set(t, right, left)
    if _is_field_set(left) and isinstance(op, _SET_SIGNS):
        return t.forms.combined_sets(t, op, left, right)
    return counters.combined(t, op, left, right)


def equal(t: Translator, left: Value, right: Value) -> Scalar:
    """Whether two values are equal; a field that is a set equals any row of its members."""
    left, right = t.forms.chosen_set(t, left, right), t.forms.chosen_set(t, right, left)
    for one, other in ((left, right), (right, left)):
        if _is_field_set(one):
            return counters.equal(t, one, _row_as_set(t, other, (list, tuple, str, range)))
    return counters.equal(t, left, right)


def _row_as_set(t: Translator, value: Value, kinds: tuple[type, ...]) -> Value:
    if isinstance(value, Known) and isinstance(value.value, (list, tuple, range)):
        return Known(set(value.value))
    is_row = isinstance(value, Stream) or kind_of(value) in kinds
    return t.forms.collected(t, value, set) if is_row else value


def ordered(t: Translator, sign: str, left: Value, right: Value) -> Scalar:
    """`<`, `<=`, `>` and `>=`; a field that is a set also with rows of members."""
    left, right = t.forms.chosen_set(t, left, right), t.forms.chosen_set(t, right, left)
    if sign in ("<=", ">="):
        if _is_field_set(left):
            right = _row_as_set(t, right, (list, tuple, range))
        elif _is_field_set(right):
            left = _row_as_set(t, left, (list, tuple, range))
    return counters.ordered(t, sign, left, right)


def set_discard(t: Translator, owner: Value, item: Value, *, is_sure: bool = False) -> Value:
    """`discard` and `remove` of a set; of a field only what may be there."""
    if is_sure and isinstance(owner, Place) and owner.is_field:
        row = changed_members(t, owner)
        trap(t, f"not {t.forms.in_set(t, row._replace(is_stable=False), item).text}")
        return methods.set_discard(t, owner, item)
    return methods.set_discard(t, owner, item, is_sure=is_sure)


def _updated(
    t: Translator, owner: Place, op: type[ast.operator], others: tuple[Value, ...]
) -> Value:
    """`difference_update` and the like."""
    t.forms.change(t, owner)
    for each in others:
        t.forms.put_field(t, owner, t.forms.combined_sets(t, op(), owner, each))
    return NONE


def _cleared(t: Translator, owner: Place) -> Value:
    t.forms.change(t, owner)
    clear_set(t, owner)
    return NONE


# Steps


def label_left_out(t: Translator, node: ast.expr) -> Value | None:
    """What `yield label, child` gives a search, which looks at no label; None for all else."""
    parts: list[ast.expr] = []
    if isinstance(node, ast.Tuple):
        parts = node.elts
    elif isinstance(node, ast.Call) and not node.keywords:
        function = node.func
        known = known_name(t, function.id) if isinstance(function, ast.Name) else None
        parts = node.args if known is Step else []
    if len(parts) not in (2, 3) or any(isinstance(each, ast.Starred) for each in parts):
        return None
    check_label(t, parts[0])
    state = t.forms.value(t, parts[1])
    cost = t.forms.value(t, parts[2]) if len(parts) == 3 else Known(1)
    return Items((state, t.forms.number(t, cost, "takes for a cost")), Step)


def entry(t: Translator, rule: Function, state: Value, returned: Any, yielded: Any) -> None:
    """Translate a method of the author's that is given a state."""
    definition = split_source(rule.function).definition
    if not is_generator(definition):
        raise refuse(t, "yields nothing", "yield each step: yield label, child", definition)
    t.listing.add(definition)
    entries.entry(t, rule, state, returned, yielded)


def do_expr(t: Translator, node: ast.Expr) -> None:
    """An expression by itself; what is yielded are steps without their labels."""
    value = node.value
    if t.scope.definition in t.listing:
        if isinstance(value, ast.Yield) and value.value is not None:
            step = label_left_out(t, value.value)
            if step is not None:
                give(t, step)
                return
        elif isinstance(value, ast.YieldFrom) and isinstance(value.value, ast.Call):
            function = value_of_function(t, value.value)
            if isinstance(function, Function) and function.function is not None:
                t.listing.add(split_source(function.function).definition)
    statements.do_expr(t, node)


def child(t: Translator, step: Value) -> None:
    """Give the search a child, by a label that it does not look at."""
    parts = fields_of(t, step)
    if isinstance(step, Items) and step.kind is tuple:
        parts = list(step.items)
    if parts is not None and len(parts) in (2, 3):  # that a method has returned
        cost = parts[2] if len(parts) == 3 else Known(1)
        step = Items((parts[1], t.forms.number(t, cost, "takes for a cost")), Step)
    entries.child(t, step)


def check_fit(t: Translator, at: str) -> None:
    """Whatever is put into a field fits it."""


def cells_of(t: Translator, state: Value) -> str:
    """Where a child is in the frame: wherever its author has made it."""
    state = there(t, state)
    if not isinstance(state, Place) or state.type != t.kind or state.memory == CONSTANTS:
        raise refuse(t, "yields what is not a state", "yield label, child, a copy of the state")
    if state.memory != FRAME:
        place = t.slots.get("child") or t.forms.slot(t, t.kind)
        t.slots["child"] = place
        t.forms.copy(t, state, place)
        state = place
    return state.at()


def object_type(kind: type, fields: dict[str, tuple[Type, tuple[int, int]]]) -> Object:
    """The type of objects of a class with these fields: types, and bounds on their numbers."""
    items = tuple(each for each, _ in fields.values())
    return Object(items, kind, tuple(fields), tuple(bounds for _, bounds in fields.values()))


def numbers_type(length: int) -> Seq:
    """The type of a list of numbers that keeps its length."""
    return Seq(Int(), length, length, list)


def members_type(below: int) -> Bits:
    """The type of a set of numbers from 0 on."""
    return Bits(Grid((0,), (below,), is_bare=True), set)


STATEMENTS: Rows = {ast.AugAssign: do_augassign, ast.For: do_for, ast.Expr: do_expr}


SET_METHODS: Rows = {"isdisjoint": set_isdisjoint, "discard": set_discard}
