"""The variables of an author's program: their types, found by going over it until none changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from searchkit.translation.definitions import is_used_once_in_loop
from searchkit.translation.memory import SCALARS, false_or
from searchkit.translation.naming import own_name
from searchkit.translation.order import Order
from searchkit.translation.refusals import Again
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
    Place,
    Scalar,
    Stream,
    Value,
)

FULL = 64
"""The capacity of a list that grows, unless states have longer ones."""
MOST_ROUNDS = 200
MOST_GROWTHS = 2
"""How often the bounds of a value grow as little as they must."""


class Variable:
    """What is known of one name."""

    name: str = ""
    type: Type = Never()
    low: int = 0
    high: int = 0
    interval: Interval | None = None
    """Bounds on the numbers of a value in memory, as far as it was seen."""
    growths: int = 0
    """How often these have grown."""
    is_set: bool = False
    changes: int = 0
    is_changed: bool = False
    """Whether the list that it stands for is changed in place."""
    is_replaced: bool = False
    """Whether whole lists within the list that it stands for are put in or taken out."""
    is_shared: bool = False
    """Whether the list that it stands for was put elsewhere as well."""
    is_reset: bool = False
    """Whether another value may be written over the one that it stands for."""
    is_freed: bool = False
    """Whether the list that it stands for was returned as one that nothing else knows."""
    is_moved: bool = False
    """Whether the list was taken from it where it is not used again."""
    is_aliased: bool = False
    """Whether the list that it stands for, or a part of it, has another name."""
    has_no_words: bool = False
    """Whether the list is changed in other ways than item by item."""
    is_own = False
    """Of an argument of a function that calls itself: whether it is given another value there."""
    is_other = False
    """The function does not always return the same argument."""
    argument: str | None = None
    """Of what a function returns that calls itself: the argument that it is."""
    is_held = False
    """Whether functions that have not returned yet may know the list that it stands for."""

    def __init__(self, key: Any) -> None:
        self.key = key


class Facts:
    """What is known of all variables, kept from one round to the next."""

    gives_floats = False
    """Whether the kernel gives words of floats, as it may give a float."""
    changes_state = False
    """Whether a rule on fields changes the state that it was given."""
    rounds = 0
    count = 0
    answers = 0
    """How many functions that call themselves were known to return something before this round."""

    def __init__(self, capacity: int = FULL) -> None:
        self.capacity = capacity
        self.variables: dict[Any, Variable] = {}
        self.sizes: dict[Any, int] = {}
        """How many items there may be at places of the program: see `note_most`."""
        self.sets_within: set[Any] = set()
        """The places where a comprehension goes through a set in an inner loop."""
        self.recursive: set[Any] = set()
        """The functions that call themselves, by their keys."""
        self.yielding: set[Any] = set()
        """The definitions of functions whose lists are gone through as they are made."""
        self.outlined: set[Any] = set()
        """The definitions of functions that are functions of the machine code as well."""
        self.shapes: dict[Any, set[Any]] = {}
        """Of these: the shapes of arguments that they were given so far."""
        self.held: dict[int, Any] = {}
        """Objects by their identities, which these shapes have."""
        self.in_place: set[Any] = set()
        """Those that cannot be."""

    def variable(self, key: Any, name: str) -> Variable:
        """The variable with a key."""
        found = self.variables.get(key)
        if found is None:
            found = self.variables[key] = Variable(key)
        if not found.name:
            self.count += 1
            made = "".join(each if each.isalnum() else "_" for each in name)
            found.name = f"v{self.count}_{made}"
        return found

    def forget(self, key: Any) -> None:
        """Forget the variables of a function, and what was done to the lists of others."""
        for (scope, name), each in list(self.variables.items()):
            if scope[: len(key)] == key:
                del self.variables[scope, name]
            each.is_changed = each.is_replaced = each.is_shared = each.is_reset = False
            each.is_freed = each.is_moved = each.is_aliased = each.has_no_words = False
        self.answers = self.rounds = 0

    def begin(self) -> None:
        """Begin a round: names are given in the order in which it meets variables."""
        self.count = 0
        for each in self.variables.values():
            each.name = ""


@attrs.define(eq=False)
class Scope:
    """One function on its way, at one of the places where it is called."""

    key: tuple[Any, ...]
    names: dict[str, Any]
    """The globals of its module."""
    site: Any
    defined: Mapping[str, int]
    """How often each name is assigned to."""
    outer: Scope | None = attrs.field(default=None, kw_only=True)
    """The function around it."""
    definition: Any = None
    walrus: frozenset[str] = frozenset()
    """The names that := assigns to."""
    caller: Scope | None = None
    """The function that it is in the place of a call of."""
    given: dict[str, Value] = attrs.Factory(dict)
    """Its arguments."""
    bound: dict[str, Value] = attrs.Factory(dict)
    """What names stand for that are assigned to once."""
    loops: list[Any] = attrs.Factory(list)
    """The loops that are open, each with the flag that says that it was left."""
    late: tuple[str, Any] | None = None
    """In a loop over a set that runs all its rounds: what notes a return, and the round."""
    returned: Any = None
    """What is done with what it returns."""
    yielded: Any = None
    """What is done with what it yields."""
    begins: bool = False
    """Whether its arguments are bound: those stay what they are until it returns."""
    routine: Any = attrs.field()
    """The function that calls itself, in whose activation its values lie."""
    round: Any = None
    """What is known of it, if it calls itself: see `recursion`."""
    is_entry: bool = False
    """Whether it is one of the rules."""
    passes: tuple[Any, ...] = ()
    """The functions that call themselves whose items are what it yields, as it is."""

    @routine.default
    def _routine_of_caller(self) -> Any:
        return None if self.caller is None else self.caller.routine

    def of_name(self, name: str) -> Scope | None:
        """The function, this one or one around it, whose own a name is; None if it is global."""
        scope: Scope | None = self
        while scope is not None and name not in scope.bound and name not in scope.defined:
            scope = scope.outer
        return scope

    def static(self, name: str) -> Value | None:
        """What a local name stands for, as far as that is known; None if it is not local."""
        scope = self.of_name(name)
        return None if scope is None else scope.bound.get(name, Stream())


class Variables(Order):
    """Names and what they are bound to."""

    # Of classes further down

    may_name_part: Callable[[Variable, Variable], bool]
    is_in_activation: Callable[[Place], bool]

    facts: Facts
    scope: Scope
    slots: dict[str, Place]
    handlers: tuple[Any, ...] = ()
    """What takes errors here, the last first: its classes, a loop of the text at whose end it
    stands, and how many loops over sets are open there."""
    is_calm: bool = False
    """Whether nothing is changed for as long as the names live that are given values now."""
    sized: set[Any]
    """The places of the program where room was made for as many items as were noted."""
    sums_of_floats: set[Any]
    """The places where a sum was met that is none of whole numbers."""
    unordered: tuple[Any, ...] = ()
    """The functions that go through a set at this point, by their keys."""

    def again(self, variable: Variable) -> None:
        """Begin the next round, with what is known now."""
        self.facts.rounds += 1
        if self.facts.rounds > MOST_ROUNDS:
            raise self.refuse(f"gives {variable.name} ever larger values", "use simpler rules")
        raise Again

    def variable(self, name: str, scope: Scope | None = None) -> Variable:
        """What is known of a name of the scope."""
        return self.facts.variable(((scope or self.scope).key, name), name)

    def looked_up(self, name: str) -> Value | None:
        """What a local name stands for; None if it is none."""
        scope = self.scope.of_name(name)
        if scope is None:
            return None
        return scope.bound.get(name) or self.value_of(self.variable(name, scope))

    def value_of(self, variable: Variable) -> Value:
        """What a variable holds that is assigned to more than once."""
        kind = variable.type
        if isinstance(kind, Never):
            self.fail(what="uses a name that was given no value on any way that was seen")
            return Known(0)
        if isinstance(kind, Bool):
            return Scalar(kind, variable.name, 0, 1)
        if isinstance(kind, SCALARS):
            return Scalar(kind, variable.name, variable.low, variable.high)
        variable.is_reset = True
        return self.slot_of(variable)

    def slot_of(self, variable: Variable) -> Place:
        """The room of a variable."""
        if variable.name not in self.slots:
            place = self.slot(variable.type)
            known = variable.interval
            if known is not None and not self.is_mutable(variable.type):
                place = place._replace(bounds=known.bounds, parts=known.parts)
            self.slots[variable.name] = place._replace(root=variable)
        return self.slots[variable.name]

    def grown(self, one: Type, other: Type, changes: int) -> Any:
        """The type of values of either, with room to grow where it has grown before."""
        found = self.joined(one, other)
        return found if changes < 3 else self._roomy(one, found)

    def _roomy(self, before: Type, after: Type) -> Type:
        if isinstance(before, Seq) and isinstance(after, Seq):
            item = self._roomy(before.item, after.item)
            most = after.most
            if most > before.most:
                most = max(before.most, self.facts.capacity)
            return Seq(item, 0 if most > before.most else after.least, most, after.kind)
        if isinstance(before, Record) and isinstance(after, Record):
            pairs = zip(before.items, after.items, strict=True)
            return Record(tuple(self._roomy(a, b) for a, b in pairs), after.kind)
        if isinstance(after, Maybe) and isinstance(before, Maybe):
            return attrs.evolve(after, item=self._roomy(before.item, after.item))
        return after

    def fits(self, kind: Type, within: Type) -> bool:
        """Whether values of a type can be put where another is, at worst with a test of lengths."""
        if isinstance(kind, Seq) and isinstance(within, Seq) and kind.kind is within.kind:
            is_room = within.most >= self.facts.capacity or (
                within.least <= kind.least and kind.most <= within.most
            )
            return is_room and self.fits(kind.item, within.item)
        if isinstance(kind, Record) and isinstance(within, Record):
            return kind.kind is within.kind and len(kind.items) == len(within.items) and all(
                map(self.fits, kind.items, within.items)
            )  # fmt: skip
        if isinstance(within, Maybe):
            item = kind.item if isinstance(kind, Maybe) else kind
            is_alike = not isinstance(kind, Maybe) or kind.empty is within.empty
            return (is_alike and self.fits(item, within.item)) or (
                (join(kind, within) or false_or(kind, within)) == within
            )
        return join(kind, within) == within

    def taken(self, value: Value, name: str) -> Value:
        """What a name stands for that is not used again: a list of its own may go elsewhere."""
        root = value.root if isinstance(value, Place) else None
        if not isinstance(value, Place) or not isinstance(root, Variable) or value.path:
            return value
        if root.key != (self.scope.key, name) or root.is_shared or root.is_aliased:
            return value
        if root.is_held or not self.is_mutable(value.type):
            return value
        root.is_moved = True
        return value._replace(is_fresh=True)

    # Assignment

    def assign(self, name: str, value: Value) -> None:
        """Give a name a value."""
        self.sums.moment += 1
        scope = self.scope
        if isinstance(value, Stream) and value.is_iterator:
            if not (value.is_group and is_used_once_in_loop(scope.definition, name)):
                raise self.refuse("gives an iterator a name", "make a list or tuple of it")
            scope.bound[name] = value
            return
        self.check_no_view(value)
        variable = self.variable(name)
        if scope.defined.get(name, 0) <= 1:
            self._bind(name, variable, value)
        else:
            self._set(variable, value)

    def _bind(self, name: str, variable: Variable, value: Value) -> None:
        """A name that is assigned to once stands for the value itself, where that stays."""
        bound = self.scope.bound
        if isinstance(value, Known) and isinstance(value.value, (list, dict, set)):
            # Python makes a new one each time only where it is written out: see `displayed`.
            bound[name] = value
        elif isinstance(value, (Known, Function, Stream)):
            bound[name] = value
        elif isinstance(value, Chosen):
            bound[name] = Chosen(value.values, self.text.temporary(value.place, "place"))
        elif isinstance(value, Scalar):
            bound[name] = self.kept(value, variable.name)
        elif isinstance(value, Joined):
            bound[name] = self.owned(variable, value)
        elif isinstance(value, Items):
            if value.kind in (tuple, list) and self._holds_functions(value):
                bound[name] = value  # which no rule can change
            elif value.kind is tuple and not variable.is_changed and not self._makes_lists(value):
                bound[name] = self.settled(value)
            else:
                bound[name] = self.owned(variable, value)
        elif isinstance(value, Place):
            bound[name] = self._bound_place(variable, value)

    def _holds_functions(self, value: Value) -> bool:
        """Whether there are functions in a value."""
        if isinstance(value, Items):
            return any(map(self._holds_functions, value.items))
        is_it = isinstance(value, Known) and isinstance(value.value, FUNCTIONS)
        return is_it or isinstance(value, Function)

    def check_no_view(self, value: Value) -> None:
        """Refuse to keep a view of a dict that may change."""
        if isinstance(value, Stream) and not value.is_iterator and value.count is None:
            raise self.refuse("keeps a view of a dict", "make a list or tuple of it")

    def kept(self, value: Scalar, hint: str = "t") -> Scalar:
        """A number that later changes do not touch."""
        if value.text.lstrip("-").isdigit() or value.text in ("True", "False"):
            return value
        return value._replace(text=self.text.temporary(value.text, hint))

    def _makes_lists(self, value: Value) -> bool:
        """Whether there are lists in a value that nothing else knows yet."""
        if isinstance(value, Items):
            return value.kind in (list, set) or any(map(self._makes_lists, value.items))
        if isinstance(value, Joined):
            return value.kind is list
        return isinstance(value, Place) and value.is_fresh and self.is_mutable(value.type)

    def settled(self, value: Value) -> Value:
        """A value that later changes do not touch."""
        if isinstance(value, Stream) and value.is_iterator:
            raise self.refuse("keeps an iterator", "make a list or tuple of it")
        if isinstance(value, Scalar):
            return self.kept(value)
        if isinstance(value, Items):
            return Items(tuple(map(self.settled, value.items)), value.kind)
        if isinstance(value, Place) and not value.is_stable:
            self._check_sharing(value)
            copy = self.slot(value.type)
            self.store(value, copy)
            return self.within_bounds(copy, value)._replace(is_stable=True)
        if isinstance(value, Joined):
            return self.in_memory(value)
        return value

    def evaluated(self, value: Value) -> Value:
        """A value that nothing is left to do for which an error may be taken: see `handlers`."""
        if self.handlers and isinstance(value, Joined):
            return self.in_memory(value)
        if self.handlers and isinstance(value, Items):
            return Items(tuple(map(self.evaluated, value.items)), value.kind)
        return value

    def owned(self, variable: Variable, value: Value) -> Place:
        """The value in room of the variable's own."""
        self.make_room_in(variable, value)
        place = self.slot_of(variable)
        self.store(value, place)
        return place._replace(is_stable=not variable.is_changed, is_fresh=False)

    def _bound_place(self, variable: Variable, value: Place) -> Place:
        if (
            value.root is None
            and value.is_fresh
            and (not value.base or self.is_mutable(value.type))
        ):
            is_there = not value.base or self.is_in_activation(value)
            if not is_there or (variable.is_set and variable.type != value.type):
                return self.owned(variable, value)
            variable.type, variable.is_set = value.type, True
            return value._replace(
                root=variable, path=(), is_fresh=False, is_stable=not variable.is_changed,
                words=None if variable.has_no_words else value.words,
            )  # fmt: skip
        if value.is_stable or self.is_mutable(value.type):
            # The same object by another name; addresses stay what they are now.
            is_part = isinstance(value.root, Variable) and value.path and not self.is_calm
            if is_part and value.root.is_replaced and not self.may_name_part(variable, value.root):
                raise self.refuse(
                    "gives a name to a list within a list, of which whole lists are replaced",
                    "write out the index each time",
                )
            if not self.is_mutable(value.type):
                return value
            root = value.root if isinstance(value.root, Variable) else None
            if root is None or not root.is_reset or self.scope.begins:
                if root is not None and not self.scope.begins and not root.is_aliased:
                    root.is_aliased = True
                    if root.is_moved:
                        self.again(root)
                return value._replace(is_fresh=False)
            value = value._replace(is_fresh=False)
            self._check_sharing(value, variable)
        return self.owned(variable, value)

    def _set(self, variable: Variable, value: Value) -> None:
        """Write to a variable that is assigned to more than once."""
        if isinstance(value, (Function, Stream)):
            raise self.refuse("gives a name several functions or ranges", "use two names")
        if isinstance(value, Known) and isinstance(value.value, (dict, set)):
            cure = "fill one dict that begins as {}, or use a list of pairs"
            raise self.refuse("gives a name, or returns, several dicts or sets", cure)
        if isinstance(value, Place) and value.root is variable and not value.path:
            return  # it is there
        value = that_may_grow(value)
        self._check_sharing(value, variable)
        self.make_room_in(variable, value)
        if isinstance(variable.type, SCALARS):
            self.text.line(f"{variable.name} = {self.scalar_text(variable, value)}")
        else:
            place = self.slot_of(variable)
            if self._reads(value, place):
                value = self.in_memory(value, variable.type)
            self.store(value, place)

    def make_room_in(self, variable: Variable, value: Value) -> None:
        """Give a variable a type, and bounds, that hold a value."""
        kind = self.type_of(value)
        low, high = 0, 0
        if isinstance(kind, (Int, Bool)):
            number = self.number(value, "")
            low, high = max(number.low, 1 - SMALL), min(number.high, SMALL - 1)
        if not variable.is_set or not self.fits(kind, variable.type):
            variable.type = self.grown(variable.type, kind, variable.changes)
            variable.changes += 1
            if variable.is_set:
                variable.low, variable.high = min(low, variable.low), max(high, variable.high)
                self.again(variable)
            variable.low, variable.high = low, high
            variable.is_set = True
        if not isinstance(variable.type, SCALARS):
            self._note_interval(variable, value)
        if isinstance(variable.type, Int) and not variable.low <= low <= high <= variable.high:
            variable.changes += 1
            if variable.changes > 2:
                low = 1 - SMALL if low < variable.low else variable.low
                high = SMALL - 1 if high > variable.high else variable.high
            variable.low, variable.high = min(low, variable.low), max(high, variable.high)
            self.again(variable)

    def _note_interval(self, variable: Variable, value: Value) -> None:
        """Give a variable whose value lies in memory bounds that hold another's numbers."""
        before, found = variable.interval, self.interval(value)
        after = found if before is None else before.joined(found)
        if before is None:
            variable.interval = after
        if before in (None, after) or self.is_mutable(variable.type):
            return
        variable.growths += 1
        if variable.growths > MOST_GROWTHS:
            low = 1 - SMALL if after.low < before.low else before.low
            high = SMALL - 1 if after.high > before.high else before.high
            after = Interval(low, high)
        variable.interval = after
        if after != before:
            self.again(variable)

    def scalar_text(self, variable: Variable, value: Value) -> str:
        """The text of a value for a variable of one cell."""
        if isinstance(variable.type, Bool):
            return self.truth(value).text
        if not isinstance(variable.type, Int):
            variable.low, variable.high = 0, SMALL - 1
        text = self.as_cell(value, variable.type)
        assert text is not None
        return text

    def _reads(self, value: Value, place: Place) -> bool:
        """Whether what is written may be read from there."""
        if isinstance(value, Place):
            return value.root is place.root and bool(value.path)
        return isinstance(value, (Items, Joined)) and self._touches(value, place)

    def _touches(self, value: Value, place: Place) -> bool:
        if isinstance(value, Place):
            return value.root is place.root
        if isinstance(value, (Items, Joined)):
            parts = value.items if isinstance(value, Items) else value.parts
            return any(self._touches(each, place) for each in parts)
        return isinstance(value, Stream)

    # Lists that are changed in place

    def check_copied(self, value: Value) -> bool:
        """Whether a list is copied that Python would not copy; refuses it where that shows."""
        is_list = isinstance(value, Place) and self.is_mutable(value.type)
        if not is_list or value.is_fresh:  # type: ignore[union-attr]
            return False
        self._check_sharing(value)
        return True

    def _check_sharing(self, value: Value, target: Variable | None = None) -> None:
        """Refuse to copy a list that Python would not copy, if that could be told apart."""
        if not isinstance(value, Place) or not self.is_mutable(value.type) or value.is_fresh:
            return
        if isinstance(value.root, Variable):
            for variable in (value.root, target):
                if variable is not None:
                    self._share(variable)
        elif target is not None and target.is_changed:
            raise self._of_sharing(target)

    def _share(self, variable: Variable) -> None:
        if variable.is_changed:
            raise self._of_sharing(variable)
        if not variable.is_shared and (variable.is_freed or variable.is_moved):
            variable.is_shared = True
            self.again(variable)
        variable.is_shared = True

    def _of_sharing(self, variable: Variable) -> Exception:
        name = own_name(str(variable.key[1]))
        shown = f"the list `{name}`, which" if name.isidentifier() else "a list that"
        return self.refuse(
            f"changes {shown} has two names, or is part of another", "copy it with list(...)"
        )

    def change(self, place: Place, *, whole: bool = False, by_item: bool = False) -> None:
        """Note that a list is changed in place; `whole` if items that are lists are.

        `by_item` says that one of its items is going to be put there, and nothing else.
        """
        if place.memory not in (FRAME, STACK):
            raise self.refuse(
                "changes a list that does not belong to the state", "copy it with list(...) first"
            )
        variable = place.root
        if variable is None:
            if not place.is_fresh:
                raise self.refuse("changes a list that may have other names", "copy it first")
            return
        if not isinstance(variable, Variable):
            raise self.refuse("changes the state", "copy it with list(...) first")
        if variable.is_shared:
            raise self._of_sharing(variable)
        for key in self.unordered:
            if len(variable.key[0]) <= len(key) or variable.key[0][: len(key)] != key:
                raise self.refuse(
                    "changes a list while it goes through a set, whose order machine code does "
                    "not know", "go through sorted(...) of it, or use tuples",
                )  # fmt: skip
        if place.words is not None and not by_item:
            variable.has_no_words = True
            self.again(variable)
        whole = whole and isinstance(place.type, Seq) and self.is_mutable(place.type.item)
        if not variable.is_changed or (whole and not variable.is_replaced):
            variable.is_changed = True
            variable.is_replaced |= whole
            self.again(variable)

    def enlarge(self, place: Place, item: Type) -> Place:
        """Make sure that a list may have items of a type, and more of them than now."""
        kind = place.type
        most = max(self.facts.capacity, kind.most)
        wanted = Seq(self.joined(kind.item, item), 0, most, kind.kind)
        if kind == wanted:
            return place
        variable = place.root
        if not isinstance(variable, Variable):
            raise self.refuse("adds to a list that has no name", "give it one before")
        variable.type = self.with_part(
            variable.type, place.path, lambda before: self.joined(before, wanted)
        )
        self.again(variable)
        return place

    def with_part(
        self, kind: Type, path: tuple[int | None, ...], change: Callable[[Type], Type]
    ) -> Type:
        """A type with another type of one of its parts."""
        if not path:
            return change(kind)
        first, *rest = path
        if isinstance(kind, Maybe):
            return attrs.evolve(kind, item=self.with_part(kind.item, tuple(rest), change))
        if isinstance(kind, Record):
            items = [
                self.with_part(each, tuple(rest), change) if i == first else each
                for i, each in enumerate(kind.items)
            ]
            return Record(tuple(items), kind.kind)
        assert isinstance(kind, Seq)
        inner = self.with_part(kind.item, tuple(rest), change)
        return attrs.evolve(kind, item=join(kind.item, inner) or inner)


def that_may_grow(value: Value) -> Value:
    """An empty frozenset as one that more members may be joined with, whatever these are."""
    is_set = isinstance(value, Known) and isinstance(value.value, frozenset)
    return Items((), frozenset) if is_set and not value.value else value  # type: ignore[union-attr]
