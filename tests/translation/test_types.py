"""Values become cells and come back, and the types of some values are as one would say them."""

import enum
from dataclasses import dataclass
from typing import NamedTuple

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Step
from searchkit.translation import sampling
from searchkit.translation.cells import cells_of, read
from searchkit.translation.types import (
    MOST_CELLS,
    NONE,
    Atom,
    Atoms,
    Bits,
    Bool,
    Char,
    Grid,
    Int,
    Maybe,
    Never,
    Record,
    Seq,
    Unfit,
    join,
    type_of,
)


class Side(enum.Enum):
    LEFT = 1
    RIGHT = 2


class Place(NamedTuple):
    x: int
    side: Side


NUMBERS = st.integers(-(2**40) + 1, 2**40 - 1)
SETS = st.frozensets(st.integers(-20, 40)) | st.frozensets(st.sampled_from("abcd"))
SHAPES = [
    st.tuples(NUMBERS, NUMBERS, st.booleans()),
    st.lists(st.lists(NUMBERS, max_size=3).map(tuple), max_size=4).map(tuple),
    st.text(max_size=5),
    st.sampled_from(["left", "right"]),
    st.tuples(SETS, st.none() | st.builds(Place, NUMBERS, st.sampled_from(Side))),
    st.frozensets(NUMBERS),
    st.frozensets(st.tuples(st.integers(0, 9), st.integers(-3, 3))),
    st.lists(st.none() | NUMBERS, max_size=4).map(tuple),
]


@settings(max_examples=60)
@given(st.sampled_from(SHAPES).flatmap(lambda shape: st.lists(shape, min_size=1, max_size=6)))
def test_cells_tell_values_apart_and_give_them_back(values):
    atoms = Atoms()
    try:
        kind = type_of(values, atoms)
    except Unfit:
        return
    rows = [cells_of(kind, each, atoms) for each in values]
    assert all(len(row) == kind.cells for row in rows)
    assert [read(kind, row, 0, atoms) for row in rows] == values
    for one, row in zip(values, rows, strict=True):
        for other, other_row in zip(values, rows, strict=True):
            assert (one == other) == (row == other_row)


@settings(max_examples=30)
@given(
    st.sampled_from(SHAPES).flatmap(
        lambda shape: st.tuples(*[st.lists(shape, min_size=1, max_size=3)] * 2)
    )
)
def test_a_join_has_the_values_of_both(pair):
    atoms = Atoms()
    try:
        kinds = [type_of(each, atoms) for each in pair]
    except Unfit:
        return
    joined = join(*kinds)
    assert joined == join(*reversed(kinds))
    if joined is not None:
        for value in pair[0] + pair[1]:
            assert read(joined, cells_of(joined, value, atoms), 0, atoms) == value


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([(8, 0, 0)], Seq(Int(), 3, 3)),
        ([((2, 1), (), (3,))], Seq(Seq(Int(), 0, 2), 3, 3)),
        (["12_", "_12"], Seq(Char(), 3, 3, str)),
        (["Arad", "Sibiu"], Atom(str)),
        ([("L", 3)], Record((Char(), Int()))),
        ([Place(1, Side.LEFT)], Record((Int(), Atom(Side)), Place)),
        ([None, 3], Maybe(Int())),
        ([frozenset({(0, 1), (3, 2)})], Bits(Grid((0, 0), (4, 3)))),
        ([()], Seq(Never(), 0, 0)),
        ([(True, False)], Seq(Bool(), 2, 2)),
        ([(True, 3)], Seq(Int(truths=True), 2, 2)),
    ],
)
def test_the_type_of(values, kind):
    assert type_of(values, Atoms()) == kind


def test_texts_may_be_rows_of_characters_though_they_are_words():
    assert type_of(["warm", "cold"], Atoms(), words=False) == Seq(Char(), 4, 4, str)


@pytest.mark.parametrize("value", [1.5, (2**40,), (object(),), {1: 2}, (1 + 2j,)])
def test_what_has_no_type(value):
    with pytest.raises(Unfit):
        type_of([value], Atoms())


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Int(), 2**40),
        (Int(), True),
        (Bool(), 1),
        (Char(), "ab"),
        (Atom(Side), None),
        (Seq(Int(), 0, 2), (1, 2, 3)),
        (Seq(Int(), 0, 2), [1]),
        (Record((Int(), Char())), (1,)),
        (Bits(Grid((0,), (3,), is_bare=True)), frozenset({3})),
    ],
)
def test_what_does_not_fit(kind, value):
    with pytest.raises(Unfit):
        cells_of(kind, value, Atoms())


