"""A linear index as the arrays that machine code looks up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.bits import WORD_BITS
from searchkit.capabilities import (
    HasPieceKernels,
    HasToggles,
    Symmetry,
    base_of_chains,
    kept_states,
)
from searchkit.compiled.specialise.images import check_images, padded
from searchkit.errors import ProblemError
from searchkit.kernel_language.constants import signed
from searchkit.linear_index import LinearIndex, moved_bits
from searchkit.packed import PackedProblem, has_expand, is_inherited
from searchkit.problem import Costs, Problem

if TYPE_CHECKING:
    import numpy as np

LOW_BITS, CHUNK_BITS = 6, 11
NARROW_BITS = 32
MOST_DIMENSION = 33
"""Bitmaps of more bits take too long to pass through, layer after layer."""


@attrs.frozen(eq=False, repr=False)
class LinearSpace:
    """The states that a problem can reach from some roots, numbered, up to symmetry.

    `base` is the packed problem; `chains` says whether its steps are taken as they are or
    in chains of one piece. `maps` are the symmetries as places of bits, the identity among them.
    `kept` is empty, or the start of chains and the states that those which are kept lead to.
    """

    base: PackedProblem[Any]
    chains: bool
    index: LinearIndex
    toggles: tuple[int, ...]
    maps: tuple[tuple[int, ...], ...]
    backward: bool = False
    """Whether steps are taken against their direction."""
    kept: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        problem: Problem[Any, Any],
        roots: Sequence[Any],
        symmetries: Sequence[Symmetry[Any, Any]],
    ) -> LinearSpace | None:
        """The space of `problem` from `roots`, be its steps chains of toggles, if it has one.

        Its operators must be known as toggles, and symmetries as maps of bits.
        """
        unchained = base_of_chains(problem)
        chains, base = unchained is not None, problem if unchained is None else unchained
        if not (isinstance(base, PackedProblem) and isinstance(base, HasToggles) and roots):
            return None
        if base.words != 1 or base.controls != 1 or base.costs is not Costs.UNIT:
            return None
        if not is_inherited(base, "cost") or has_expand(base):
            return None  # engines that look at each cost check the promise
        if chains and not isinstance(base, HasPieceKernels):
            return None
        if any(symmetry.bits is None for symmetry in symmetries):
            return None
        toggles = tuple(base.toggles())
        _check_promises(base, toggles, roots, symmetries)
        index = LinearIndex.of(roots, toggles, alternating=not chains)
        maps = {tuple(range(WORD_BITS)): None}  # the identity; the others in their order
        maps |= {padded(each.bits, WORD_BITS): None for each in symmetries if each.bits}
        if index.dimension > MOST_DIMENSION:
            return None
        kept = tuple(kept_states(problem)) if chains else ()
        if None in map(index.rank, kept):
            return None
        return cls(base, chains, index, toggles, tuple(maps), kept=kept)

    def on_one_side(self, roots: Sequence[int]) -> LinearSpace:
        """The same space with one side, for one bit more."""
        index = LinearIndex.of(roots, self.toggles, alternating=False)
        return attrs.evolve(self, index=index)

    def canonical(self, state: int) -> tuple[int, int] | None:
        """The side and number of the state that stands for `state` and those equal to it."""
        images = [self.index.rank(moved_bits(state, bits)) for bits in self.maps]
        return None if None in images else min(image for image in images if image)

    def tables(self) -> Any:
        """What kernels look up: `IndexTables`."""
        import numpy as np  # noqa: PLC0415

        from searchkit.compiled.layers.kernels.bitmap_images import IndexTables  # noqa: PLC0415

        index = self.index
        step = self.toggles[0] if len(index.origins) > 1 else 0

        def numbers(differences: Sequence[int]) -> np.ndarray[Any, Any]:
            """The coordinates of the images of differences, a row for each."""
            rows = [
                [index.coordinates(moved_bits(difference, bits)) for bits in self.maps]
                for difference in differences
            ]
            return np.array(rows, dtype=np.int64).reshape(len(differences), len(self.maps))

        def rows(images: Any) -> np.ndarray[Any, Any]:
            """A flat table of images."""
            return np.array(images, dtype=self.image_type).reshape(-1)

        contributions = numbers(index.basis)
        states = np.array([signed(vector) for vector in index.basis], dtype=np.int64)
        sums = [_sums(each, LOW_BITS, CHUNK_BITS, self.chunks) for each in (states, contributions)]
        constants = [
            [index.coordinates(moved_bits(origin, bits) ^ origin) for bits in self.maps]
            for origin in index.origins
        ]
        moved = [
            [index.coordinates(moved_bits(toggle, bits) ^ step) for bits in self.maps]
            for toggle in self.toggles
        ]
        first, listed, following = self._by_piece()
        kept = [(signed(state), rank[1]) for state in self.kept if (rank := index.rank(state))]
        return IndexTables(
            origins=np.array([signed(origin) for origin in index.origins], dtype=np.int64),
            constants=rows(constants),
            low_states=sums[0][0],
            low_images=rows(sums[1][0]),
            chunk_states=sums[0][1],
            chunk_images=rows(sums[1][1]),
            operator_images=rows(moved),
            toggles=np.array([signed(toggle) for toggle in self.toggles], dtype=np.int64),
            piece_first=np.array(first, dtype=np.int64),
            piece_operators=np.array(listed, dtype=np.int64),
            any_piece=np.int64(len(first) - 2),
            next_piece=np.array(following, dtype=np.int64),
            backward=np.int64(-1 if self.backward else 0),
            kept=np.array(kept, dtype=np.int64).reshape(-1, 2),
            pivots=np.array(index.pivots, dtype=np.int64),
        )

    @property
    def in_order(self) -> bool:
        """Whether the operators are 0, 1, 2, ..."""
        operators = list(self.base.operators(0))
        return operators == list(range(len(operators)))

    @property
    def image_type(self) -> type[Any]:
        """The numbers of states are kept as these."""
        import numpy as np  # noqa: PLC0415

        return np.int32 if self.index.dimension < NARROW_BITS else np.int64

    @property
    def chunks(self) -> int:
        """How many tables the bits above the lowest six take."""
        return max(0, -(-(self.index.dimension - LOW_BITS) // CHUNK_BITS))

    @property
    def words(self) -> int:
        """The 64-bit words of a bitmap of one side."""
        return 1 << max(0, self.index.dimension - LOW_BITS)

    def _by_piece(self) -> tuple[list[int], list[int], list[int]]:
        """The operators by the piece that they move, then all of them: begins, and one list.

        And for each operator the number of its piece afterwards. Backward, pieces are taken back.
        """
        operators = list(self.base.operators(0))
        if not self.chains:
            return [0, len(operators)], operators, [0]
        base: Any = self.base
        before = [base.moved_from(0, operator) for operator in range(len(self.toggles))]
        after = [base.moved_to(0, operator) for operator in range(len(self.toggles))]
        if self.backward:
            before, after = after, before
        first, listed = [0], []
        for piece in range(1 + max((*before, *after, 0))):
            listed += [operator for operator in operators if before[operator] == piece]
            first.append(len(listed))
        listed += operators
        return [*first, len(listed)], listed, after


def _check_promises(
    base: PackedProblem[Any],
    toggles: Sequence[int],
    roots: Sequence[int],
    symmetries: Sequence[Symmetry[Any, Any]],
) -> None:
    """Raise `ProblemError` where toggles or maps of bits cannot be what they should be."""
    name = type(base).__name__
    if not all(0 <= toggle < 1 << WORD_BITS for toggle in toggles):
        raise ProblemError(f"{name}: toggles() flips bits beyond the {WORD_BITS} of a word")
    last = max(base.operators(0), default=-1)
    if last >= len(toggles):
        raise ProblemError(
            f"{name}: toggles() has {len(toggles)} entries, but operator {last} is listed"
        )
    check_images(name, roots, 1, symmetries)


def _sums(rows: np.ndarray[Any, Any], low: int, chunk: int, chunks: int) -> tuple[Any, Any]:
    """All sums of the first `low` rows, and of each `chunk` rows that follow: padded with 0."""
    import numpy as np  # noqa: PLC0415

    def all_sums(some: np.ndarray[Any, Any], bits: int) -> np.ndarray[Any, Any]:
        found = np.zeros((1 << bits, *rows.shape[1:]), dtype=np.int64)
        for bit, row in enumerate(some):
            found[1 << bit : 2 << bit] = found[: 1 << bit] ^ row
        return found

    parts = [all_sums(rows[low + chunk * i : low + chunk * (i + 1)], chunk) for i in range(chunks)]
    shape = (chunks, 1 << chunk, *rows.shape[1:])
    return all_sums(rows[:low], low), np.array(parts, dtype=np.int64).reshape(shape)
