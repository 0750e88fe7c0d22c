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
from searchkit.compiled.layers import part_tasks, runs, sorted_files
from searchkit.tables import keys


def paused(owner: Any, name: str, pause: float) -> None:
    """Let the function wait before it is called."""
    function: Callable[..., Any] = getattr(owner, name)

    def slow(*arguments: Any, **options: Any) -> Any:
        time.sleep(pause)
        return function(*arguments, **options)

    setattr(owner, name, slow)


def slow_put(file: keys.KeyWriter, words: Any) -> None:
    """Write in two halves, with a pause between them."""
    half = len(words) // 2
    put(file, words[:half])
    file._file.flush()
    time.sleep(seconds)
    put(file, words[half:])


if __name__ == "__main__":
    seconds = float(sys.argv.pop(1))
    put = keys.KeyWriter._put
    keys.KeyWriter._put = slow_put  # type: ignore[method-assign]
    part_tasks.CHUNK, runs.RANGE = 1 << 11, 1 << 10
    sorted_files.LEAST_BYTES, sorted_files.MOST_BYTES = 1 << 15, 1 << 17
    for owner, name in [(os, "fsync"), (Path, "replace"), (part_tasks.Expansion, "step")]:
        paused(owner, name, seconds)
    main()
