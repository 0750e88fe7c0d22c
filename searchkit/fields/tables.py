"""What rules look up: lists of the author's object, and what they calculate of moves alone.

Machine code knows arrays of integers. Lists within lists become arrays with rows filled up to one
length, and where lengths differ, these are kept beside them; rows that stand for sets become masks.
What an expression of a rule makes of a move alone is calculated once, for every move.

Rules are made into kernels once for a class: whatever is asked of an object meanwhile is a question
that is kept with its answer. Another object with the same answers has the same kernels, and tables
of its own.
"""

from __future__ import annotations

import ast
import enum
from collections import namedtuple
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AnySet
from functools import cached_property, reduce, wraps
from itertools import chain
from operator import or_, xor
from typing import Any, TypeVar

import attrs

from searchkit.bits import WORD_BITS
from searchkit.kernel_language.trees import copied
from searchkit.packed import DEAD_END
from searchkit.problem import INFINITY

FILLER = -(1 << 63)
"""What fills up rows; no list holds it."""
MOST_MASK = 1 << 62
"""Tables of sets are filled up so that it shows if none is as large."""
BY_MOVE = "by_move"
"""The table with a row of numbers for each move."""
OWN_CONSTANTS = "rule_constants"
"""That of what all objects of a class look up, but for those of `expand`."""
Shape = tuple[tuple[int, int], ...]
"""The least and the greatest length of the rows at each level."""
Answer = TypeVar("Answer")


class NotListedError(Exception):
    """A value is neither a number nor lists of numbers; the message says what it is."""


def as_number(value: Any) -> int:
    """A number as rules calculate with it; `NotListedError` for what is none."""
    if value.__class__ is int:
        return int(value)
    if isinstance(value, enum.Enum):
        value = value.value
    if value.__class__ is float and value == INFINITY:
        return DEAD_END
    if hasattr(value, "__index__") and not getattr(value, "shape", ()):
        return int(value.__index__())
    if value.__class__.__name__ in ("bool", "bool_"):
        return int(value)
    raise NotListedError(f"{value!r:.40}, which is not a whole number")


def is_listed(value: Any) -> bool:
    """Whether a value is a list of something, or a set."""
    if value.__class__ in (int, list, tuple):
        return value.__class__ is not int
    if isinstance(value, (str, bytes, enum.EnumMeta)):
        return False
    return isinstance(value, (Sequence, AnySet)) or bool(getattr(value, "shape", ()))


@attrs.frozen(eq=False)
class Nested:
    """Lists within lists of the author's, as tuples."""

    value: Any
    levels: list[list[tuple[Any, ...]]]
    """The rows that each number of indices leads to; one that many lead to is there once."""

    @classmethod
    def of(cls, value: Any) -> Nested:
        """A list of the author's; `NotListedError` for what machine code cannot look up."""
        return cls._of_rows(_rows(value))

    @classmethod
    def of_each(cls, values: list[Any]) -> Nested:
        """The lists of all moves: many are one list."""
        rows = {key: _rows(each) for key, each in {id(each): each for each in values}.items()}
        return cls._of_rows(tuple(rows[id(each)] for each in values))

    @classmethod
    def _of_rows(cls, value: Any) -> Nested:
        levels, rows = [], [value]
        while rows:
            levels.append(rows)
            items = [each for row in rows for each in row]
            kinds = {*map(type, items)}
            if tuple not in kinds:
                break
            if kinds != _TUPLE:
                raise NotListedError("numbers and lists beside each other")
            rows = list({id(each): each for each in items}.values())
        return cls(value, levels)

    @property
    def shape(self) -> Shape:
        """The lengths of its rows at all levels."""
        lengths = [[len(row) for row in rows] for rows in self.levels]
        return tuple((min(each), max(each)) for each in lengths)

    def numbers(self) -> Iterator[int]:
        """All numbers in it."""
        return (each for row in self.levels[-1] for each in row)

    def padded(self) -> Any:
        """The rows, filled up."""
        return _padded(self.value, self._sizes(len(self.levels)))

    def lengths(self, level: int) -> Any:
        """The lengths of the rows that `level` indices lead to, filled up."""
        return _padded(_mapped(self.value, level, len), self._sizes(level))

    def masks(self, shift: int, word: int, *, is_sum: bool) -> Any:
        """Word `word` of the innermost rows as sets, from bit `shift` on; or as sums of bits."""
        bit_of, join = _Bits(shift, word).__getitem__, xor if is_sum else or_

        known: dict[int, int] = {}

        def mask(row: tuple[int, ...]) -> int:
            found = known.get(id(row))
            if found is None:
                found = known[id(row)] = reduce(join, map(bit_of, row), 0)
            return found

        level = len(self.levels) - 1
        rows = _mapped(self.value, level, mask)
        is_shown = max(known.values(), default=0) < MOST_MASK
        return _padded(rows, self._sizes(level), FILLER if is_shown else 0)

    def _sizes(self, levels: int) -> list[int]:
        return [max([1, *map(len, rows)]) for rows in self.levels[:levels]]


