"""A table as it is made: a layer is added all at once, and what is added stays."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import attrs

from searchkit.errors import SearchkitError, UsageError
from searchkit.tables.folder_store import Place, store_at
from searchkit.tables.keys import KeyFile
from searchkit.tables.layers import Layers
from searchkit.tables.lock import NAME as LOCK_NAME
from searchkit.tables.manifest import NAME, LayerEntry, Manifest, PartEntry, part_name, plain
from searchkit.tables.sources import FILE, SOURCE, check_source
from searchkit.tables.store import LEFT_OVER, Lock, Opener, Store, StoreError
from searchkit.texts.amounts import plural


@attrs.frozen(kw_only=True)
class _Wanted:
    """The exploration that a table is to be of, and what its states are."""

    identity: dict[str, Any]
    words: int | None
    """Of a state; None where `lay_out` says it."""
    ranks: int
    by_rank: bool
    """Whether a table that is begun holds the numbers of states."""

    @property
    def begun(self) -> Manifest:
        """The manifest of a table without layers."""
        ranks = self.ranks if self.by_rank else 0
        words = 1 if self.by_rank else self.words or 1
        return Manifest(identity=self.identity, words=words, ranks=ranks)


@attrs.define(eq=False)
class TableWriter:
    """The table at a place: layers so far, and where the next one goes.

    One process at a time has it, until it is closed: use it in a `with` statement.
    """

    store: Store
    manifest: Manifest
    opener: Opener
    _lock: Lock | None = None

    @classmethod
    def open(
        cls,
        place: Place,
        identity: Mapping[str, Any],
        *,
        words: int | None = 1,
        ranks: int = 0,
        by_rank: bool = False,
    ) -> TableWriter:
        """Go on with the table of the same exploration at a place, or begin one.

        States have `words` words, or as many as `lay_out` says (None), and numbers below `ranks`.
        A new table holds these if it is to be `by_rank`; one that is there goes on with what it
        holds. The files of a table are compared with their checksums: machine code believes them.
        Nothing is written into a table that is complete. Raises `UsageError` if the place holds
        something else, or if another process has it, and `SearchkitError` if it cannot be written.
        """
        store = store_at(place)
        wanted = _Wanted(identity=_as_read(identity), words=words, ranks=ranks, by_rank=by_rank)
        with blaming_disk(store):
            store.make()
            if not store.exists(NAME):
                _check_empty(store)
            elif (manifest := Manifest.read(store)).complete:
                self = cls(store, manifest, store.opener())
                self._check_layers(wanted)
                _tidy(self)
                return self
            lock = store.lock()
            try:
                return cls._locked(store, wanted, lock)
            except BaseException:
                lock.release()
                raise

    @classmethod
    def _locked(cls, store: Store, wanted: _Wanted, lock: Lock) -> TableWriter:
        """The table at a place that nobody else writes into."""
        if store.exists(NAME):
            self = cls(store, Manifest.read(store), store.opener(), lock)
            self._check_layers(wanted)
        else:
            self = cls(store, wanted.begun, store.opener(is_new=True), lock)
            self.manifest.write(store)
        self.sweep()
        return self

    def __enter__(self) -> TableWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let others have the folder; nothing more can be added."""
        if self._lock is not None:
            self.opener.save()
            self._lock.release()
            self._lock = None

    def _check_layers(self, wanted: _Wanted) -> None:
        """Refuse what is not the exploration `wanted`, and files that have changed."""
        own, found = wanted.identity, self.manifest.identity
        others = _other_identity(own, found)
        if others is None:
            check_source(self.store, found, own.get(SOURCE))
            others = self._other_states(wanted)
        if others is not None:
            raise UsageError(f"{self.store} holds {others}; give another folder")
        if self.opener.is_late:
            there = self.store.sizes()
            for name in self.manifest.names():
                if name not in there:
                    raise UsageError(
                        f"{self.store}/{name} cannot be read as a layer of a table: it is not "
                        "there; explore again into an empty place"
                    )
            return
        for depth in range(self.depth):
            self.layer(depth)

    def _other_states(self, wanted: _Wanted) -> str | None:
        """What states the table holds, where these are not what is `wanted`."""
        manifest, is_laid_out = self.manifest, wanted.words is None
        if manifest.ranks not in (0, wanted.ranks):
            numbers = f"numbers of states from 0 to {manifest.ranks - 1:,}"
            return f"{numbers}, and here they have none or others"
        if self.layout is not None and not is_laid_out:
            return "states of rules in plain Python, and here they are packed"
        if is_laid_out and self.layout is None and self.depth:
            return "packed states, and here rules are in plain Python"
        if not manifest.ranks and wanted.words not in (None, manifest.words):
            words = plural(manifest.words, "word")
            return f"states of {words}, and here they have {wanted.words}"
        return None

    @property
    def depth(self) -> int:
        """How many layers are complete."""
        return len(self.manifest.layers)

    def layer(self, depth: int) -> list[KeyFile]:
        """The parts of a complete layer, which are those that were written."""
        return self.manifest.open_layer(self.opener, depth)

    def layers(self, problem: Any) -> Layers:
        """All complete layers, of states of that problem."""
        coding = self.manifest.coding(self.store, problem)
        return Layers.of(self.manifest, self.opener, coding)

    @property
    def layout(self) -> Mapping[str, Any] | None:
        """What the words of states mean, where that is written down."""
        return self.manifest.layout

    def lay_out(self, layout: Mapping[str, Any], words: int, *, anew: bool) -> None:
        """Write down what the words of states mean; `anew`, the layers so far are given up."""
        with blaming_disk(self.store):
            given_up = self.manifest.names() if anew else []
            layers = () if anew else self.manifest.layers
            self._replace(layout=dict(layout), words=words, layers=layers)
            self.store.delete(given_up)

    def add(self, parts: Sequence[PartEntry], states: int) -> None:
        """Add a layer that stands for `states` states, all at once; its parts are in order.

        Files were put into the store; they get their names, and last the manifest has them.
        """
        with blaming_disk(self.store):
            entries = []
            for number, each in enumerate(parts):
                name = self.store.adopt(each.file, part_name(self.depth, number))
                self.opener.note(name, each.sha256)
                entries.append(attrs.evolve(each, file=name))
            canonical = sum(each.canonical for each in parts)
            layer = LayerEntry(canonical=canonical, states=states, parts=tuple(entries))
            self._replace(layers=(*self.manifest.layers, layer))

    def sweep(self) -> None:
        """Delete what attempts left behind, of processes that were killed as well."""
        self.store.delete(_left_over(self.store, self.manifest))

    def delete(self, runs: Sequence[str]) -> None:
        """Delete runs that nobody needs any more."""
        self.store.delete(runs)

    def finish(self) -> None:
        """Note that there are no more layers; a table that is complete stays as it is."""
        if not self.manifest.complete:
            with blaming_disk(self.store):
                self._replace(complete=True)

    def _replace(self, **changes: Any) -> None:
        changed = attrs.evolve(self.manifest, **changes)
        if self._lock is not None:
            self._lock.check()
        changed.write(self.store)
        self.manifest = changed


