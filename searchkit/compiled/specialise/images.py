"""Symmetries that map each field of a packed state by itself, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from searchkit.bits import WORD_BITS
from searchkit.capabilities import FieldImage, Symmetry
from searchkit.errors import ProblemError
from searchkit.symmetry import packed_image

if TYPE_CHECKING:
    import numpy as np

    from searchkit.compiled.specialise.kernels.canonical import ImageTables

PART_BITS = 8
"""Fields that lie side by side are looked up together if they have no more bits."""
FEW_LANES = 320
"""Of all bits of a state: tables of parts with two bits more still stay in a fast cache then."""
LARGEST = (1 << WORD_BITS - 1) - 1
MOST_BITS = 16
"""Of a field."""
Bits = tuple[int, ...]
Fields = tuple[FieldImage, ...]


def check_images(
    name: str, roots: Sequence[Any], words: int, symmetries: Sequence[Symmetry[Any, Any]]
) -> None:
    """Raise `ProblemError` where what symmetries say of bits or fields is not so for `roots`."""
    layouts = set()
    if len({each.fields is None for each in symmetries}) > 1:
        raise ProblemError(f"{name}: some symmetries have bits, some fields; use one for all")
    for symmetry in symmetries:
        what = "bits" if symmetry.fields is None else "fields"
        wrong = f"{name}: the {what} of symmetry {symmetry.name!r}"
        if symmetry.fields is None:
            bits = symmetry.bits or ()
            if sorted(bits) != list(range(len(bits))) or len(bits) > WORD_BITS:
                raise ProblemError(f"{wrong} are not a permutation")
        else:
            _check_fields(wrong, words, symmetry.fields)
            layouts.add(tuple((each.word, each.shift, each.bits) for each in symmetry.fields))
            if len(layouts) > 1:
                raise ProblemError(f"{wrong} are not those of the symmetries before it")
        for root in roots:
            image, expected = packed_image(symmetry, root), symmetry.state_map(root)
            if image != expected:
                raise ProblemError(
                    f"{name}: symmetry {symmetry.name!r} maps {_shown(root)} to "
                    f"{_shown(expected)}, but its {what} say {_shown(image)}"
                )


def _check_fields(wrong: str, words: int, fields: Fields) -> None:
    """Raise `ProblemError` unless fields lie apart in a state, and their images in one."""
    taken = [0] * words
    for each in fields:
        ends = each.shift + each.bits
        if not (0 <= each.word < words and 0 <= each.to_word < words and each.bits > 0):
            raise ProblemError(f"{wrong} are not in a state of {words} words: {each}")
        if not 0 <= each.shift < ends <= WORD_BITS or each.bits > MOST_BITS:
            raise ProblemError(f"{wrong} must have up to {MOST_BITS} bits of a word: {each}")
        if len(each.values) != 1 << each.bits or min(each.values) < 0:
            raise ProblemError(f"{wrong} need a value from 0 for each of theirs: {each}")
        if each.to_shift < 0 or max(each.values) << each.to_shift >= 1 << WORD_BITS:
            raise ProblemError(f"{wrong} have values that do not fit their word: {each}")
        mask = (1 << each.bits) - 1 << each.shift
        if taken[each.word] & mask:
            raise ProblemError(f"{wrong} overlap: {each}")
        taken[each.word] |= mask


def _shown(state: Any) -> str:
    words = state if isinstance(state, tuple) else (state,)
    return ", ".join(map(hex, words))


def map_of(symmetry: Symmetry[Any, Any]) -> Bits | Fields:
    """What a symmetry says of fields, or else of bits."""
    return symmetry.fields if symmetry.fields is not None else symmetry.bits or ()


def image_tables(maps: Iterable[Bits | Fields], words: int = 1) -> ImageTables:
    """The tables of a group of maps of fields or bits, each once, of states of so many words.

    Of maps of bits, the identity is there in any case, and first.
    """
    every: dict[Fields, None] = {}
    for each in maps:
        if not each or isinstance(each[0], int):
            every |= {_as_fields(()): None}
        fields = sorted(_as_fields(each), key=lambda field: (field.word, field.shift))
        every |= {tuple(fields): None}
    return _tables(list(every or {_as_fields(()): None}), words)


def _as_fields(given: Bits | Fields) -> Fields:
    """A map of fields, or of the bits of a word, as one of fields."""
    fields = tuple(each for each in given if isinstance(each, FieldImage))
    bits = tuple(each for each in given if isinstance(each, int))
    places = enumerate(padded(bits, WORD_BITS))
    return fields or tuple(FieldImage(0, shift, 1, 0, to, (0, 1)) for shift, to in places)


def _tables(every: Sequence[Fields], words: int) -> ImageTables:
    """What parts of states contribute to the images under some maps of their fields."""
    import numpy as np  # noqa: PLC0415

    from searchkit.compiled.specialise.kernels.canonical import ImageTables  # noqa: PLC0415

    lanes = (len(every) + 7) // 8 * 8
    wide = lanes * sum(each.bits for each in every[0]) <= FEW_LANES
    most = PART_BITS + 2 * wide
    first, source, shift, mask = [0], list[int](), list[int](), list[int]()
    rows: list[np.ndarray[Any, Any]] = []
    for word in range(words):
        for begin, end in _parts(every, word, most):
            fields = every[0][begin:end]
            bits = sum(each.bits for each in fields)
            source.append(fields[0].word)
            shift.append(fields[0].shift)
            mask.append((1 << bits) - 1)
            rows.append(np.zeros((1 << bits, lanes), np.uint64))
            rows[-1][:, : len(every)] = _contributions(every, range(begin, end), word, 1 << bits)
        if len(rows) == first[-1]:  # a word that is always 0
            source, shift, mask = [*source, 0], [*shift, 0], [*mask, 0]
            rows.append(np.zeros((1, lanes), np.uint64))
        rows[first[-1]][:, : len(every)] ^= np.uint64(1 << WORD_BITS - 1)
        rows[first[-1]][:, len(every) :] = LARGEST
        first.append(len(rows))
    starts = 8 + lanes * np.cumsum([0, *map(len, rows)])[:-1]
    table = np.concatenate([np.zeros(8, np.uint64), *(each.reshape(-1) for each in rows)])
    room = np.zeros((3, max(lanes, words)))
    lists: tuple[Any, ...] = first, source, shift, mask, starts, table.view(np.int64), room
    return ImageTables(len(every), *(np.array(each, np.int64) for each in lists))


def _contributions(
    every: Sequence[Fields], part: range, word: int, count: int
) -> np.ndarray[Any, Any]:
    """By value and map: what some fields side by side contribute to a word of the image."""
    import numpy as np  # noqa: PLC0415

    values = np.arange(count)
    found = np.zeros((count, len(every)), np.uint64)
    for k, fields in enumerate(every):
        for each in (fields[number] for number in part):
            if each.to_word == word:
                table = np.array(each.values, np.uint64) << np.uint64(each.to_shift)
                at = values >> each.shift - fields[part[0]].shift & (1 << each.bits) - 1
                found[:, k] |= table[at]
    return found


def _parts(every: Sequence[Fields], word: int, most: int) -> list[tuple[int, int]]:
    """Which fields, from one to before another, are looked up together for a word of images."""
    parts: list[tuple[int, int]] = []
    for number, each in enumerate(every[0]):
        if all(maps[number].to_word != word for maps in every):
            continue
        if parts and parts[-1][1] == number:
            begun = every[0][parts[-1][0]]
            before = every[0][number - 1]
            if (each.word, each.shift) == (begun.word, before.shift + before.bits) and (
                each.shift + each.bits - begun.shift <= most
            ):
                parts[-1] = parts[-1][0], number + 1
                continue
        parts.append((number, number + 1))
    return parts


def padded(bits: Sequence[int], count: int) -> tuple[int, ...]:
    """The map of the lowest bits as one of `count` bits, where the others stay in their places."""
    return (*bits, *range(len(bits), count))
