"""The kernels of an author's methods, begun: `successors`, `is_goal` and `heuristic`.

A child that differs from its state in few cells is made of the words of the state, not packed from
cells.
"""

from __future__ import annotations

import ast
from functools import partial
from typing import Any

from searchkit.kernel_language.floats import ENDLESS
from searchkit.packed import DEAD_END
from searchkit.problem import INFINITY, Step
from searchkit.translation import builders, memory, statements
from searchkit.translation.arithmetic import is_float, whole_or_never
from searchkit.translation.comparison import fixed_items, known_truth
from searchkit.translation.definitions import is_generator
from searchkit.translation.expressions import tested
from searchkit.translation.facts import Scope
from searchkit.translation.loops import inside, ordered_stream, run
from searchkit.translation.memory import (
    as_cell,
    copy_cells,
    count_of,
    is_none,
    kind_of,
    loaded,
    part,
    plus,
    repeat,
    store,
    type_of,
    type_of_joined,
)
from searchkit.translation.refusals import Again, StatesOfTruths, refuse, trap
from searchkit.translation.statements import STEP
from searchkit.translation.translator import Rows, Translator
from searchkit.translation.types import (
    WHOLE,
    Atom,
    Bool,
    Char,
    Float,
    Int,
    Maybe,
    Record,
    Seq,
    Type,
    adds_truths,
    parts_of,
)
from searchkit.translation.values import (
    FRAME,
    SMALL,
    Function,
    Items,
    Joined,
    Known,
    Place,
    Scalar,
    Stream,
    Value,
    Words,
)

MOST_CHANGES = 8
"""In how many cells a child may differ whose words are made of those of its state."""
_CELLS = (Int, Bool, Char, Atom)


class _Change:
    """What a child is made of: words, and cells that are replaced, by their numbers."""

    words: Words | None = None

    def __init__(self) -> None:
        self.cells: list[tuple[str, str]] = []


# Lists that began as a part of the state


def copied_list(t: Translator, value: Place, copy: Place) -> Place:
    """A list that was copied; with its words, if it is a part of the state."""
    kind = value.type
    if (
        t.name != "expand"
        or not t.forms.has_words
        or (value.memory, value.base, copy.memory) != (FRAME, "", FRAME)
        or not value.shift + kind.cells <= t.kind.cells
        or not (kind.is_fixed and isinstance(kind.item, _CELLS))
    ):
        return builders.copied_list(t, value, copy)
    word = t.text.temporary("state", "word")
    unfit = t.text.temporary("self.widened()", "unfit")
    return copy._replace(words=Words(word, unfit, copy.shift - value.shift))


def put(t: Translator, place: Place, value: Value) -> None:
    """Write a value to an item of a list; notes it as a change of the state."""
    statements.put(t, place, value)
    words = place.words
    if words is None:
        return
    at = place._replace(shift=place.shift - words.shift).at()
    _replace(t, words.word, words.unfit, at, place.cell())


def _replace(t: Translator, word: str, unfit: str, at: str, cell: str) -> None:
    t.text.line(f"{unfit} |= self.misfit({at}, {cell})")
    t.text.line(f"{word} = self.replaced({word}, {at}, {cell})")


# Children


