"""Run a module as it runs where numba has no wheels: neither numba nor llvmlite is found.

python tests/support/without_numba.py searchkit run hoppers
python tests/support/without_numba.py pytest tests/engines/test_limits.py
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

MISSING = ("numba", "llvmlite")


class Without(PathFinder):
    """Finds what is installed, but for what is `MISSING`."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a module is; None if there is none."""
        is_missing = fullname.partition(".")[0] in MISSING
        return None if is_missing else super().find_spec(fullname, path, target)


if __name__ == "__main__":
    sys.meta_path[sys.meta_path.index(PathFinder)] = Without
    sys.path[0] = str(Path.cwd())
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
