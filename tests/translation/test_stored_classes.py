"""Classes that are records written out, and classes that are not."""

import random
import re
from dataclasses import dataclass, field, replace

import pytest

from searchkit import (
    BreadthFirst,
    Limits,
    Problem,
    ProblemError,
    Step,
    UnsuitableError,
    solve,
)
from searchkit.compiled.specialise.plain import plainly
from searchkit.translation.records import made_of
from searchkit.translation.stored_classes import stored, why_not_stored
from searchkit.translation.types import Atoms, Unfit, items_of, type_of
from tests.translation.test_searches import told


class Plain:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __eq__(self, other):
        return self.a == other.a and self.b == other.b

    def __hash__(self):
        return hash((self.a, self.b))


class Guarded:
    """With annotations, a default, and another order in each method."""

    __slots__ = ("a", "b", "c")

    def __init__(self, b: int, a: tuple = (), *, c: int = 3) -> None:
        self.a, self.b = a, b
        self.c: int = c

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Guarded):
            return NotImplemented
        return (self.b, self.a, self.c) == (other.b, other.a, other.c)

    def __hash__(self) -> int:
        return hash(self.a) * 31 ^ hash(self.b)


class Calculated:
    """The place of the blank is calculated, and not compared."""

    def __init__(self, tiles):
        self.tiles = tuple(tiles)
        self.blank = tiles.index(0)

    def __eq__(self, other):
        return type(self) is type(other) and other.tiles == self.tiles

    def __hash__(self):
        return hash(self.tiles)

    def swapped(self, at):
        tiles = list(self.tiles)
        tiles[self.blank], tiles[at] = tiles[at], tiles[self.blank]
        return Calculated(tiles)


class AllOfIt:
    def __init__(self, a, b=2):
        self.a = a
        self.b = b

    def __eq__(self, other):
        return isinstance(other, self.__class__) and self.__dict__ == other.__dict__

    def __hash__(self):
        return hash((self.a, self.b))


class ByKey:
    """Compared by what a method gives."""

    def __init__(self, a, b):
        self.a, self.b = a, b

    def key(self):
        return self.a, self.rest

    @property
    def rest(self):
        return (self.b,)

    def __eq__(self, other):
        return isinstance(other, ByKey) and self.key() == other.key()

    def __hash__(self):
        return hash(self.key())


class Yard:
    """Whose `__init__` makes tuples of whatever it is given."""

    def __init__(self, head, tracks, *, limit=3):
        self.head = tuple(head)
        self.tracks = tuple(tuple(track[:limit]) for track in tracks)
        self.is_full = all(len(track) >= limit for track in tracks) if limit > 0 else False

    def __eq__(self, other):
        return (self.head, self.tracks, self.is_full) == (other.head, other.tracks, other.is_full)

    def __hash__(self):
        return hash((self.head, self.tracks))


RECORDS = [
    (Yard, ("head", "tracks", "is_full"), Yard([1], [[2, 3], (4,)])),
    (ByKey, ("a", "b"), ByKey(1, "x")),
    (Plain, ("a", "b"), Plain(1, (2, 3))),
    (Guarded, ("a", "b", "c"), Guarded(4, (1, 2))),
    (Calculated, ("tiles", "blank"), Calculated([1, 0, 2])),
    (AllOfIt, ("a", "b"), AllOfIt("x")),
]


@pytest.mark.parametrize(("kind", "names", "one"), RECORDS, ids=lambda each: str(each)[:20])
def test_records_written_out(kind, names, one):
    assert stored(kind).names == names
    twin = made_of(kind, items_of(one))
    assert type(twin) is kind
    assert twin == one
    assert items_of(twin) == items_of(one)
    assert type_of([one], Atoms()).kind is kind


def eq_of_some(self, other):
    return self.a == other.a


def eq_of_any(self, other):
    return self.a == other.a or self.b == other.b


def eq_crosswise(self, other):
    return self.a == other.b and self.b == other.a


def eq_of_sizes(self, other):
    return len(self.a) == len(other.a) and self.b == other.b


def eq_but_one(self, other):
    return (self.a == other.a) == (self.b == other.b)


def eq_always(self, other):
    return True


def eq_by_hash(self, other):
    return hash(self) == hash(other)


def eq_of_texts(self, other):
    return str(self.a) == str(other.a) and self.b == other.b


def eq_of_identity(self, other):
    return self is other


def eq_by_a_global(self, other):
    return self.a == other.a and self.b == other.b and FLAG


FLAG = True
METHODS = ("__init__", "__eq__", "__hash__")


