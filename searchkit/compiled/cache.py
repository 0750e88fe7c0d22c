"""Specialised modules on disk: one file per exact content, compiled once, imported ever after."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tempfile
from pathlib import Path
from types import ModuleType

import platformdirs

ENVIRONMENT_VARIABLE = "SEARCHKIT_CACHE_DIR"


def cache_directory() -> Path:
    """Where specialised modules are kept: `SEARCHKIT_CACHE_DIR`, or the user's cache folder."""
    chosen = os.environ.get(ENVIRONMENT_VARIABLE)
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("searchkit"))


def load_module(text: str) -> ModuleType:
    """The module with the source `text`, imported from the cache, or written there first.

    The name of the file is a hash of the text and of everything else that machine code
    depends on (versions of Python, numba, llvmlite and numpy, and the processor), so that a change
    of any of them makes another file: stale code cannot run. A folder that cannot be written
    only costs the time to compile again. Processes that write the same file at once write
    the same bytes, each through a file of its own that is then renamed.
    """
    name = f"searchkit_kernel_{_digest(text)}"
    if name in sys.modules:
        return sys.modules[name]
    for directory in (cache_directory(), Path(tempfile.gettempdir()) / f"searchkit-{os.getpid()}"):
        path = directory / f"{name}.py"
        try:
            _write(path, text)
        except OSError:
            continue
        return _import(name, path)
    return _import_text(name, text)


def _digest(text: str) -> str:
    import llvmlite  # noqa: PLC0415  (numba and numpy take long to import)
    import numba  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415
    from llvmlite import binding  # noqa: PLC0415

    parts = (
        sys.version, numba.__version__, llvmlite.__version__, np.__version__,
        binding.get_host_cpu_name(), text,
    )  # fmt: skip
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _write(path: Path, text: str) -> None:
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, suffix=".tmp", delete=False, encoding="utf-8"
    ) as file:
        file.write(text)
    Path(file.name).replace(path)


def _import(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _import_text(name: str, text: str) -> ModuleType:
    module = ModuleType(name)
    exec(compile(text.replace("cache=True", "cache=False"), name, "exec"), module.__dict__)
    sys.modules[name] = module
    return module