def _other_identity(own: Mapping[str, Any], found: Mapping[str, Any]) -> str | None:
    """How the exploration of a table differs from one's own; None if it is the same."""
    for name in sorted({*own, *found} - {SOURCE, FILE}):
        there, here = found.get(name), own.get(name)
        if there != here:
            return f"another exploration: {name} = {_shown(there)} there and {_shown(here)} here"
    return None


def _shown(value: Any) -> str:
    """A part of an identity, for messages: in the order that a manifest has."""
    return f"{dict(sorted(value.items())) if isinstance(value, dict) else value!r:.80}"


def _left_over(store: Store, manifest: Manifest) -> list[str]:
    """What attempts left behind at the place of a table."""
    named = frozenset(manifest.names())
    return [name for name in store.sizes() if store.left_over.fullmatch(name) and name not in named]


def _check_empty(store: Store) -> None:
    """Raise `UsageError` unless there is nothing at a place but what was left of a table."""
    others = sorted(
        name for name in store.sizes() if not LEFT_OVER.fullmatch(name) and name != LOCK_NAME
    )
    if others:
        raise UsageError(
            f"{store} holds other files ({others[0]}); give an empty folder or one that explore "
            "--checkpoint made"
        )


def _tidy(table: TableWriter) -> None:
    """Sweep a place that nothing more is written into, unless another process is there."""
    if _left_over(table.store, table.manifest) or table.store.exists(LOCK_NAME):
        with suppress(OSError, UsageError):
            lock = table.store.lock()
            try:
                table.sweep()
            finally:
                lock.release()


@contextmanager
def blaming_disk(store: Store) -> Iterator[None]:
    """Turn errors of the disk into one line that says what is kept."""
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
            advice = "make room and give the same command again: complete layers are kept"
        elif error.errno == errno.ENOENT:
            advice = "a file was taken away; leave the folder alone while it is explored into"
        elif isinstance(error, StoreError):
            advice = "give a place that can be reached and written to: complete layers are kept"
        else:
            advice = "give a folder that can be written to"
        why = error.strerror or error
        raise SearchkitError(f"{store.place_of(error)}: {why}; {advice}") from error


def _as_read(identity: Mapping[str, Any]) -> dict[str, Any]:
    """`identity` as it will be read from a manifest: tuples are lists there."""
    try:
        found = dict(json.loads(json.dumps(dict(identity), allow_nan=False)))
        plain(found)
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"identity {dict(identity)!r:.80} cannot be written down: {error}") from (
            error
        )
    return found
