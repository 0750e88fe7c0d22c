"""Explore and tell how much anonymous memory that took at most, as JSON.

python measure_memory.py FOLDER DEPTH MEGABYTES
"""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path

from searchkit import Limits
from searchkit.explore import explore
from searchkit_sliding import Board, SlidingPuzzle


def anonymous() -> int:
    """The bytes of this process that no file holds."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    raise OSError("no RssAnon in /proc/self/status")


class Watch(threading.Thread):
    """Looks at the memory a hundred times a second."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most = 0

    def run(self) -> None:
        while True:
            self.most = max(self.most, anonymous())
            time.sleep(0.01)


if __name__ == "__main__":
    folder, depth, megabytes = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    goal = " ".join(map(str, [*range(1, 16), 0]))
    problem = SlidingPuzzle.read(Board.rectangle(4, 4), goal, goal)
    explore(problem, checkpoint=folder / "first", limits=Limits(cost=8))  # loads machine code
    before = anonymous()
    watch = Watch()
    watch.start()
    began = time.monotonic()
    found = explore(
        problem,
        checkpoint=folder / "table",
        limits=Limits(cost=depth, memory=megabytes * 10**6),
    )
    print(
        json.dumps(
            {
                "layers": found.layers,
                "limit": found.limit and found.limit.value,
                "bytes": found.statistics.bytes,
                "before": before,
                "most": watch.most,
                "seconds": time.monotonic() - began,
                "written": sum(path.stat().st_size for path in (folder / "table").iterdir()),
            }
        )
    )
