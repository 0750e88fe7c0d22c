"""The command line of searchkit, with little memory and a pause in every step of a layer.

python slow_explore.py SECONDS ARGUMENTS...
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from searchkit.cli import main
from searchkit.compiled.layers import sorted_files as file_layers
from searchkit.tables import layer_files

SMALL = {"CHUNK": 1 << 11, "RANGE": 1 << 10, "MOST_RUNS": 4, "LEAST_BYTES": 1 << 15}


def paused(owner: Any, name: str, pause: float) -> None:
    """Let the function wait before it is called."""
    function: Callable[..., Any] = getattr(owner, name)

    def slow(*arguments: Any, **options: Any) -> Any:
        time.sleep(pause)
        return function(*arguments, **options)

    setattr(owner, name, slow)


def slow_write(file: layer_files.LayerFile, states: Any) -> None:
    """Write in two halves, with a pause between them."""
    half = len(states) // 2
    write(file, states[:half])
    file._file.flush()
    time.sleep(seconds)
    write(file, states[half:])


if __name__ == "__main__":
    seconds = float(sys.argv.pop(1))
    write = layer_files.LayerFile.write
    layer_files.LayerFile.write = slow_write  # type: ignore[method-assign]
    for constant, value in (SMALL | {"MOST_BYTES": 1 << 17}).items():
        setattr(file_layers, constant, value)
    for owner, name in [(os, "fsync"), (Path, "replace"), (file_layers.FileLayers, "_expand")]:
        paused(owner, name, seconds)
    main()
