"""The peak is that of what ran since, not of what ran before; each in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

MEGA = 10**6
MEASURED = """
from searchkit.comparison.peak_memory import PeakMemory
before = [bytes(5000) for _ in range(12_000)]
last = bytes(5000)  # above them in the heap, which would shrink without it
del before
measured = PeakMemory.begin()
taken = [bytes(5000) for _ in range({size} // 5000)]
del taken
print(measured.above(), measured.loaded, measured.method)
"""


def measure(size: int) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", MEASURED.format(size=size)],
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    return done.stdout.split(maxsplit=2)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the mark is not put back")
@pytest.mark.parametrize("size", [0, 20 * MEGA])
def test_what_was_freed_before_does_not_count(size: int) -> None:
    peak, loaded, method = measure(size)
    assert method.strip() == "high-water mark put back"
    assert size - MEGA < int(peak) < size + MEGA
    assert 0 < int(loaded) < 60 * MEGA