def hash_of_identity(self):
    return id(self)


def hash_of_text(self):
    return hash(str(self.a))


def init_counts(self, a, b):
    self.a = a
    self.b = b
    Plain.made = getattr(Plain, "made", 0) + 1


def init_with_a_call(self, a, b):
    self.a = print(a)
    self.b = b


def init_twice(self, a, b):
    self.a = a
    self.b = b
    self.a = b


def init_sorted(self, a, b):
    self.a = a
    self.b = random.choice(b)


def init_at_times(self, a, b):
    self.a = a
    if b:
        self.b = b


def init_of_another(self, a, max):  # noqa: A002
    self.a = a
    self.b = max + 1


OTHERS = [
    *[{"__eq__": each} for name, each in list(globals().items()) if name.startswith("eq_")],
    *[{"__hash__": each} for name, each in list(globals().items()) if name.startswith("hash_")],
    *[{"__init__": each} for name, each in list(globals().items()) if name.startswith("init_")],
    {"__ne__": lambda self, other: False},
    {"__getattr__": lambda self, name: 0},
    {"__setattr__": object.__setattr__},
    {"a": property(lambda self: 1)},
    {"__hash__": None},
    {"__eq__": object.__eq__},
]


@pytest.mark.parametrize("members", OTHERS, ids=",".join)
def test_classes_that_are_no_records(members):
    own = {name: each for name, each in vars(Plain).items() if name in METHODS}
    assert stored(type("Plain", (), own)).names == ("a", "b")
    assert stored(type("Plain", (), {**own, **members})) is None


def test_a_subclass_is_no_record():
    assert stored(type("More", (Plain,), {})) is None


def test_objects_with_more_than_is_stored_have_no_type():
    one, other, third = Plain(1, 2), Plain(1, [2]), Plain(1, 2)
    one.parent = None
    del third.a
    for each in (one, other, third):
        with pytest.raises(Unfit, match=r"has other attributes than its class stores, or lists"):
            type_of([each], Atoms())


class Rolling(Problem):
    """States of such a class, with a method that makes others; helpers that give one, or None."""

    def initial_states(self):
        return [Calculated((3, 1, 2, 0))]

    def is_goal(self, state):
        return state == Calculated((0, 1, 2, 3))

    def moved(self, state, by):
        at = state.blank + by
        return state.swapped(at) if 0 <= at < 4 else None

    def successors(self, state):
        found = [self.moved(state, by) for by in (-1, 1, 2)]
        for there in found:
            if there is not None and there != state:
                yield Step(there.blank, there)


class Pair:
    def __init__(self, one, other=None):
        self.one = one
        self.other = other

    def __eq__(self, other):
        return (self.one, self.other) == (other.one, other.other)

    def __hash__(self):
        return hash((self.one, self.other))

    def __lt__(self, other):
        return self.one.a < other.one.a

    def __len__(self):
        return self.one.b


class Pairs(Problem):
    """Such objects within others, in sets and in tables."""

    KNOWN = {Plain(1, 1): 2, Plain(2, 1): 1}  # noqa: RUF012
    GOALS = frozenset({Plain(4, 3), Plain(5, 3)})

    def initial_states(self):
        return [Pair(Plain(0, 0))]

    def is_goal(self, state):
        return state.one in self.GOALS and state < Pair(Plain(6, 1))

    def successors(self, state):
        one = state.one
        yield Step("a", Pair(Plain(one.a + 1, one.b), other=one.b))
        yield Step("b", Pair(Plain(b=(one.b + self.KNOWN.get(one, 1)) % 4, a=one.a), state.other))
        if len(state) > 2:
            yield Step("c", Pair(other=one.a % 2, one=Plain(0, one.b)))


@pytest.mark.parametrize("kind", [Rolling, Pairs])
def test_searches_by_objects_of_such_classes(kind):
    expected = solve(kind(), BreadthFirst(), engine="reference", want="count")
    with plainly():
        found = solve(kind(), BreadthFirst(), engine="compiled", want="count")
    assert told(found) == told(expected)


class ToNone(Rolling):
    def is_goal(self, state):
        return self.moved(state, 1) == None  # noqa: E711


class Changing(Rolling):
    def successors(self, state):
        for by in (-1, 1):
            if 0 <= state.blank + by < 4:
                there = state.swapped(state.blank + by)
                there.blank = 0
                yield Step(by, there)


class ByReplace(Rolling):
    def successors(self, state):
        yield Step("no", replace(state, blank=0))


