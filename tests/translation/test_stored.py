"""Layouts written down: the same words for the same states in every process."""

import copy
import json
import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from searchkit import Problem, UnsuitableError, UsageError
from searchkit.compiled.specialise.module import state_array
from searchkit.kernel_language.floats import word_of
from searchkit.translation.cells import are_written, cells_of, rows_of
from searchkit.translation.layout import TooNarrow, fields_of, lay_out
from searchkit.translation.stored import StoredLayout
from searchkit.translation.types import Atoms, Float, Unfit, type_of
from tests.translation.test_types import SHAPES


class Walk(Problem):
    def initial_states(self):
        return []

    def successors(self, state):
        return []

    def is_goal(self, state):
        return False


def laid_out(values, more=()):
    """A layout for some values, and for more of them in which fields get wider."""
    atoms = Atoms()
    kind = type_of(values, atoms)
    layout = lay_out(kind, fields_of(kind, rows_of(kind, values, atoms)))
    for value in more:
        layout.widen(cells_of(kind, value, atoms), spare=1)
    return layout, atoms


def again(stored):
    content = json.loads(json.dumps(stored.content(Walk()), ensure_ascii=False).encode())
    return StoredLayout.read(content, Walk())


@settings(max_examples=100)
@given(
    st.sampled_from(SHAPES).flatmap(
        lambda shape: st.tuples(
            st.lists(shape, min_size=1, max_size=5), st.lists(shape, max_size=5)
        )
    )
)
def test_states_have_the_same_words(samples):
    values, more = samples
    try:
        layout, atoms = laid_out(values, more)
    except (Unfit, TooNarrow):
        return
    stored = StoredLayout.of(layout, atoms)
    read = again(stored)
    for value in values + more:
        key = stored.key_of(value)
        assert key is not None
        assert read.key_of(value) == key
        assert read.state_of(key) == stored.state_of(key) == value
    assert read.content(Walk()) == stored.content(Walk())


@settings(max_examples=300)
@given(
    st.sampled_from(SHAPES).flatmap(lambda shape: st.lists(shape, min_size=1, max_size=5)),
    st.lists(st.integers(0, 1 << 16), max_size=4),
)
@example([((), (-1, (1 << 40) - 1))], [1])
def test_rows_are_words_of_states_or_refused(values, flips):
    """Whatever bits a forger sets: what is taken for words of a state is read as one."""
    try:
        stored = StoredLayout.of(*laid_out(values))
    except (Unfit, TooNarrow):
        return
    words = stored.layout.words
    rows = [stored.key_of(each) for each in values]
    assert stored.are_keys(state_array(rows, words))
    row = [rows[0]] if words == 1 else list(rows[0])
    for flip in flips:
        row[flip % words] ^= 1 << flip // words % 64
    key = row[0] if words == 1 else tuple(row)
    if stored.are_keys(state_array([key], words)):
        state = stored.state_of(key)
        is_in_order = "frozenset" not in repr(state)  # whose items are not looked at
        assert stored.key_of(state) == key or not is_in_order


def test_an_atom_of_another_class_is_no_word_of_a_state():
    values = [(("one", "two"), None), (("one", "two"), "one"), (("two", "one"), "two")]
    stored = StoredLayout.of(*laid_out(values))
    keys = [stored.key_of(each) for each in values]
    none = stored.atoms.code(None)
    cells = stored.layout.unpack(keys[0])
    cells[0] = none
    forged = stored.layout.pack(cells)
    assert stored.are_keys(state_array(keys, stored.layout.words))
    assert not stored.are_keys(state_array([forged], stored.layout.words))


def test_a_word_that_is_no_number_is_no_float():
    rows = np.array([[word_of(each)] for each in (0.5, -math.inf, math.nan)])
    assert [are_written(Float(), rows[[i]], Atoms()) for i in range(3)] == [True, True, False]


def test_a_closed_layout_makes_no_room():
    layout, atoms = laid_out([(1, "red"), (2, "green")])
    stored = StoredLayout.of(layout, atoms)
    assert stored.key_of((1, "red")) is not None
    assert stored.key_of((1000, "red")) is None
    assert stored.key_of((1, "blue")) is None
    assert stored.key_of("red") is None
    assert len(atoms.values) == 2
    with pytest.raises(TooNarrow):
        layout.widen([1000, 0])


class Place(NamedTuple):
    row: int
    name: str


def test_classes_are_found_by_name():
    class Inner(NamedTuple):
        row: int
        column: int

    layout, atoms = laid_out([Place(1, "here"), Place(3, "there")])
    assert again(StoredLayout.of(layout, atoms)).key_of(Place(3, "here")) is not None
    layout, atoms = laid_out([Inner(1, 2), Inner(3, 4)])
    with pytest.raises(UnsuitableError, match=r"class .*Inner, which is not found by that name"):
        StoredLayout.of(layout, atoms).content(Walk())


def test_only_classes_of_states_are_found():
    layout, atoms = laid_out([Place(1, "here"), Place(3, "there")])
    content = StoredLayout.of(layout, atoms).content(Walk())
    for name in (["os", "system"], ["subprocess", "Popen"], ["", "Walk"], ["no_such", "Place"]):
        content["type"][-1] = name
        with pytest.raises(UsageError, match="cannot be used for Walk"):
            StoredLayout.read(content, Walk())


@settings(max_examples=150)
@given(st.data())
def test_what_is_damaged_is_refused_or_harmless(data):
    """Whatever a file says, the words of a state are looked up within their bounds."""
    values = [(1, "red", None, frozenset({3})), (2, "green", 5, frozenset({4}))]
    content = StoredLayout.of(*laid_out(values)).content(Walk())
    content = copy.deepcopy(content)
    name = data.draw(st.sampled_from(sorted(content)))
    wrong = st.sampled_from([None, -1, 70, 1 << 70, "x", [], [1], [[1]], {}, 0.5, True])
    if isinstance(content[name], list) and content[name] and data.draw(st.booleans()):
        content[name][data.draw(st.integers(0, len(content[name]) - 1))] = data.draw(wrong)
    else:
        content[name] = data.draw(wrong)
    try:
        stored = StoredLayout.read(content, Walk())
    except UsageError:
        return
    for value in values:
        stored.key_of(value)
