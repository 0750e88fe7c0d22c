"""What is known of the names in an author's rules, and the functions that are on their way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from searchkit.translation.types import Never, Type
from searchkit.translation.values import Interval, Stream, Value

FULL = 64
"""The capacity of a list that grows, unless states have longer ones."""


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
