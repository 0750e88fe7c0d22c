"""What a memory limit of an exploration into files holds to, as the system measures it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support import measure_memory

SCRIPT = measure_memory.__file__
LAYERS = [
    1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808, 15544, 30821, 60842, 119000,
    231844, 447342, 859744, 1637383, 3098270, 5802411, 10783780, 19826318,
]  # fmt: skip
"""Of the 15-puzzle with the blank in the corner: https://oeis.org/A089484."""


def measured(folder: Path, depth: int, megabytes: int) -> dict[str, Any]:
    process = subprocess.run(
        [sys.executable, SCRIPT, str(folder), str(depth), str(megabytes)],
        text=True, capture_output=True, check=True,
    )  # fmt: skip
    found: dict[str, Any] = json.loads(process.stdout)
    print({name: value for name, value in found.items() if name != "layers"})
    return found


needs_proc = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="needs /proc/self/status"
)


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize(
    ("depth", "megabytes"),
    [(22, 34), pytest.param(24, 64, marks=pytest.mark.slow)],
)
def test_memory_is_bounded(depth: int, megabytes: int, tmp_path: Path) -> None:
    found = measured(tmp_path, depth, megabytes)
    assert found["layers"] == LAYERS[: depth + 1]
    assert found["limit"] == "cost"
    assert found["bytes"] <= megabytes * 10**6
    assert found["most"] - found["before"] <= megabytes * 10**6
