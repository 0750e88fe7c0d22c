"""The default memory limit: what the machine, containers and the process's own limits leave."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from searchkit.running import free_memory as memory
from searchkit.running.free_memory import FALLBACK, default_memory, free_memory

GB = 10**9
AVAILABLE = "MemTotal:       20000000 kB\nMemFree:   3 kB\nMemAvailable:   16000000 kB\n"
V2_MOUNT = "30 23 0:26 {mounted} {place} rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
V1_MOUNT = (
    "33 32 0:30 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
    "35 32 0:32 {mounted} {place} rw,relatime - cgroup cgroup rw,memory\n"
)

Write = Callable[[dict[str, str]], None]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine of 16.4 GB, whose processes have no limits of their own."""
    monkeypatch.setattr(memory, "_of_process", lambda root: iter(()))
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/meminfo").write_text(AVAILABLE)
    return tmp_path


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_what_is_available_on_the_machine(root: Path) -> None:
    assert free_memory(root) == 16_000_000 * 1024


def test_old_machines_know_all_that_there_is(root: Path) -> None:
    write(root, {"proc/meminfo": "MemTotal: 1000 kB\n"})
    assert free_memory(root) == 1000 * 1024


def test_where_nothing_is_known(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.sysconf")
    assert free_memory(root / "nowhere") == FALLBACK


@pytest.mark.parametrize("level", ["", "/user", "/user/one"])
def test_version_2_with_all_groups_above(root: Path, level: str) -> None:
    write(root, {
        "proc/self/cgroup": "0::/user/one\n",
        "proc/self/mountinfo": V2_MOUNT.format(mounted="/", place="/sys/fs/cgroup"),
        "sys/fs/cgroup/user/memory.max": "max\n",
        "sys/fs/cgroup/user/one/memory.max": "max\n",
        f"sys/fs/cgroup{level}/memory.max": f"{GB}\n",
        f"sys/fs/cgroup{level}/memory.current": "300000000\n",
        f"sys/fs/cgroup{level}/memory.stat": "anon 5\ninactive_file 200000000\nfile 7\n",
    })  # fmt: skip
    assert free_memory(root) == GB - 100_000_000


@pytest.mark.parametrize(
    ("path", "mounted", "folder"),
    [
        ("/docker/a", "/", "/docker/a"),
        ("/docker/a", "/docker/a", ""),
        ("/docker/a/b", "/docker/a", "/b"),
        ("/docker/ab", "/docker/a", ""),
        ("/../x", "/", ""),
        ("/", "/", ""),
    ],
)
def test_version_1(root: Path, path: str, mounted: str, folder: str) -> None:
    place = "/sys/fs/cgroup/memory"
    write(root, {
        "proc/self/cgroup": f"8:cpu,cpuacct:/no\n4:hugetlb,memory:{path}\n0::/\n",
        "proc/self/mountinfo": V1_MOUNT.format(mounted=mounted, place=place),
        f"{place[1:]}/memory.limit_in_bytes": "9223372036854771712\n",
        f"{place[1:]}{folder}/memory.limit_in_bytes": f"{2 * GB}\n",
        f"{place[1:]}{folder}/memory.usage_in_bytes": "500000000\n",
        f"{place[1:]}{folder}/memory.stat": "inactive_file 1\ntotal_inactive_file 100000000\n",
    })  # fmt: skip
    assert free_memory(root) == 2 * GB - 400_000_000


def test_both_versions_and_odd_folders(root: Path) -> None:
    """The least counts; a blank in the name of a folder is written as in octal."""
    both = V1_MOUNT.format(mounted="/", place="/v1") + V2_MOUNT.format(
        mounted="/", place="/v\\0402"
    )
    write(root, {
        "proc/self/cgroup": "4:memory:/a:b\n0::/c\nnonsense\n",
        "proc/self/mountinfo": "nonsense - x\n" + both,
        "v1/a:b/memory.limit_in_bytes": str(3 * GB),
        "v 2/c/memory.max": str(2 * GB),
    })  # fmt: skip
    assert free_memory(root) == 2 * GB


@pytest.mark.parametrize("used", ["1000000001", "99999999999", "999999999", "", "x"])
def test_a_group_that_is_full(root: Path, used: str) -> None:
    write(root, {
        "proc/self/cgroup": "0::/\n",
        "proc/self/mountinfo": V2_MOUNT.format(mounted="/", place="/cg"),
        "cg/memory.max": str(GB),
        "cg/memory.current": used,
    })  # fmt: skip
    assert free_memory(root) == (max(0, GB - int(used)) if used.isdecimal() else GB)


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({"RLIMIT_AS": 3 * GB}, 3 * GB - 4096 * 50_000),
        ({"RLIMIT_DATA": 3 * GB}, 3 * GB - 4096 * 20_000),
        ({"RLIMIT_AS": 2 * GB, "RLIMIT_DATA": GB}, GB - 4096 * 20_000),
        ({"RLIMIT_DATA": 1000}, 0),
        ({}, 16_000_000 * 1024),
    ],
)
def test_limits_of_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limits: dict[str, int], expected: int
) -> None:
    resource = pytest.importorskip("resource")
    kinds = {getattr(resource, name): most for name, most in limits.items()}
    monkeypatch.setattr(
        resource, "getrlimit", lambda kind: (kinds.get(kind, resource.RLIM_INFINITY),) * 2
    )
    monkeypatch.setattr(resource, "getpagesize", lambda: 4096)
    write(tmp_path, {
        "proc/meminfo": AVAILABLE, "proc/self/statm": "50000 8000 4000 900 0 20000 0\n"
    })  # fmt: skip
    assert free_memory(tmp_path) == expected


def test_here() -> None:
    assert 0 < default_memory() <= free_memory()
