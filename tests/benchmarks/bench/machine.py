"""On what the figures were measured."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from bench.compiling import compiler_version, flags
from bench.samples import Unavailable
from bench.target import CPU
from searchkit.comparison.comparison import environment, version_of

BASELINES = ("simpleai", "networkx")


def describe_machine() -> dict[str, object]:
    """Processor, memory, system, compiler, and versions."""
    return {
        **environment(),
        "processor": _processor(),
        "compiled_for": CPU.get() or "the same",
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "compiler": _compiler(),
        "compiler_flags": " ".join(flags()),
        **{name: version_of(name) for name in BASELINES},
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
