"""Builds that go on where they were stopped: what they have done is kept beside the library."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from searchkit.errors import ProblemError, SearchkitError, SearchkitWarning, UsageError
from searchkit.heuristics.patterns.database import PatternDatabase
from searchkit.heuristics.patterns.library import Library, blaming_disk, sweep
from searchkit.running.building import BuildStoppedError
from searchkit.running.making import search_clock
from searchkit.tables.signed import write_signed
from searchkit.texts.files import open_regular, write_whole

if TYPE_CHECKING:
    import numpy as np

STATE = "state.json"
KEPT_EVERY = 300.0
"""Seconds after which a build writes what it has done."""


class Build(Protocol):
    """A table that is being built in slices."""

    def run(self) -> Iterator[None]:
        """Build it; yields after every slice."""

    def about(self) -> str:
        """How far it is, in one line."""

    @property
    def kept_bytes(self) -> int:
        """How many bytes `keep` writes."""

    def keep(self, folder: Path) -> None:
        """Write what was done so far to `folder`, if it is worth that."""

    def resume(self, folder: Path) -> bool:
        """Go on after what is in `folder`; False if nothing there can be used.

        `UsageError` if it was made by other rules.
        """

    def database(self) -> PatternDatabase:
        """What was built."""


B = TypeVar("B", bound=Build)


def finished(
    build: B,
    identity: Mapping[str, Any],
    library: Library,
    watch: Callable[[B], None],
    note: Callable[[str], None] = lambda text: None,
) -> PatternDatabase:
    """Build a table to its end, from where the last build of it was stopped.

    `watch` is called after every slice, `note` where an earlier build goes on. Where the build is
    stopped, by Ctrl-C or by `BuildStoppedError` from `watch`, what was done is kept, unless the
    error says that it takes too long to write it. Raises `UsageError` where the rules do not go on
    from an earlier build: somebody has changed its files.
    """
    folder = library.path_of(identity, halved=False)
    folder = folder.with_name(f"{folder.name}.unfinished")
    is_resumed = False
    try:
        is_resumed = build.resume(folder)
        if is_resumed:
            note(f"going on with pattern {identity['pattern']} where it was stopped")
    except UsageError as error:
        _warn(f"{error}: begun again")
    kept = search_clock()
    try:
        for _ in build.run():
            watch(build)
            if search_clock() - kept > KEPT_EVERY:
                kept = search_clock()
                try:
                    build.keep(folder)
                except SearchkitError as error:  # hours of work may go on without
                    _warn(str(error))
    except BuildStoppedError as stopped:
        if stopped.is_kept:
            build.keep(folder)
        raise
    except KeyboardInterrupt:
        build.keep(folder)
        raise
    except ProblemError as error:
        if not is_resumed:
            raise
        raise UsageError(
            f"{folder}: the rules do not lead on from there; remove it to begin again: {error}"
        ) from error
    shutil.rmtree(folder, ignore_errors=True)
    return build.database()


def _warn(text: str) -> None:
    warnings.warn(text, SearchkitWarning, stacklevel=3)


Arrays = Mapping[str, "np.ndarray[Any, Any]"]


def keep_arrays(folder: Path, state: Mapping[str, Any], arrays: Arrays) -> None:
    """Write the `state` of a build, and its arrays, to a folder.

    The arrays have names of their own each time, and what was kept before stays until the state
    that names them is in its place. `SearchkitError` if the disk is full.
    """
    import numpy as np  # noqa: PLC0415  (takes long to import)

    contents = {name: each.view(np.uint8).data for name, each in arrays.items()}
    mark = f"{os.getpid()}-{time.time_ns()}"
    files = {name: f"{name}-{mark}.bin" for name in contents}
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    size = sum(content.nbytes for content in contents.values())
    with blaming_disk(folder, "the unfinished pattern database", size):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, content in contents.items():
                write_whole(folder / files[name], content)
            write_signed(folder / STATE, {**state, "files": files, "sha256": sums})
        except BaseException:
            for file in files.values():
                with suppress(OSError):
                    (folder / file).unlink()
            with suppress(OSError):
                folder.rmdir()  # if nothing is in it
            raise
    sweep(folder, (STATE, *files.values()))


def kept_arrays(
    folder: Path, state: Mapping[str, Any], like: Arrays
) -> dict[str, np.ndarray[Any, Any]]:
    """The arrays that were kept with a state, of the shapes of those that they are `like`.

    One of `searchkit.tables.signed.UNREADABLE` if one is not what was written.
    """
    import numpy as np  # noqa: PLC0415  (takes long to import)

    found = {}
    for name, ours in like.items():
        with open_regular(folder / Path(state["files"][name]).name) as file:
            if os.fstat(file.fileno()).st_size != ours.nbytes:
                raise ValueError(f"{name} is of another length")
            found[name] = np.fromfile(file, ours.dtype).reshape(ours.shape)
        if hashlib.sha256(found[name].data).hexdigest() != state["sha256"][name]:
            raise ValueError(f"{name} has another checksum")
    return found
