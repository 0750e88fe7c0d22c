"""Files of states, written and read by machine code."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from searchkit.compiled.layers.key_files import RowWriter
from searchkit.compiled.layers.row_reader import RowReader
from searchkit.compiled.specialise.module import state_array
from searchkit.tables.keys import KeyFile, python_states


def written(folder: Path, states: Sequence[Any], words: int = 1) -> tuple[Path, Any]:
    """A file of rising states, and its words."""
    writer = RowWriter(folder / "states", words, keep=False)
    writer.write(state_array(list(states), words))
    writer.complete()
    path = writer.part
    return path, np.array(np.frombuffer(path.read_bytes(), "<i8"))


def machine_read(file: KeyFile, begin: int = 0, end: int = -1) -> list[Any]:
    """The states of a file from one to before another, by machine code."""
    reader = RowReader.of(file, begin, end)
    return python_states(np.concatenate([reader.take(3), reader.take(file.count)]))
