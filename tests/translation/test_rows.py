"""Many values at once have the cells, and the words, that each has by itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit.compiled.specialise.module import state_array
from searchkit.translation.cells import cells_of, rows_of
from searchkit.translation.layout import TooNarrow, fields_of, lay_out
from searchkit.translation.types import Atoms, Char, Int, Seq, Unfit, type_of
from tests.translation.test_types import SHAPES

SAMPLES = st.sampled_from(SHAPES).flatmap(
    lambda shape: st.tuples(
        st.lists(shape, min_size=1, max_size=5), st.lists(shape | st.one_of(SHAPES), max_size=5)
    )
)


def one_by_one(kind, values, atoms):
    try:
        return [cells_of(kind, each, atoms) for each in values]
    except Unfit:
        return None


@settings(max_examples=100)
@given(SAMPLES, st.booleans())
def test_values_at_once(sample, words):
    known, others = sample
    atoms = Atoms()
    try:
        kind = type_of(known, atoms, words=words)
    except Unfit:
        return
    for values in (known, others):
        expected = one_by_one(kind, values, atoms)
        try:
            rows = rows_of(kind, values, atoms)
        except Unfit:
            assert expected is None
        else:
            assert rows.dtype == np.int64
            assert rows.tolist() == expected
            layouts_agree(kind, rows)


@pytest.mark.parametrize("number", [1 << 40, -(1 << 40), 1 << 63, -(1 << 70)])
def test_numbers_that_are_too_large_have_no_type_and_no_cells(number):
    with pytest.raises(Unfit, match="2\\*\\*40"):
        type_of([(1, number)], Atoms())
    with pytest.raises(Unfit, match="2\\*\\*40"):
        rows_of(Seq(Int(), 2, 2), [(0, 1), (1, number)], Atoms())
    last = number - 1 if number > 0 else number + 1
    if abs(last) < 1 << 40:
        assert type_of([(1, last)], Atoms()) == Seq(Int(), 2, 2)
        assert rows_of(Seq(Int(), 2, 2), [(1, last)], Atoms()).tolist() == [[1, last]]


def layouts_agree(kind, rows):
    """States at once have the words of each, also where fields got wider."""
    if not len(rows):
        return
    half = rows[: (len(rows) + 1) // 2]
    try:
        layout = lay_out(kind, fields_of(kind, half))
    except Unfit:
        return
    assert layout.packed(half) is not None
    for row in rows.tolist():
        if not layout.is_fit(row):
            assert layout.packed(rows) is None
            try:
                layout.widen(row)
            except TooNarrow:
                return
    words = state_array(list(map(layout.pack, rows.tolist())), layout.words)
    assert np.array_equal(layout.packed(rows), words)


def test_lone_surrogates_have_a_code():
    kind = Seq(Char(), 2, 2, str)
    assert rows_of(kind, ["\ud800a", "b\udfff"], Atoms()).tolist() == [[0xD800, 97], [98, 0xDFFF]]