_INT, _TUPLE = {int}, {tuple}
_LISTS = (_TUPLE, {list})
"""What is found without a call for each list."""


class _Bits(dict[int, int]):
    """The bits of numbers in word `word` of a set, from bit `shift` on: 0 outside of it."""

    def __init__(self, shift: int, word: int) -> None:
        self._from = WORD_BITS * word - shift

    def __missing__(self, number: int) -> int:
        place = number - self._from
        found = self[number] = 1 << place if 0 <= place < WORD_BITS else 0
        return found


def _rows(value: Any) -> Any:
    kind = value.__class__
    if kind is int:
        return value
    if kind in (list, tuple, range):
        kinds = {*map(type, value)}
        if kinds == _INT:
            return tuple(value)
        if kinds in _LISTS and {*map(type, chain.from_iterable(value))} == _INT:
            return tuple(map(tuple, value))
        return tuple(map(_rows, value))
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not is_listed(value):
        return as_number(value)
    return tuple(map(_rows, sorted(value) if isinstance(value, AnySet) else value))


def _mapped(rows: Any, level: int, function: Any, known: dict[int, Any] | None = None) -> Any:
    """What a function makes of the rows that `level` indices lead to; of one of them, once."""
    if not level:
        return function(rows)
    known = {} if known is None else known
    found = known.get(id(rows))
    if found is None:
        given = rows if level == 1 else [_mapped(each, level - 1, function, known) for each in rows]
        found = known[id(rows)] = tuple(map(function, given) if level == 1 else given)
    return found


def _padded(
    rows: Any, sizes: list[int], filler: int = FILLER, known: dict[Any, Any] | None = None
) -> Any:
    """Rows filled up to some sizes; one row, wherever it is, once."""
    if not sizes:
        return rows
    known = {} if known is None else known
    name = len(sizes), id(rows)
    found = known.get(name)
    if found is None:
        first, *rest = sizes
        empty: Any = filler if not rest else ()
        filled = (*rows, *[empty] * (first - len(rows)))
        found = tuple([_padded(each, rest, filler, known) for each in filled]) if rest else filled
        known[name] = found
    return found


@attrs.define(eq=False)
class Instance:
    """An author's object, what its `expand` looks up, and what no state changes in its rules."""

    author: Any
    moves: Sequence[tuple[Any, ...]]
    constants: tuple[int, ...] | None = None
    _known: dict[Any, Any] = attrs.field(factory=dict)

    def known(self, key: Any, make: Callable[[], Answer]) -> Answer:
        """What is made once for this object."""
        if key not in self._known:
            self._known[key] = make()
        found: Answer = self._known[key]
        return found


def _once(ask: Callable[[Static, Instance], Answer]) -> Callable[[Static, Instance], Answer]:
    """Have what an expression says of an object worked out once for it."""

    @wraps(ask)
    def kept(self: Static, instance: Instance) -> Answer:
        return instance.known((self, ask), lambda: ask(self, instance))

    return kept


