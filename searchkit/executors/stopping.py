"""A file that tells tasks on this machine to end, and to hand back what they have by then."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs


@attrs.frozen
class StopFile:
    """An event for other processes: it is set while there is the file `path`.

    >>> stop = StopFile()
    >>> with stop.made():
    ...     print(stop.is_set())
    True
    >>> stop.is_set()
    False
    """

    path: str = attrs.field(
        factory=lambda: str(Path(tempfile.gettempdir()) / f"searchkit-{uuid.uuid4().hex}.stop")
    )

    def is_set(self) -> bool:
        """Whether there is the file. One call of the system."""
        return Path(self.path).exists()

    @contextmanager
    def made(self) -> Iterator[None]:
        """Make the file, for as long as tasks have to see it."""
        Path(self.path).touch()
        try:
            yield
        finally:
            Path(self.path).unlink(missing_ok=True)
