"""The layers of a table, to be asked: which states they hold."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, chain, islice
from typing import Any

import attrs

from searchkit.bits import WORD_BITS
from searchkit.problem import derived
from searchkit.tables.keys import KeyFile
from searchkit.tables.manifest import Manifest
from searchkit.tables.numbers import Coding
from searchkit.tables.store import Opener

LISTED = 4096
"""The most states that are handed out as Python objects at once."""


@attrs.define(eq=False)
class Layers:
    """The files of the layers of a table: by depth and part."""

    manifest: Manifest
    files: Sequence[Sequence[KeyFile]]
    coding: Coding | None = None
    """What files hold of states, if it is not their words."""

    @classmethod
    def of(
        cls,
        manifest: Manifest,
        opener: Opener,
        coding: Coding | None,
        progress: Callable[[str], None] | None = None,
    ) -> Layers:
        """All layers, which are opened now, or when they are asked, as the opener has it.

        `progress` is given a name of each.
        """
        files: list[Sequence[KeyFile]] = []
        for depth, entry in enumerate(manifest.layers):
            if progress is not None:
                progress(entry.parts[0].file)
            late = opener.is_late
            files.append(
                _LateLayer(manifest, opener, depth) if late else manifest.open_layer(opener, depth)
            )
        return cls(manifest, files, coding)

    def holds(self, depth: int, state: Any) -> bool:
        """Whether a layer has a canonical state. One block is decoded."""
        key = self.key_of(state)
        return key is not None and self.has(depth, key)

    def has(self, depth: int, key: Any) -> bool:
        """Whether the files of a layer hold that. One block is decoded."""
        part = self.manifest.layers[depth].part_of(key if isinstance(key, tuple) else (key,))
        return part >= 0 and self.files[depth][part].holds(key)

    def key_of(self, state: Any) -> Any:
        """What files would hold of a canonical state; None if they cannot."""
        if self.coding is not None:
            return self.coding.key_of(state)
        words = state if isinstance(state, tuple) else (state,)
        is_one = len(words) == self.manifest.words and all(
            0 <= word < 1 << WORD_BITS for word in words
        )
        return state if is_one else None

    def states(self, depth: int) -> LayerStates:
        """The canonical states of a layer."""
        return LayerStates(self.files[depth], self.coding)


@attrs.define(eq=False)
class _LateLayer(Sequence[KeyFile]):
    """The parts of a layer, each opened when it is first asked for."""

    manifest: Manifest
    opener: Opener
    depth: int
    _open: dict[int, KeyFile] = attrs.field(factory=dict)

    def __len__(self) -> int:
        return len(self.manifest.layers[self.depth].parts)

    def __getitem__(self, part: Any) -> Any:
        place = range(len(self))[part]
        if place not in self._open:
            self._open[place] = self.manifest.open(self.opener, self.depth, place)
        return self._open[place]


@attrs.define(eq=False)
class LayerStates(Sequence[Any]):
    """The states of a layer, rising by what files hold of them; they are decoded when asked for."""

    files: Sequence[KeyFile]
    """Its parts, one after the other."""
    coding: Coding | None = None
    _ends: list[int] = derived(lambda self: list(accumulate(map(len, self.files))))

    def listed(self) -> Sequence[Any]:
        """A tuple of the states if they are few, rising; else the sequence as it is."""
        return tuple(sorted(self)) if len(self) <= LISTED else self

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[Any]:
        return map(self._state, chain.from_iterable(self.files))

    def _state(self, key: Any) -> Any:
        return key if self.coding is None else self.coding.state_of(key)

    def __getitem__(self, index: Any) -> Any:
        """One of them, or some. O(block) for one."""
        places = range(len(self))[index]
        if isinstance(places, range):
            if places.step == 1 and places:
                return list(islice(self._from(places.start), len(places)))
            return [self[place] for place in places]
        part = bisect_right(self._ends, places)
        return self._state(self.files[part].state(places - (self._ends[part - 1] if part else 0)))

    def _from(self, place: int) -> Iterator[Any]:
        """Those from a place on."""
        part = bisect_right(self._ends, place)
        file = self.files[part]
        first = place - (self._ends[part] - len(file))
        yield from (self._state(file.state(each)) for each in range(first, len(file)))
        yield from map(self._state, chain.from_iterable(self.files[part + 1 :]))
