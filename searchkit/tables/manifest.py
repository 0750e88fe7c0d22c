"""The manifest of a table: what was explored, and the layers that are complete."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from itertools import pairwise
from json import JSONDecodeError
from typing import Any

import attrs

from searchkit.bits import WORD_BITS
from searchkit.errors import UsageError
from searchkit.packed import PackedProblem
from searchkit.problem import derived
from searchkit.tables.folder_store import Place, store_at
from searchkit.tables.keys import KeyFile, words_of
from searchkit.tables.numbers import Coding, Numbers
from searchkit.tables.signed import (
    MOST_BYTES,
    WRONG_CONTENT,
    as_json,
    canonical,
    signed,
    with_digest_of,
)
from searchkit.tables.store import Kept, Opener

FORMAT = "searchkit-table/4"
NAME = "manifest.json"
MOST_NESTED = 32
"""How deep the texts of an identity may lie in lists and dicts."""
MOST_WORDS = 1 << 10
MOST_RANKS = 1 << 62
MOST_PARTS = 1 << 16
DIGEST = re.compile("[0-9a-f]{64}")
FILE = re.compile(r"layer-(\d{4,})-\d{3,}(\.[0-9a-f]{32})?\.keys")


@attrs.frozen(kw_only=True)
class PartEntry:
    """A part of a layer: its file, how many states that holds, their first, and a checksum."""

    file: str
    canonical: int
    first: tuple[int, ...]
    """Its words."""
    sha256: str

    def kept(self, limit: tuple[int, ...] | None) -> Kept:
        """The file, to be opened, whose states come before `limit`."""
        return Kept(self.file, self.canonical, self.sha256, limit)


@attrs.frozen(kw_only=True)
class LayerEntry:
    """One layer: how many states it holds, how many they stand for, and its parts.

    The states of a part come before all of the next one, and no part is empty.
    """

    canonical: int
    states: int
    parts: tuple[PartEntry, ...]
    text: str = derived(
        lambda self: canonical({
            "canonical": self.canonical, "states": self.states,
            "parts": [attrs.asdict(each) for each in self.parts],
        })
    )  # fmt: skip
    """As it is in a manifest: one of many layers is written with each of them."""

    @classmethod
    def of(cls, depth: int, found: Mapping[str, Any], words: int) -> LayerEntry:
        """The entry of the layer at that depth in a manifest; `ValueError` if it is none."""
        listed = tuple(
            PartEntry(**{**each, "first": tuple(each["first"])}) for each in found["parts"]
        )
        entry = cls(**{**found, "parts": listed})
        if not 1 <= len(listed) <= MOST_PARTS:
            raise ValueError(f"layer {depth} has {len(listed)} parts")
        counts = [each.canonical for each in listed]
        numbers = [entry.states, entry.canonical, *counts]
        if not all(type(each) is int and each >= 1 for each in numbers) or not (
            entry.canonical == sum(counts) <= entry.states
        ):
            raise ValueError(f"layer {depth} holds {numbers!r:.80} states")
        for each in listed:
            if len(each.first) != words or not all(
                type(word) is int and 0 <= word < 1 << WORD_BITS for word in each.first
            ):
                raise ValueError(f"{each.first!r:.80} is not a state of layer {depth}")
            name = FILE.fullmatch(each.file) if isinstance(each.file, str) else None
            if name is None or int(name[1]) != depth:
                raise ValueError(f"{each.file!r:.80} is not a file of layer {depth}")
            if not isinstance(each.sha256, str) or not DIGEST.fullmatch(each.sha256):
                raise ValueError(f"{each.sha256!r:.80} is not a checksum of layer {depth}")
        if any(one.first >= next_one.first for one, next_one in pairwise(listed)):
            raise ValueError(f"the parts of layer {depth} are not in order")
        return entry

    def part_of(self, state: tuple[int, ...]) -> int:
        """The part that would have a state, by its words; -1 if it comes before all."""
        return bisect_right(self.parts, state, key=lambda each: each.first) - 1

    def between(self, begin: tuple[int, ...] | None, end: tuple[int, ...] | None) -> range:
        """The parts that may have states from `begin` on that come before `end`."""
        first = 0 if begin is None else max(0, self.part_of(begin))
        last = len(self.parts)
        if end is not None:
            last = bisect_left(self.parts, end, key=lambda each: each.first)
        return range(first, last)


@attrs.frozen(kw_only=True)
class Manifest:
    """What was explored (`identity`, texts only), in what order, and whether that is all of it.

    `words` is how many words files hold of a state.
    """

    identity: dict[str, Any]
    words: int = 1
    ranks: int = 0
    """How many numbers there are, if files hold the numbers of states; 0 if they hold states."""
    layout: dict[str, Any] | None = None
    """What the words mean, if states are those of an ordinary problem; see `StoredLayout`."""
    layers: tuple[LayerEntry, ...] = ()
    complete: bool = False

    @classmethod
    def read(cls, place: Place) -> Manifest:
        """The manifest at a place; `UsageError` in one line if it cannot be used."""
        store = store_at(place)
        path = f"{store}/{NAME}"
        try:
            content = as_json(store.read(NAME, MOST_BYTES))
        except (OSError, ValueError, RecursionError) as error:
            is_syntax = isinstance(error, (JSONDecodeError, UnicodeDecodeError))
            why = "it is not JSON" if is_syntax else getattr(error, "strerror", None) or error
            raise UsageError(
                f"{path} cannot be read as the manifest of a table: {why}; give the folder "
                "that explore --checkpoint made"
            ) from error
        try:
            if not isinstance(content, dict):
                raise TypeError("it holds no names with values")
            if content["format"] != FORMAT:
                raise UsageError(
                    f"{path} has format {content['format']!r:.80}; this version reads {FORMAT}"
                )
            content = signed(content)
            if type(content["complete"]) is not bool:
                raise ValueError(f"complete is {content['complete']!r:.80}")
            words, ranks = _number(content["words"], MOST_WORDS), content["ranks"]
            if ranks != 0 and (words > 1 or _number(ranks, MOST_RANKS) != ranks):
                raise ValueError(f"numbers have {words} words")
            layout = content["layout"]
            if layout is not None and (ranks or layout["words"] != words):
                raise ValueError("its layout is of other states")
            identity = _identity(content["identity"])
            layers = tuple(
                LayerEntry.of(depth, each, words) for depth, each in enumerate(content["layers"])
            )
            for depth, each in enumerate(layers):
                if each.states != each.canonical and identity.get("symmetry") == "none":
                    raise ValueError(
                        f"layer {depth} holds {each.canonical} states, which stand for "
                        f"{each.states}, without symmetries"
                    )
            return cls(
                identity=identity, words=words, ranks=ranks, layout=layout, layers=layers,
                complete=content["complete"],
            )  # fmt: skip
        except WRONG_CONTENT as error:
            why = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
            raise UsageError(
                f"{path} is not a manifest of a table, or was damaged: {why:.200}; explore again "
                "into an empty folder"
            ) from error

    def coding(self, place: object, problem: Any) -> Coding | None:
        """What files hold of the states of `problem`; None if that is their words.

        Those of an ordinary problem, once they are packed, are words as well. `UsageError` if it
        has no such states.
        """
        if self.layout is not None and not isinstance(problem, PackedProblem):
            from searchkit.translation.stored import StoredLayout  # noqa: PLC0415  (loads much)

            return StoredLayout.read(self.layout, problem, place)
        return self.numbers(place, problem)

    def numbers(self, place: object, problem: Any) -> Numbers | None:
        """The numbers of the states of `problem`, if files hold them; `UsageError` for others."""
        if not self.ranks:
            return None
        own = getattr(problem, "ranks", 0)
        if own != self.ranks:
            raise UsageError(
                f"{place} holds numbers of states from 0 to {self.ranks - 1:,}; "
                f"{type(problem).__name__} has {f'others, to {own - 1:,}' if own else 'none'}"
            )
        return Numbers(problem, self.ranks)

    def write(self, place: Place) -> None:
        """Replace the manifest at a place, all at once."""
        names = ("complete", "identity", "layout", "ranks", "words")
        texts = {name: canonical(getattr(self, name)) for name in names}
        texts["format"] = canonical(FORMAT)
        texts["layers"] = f"[{', '.join(each.text for each in self.layers)}]"
        whole = ", ".join(f'"{name}": {text}' for name, text in sorted(texts.items()))
        store_at(place).write(NAME, with_digest_of(f"{{{whole}}}"))

    def names(self) -> list[str]:
        """The names of all files of states, by layer and part."""
        return [part.file for entry in self.layers for part in entry.parts]

    def open(self, opener: Opener, depth: int, part: int, *, again: bool = False) -> KeyFile:
        """A part of a layer; see `Opener.open`."""
        (file,) = self._opened(opener, depth, range(part, part + 1), again=again)
        return file

    def open_layer(self, opener: Opener, depth: int) -> list[KeyFile]:
        """All parts of a layer; see `Opener.open`."""
        return self._opened(opener, depth, range(len(self.layers[depth].parts)), again=False)

    @property
    def limit(self) -> tuple[int, ...] | None:
        """What files hold comes before that; None where nothing is known."""
        return (self.ranks,) if self.ranks else None

    def _opened(self, opener: Opener, depth: int, numbers: range, *, again: bool) -> list[KeyFile]:
        parts = self.layers[depth].parts
        limits = [*(each.first for each in parts[1:]), self.limit]
        kept = [parts[number].kept(limits[number]) for number in numbers]
        files = opener.open(kept, self.words, again=again)
        for file, entry in zip(files, parts[numbers.start : numbers.stop], strict=True):
            if words_of(file.firsts[0]) != entry.first:
                raise UsageError(f"{file.path} begins with another state than by its manifest")
        return files


def part_name(depth: int, part: int) -> str:
    """The name of the file of a part of the layer at that depth."""
    return f"layer-{depth:04}-{part:03}.keys"


def _number(value: Any, most: int) -> int:
    if type(value) is not int or not 1 <= value <= most:
        raise ValueError(f"{value!r:.80} is not a number from 1 to {most}")
    return value


def _identity(content: Any) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise TypeError(f"the identity is {content!r:.80}")
    plain(content)
    return content


def plain(content: Any, most: int = MOST_NESTED) -> None:
    """Raise `ValueError` for JSON that is nested too deeply to be shown and compared."""
    if isinstance(content, (list, dict)):
        if not most:
            raise ValueError(f"it is nested more than {MOST_NESTED} times")
        for each in content.values() if isinstance(content, dict) else content:
            plain(each, most - 1)
