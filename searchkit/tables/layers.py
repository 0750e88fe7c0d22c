"""The layers of a table, to be asked: which states they hold."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, overload

import attrs

from searchkit.bits import WORD_BITS
from searchkit.tables.keys import KeyFile
from searchkit.tables.owners import owner_of

LISTED = 4096
"""The most states that are handed out as Python objects at once."""


@attrs.define(eq=False)
class Layers:
    """The files of the layers in a folder, open: by depth and part."""

    words: int
    files: list[list[KeyFile]]

    def holds(self, depth: int, state: Any) -> bool:
        """Whether a layer has a canonical state. One block is decoded."""
        files = self.files[depth]
        return files[owner_of(state, len(files))].holds(state)

    def is_state(self, state: Any) -> bool:
        """Whether it is a number, or a tuple of numbers, that files can hold."""
        words = state if isinstance(state, tuple) else (state,)
        return len(words) == self.words and all(0 <= word < 1 << WORD_BITS for word in words)


@attrs.define(eq=False)
class LayerStates(Sequence[Any]):
    """The states of a layer, rising, whatever its parts; they are decoded when asked for."""

    files: Sequence[KeyFile]

    def listed(self) -> Sequence[Any]:
        """A tuple of the states if they are few; else the sequence as it is."""
        return tuple(self) if len(self) <= LISTED else self

    def __len__(self) -> int:
        return sum(map(len, self.files))

    def __iter__(self) -> Iterator[Any]:
        return heapq.merge(*self.files)

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        """One of them, or some. O(block) where there is one part, else O(index)."""
        places = range(len(self))[index]
        if isinstance(places, range):
            if places.step == 1:
                return list(islice(self._from(places.start), len(places)))
            return [self[place] for place in places]
        return next(self._from(places))

    def _from(self, place: int) -> Iterator[Any]:
        """Those from a place on."""
        if len(self.files) > 1:
            return islice(iter(self), place, None)
        (file,) = self.files
        return (file.state(each) for each in range(place, len(file)))
