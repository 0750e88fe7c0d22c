"""On what the figures were measured."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from pathlib import Path

from bench.compiling import FLAGS, compiler_version
from bench.samples import Unavailable

PACKAGES = ("searchkit-statespace", "numba", "numpy", "simpleai", "networkx")


def describe_machine() -> dict[str, object]:
    """Processor, memory, system, compiler, and versions."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": platform.platform(),
        "compiler": _compiler(),
        "compiler_flags": " ".join(FLAGS),
        "python": platform.python_version(),
        **{name: _version(name) for name in PACKAGES},
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    pairs = (line.partition(":") for line in lines)
    fields = {key.strip(): value.strip() for key, _, value in pairs}
    parts = [f"{key} {fields[key]}" for key in ("cpu family", "model") if key in fields]
    return f"{fields.get('model name', platform.machine())} ({', '.join(parts)})"


def _compiler() -> str | None:
    try:
        return compiler_version()
    except Unavailable:
        return None


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
