"""What tasks cost: the same work shared out, and in one process."""

from __future__ import annotations

from bench.contestants import Python
from bench.instances import HARDEST
from bench.job import Baseline, Job

BY_PROCESSES = 1.3
BY_RAY = 1.5
SIDES = (
    ("1", "processes", 1, "one process of workers", BY_PROCESSES),
    ("2", "processes", 2, "two processes of workers", BY_PROCESSES),
    ("ray", "ray", 2, "Ray, two processors of this machine", BY_RAY),
)


def seam_jobs() -> tuple[Job, ...]:
    """Searches and an exploration, each on all sides."""
    works: tuple[tuple[str, str, dict[str, object]], ...] = (
        ("search", "IDA*, Korf's number 88, 6,320,047,980 nodes", {"nodes": HARDEST}),
        (
            "layers",
            "layers in files, 15-puzzle up to 24 moves, 42,928,799 states",
            {"moves": 24, "states": 42_928_799},
        ),
        (
            "chains",
            "IDDFS by chains of jumps, English board up to 8 moves, 122,889,713 nodes",
            {"moves": 8, "nodes": 122_889_713},
        ),
        (
            "reference",
            "IDA* in plain Python, Korf's number 88 up to 55 moves, 2,752,521 nodes",
            {"moves": 55, "nodes": 2_752_521},
        ),
    )
    return tuple(
        Job(
            f"seam-{work}-{suffix}",
            summary,
            Python(title, f"seam.{work}", {"side": side, "workers": workers, **arguments}),
            (
                Baseline(
                    Python(
                        "one process, others as busy" if workers > 1 else "one process",
                        f"seam.{work}",
                        {"side": "alone", "workers": workers, **arguments},
                    ),
                    target,
                ),
            ),
            equal=("nodes",),
        )
        for work, summary, arguments in works
        for suffix, side, workers, title, target in SIDES
    )