def changed_words(t: Translator, child: Value) -> tuple[str, str] | None:
    """Names for the words of a child, and for what is not 0 where it does not fit.

    None where it differs from the state in too many cells, or in a way that is not followed.
    """
    if not t.forms.has_words:
        return None
    change = _Change()
    if not _follow(t, child, Place(t.kind, FRAME, "", 0, is_stable=True), change):
        return None
    count = len(change.cells)
    if count > min(MOST_CHANGES, max(4, t.kind.cells // 2)):
        return None
    words = change.words or Words("state", "self.widened()", 0)
    if not count and change.words is not None:
        return words.word, words.unfit
    word = t.text.temporary(words.word, "child")
    unfit = t.text.temporary(words.unfit, "unfit")
    for at, cell in change.cells:
        _replace(t, word, unfit, at, cell)
    return word, unfit


def _follow(t: Translator, value: Value, place: Place, change: _Change) -> bool:
    """Note how a value differs from a part of the state; whether that is known."""
    kind = place.type
    if isinstance(value, Place):
        return _follow_place(value, place, change)
    if isinstance(kind, _CELLS) and isinstance(value, (Scalar, Known)):
        return _follow_cell(t, value, place, change)
    if isinstance(value, Items) and isinstance(kind, Record) and value.kind is kind.kind:
        return len(value.items) == len(kind.items) and all(
            _follow(t, each, t.forms.field_of(t, place, i), change)
            for i, each in enumerate(value.items)
        )
    if not isinstance(kind, Seq) or not kind.is_fixed or not isinstance(kind.item, _CELLS):
        return False
    if isinstance(value, Items) and value.kind is kind.kind:
        return len(value.items) == kind.most and all(
            _follow(t, each, t.forms.item_at(t, place, str(i)), change)
            for i, each in enumerate(value.items)
        )
    if isinstance(value, Joined) and value.kind is kind.kind:
        between = _items_between(t, value, place)
        return between is not None and all(
            _follow_cell(t, item, t.forms.item_at(t, place, at), change) for at, item in between
        )
    return False


def _follow_place(value: Place, place: Place, change: _Change) -> bool:
    if value.type != place.type or value.memory != FRAME:
        return False
    if value.base == "" and value.shift == place.shift:
        return value.is_stable
    words = value.words
    if words is None or value.base or value.shift - place.shift != words.shift:
        return False
    if change.words is not None:
        return False
    change.words = words
    return True


def _follow_cell(t: Translator, value: Scalar | Known, place: Place, change: _Change) -> bool:
    text = as_cell(t, value, place.type)
    if text is None:
        return False
    if text not in (place.cell(), f"({place.cell()} != 0)"):
        change.cells.append((place.at(), text))
    return True


def _items_between(
    t: Translator, value: Joined, row: Place
) -> list[tuple[str, Scalar | Known]] | None:
    """The items, and where they are put, of what is otherwise a row of the same length.

    None where some part of the row would not be where it is.
    """
    whole = type_of_joined(t, value)
    if not whole.is_fixed or whole.most != row.type.most:
        return None
    found: list[tuple[str, Scalar | Known]] = []
    before: list[str] = []
    done = "0"
    for each in value.parts:
        items: tuple[Any, ...] = ()
        if isinstance(each, Items):
            items = each.items
        elif isinstance(each, Scalar):
            items = (each,)
        elif not _is_in_place(t, each, row, before, done):
            return None
        if not all(isinstance(item, (Scalar, Known)) for item in items):
            return None
        found += [(plus(done, str(i)), item) for i, item in enumerate(items)]
        count = count_of(t, each).text
        before.append(count)
        done = plus(done, count)
        if not done.isdigit() and not done.isidentifier():
            done = t.text.temporary(done, "n")
    return found


def _is_in_place(t: Translator, part: Any, row: Place, before: list[str], done: str) -> bool:
    """Whether a part is that of a row from as many items on as are in front of it."""
    first: Any = part
    is_there = True
    if isinstance(part, Stream):
        if part.slice is None:
            return False
        first, begin = part.slice
        is_there = first.shift == row.shift and t.sums.is_total(before, begin)
    elif isinstance(part, Place) and isinstance(part.type, Seq) and done.isdigit():
        is_there = part.shift == row.shift + int(done)
    else:
        return False
    is_same = (first.memory, first.base) == (row.memory, row.base) and first.is_stable
    return is_same and first.type.item == row.type.item and is_there


def store_joined(t: Translator, value: Joined, place: Place) -> None:
    """A row with a few other items is copied as a whole: how much that is, is known."""
    rows = [part.slice[0] for part in value.parts if isinstance(part, Stream) and part.slice]
    row = rows[0] if rows else None
    if row is not None and place.type.is_fixed and row.type.is_fixed:
        are_alike = row.type.item == place.type.item and isinstance(row.type.item, _CELLS)
        if are_alike and not row.type.start and row.type.most == place.type.most:
            items = _items_between(t, value, row)
            if items is not None and len(items) <= MOST_CHANGES:
                copy_cells(t, row, place, row.type.cells, 0)
                for at, item in items:
                    store(t, item, t.forms.item_at(t, place, at))
                return
    memory.store_joined(t, value, place)


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
