"""How many processors a process may use: as its affinity and its control groups say."""

from __future__ import annotations

from pathlib import Path

import pytest

from searchkit.running import processors as module
from searchkit.running.processors import processors


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine of eight processors."""
    monkeypatch.setattr(module, "_bound_to", lambda: 8)
    return tmp_path


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_all_where_nothing_is_said(root: Path) -> None:
    assert processors(root) == 8


@pytest.mark.parametrize(
    ("own", "above", "number"),
    [("max 100000", "max 100000", 8), ("150000 100000", "max 100000", 2),
     ("max", "50000 100000", 1), ("900000 100000", "400000 100000", 4),
     ("1000 100000", "max 100000", 1), ("", "", 8)],
)  # fmt: skip
def test_version_2(root: Path, own: str, above: str, number: int) -> None:
    write(root, {
        "proc/self/cgroup": "0::/user/one\n",
        "proc/self/mountinfo": "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
        "sys/fs/cgroup/user/cpu.max": f"{above}\n",
        "sys/fs/cgroup/user/one/cpu.max": f"{own}\n",
    })  # fmt: skip
    assert processors(root) == number


@pytest.mark.parametrize(("quota", "number"), [("-1", 8), ("300000", 3), ("50000", 1)])
def test_version_1(root: Path, quota: str, number: int) -> None:
    write(root, {
        "proc/self/cgroup": "5:cpu,cpuacct:/docker/x\n4:memory:/docker/x\n",
        "proc/self/mountinfo": "33 32 0:30 /docker/x /sys/fs/cgroup/cpu rw - cgroup cgroup cpu\n",
        "sys/fs/cgroup/cpu/cpu.cfs_quota_us": f"{quota}\n",
        "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
    })  # fmt: skip
    assert processors(root) == number


def test_the_process_itself_may_use_one_at_least() -> None:
    assert processors() >= 1