@pytest.mark.parametrize(
    ("kind", "reason"),
    [(ToNone, "by an __eq__ of their own"), (Changing, "changes `there.blank`"),
     (ByReplace, "replaces fields of")],
)  # fmt: skip
def test_what_is_refused_of_such_classes(kind, reason):
    with plainly(), pytest.raises(UnsuitableError, match=reason):
        solve(kind(), BreadthFirst(), engine="compiled")


class ByKeys(Problem):
    """States that are compared by what a method gives, which rules ask as well."""

    def initial_states(self):
        return [ByKey(0, 0)]

    def is_goal(self, state):
        return state.key() == (5, (3,))

    def successors(self, state):
        yield Step("a", ByKey((state.a + 1) % 7, state.b))
        yield Step("b", ByKey(state.a, (state.rest[0] + 1) % 4))


def test_what_is_compared_by_a_method():
    expected = solve(ByKeys(), BreadthFirst(), engine="reference", want="count")
    with plainly():
        found = solve(ByKeys(), BreadthFirst(), engine="compiled", want="count")
    assert told(found) == told(expected)


class Shunting(Problem):
    """Wagons go from track to track by way of the head."""

    def initial_states(self):
        return [Yard([], [[1, 2], [3], []])]

    def is_goal(self, state):
        return state.tracks[2] == (3, 1) and not state.is_full

    def successors(self, state):
        for i, track in enumerate(state.tracks):
            tracks = list(state.tracks)
            if track and len(state.head) < 2:
                tracks[i] = track[:-1]
                yield Step(("pull", i), Yard([*state.head, track[-1]], tracks))
            if state.head and len(track) < 3:
                tracks[i] = track + state.head[-1:]
                yield Step(("push", i), Yard(state.head[:-1], tracks))


def test_what_is_made_of_lists_and_generators():
    expected = solve(Shunting(), BreadthFirst(), engine="reference", want="count")
    with plainly():
        found = solve(Shunting(), BreadthFirst(), engine="compiled", want="count")
    assert told(found) == told(expected)


def eq_by_part_of_the_key(self, other):
    return self.a == other.a


def key_of_texts(self):
    return str(self.a), self.b


def hash_of_more(self):
    return hash((self.a, len("b")))


@dataclass(frozen=True)
class Uncompared:
    a: int
    b: int = field(compare=False)


@dataclass
class Thawed:
    a: int


@dataclass(frozen=True)
class Late:
    a: int
    b: int = field(init=False, default=3)


class WithBase(ByKey):
    pass


WHY_NOT = [
    (Uncompared(1, 2), "whose comparisons leave out .b"),
    (Thawed(1), "which is not frozen"),
    (Late(1), "whose .b is not what it is given"),
    (WithBase(1, 2), "which inherits from ByKey"),
    (object.__new__(type("Bare", (), {})), "which has no __init__ of its own"),
]


@pytest.mark.parametrize(("value", "why"), WHY_NOT, ids=lambda each: str(each)[:20])
def test_why_a_class_is_no_record(value, why):
    with pytest.raises(Unfit, match=rf"is of class \w+, {re.escape(why)}: make it a NamedTuple"):
        type_of([value], Atoms())


def init_with_a_name_of_pythons(self, a, b):
    self.a = tuple(len for len in a)  # noqa: A001
    self.b = b


def init_with_a_text(self, a, b):
    self.a, self.b = a, str(b)


LIKE = [
    ({"__init__": init_with_a_name_of_pythons}, "whose __init__ does more than store"),
    ({"__init__": init_with_a_text}, "whose __init__ does more than store"),
    ({"__eq__": eq_by_part_of_the_key}, "whose __eq__ leaves out .b"),
    ({"key": key_of_texts}, "whose __eq__ asks for more than whether attributes are equal"),
    ({"__hash__": hash_of_more}, "whose __hash__ is made of more than hashes of attributes"),
    ({"__init__": init_with_a_call}, "whose __init__ does more than store what it is given"),
    ({"__getattr__": lambda self, name: 0}, "which has __getattr__"),
]


@pytest.mark.parametrize(("members", "why"), LIKE, ids=lambda each: str(each)[:20])
def test_why_a_class_that_is_written_out_is_none(members, why):
    own = {name: vars(ByKey)[name] for name in (*METHODS, "key", "rest")}
    own["__eq__"] = lambda self, other: self.key() == other.key()
    assert why_not_stored(type("Like", (), own)) == ""
    assert why_not_stored(type("Like", (), {**own, **members})).startswith(why)


# What rules do with such objects


