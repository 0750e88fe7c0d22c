"""Fields of cells: values come back, and states stay as they are when fields get wider."""

from types import SimpleNamespace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit.translation.cells import cells_of, read
from searchkit.translation.layout import LayoutTables, TooNarrow, fields_of, lay_out
from searchkit.translation.packing import packing_kernels
from searchkit.translation.types import Atoms, Int, Maybe, Seq, type_of

SMALL = st.integers(-5, 20)
VALUES = st.one_of(
    st.tuples(SMALL, st.integers(0, 1000), st.none() | SMALL, st.frozensets(st.integers(0, 70))),
    st.lists(SMALL, max_size=6).map(tuple),
    st.tuples(*[st.integers(0, 15)] * 16),
    st.tuples(*[st.integers(-(2**39), 2**39)] * 3),
)


@settings(max_examples=60)
@given(st.data())
def test_values_come_back_and_unlike_ones_differ(data):
    shape = data.draw(st.sampled_from(VALUES.original_strategies))
    values = data.draw(st.lists(shape, min_size=1, max_size=8))
    atoms = Atoms()
    kind = type_of(values, atoms)
    rows = [cells_of(kind, each, atoms) for each in values]
    layout = lay_out(kind, fields_of(kind, np.array(rows)), is_whole=data.draw(st.booleans()))
    states = [layout.pack(row) for row in rows]
    assert [read(kind, layout.unpack(state), 0, atoms) for state in states] == values
    assert len(set(states)) == len(set(values))


@settings(max_examples=60)
@given(
    st.lists(st.tuples(*[SMALL] * 3), min_size=1, max_size=5),
    st.lists(st.tuples(*[st.integers(-300, 3000)] * 3), min_size=1, max_size=5),
)
def test_states_stay_as_they_are_when_fields_get_wider(values, later):
    kind = Seq(Int(), 3, 3)
    layout = lay_out(kind, fields_of(kind, np.array(values)))
    known = {value: layout.pack(value) for value in values}
    for value in later:
        try:
            layout.widen(value)
        except TooNarrow:
            break
        assert layout.is_fit(value)
        known[value] = layout.pack(value)
        for each, state in known.items():
            assert layout.pack(each) == state
            assert tuple(layout.unpack(state)) == each
    assert len(set(known.values())) == len(known)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(*[st.integers(-5, 4000)] * 9), min_size=2, max_size=4),
    st.integers(0, 8),
    st.integers(-20, 9000),
)
def test_a_cell_is_replaced_in_the_words(values, at, cell):
    layout = lay_out(Seq(Int(), 9, 9), fields_of(Seq(Int(), 9, 9), np.array(values)))
    kernels, own = packing_kernels(layout), SimpleNamespace(tables=layout.tables)
    assert kernels["widened"](own) == 0
    for value in values:
        changed = [*value[:at], cell, *value[at + 1 :]]
        is_fit = kernels["misfit"](own, at, cell) == 0
        assert is_fit == layout.is_fit(changed)
        if is_fit:
            state = kernels["replaced"](own, layout.pack(value), at, cell)
            assert np.array_equal(state, layout.pack(changed))
    try:
        layout.widen([*values[0][:at], cell, *values[0][at + 1 :]])
    except TooNarrow:
        return
    assert (kernels["widened"](own) == 0) == is_fit


def test_where_no_bit_is_left():
    kind = Seq(Int(), 16, 16)
    layout = lay_out(kind, fields_of(kind, np.array([range(16)])))
    assert layout.words == 1
    try:
        layout.widen(range(1, 17))
    except TooNarrow:
        return
    raise AssertionError


def test_the_flag_of_none_is_a_bit():
    kind = Maybe(Int())
    rows = [[0, 0], [1, 6]]
    assert lay_out(kind, fields_of(kind, np.array(rows)), is_whole=True).tables.fulls.tolist() == [
        1,
        7,
    ]


def test_columns_begin_with_lines_of_the_cache():
    made = LayoutTables.of(
        lows=[1, 2, 3], shifts=[4, 5, 6], masks=[7] * 3, least=[8] * 3, fulls=[9] * 3,
        ends=[0, 10], wide=[11],
    )  # fmt: skip
    copied = made.copy()
    made.lows[0] = 12
    for each, first in ((made, 12), (copied, 1)):
        assert each.whole.ctypes.data % 64 == 0
        assert all(place % 8 == 0 for place in each.places())
        starts = each.whole[each.places()].tolist()
        assert starts == [first, 4, 7, 8, 9, 0, 11]
        assert each.lows.tolist() == [first, 2, 3]
