"""What names stand for: variables of the function that is gone through, and what is around it."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Callable
from typing import Any

from searchkit.kernel_language import trees
from searchkit.translation.definitions import is_used_once, plain_name
from searchkit.translation.nodes.build import Refused, Variable
from searchkit.translation.nodes.lattice import has_ref, is_flat, is_scalar
from searchkit.translation.nodes.node import SMALL, Node, name
from searchkit.translation.nodes.values import (
    EVER,
    NAMED,
    OBJECT,
    ONCE,
    Function,
    Group,
    Known,
    Method,
    Place,
    Row,
    Stream,
)
from searchkit.translation.types import Bool, Int, Never

_counts: dict[int, tuple[Any, Counter[str], frozenset[str]]] = {}


def stores_of(definition: Any) -> tuple[Counter[str], frozenset[str]]:
    """How often each name of a function is given a value, and those that expressions give."""
    if id(definition) not in _counts:
        found: Counter[str] = Counter()
        walrus = set()
        body = definition.body if isinstance(definition.body, list) else [definition.body]
        todo = list(body)
        while todo:
            node = todo.pop()
            if isinstance(node, ast.FunctionDef):
                found[node.name] += 1
                continue
            if isinstance(node, ast.Lambda):
                continue
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found[node.id] += 1
            if isinstance(node, ast.NamedExpr):
                walrus.add(node.target.id)
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                found[node.target.id] += 1
            if isinstance(node, ast.ExceptHandler) and node.name:
                found[node.name] += 1
            todo.extend(trees.children(node))
        given = definition.args
        for each in [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]:
            if each is not None:
                found[each.arg] += 1
        _counts[id(definition)] = definition, found, frozenset(walrus)
    return _counts[id(definition)][1:]


class Scope:
    """A function that is gone through, once."""

    def __init__(self, path: Any, definition: Any, site: Any, function: Any, outer: Any) -> None:
        self.path, self.definition, self.site = path, definition, site
        self.function, self.outer = function, outer
        self.stores, self.walrus = stores_of(definition)
        self.yielded: Callable[[Any], None] | None = None
        self.returned: Callable[[Any], None] | None = None
        self.loops: list[tuple[int, int]] = []
        self.is_generator = False

    def owner_of(self, title: str) -> Scope | None:
        """The scope whose variable a name is."""
        here: Scope | None = self
        while here is not None:
            if title in here.stores:
                return here
            here = here.outer
        return None

    def outside(self, title: str) -> Any:
        """What a name is that no function around gives a value."""
        function = self.function
        here: Scope | None = self
        while function is None and here is not None:
            here = here.outer
            function = None if here is None else here.function
        title = plain_name(title)
        free = function.__code__.co_freevars
        if title in free:
            return function.__closure__[free.index(title)].cell_contents
        for each in (function.__globals__, vars(builtins)):
            if title in each:
                return each[title]
        raise Refused(f"the name {title}")


class Names:
    """Reads and gives values to variables."""

    def __init__(self, build: Any, parts: Any) -> None:
        self.b, self.p = build, parts

    def read(self, scope: Scope, node: ast.Name) -> Any:
        """What a name stands for now."""
        owner = scope.owner_of(node.id)
        if owner is None:
            return Known(scope.outside(node.id))
        if getattr(node, "is_unsure", False):
            self.check_given(owner, node.id)
        variable = self.b.variable((owner.path, node.id))
        found = self.value_of(variable, owner.stores[node.id] > 1)
        if node.id in owner.walrus and isinstance(found, (Node, Row)):
            found = self.settled(found)
        return found

    def check_given(self, owner: Scope, title: str) -> None:
        """Leave the state to Python where a name has no value."""
        from searchkit.translation.scopes import flag_of

        flag = self.value_of(self.b.variable((owner.path, flag_of(title))), True)
        test = self.p.cells.truth(flag)
        self.b.trap(self.b.negated(test))

    def value_of(self, variable: Variable, varies: bool = True) -> Any:
        """What a variable holds."""
        from searchkit.translation.nodes.build import Bottom

        if variable.alias is not None:
            found = variable.alias
            if isinstance(found, Place) and found.lasts == ONCE:
                return Place(found.type, found.memory, found.at, NAMED)
            return found
        kind = variable.type
        if isinstance(kind, Never):
            raise Bottom
        if is_scalar(kind):
            low, high = -SMALL, SMALL
            if isinstance(kind, (Int, Bool)):
                low, high = variable.low, variable.high
            return self.b.narrowed(name(variable.title, kind, low, high))
        if is_flat(kind):
            from searchkit.translation.nodes.cellwise import cell_types

            return Row(
                kind,
                [name(f"{variable.title}_{i}", each) for i, each in enumerate(cell_types(kind))],
            )
        self.place_of(variable)
        return variable.place

    def place_of(self, variable: Variable) -> Place:
        """Where a variable is in the frame."""
        if variable.place is None or variable.place.type != variable.type:
            variable.place = self.b.slot(variable.type, NAMED)
        return variable.place

    def give(self, scope: Scope, title: str, value: Any, *, is_argument: bool = False) -> None:
        """Give a name a value."""
        b = self.b
        variable = b.variable((scope.path, title))
        count = scope.stores[title]
        is_unsure = title in getattr(scope.definition, "unsure", ())
        variable.count = 2 if is_unsure else count
        variable.is_argument = is_argument and count == 1 and not scope.is_generator
        if count == 1:
            b.single.add(variable.title)
        if isinstance(value, Group) and self.p.cells.kind_of(value) in (tuple,) and count == 1:
            if any(self.p.cells.type_of(each) is None for each in value.items):
                variable.alias = self.settled(value)
                self.b.elsewhere += [
                    k for e in value.items if (k := self.p.cells.type_of(e)) is not None
                ]
                return
        is_plain = not isinstance(value, (Function, Method))
        if isinstance(value, Stream):
            if value.kind is not None:
                value = self.p.going.solid(value)
            else:
                is_plain = False
                self.check_iterator(scope, title, value, is_argument=is_argument)
        if isinstance(value, Known) and self.p.cells.type_of(value) is None:
            is_plain = False
        if isinstance(value, Known) and isinstance(value.value, (list, dict, set)):
            is_plain = False
        if not is_plain or (isinstance(value, Known) and count == 1):
            if variable.alias is not None and not (
                isinstance(variable.alias, Known) and isinstance(value, Known)
                and variable.alias.value is value.value
            ) and not (isinstance(value, Stream) and count == 1) and count > 1:  # fmt: skip
                raise self.p.cells.refuse(f"{title} stands for several things")
            if isinstance(value, Known) or is_plain or not isinstance(variable.type, Never):
                if not isinstance(variable.type, Never):
                    raise self.p.cells.refuse(f"{title} stands for several kinds of things")
            if count > 1 and not isinstance(value, Known):
                raise self.p.cells.refuse(f"{title} stands for several functions or iterators")
            variable.alias = value
            return
        if variable.alias is not None and count > 1:
            raise self.p.cells.refuse(f"{title} stands for several kinds of things")
        if isinstance(value, Place) and not has_ref(value.type) and (
            value.lasts == EVER or (value.lasts == ONCE and count == 1)
            or (is_argument and value.lasts == NAMED and count == 1)
        ) and not is_flat(value.type) and count == 1:  # fmt: skip
            variable.alias = value
            return
        self.hold(variable, value)

    def check_iterator(self, scope: Scope, title: str, value: Stream, *, is_argument: bool) -> None:
        """Refuse an iterator with a name that is used twice, or that names change under."""
        if not value.is_iterator:
            if not hasattr(value, "bounds"):
                raise self.p.cells.refuse("a view of a dict with a name")
            return
        if not is_used_once(scope.definition, title):
            raise self.p.cells.refuse("an iterator that may be used twice")
        if is_argument:
            return
        if value.node is None:
            raise self.p.cells.refuse("an iterator with a name")
        for each in ast.walk(value.node):
            if isinstance(each, ast.Name):
                owner = scope.owner_of(each.id)
                if owner is None:
                    continue
                plain = plain_name(each.id)
                if sum(n for title, n in owner.stores.items() if plain_name(title) == plain) > 1:
                    raise self.p.cells.refuse("an iterator over names that change")

    def hold(self, variable: Variable, value: Any) -> None:
        """Let a variable hold a value."""
        b, cells = self.b, self.p.cells
        value = self.p.going.solid(value)
        kind = cells.typed(value)
        bounds = (0, 0)
        if isinstance(kind, (Int, Bool)):
            found = cells.number(value)
            bounds = (found.low, found.high)
            if found.low <= -SMALL or found.high >= SMALL:
                if not (isinstance(value, Node) and value.low >= -SMALL and value.high <= SMALL):
                    value = self.p.numbers.small(value)
                    bounds = (value.low, value.high)
        b.grow(variable, kind, *bounds)
        kind = variable.type
        if is_scalar(kind):
            b.let(variable.title, cells.scalar(value, kind))
        elif is_flat(kind):
            found = [b.held(each) for each in cells.cells(value, kind)]
            for i, each in enumerate(found):
                b.let(f"{variable.title}_{i}", each)
        else:
            cells.store(self.place_of(variable).at, value, kind)

    def settled(self, value: Any) -> Any:
        """A value that no longer changes with the variables that it was made of."""
        if isinstance(value, Node):
            return self.b.held(value)
        if isinstance(value, Row):
            return Row(value.type, [self.b.held(each) for each in value.cells])
        if isinstance(value, Group):
            return Group([self.settled(each) for each in value.items], value.kind)
        if isinstance(value, Place) and value.lasts in (NAMED, OBJECT):
            made = self.b.slot(value.type)
            self.p.cells.copy(value, made.at)
            return made
        return value
