"""The kernels of an author's methods, begun: `successors`, `is_goal` and `heuristic`."""

from __future__ import annotations

import ast
from functools import partial
from typing import Any

from searchkit.kernel_language.floats import ENDLESS
from searchkit.packed import DEAD_END
from searchkit.problem import INFINITY, Step
from searchkit.translation import statements
from searchkit.translation.arithmetic import is_float, whole_or_never
from searchkit.translation.changes import changed_words
from searchkit.translation.comparison import fixed_items, known_truth
from searchkit.translation.definitions import is_generator
from searchkit.translation.expressions import tested
from searchkit.translation.facts import Scope
from searchkit.translation.loops import inside, ordered_stream, run
from searchkit.translation.memory import is_none, kind_of, loaded, part, repeat, store, type_of
from searchkit.translation.refusals import Again, StatesOfTruths, refuse, trap
from searchkit.translation.statements import STEP
from searchkit.translation.translator import Rows, Translator
from searchkit.translation.types import (
    WHOLE,
    Float,
    Maybe,
    Record,
    Seq,
    Type,
    adds_truths,
    parts_of,
)
from searchkit.translation.values import FRAME, SMALL, Function, Items, Known, Place, Value


def head(t: Translator) -> Value:
    """Unpack the state; its value."""
    t.text.room(t.kind.cells)
    return loaded(t, Place(t.kind, FRAME, "", 0, is_stable=True))


def entry(t: Translator, rule: Function, state: Value, returned: Any, yielded: Any) -> None:
    """Translate a method of the author's that is given a state."""
    t.scope = Scope((t.name,), {}, t.site, {})

    def run(definition: Any, scope: Scope, given: dict[str, Value]) -> Value:
        yields = is_generator(definition)
        if yields and yielded is None:
            raise refuse(t, "yields, so that it returns no answer", "return it", definition)

        def finish(value: Value) -> None:
            # What a function returns that yields goes to nobody.
            returned(Items(()) if yields else value)

        with inside(t, scope):
            scope.returned, scope.yielded = finish, yielded
            for name, value in given.items():
                t.forms.assign(t, name, value)
            if not t.forms.block(t, definition.body):
                finish(Known(None))
        return Known(None)

    t.run_entry = run
    t.forms.called(t, rule, [state], {})


# successors


def expand(t: Translator, rule: Function) -> None:
    """`expand`: a child for each step."""
    state = head(t)

    def returned(value: Value) -> None:
        if is_none(value):
            t.forms.fail(t, what="has no steps, but None")
        else:
            run(t, ordered_stream(t, value), lambda step, _: t.forms.child(t, step))
        t.text.line("return")

    t.to_search = partial(t.forms.child, t)
    t.forms.entry(t, rule, state, returned, t.to_search)


def child(t: Translator, step: Value) -> None:
    """Give the search a child, with its cost if that is not 1."""
    if isinstance(step, Place) and isinstance(step.type, Record) and step.type.kind is Step:
        parts = [loaded(t, t.forms.field_of(t, step, i)) for i in range(2)]
        step = Items(tuple(parts), Step)
    is_plain = t.forms.plain_steps and kind_of(step) is tuple
    items = fixed_items(t, step) if is_plain else None
    if items is not None and len(items) == len(STEP):
        step = Items((items[1], t.forms.number(t, items[2], "takes for a cost")), Step)
    if not isinstance(step, Items) or step.kind is not Step:
        raise refuse(t, "yields what is not a step", t.forms.step_form)
    state, cost = step.items
    if adds_truths(type_of(t, state), t.kind):
        raise StatesOfTruths
    is_one = cost.low == cost.high == 1
    price = "" if is_one else f", {cost.text}"
    words = changed_words(t, state)
    if words is not None:
        child, unfit = words
        with t.text.block(f"if {unfit} != 0:"):
            t.text.line(f"{child} = {_packed(t, state)}")
        t.text.line(f"yield 0, {child}{price}")
        return
    t.text.line(f"yield 0, {_packed(t, state)}{price}")


def _packed(t: Translator, state: Value) -> str:
    """The text for the words of a child that is packed from its cells."""
    at = t.forms.cells_of(t, state)
    t.forms.check_fit(t, at)
    return f"self.{t.forms.pack}({FRAME}, {at})"


def check_fit(t: Translator, at: str) -> None:
    """Leave the state to Python where a child does not fit the layout."""
    trap(t, f"self.misfits({FRAME}, {at})")