def test_joins():
    assert join(NONE, Int()) == Maybe(Int())
    assert join(Int(), Char()) is None
    assert join(Seq(Int(), 2, 2), Record((Int(), Char()))) is None
    assert join(Seq(Int(), 2, 2), Record((Bool(), NONE))) == Record(
        (Int(truths=True), Maybe(Int()))
    )


class Folded(NamedTuple):
    """Two places that differ by their sign are the same."""

    x: int

    def __eq__(self, other):
        return abs(self.x) == abs(other.x)

    def __hash__(self):
        return hash(abs(self.x))


@attrs.frozen(eq=False)
class Marked:
    x: int

    def __eq__(self, other):
        return abs(self.x) == abs(other.x)

    def __hash__(self):
        return hash(abs(self.x))


def in_a_cell():
    """A class as a cell of a notebook defines it: not in a file."""
    text = (
        "@dataclass(frozen=True)\nclass Cell:\n x: int\n"
        " def __eq__(self, other): return abs(self.x) == abs(other.x)\n"
        " def __hash__(self): return hash(abs(self.x))\n"
    )
    names = {"dataclass": dataclass}
    exec(compile(text, "<ipython-input-1-ab>", "exec"), names)
    return names["Cell"]


class Turned(NamedTuple("Turned", [("x", int)])):
    """An angle, made of any number."""

    def __new__(cls, x):
        return super().__new__(cls, x % 4)


@dataclass(frozen=True)
class Halved:
    x: int

    def __init__(self, x):
        object.__setattr__(self, "x", x // 2)


class Alike(enum.Enum):
    ONE = 1
    OTHER = 2

    def __eq__(self, other):
        return isinstance(other, Alike)

    def __hash__(self):
        return 0


@pytest.mark.parametrize("kind", [Folded, Marked, in_a_cell(), Turned, Halved, Alike])
def test_classes_that_are_made_or_compare_in_a_way_of_their_own_have_no_cells(kind):
    with pytest.raises(Unfit, match="class"):
        type_of([kind(1), kind(2)], Atoms())


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([(0, 0), 4], r"\(0, 0\) and 4 are mixed; use one class"),
        ([4, frozenset([1])], r"frozenset\(\{1\}\) and 4 are mixed"),
        ([(1, "a"), (1, (2,))], r"\(2,\) and 'a' are mixed"),
        ([(1, 2), [1, 2]], "are mixed"),
    ],
)
def test_what_is_mixed_is_named(values, told):
    """A tuple is not refused for being none."""
    with pytest.raises(Unfit, match=told):
        type_of(values, Atoms())


class Named(enum.StrEnum):
    HERE = "here"


@pytest.mark.parametrize("values", [(Named.HERE, "here"), ("here", Named.HERE)])
def test_texts_and_members_that_are_equal_come_back_in_their_classes(values):
    atoms = Atoms()
    kind = type_of([values], atoms)
    found = read(kind, cells_of(kind, values, atoms), 0, atoms)
    assert list(map(type, found)) == list(map(type, values))


class Doubling:
    """A text that a walk of a hundred steps would make longer than any memory."""

    def successors(self, state):
        yield Step("twice", state * 2 + "b")


def test_walks_end_where_states_become_too_large(monkeypatch):
    monkeypatch.setattr(sampling, "NEAR", 1)
    found = sampling.sampled(Doubling(), ["a"]).states
    assert MOST_CELLS < max(map(len, found)) < MOST_CELLS << sampling.LOOK + 1


def test_steps_that_make_states_eight_times_as_long_are_not_followed(monkeypatch):
    class Longer:
        def successors(self, state):
            yield Step("longer", (state + state) * 4)

    monkeypatch.setattr(sampling, "SECONDS", 1e9)
    found = sampling.sampled(Longer(), [(1, 2)]).states
    assert MOST_CELLS < max(map(len, found)) <= MOST_CELLS * 8
