"""Modules of plugins that are single files: loaded from their text, and found again by it."""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from searchkit.errors import UsageError

PREFIX = "searchkit_plugin_file_"


class _FromSource(SourceFileLoader):
    """Compiles a file each time: bytecode is that of a file of the same second and size."""

    def get_code(self, fullname: str) -> Any:
        """The code of the file as it is now."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def new_module(file: Path) -> ModuleType:
    """An empty module for a file, which `fill` fills; raises `UsageError` if there is no file."""
    try:
        is_there = file.is_file()
    except OSError:  # a name that is too long, say
        is_there = False
    if not is_there:
        raise UsageError(f"plugin file {str(file)!r} does not exist; give a .py file")
    name = f"{PREFIX}{len(sys.modules)}_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise UsageError(f"plugin file {str(file)!r} is not Python source; give a .py file")
    spec.loader = _FromSource(name, str(file))
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    return module


def fill(module: ModuleType) -> None:
    """Run the text of a new module; where that fails, nobody finds it any more."""
    assert module.__spec__ is not None
    assert module.__spec__.loader is not None
    try:
        module.__spec__.loader.exec_module(module)
    except BaseException:
        del sys.modules[module.__name__]
        raise


def file_of(name: str) -> str | None:
    """The file of a module of that name, if it was made here."""
    return getattr(sys.modules.get(name), "__file__", None) if name.startswith(PREFIX) else None


def module_of(file: str) -> ModuleType:
    """The module of a file that was loaded last; it is loaded if there is none."""
    for name, module in reversed(list(sys.modules.items())):
        if name.startswith(PREFIX) and module.__file__ == file:
            return module
    made = new_module(Path(file))
    fill(made)
    return made