NUMBERS, LISTS, DICTS, OTHERS, NOTHING = "numbers", "lists", "dicts", "others", "nothing"
"""What the values of an expression are; `NOTHING` where Python raises an error."""


@attrs.frozen(eq=False)
class Static:
    """An expression that no state changes: it has one value, or one for each move."""

    function: Callable[..., Any]
    """Its value, given the object and the numbers of a move."""
    by_move: bool = False
    of_self: bool = False

    @_once
    def values(self, instance: Instance) -> list[Any] | None:
        """Its values for an object; None where Python raises an error."""
        function, author = self.function, instance.author
        try:
            if self.by_move:
                return [function(author, *move) for move in instance.moves]
            return [function(author)]
        except Exception:  # whatever it is, it may be guarded by a condition
            return None

    @_once
    def sort(self, instance: Instance) -> str:
        """What its values are, such as `NUMBERS`."""
        values = self.values(instance)
        if not values:
            return NOTHING
        if all(map(is_listed, values)):
            return LISTS
        if isinstance(values[0], dict):
            return DICTS
        if is_listed(values[0]) or callable(values[0]):
            return OTHERS
        try:
            self.numbers(instance)
        except NotListedError:  # whose text may name one object: others would not be like it
            return OTHERS
        return NUMBERS

    @_once
    def numbers(self, instance: Instance) -> list[int]:
        """Its values as numbers; `NotListedError` for what is none."""
        return [as_number(each) for each in self.values(instance) or ()]

    @_once
    def extremes(self, instance: Instance) -> tuple[int, int]:
        """The least of its numbers and the greatest."""
        numbers = self.numbers(instance)
        return min(numbers), max(numbers)

    def within(self, length: int) -> Callable[[Instance], bool]:
        """Whether its values are indices of a field of that length."""
        return lambda instance: all(0 <= each < length for each in self.numbers(instance))

    def has_range(self, instance: Instance) -> bool:
        """Whether one of its values is a range, which is gone through and not looked up."""
        return any(isinstance(each, range) for each in self.values(instance) or ())

    @_once
    def nested(self, instance: Instance) -> Nested:
        """Its lists: with a row for each move, where they depend on it."""
        values: Any = self.values(instance)
        return Nested.of_each(values) if self.by_move else Nested.of(values[0])

    def shape(self, instance: Instance) -> Shape | str:
        """The lengths of the rows of its lists; what one holds that is neither number nor list."""
        try:
            return self.nested(instance).shape
        except NotListedError as error:
            return str(error)

    @_once
    def kinds(self, instance: Instance) -> list[type | None]:
        """By level, whether the rows of its lists are lists or tuples; None for both."""
        found: list[type | None] = []
        values = self.values(instance) or []
        rows = [values] if self.by_move else values
        for _ in self.nested(instance).levels:
            rows = [each for row in rows for each in row] if found else rows
            lists = sum(isinstance(each, list) for each in rows)
            found.append({0: tuple, len(rows): list}.get(lists))
        return found

    @_once
    def span(self, instance: Instance) -> tuple[int, int] | None:
        """The least number in its lists and the greatest."""
        numbers = list(self.nested(instance).numbers())
        return (min(numbers), max(numbers)) if numbers else None


@attrs.frozen(eq=False)
class Lists:
    """Lists that rules look up, by the name of their table."""

    name: str
    static: Static
    shape: Shape

    @property
    def depth(self) -> int:
        """How many indices lead to a number."""
        return len(self.shape)


_ASKED = ("questions", "recipes", "columns", "_lists", "_sorts", "_names")
"""What of tables holds what was asked."""