class V:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __eq__(self, o):
        return self.a == o.a and self.b == o.b

    def __hash__(self):
        return hash((self.a, self.b))

    def __lt__(self, o):
        return self.b > o.b

    def __add__(self, o):
        return V(self.a + o.a, self.b + o.b)

    def __contains__(self, x):
        return x == self.a

    def __getitem__(self, i):
        return (self.a, self.b)[i]

    def __len__(self):
        return 2

    def __str__(self):
        return f"{self.a}"


class OfV(V):
    pass


class Base(Problem):
    def initial_states(self):
        return [V(0, 0)]

    def is_goal(self, state):
        return False


class Sorted(Base):
    def successors(self, s):
        found = [V((s.a + i) % 4, (s.b * i + 1) % 3) for i in range(3)]
        for t in sorted(found)[:2]:
            yield Step("x", t)


class Min(Base):
    def successors(self, s):
        found = [V((s.a + i) % 4, (s.b * i + 1) % 3) for i in range(3)]
        yield Step("x", min(found))
        yield Step("x", max(found))


class Key(Base):
    def successors(self, s):
        found = [V((s.a + i) % 4, (s.b * i + 1) % 3) for i in range(3)]
        yield Step("x", min(found, key=lambda v: (v.b, v.a)))


class Ops(Base):
    def successors(self, s):
        t = s + V(1, 2)
        yield Step("x", V(t.a % 5, t.b % 3))
        if 3 in s:
            yield Step("y", V(0, s[1]))
        if s < V(2, 1):
            yield Step("z", V(s[0], 0))
        if s > V(2, 1):
            yield Step("z", V(1, 0))


class Unpack(Base):
    def successors(self, s):
        a, b = s
        yield Step("x", V((a + 1) % 4, b))


class Seen(Base):
    def successors(self, s):
        seen = {s}
        todo = [s]
        while todo:
            v = todo.pop(0)
            for d in (1, 2):
                w = V((v.a + d) % 4, v.b)
                if w not in seen:
                    seen.add(w)
                    todo.append(w)
        yield Step("x", V(len(seen), (s.b + 1) % 3))


class Dicts(Base):
    def successors(self, s):
        d = {V(0, 0): 1, s: 2}
        yield Step("x", V(len(d), (d[s] + s.b) % 3))
        yield Step("y", V(d.get(V(s.b, s.a), 3), 0))


class Is(Base):
    def successors(self, s):
        t = V(s.a, s.b)
        yield Step("x", V(1, 1) if t is s else V(2, 2))


class Str(Base):
    def successors(self, s):
        yield Step("x", V(len(str(s)), 1))


class Less(Base):
    def successors(self, s):
        yield Step("x", V(1, 1) if s <= V(1, 1) else V(2, 2))


class Mutate(Base):
    def move(self, s):
        s.a = 1
        return s

    def successors(self, s):
        yield Step("x", self.move(V(s.a, s.b)))


class Sub(Base):
    def successors(self, s):
        yield Step("x", OfV(1, 1) if s.a else V(1, 2))


class TupleEq(Base):
    def successors(self, s):
        if (s, 1) == (V(0, 0), 1):
            yield Step("x", V(3, 1))
        if s in (V(3, 1), V(2, 2)):
            yield Step("x", V(4, 1))
        if s in [V(4, 1)]:
            yield Step("x", V(5, 1))
        if [s, s].count(V(5, 1)) == 2:
            yield Step("x", V(6, 1))
        if (s.a, s.b) == s:
            yield Step("q", V(9, 9))


SEVENS = V(7, 7)


class Default(Base):
    def successors(self, s, t=SEVENS):
        yield Step("x", t if s.a == 0 else V(s.a - 1, s.b % 2))


def answer(problem, engine):
    try:
        return told(solve(problem, BreadthFirst(), engine=engine, limits=Limits(expansions=300)))
    except UnsuitableError:
        return "refused"
    except ProblemError:
        return "error"


TRANSLATED = (Sorted, Min, Key, Ops, Seen, Dicts, Default)


@pytest.mark.parametrize("kind", Base.__subclasses__())
def test_what_rules_do_with_such_objects(kind):
    """Equal answers; or a refusal, as where objects are changed or told apart by `is`."""
    with plainly():
        found = answer(kind(), "compiled")
    assert found == answer(kind(), "reference") or (found == "refused" and kind not in TRANSLATED)


def test_an_object_beside_numbers_is_refused_in_plain_words():
    with pytest.raises(Unfit, match="is of class Plain: make it a NamedTuple"):
        type_of([Plain(1, 2), 1], Atoms())
