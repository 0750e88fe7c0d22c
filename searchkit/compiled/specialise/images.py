"""Symmetries that move bits of a word, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from searchkit.bits import WORD_BITS
from searchkit.capabilities import Symmetry
from searchkit.errors import ProblemError
from searchkit.linear_index import moved_bits

if TYPE_CHECKING:
    import numpy as np


def check_bits(name: str, roots: Sequence[int], symmetries: Sequence[Symmetry[Any, Any]]) -> None:
    """Raise `ProblemError` where what symmetries say of bits is not what they do to `roots`."""
    for symmetry in symmetries:
        bits = symmetry.bits or ()
        if sorted(bits) != list(range(len(bits))) or len(bits) > WORD_BITS:
            bits_of = f"{name}: the bits of symmetry {symmetry.name!r}"
            raise ProblemError(f"{bits_of} are not a permutation")
        for root in roots:
            if moved_bits(root, padded(bits, WORD_BITS)) != symmetry.state_map(root):
                raise ProblemError(
                    f"{name}: symmetry {symmetry.name!r} maps {root:#x} to "
                    f"{symmetry.state_map(root):#x}, but its bits say otherwise"
                )


def image_tables(maps: Sequence[Sequence[int] | None]) -> np.ndarray[Any, Any]:
    """What each byte of a word contributes to its image under each map of bits, the identity first.

    Shape (8, 256, maps); see the kernel file `canonical`.
    """
    import numpy as np  # noqa: PLC0415

    every = {tuple(range(WORD_BITS)): None}
    every |= {padded(bits, WORD_BITS): None for bits in maps if bits is not None}
    tables = np.zeros((WORD_BITS // 8, 256, len(every)), dtype=np.uint64)
    is_set = np.arange(256, dtype=np.uint64)[:, None] >> np.arange(8, dtype=np.uint64) & 1
    for number, bits in enumerate(every):
        shifts = np.array(bits, dtype=np.uint64).reshape(-1, 1, 8)
        tables[:, :, number] = np.bitwise_or.reduce(is_set << shifts, axis=2)
    return tables.view(np.int64)


def padded(bits: Sequence[int], count: int) -> tuple[int, ...]:
    """The map of the lowest bits as one of `count` bits, where the others stay in their places."""
    return (*bits, *range(len(bits), count))