@attrs.define(slots=False)
class Tables:
    """The tables of objects with kernels, as they are asked for while these are made of rules."""

    instance: Instance | None
    """The object for which they are made; None afterwards."""
    questions: list[tuple[Callable[[Instance], Any], Any]] = attrs.field(factory=list)
    """What was asked of the object, and its answers: kernels are the same where these are."""
    recipes: dict[str, Callable[[Instance], Any]] = attrs.field(factory=dict)
    columns: dict[Any, Callable[[Instance], list[int]]] = attrs.field(factory=dict)
    """For each number of a move that is looked up, those of all moves."""
    _statics: dict[Any, Static] = attrs.field(factory=dict)
    _lists: dict[Static, Lists] = attrs.field(factory=dict)
    _sorts: dict[Static, str] = attrs.field(factory=dict)
    _names: dict[Any, str] = attrs.field(factory=dict)
    _kind: Any = None
    _read: dict[int, Any] = attrs.field(factory=dict)

    @property
    def of(self) -> Instance:
        """The object for which they are made."""
        assert self.instance is not None
        return self.instance

    def ask(self, question: Callable[[Instance], Answer]) -> Answer:
        """What a question says of the object. Nothing else may decide what kernels say."""
        answer = question(self.of)
        self.questions.append((question, answer))
        return answer

    def fit(self, instance: Instance) -> bool:
        """Whether another object gives the same answers."""
        return all(question(instance) == answer for question, answer in self.questions)

    def static(self, key: Any, make: Callable[[], Static]) -> Static:
        """The one expression of a key."""
        if key not in self._statics:
            self._statics[key] = make()
        return self._statics[key]

    def sort(self, static: Static) -> str:
        """What the values of an expression are: see `Static.sort`."""
        if static not in self._sorts:
            self._sorts[static] = self.ask(static.sort)
        return self._sorts[static]

    # Expressions, by what their names stand for

    @cached_property
    def author(self) -> Static:
        """The author's object itself."""
        return Static(lambda author: author, of_self=True)

    def argument(self, number: int) -> Static:
        """An argument of a move."""
        return self.static(
            ("argument", number), lambda: Static(lambda _, *move: move[number], by_move=True)
        )

    def known(self, value: Any) -> Static | None:
        """A value that kernels rest on."""
        is_plain = isinstance(value, (int, str, float, type(None), tuple))
        key = (type(value), repr(value)) if is_plain else id(value)
        return self.static(("known", key), lambda: Static(lambda _, value=value: value))

    def names_of(self, node: ast.expr) -> tuple[str, ...] | None:
        """The names that an expression reads; None for one that is not to be worked out before."""
        known = self._read.get(id(node))
        if known is None:
            known = self._read[id(node)] = node, _free_names(node)
        return known[1]

    def composed(
        self, node: ast.expr, parts: dict[str, Static], space: dict[str, Any], file: str
    ) -> Static:
        """An expression of names that stand for others."""
        key = id(node), id(space), tuple(map(id, parts.values()))
        if key not in self._statics:
            text = ast.dump(node), id(space), tuple((n, id(each)) for n, each in parts.items())
            self._statics[key] = self.static(text, lambda: self._made(node, parts, space, file))
        return self._statics[key]

    def _made(
        self, node: ast.expr, parts: dict[str, Static], space: dict[str, Any], file: str
    ) -> Static:
        by_move = any(each.by_move for each in parts.values())
        of_self = any(each.of_self for each in parts.values())
        own = next((name for name, each in parts.items() if each is self.author), "_self")
        arguments = [self.argument(i) for i in range(len(self.of.moves[0]))] if by_move else []
        named = {id(each): name for name, each in parts.items()}
        given = [own, *(named.get(id(each), f"_{i}") for i, each in enumerate(arguments))]
        is_plain = {*parts} <= {*given}
        names = given if is_plain else [*parts]
        plain = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
        whole = ast.fix_missing_locations(ast.Expression(ast.Lambda(plain, copied(node))))
        ast.copy_location(whole.body, node)
        try:
            function = eval(compile(whole, file, "eval"), space)
        except Exception:  # it is no expression: it has no values
            return Static(int, by_move=True)
        if not is_plain:
            inner, every = function, [*parts.values()]
            function = lambda author, *move: inner(*(  # noqa: E731
                each.function(author, *move) if each.by_move else each.function(author)
                for each in every
            ))  # fmt: skip
        return Static(function, by_move=by_move, of_self=of_self)

    def copy(self) -> list[Any]:
        """What `back_to` brings back."""
        return [getattr(self, name).copy() for name in _ASKED]

    def back_to(self, copy: list[Any]) -> None:
        """Forget what was asked since."""
        for name, each in zip(_ASKED, copy, strict=True):
            setattr(self, name, each.copy())

    def column(self, key: Any, numbers: Callable[[Instance], list[int]]) -> int:
        """Which column of the table of moves has these numbers, which `key` names."""
        self.columns.setdefault(key, numbers)
        return list(self.columns).index(key)

    def number(self, key: Any, value: Callable[[Instance], int], wanted: str) -> str:
        """The name of the table of one number, which `key` names."""
        name = self._named(("number", key), wanted)
        self.recipes[name] = value
        return name

    def lists(self, static: Static, wanted: str) -> Lists:
        """The lists that an expression gives; `NotListedError` for what cannot be looked up."""
        if static not in self._lists:
            shape = self.ask(static.shape)
            if isinstance(shape, str):
                raise NotListedError(shape)
            self._lists[static] = Lists(self._named(("rows", static), wanted), static, shape)
        return self._lists[static]

    def padded(self, lists: Lists) -> str:
        """The name of the table of the numbers in lists."""
        nested = lists.static.nested
        self.recipes[lists.name] = lambda instance: nested(instance).padded()
        return lists.name

    def lengths(self, lists: Lists, level: int) -> str:
        """The name of the table of the lengths of rows."""
        name, nested = f"{lists.name}_lengths{level}", lists.static.nested
        self.recipes[name] = lambda instance: nested(instance).lengths(level)
        return name

    def masks(self, lists: Lists, shift: int, word: int, *, is_sum: bool) -> str:
        """The name of the table of rows as sets."""
        name = f"{lists.name}_{'sum' if is_sum else 'set'}{shift}_{word}"
        nested = lists.static.nested
        self.recipes[name] = lambda instance: nested(instance).masks(shift, word, is_sum=is_sum)
        return name

    def values(self, instance: Instance) -> dict[str, Any]:
        """All tables of an object by name."""
        found = {name: make(instance) for name, make in self.recipes.items()}
        if self.columns:
            columns = [make(instance) for make in self.columns.values()]
            found[BY_MOVE] = tuple(zip(*columns, strict=True))
        return found

    def named(self, instance: Instance) -> Any:
        """All tables of an object as those of one class; None where there are none."""
        found = self.values(instance)
        self._kind = self._kind or namedtuple("Tables", [*found])
        return self._kind(**found) if found else None

    def _named(self, key: Any, wanted: str) -> str:
        if key not in self._names:
            name = wanted if wanted[:1] != "_" else f"own{wanted}"
            taken = {*self._names.values(), BY_MOVE, "count", "index", "constants", OWN_CONSTANTS}
            number = 1
            while not name or name in taken:
                number += 1
                name = f"{wanted or 'value'}{number}"
            self._names[key] = name
        return self._names[key]


def _free_names(node: ast.expr) -> tuple[str, ...] | None:
    nodes = [*ast.walk(node)]
    if any(isinstance(e, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)) for e in nodes):
        return None
    bound = {each.arg for each in nodes if isinstance(each, ast.arg)}
    names = [each for each in nodes if isinstance(each, ast.Name)]
    bound |= {each.id for each in names if not isinstance(each.ctx, ast.Load)}
    return tuple(dict.fromkeys(each.id for each in names if each.id not in bound))


def attribute_name(node: ast.expr) -> str:
    """What to call the table of an expression: the name of the attribute, if it is one."""
    return node.attr if isinstance(node, ast.Attribute) else ""