def cells_of(t: Translator, state: Value) -> str:
    """Where a child is in the frame, with zeros behind what is shorter than it may be."""
    if isinstance(state, Place) and state.type == t.kind and state.memory == FRAME:
        place = state
    else:
        place = t.slots.get("child") or t.forms.slot(t, t.kind)
        t.slots["child"] = place
        store(t, state, place)
    _clear_behind(t, place)
    return place.at()


def _clear_behind(t: Translator, place: Place) -> None:
    kind = place.type
    if isinstance(kind, Seq):
        if not kind.is_fixed and kind.item.cells:
            i = t.text.name("i")
            size = kind.item.cells
            scaled = place.cell() if size == 1 else f"{place.cell()} * {size}"
            with t.text.loop(f"for {i} in range({scaled}, {kind.most * size}):"):
                inner = place._replace(shift=place.shift + 1)
                t.text.line(f"{inner.cell(i)} = 0")
        if _is_uneven(kind.item):
            unstable = place._replace(is_stable=False)
            repeat(
                t,
                t.forms.length(t, unstable),
                lambda i: _clear_behind(t, t.forms.item_at(t, place, i)),
            )
        if kind.kind is frozenset:
            # By their cells: equal sets are equal cells.
            count = t.forms.length(t, place._replace(is_stable=False))
            where = f"{place.memory}, {place.at(kind.start)}, {count.text}, {kind.item.cells}"
            t.text.temporary(f"sort_rows({where})", "done")
    elif isinstance(kind, Record):
        for number, each in enumerate(kind.items):
            if _is_uneven(each):
                _clear_behind(t, t.forms.field_of(t, place, number))
    elif isinstance(kind, Maybe) and _is_uneven(kind.item):
        with t.text.block(f"if {place.cell()} != 0:"):
            _clear_behind(t, part(place, kind.item, 1))


# is_goal, heuristic


def at_goal(t: Translator, rule: Function) -> None:
    """`at_goal`."""

    def returned(value: Value) -> None:
        if is_none(value):
            t.forms.fail(t, what="does not say whether a state is a goal: None")
            return
        t.text.line(f"return {t.forms.truth(t, value).text}")

    t.forms.entry(t, rule, head(t), returned, None)


def estimate(t: Translator, rule: Function) -> None:
    """`estimate`."""

    def returned(value: Value) -> None:
        never = ENDLESS if t.facts.gives_floats else DEAD_END
        if isinstance(value, Known) and isinstance(value.value, float):
            if value.value == INFINITY:
                t.text.line(f"return {never}")
                return
            if value.value.is_integer():
                value = Known(int(value.value))
        if is_float(value) or t.facts.gives_floats:
            _return_float(t, value)
            return
        number = t.forms.within(t, t.forms.number(t, value, "estimates by"), 0, SMALL - 1)
        t.text.line(f"return {number.text}")

    t.forms.entry(t, rule, head(t), returned, None)


def _return_float(t: Translator, value: Value) -> None:
    """Return the word of an estimate, or the number if Python has only whole ones there."""
    found = t.forms.as_float(t, value, "estimates by")
    is_whole = isinstance(found.type, Float) and found.type.form == WHOLE
    if not is_whole and not t.facts.gives_floats:
        t.facts.gives_floats = True
        raise Again
    if t.facts.gives_floats:
        number = t.text.temporary(f"float_add({found.text}, 0)", "estimate")  # no -0.0
        trap(t, f"{number} < 0 or {number} > {ENDLESS}")
        t.text.line(f"return {number}")
        return
    is_never, number = whole_or_never(t, found)
    with t.text.block(f"if {is_never}:"):
        t.text.line(f"return {DEAD_END}")
    number = t.text.temporary(number, "estimate")
    trap(t, f"{number} < 0")
    t.text.line(f"return {number}")


def give_back(t: Translator, node: ast.expr | None) -> None:
    """Return the value of an expression; of a condition, in each branch."""
    if t.name == "estimate" and isinstance(node, ast.IfExp) and len(t.scope.key) == 2:
        test = tested(t, node.test)
        if known_truth(test) is None:
            with t.text.block(f"if {test.text}:"):
                t.forms.give_back(t, node.body)
            t.forms.give_back(t, node.orelse)
            return
    statements.give_back(t, node)


def _is_uneven(kind: Type) -> bool:
    """Whether equal values may have unlike cells: behind what is short, or in sets."""
    own = isinstance(kind, Seq) and (not kind.is_fixed or kind.kind is frozenset)
    return own or any(map(_is_uneven, parts_of(kind)))


ENTRIES: Rows = {"expand": expand, "at_goal": at_goal, "estimate": estimate}
