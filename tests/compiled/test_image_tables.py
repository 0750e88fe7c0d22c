"""The tables of images by bytes say what the map of bits does."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit.compiled.specialise.images import image_tables, padded
from searchkit.kernel_language.constants import signed
from searchkit.linear_index import moved_bits

MAPS = st.lists(st.permutations(range(64)) | st.permutations(range(33)), max_size=3)


@settings(max_examples=20, deadline=None)
@given(MAPS, st.integers(0, 7), st.integers(0, 255))
def test_a_table_has_the_image_of_each_byte(maps, place, byte):
    tables = image_tables(map(tuple, maps))
    given_maps = [padded(tuple(bits), 64) for bits in maps]
    every = list(dict.fromkeys([tuple(range(64)), *given_maps]))
    assert (tables.count, tables.first.tolist()) == (len(every), [0, 8])
    assert (tables.shift[place], tables.mask[place]) == (8 * place, 255)
    # The sum of all parts has its sign bit turned over, by the first.
    images = [moved_bits(byte << 8 * place, bits) ^ (place == 0) << 63 for bits in every]
    row = tables.rows[tables.start[place] + 8 * byte :][: len(every)]
    assert row.tolist() == list(map(signed, images))
