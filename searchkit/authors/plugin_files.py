"""Modules of plugins that are single files: loaded from their text, and found again by it.

Where what such a file defines travels to another process, or another machine, the text does, too:
there may be no such file, or another one.
"""

from __future__ import annotations

import importlib.util
import io
import linecache
import os
import sys
import tokenize
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from searchkit.errors import UsageError

PREFIX = "searchkit_plugin_file_"


class _FromSource(SourceFileLoader):
    """Compiles a file each time: bytecode is that of a file of the same second and size.

    With `text`, the file is not read.
    """

    def __init__(self, fullname: str, path: str, text: bytes | None = None) -> None:
        super().__init__(fullname, path)
        self.text = text

    def get_data(self, path: str) -> bytes:
        """The text of the file, as it was when it was read first."""
        if self.text is None:
            self.text = super().get_data(path)
        return self.text

    def get_code(self, fullname: str) -> Any:
        """The code of the file as it is now."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def new_module(file: Path, text: bytes | None = None) -> ModuleType:
    """An empty module for a file, which `fill` fills; raises `UsageError` if there is no file.

    With `text`, which is what is in the file, there need not be one here.
    """
    try:
        is_there = text is not None or file.is_file()
    except OSError:  # a name that is too long, say
        is_there = False
    if not is_there:
        why = "is not a regular file" if os.path.lexists(file) else "does not exist"
        raise UsageError(f"plugin file {str(file)!r} {why}; give a .py file")
    name = f"{PREFIX}{len(sys.modules)}_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise UsageError(f"plugin file {str(file)!r} is not Python source; give a .py file")
    spec.loader = _FromSource(name, str(file), text)
    if text is not None:
        be_text_of(str(file), text)
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


def text_of(name: str) -> tuple[str, bytes] | None:
    """The file, and its text, of a module of that name, if it was made here."""
    module = sys.modules.get(name) if name.startswith(PREFIX) else None
    loader = getattr(module, "__loader__", None)
    if not isinstance(loader, _FromSource):
        return None
    return loader.path, loader.get_data(loader.path)


def module_of(file: str, text: bytes) -> ModuleType:
    """The module of a file with that text that was loaded last; it is loaded if there is none."""
    for name in reversed(list(sys.modules)):
        if text_of(name) == (file, text):
            return sys.modules[name]
    made = new_module(Path(file), text)
    fill(made)
    return made


def be_text_of(file: str, text: bytes) -> None:
    """Let whoever asks for lines of a file, for a traceback say, have those of `text`."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(text).readline)
        lines = io.TextIOWrapper(io.BytesIO(text), encoding).readlines()
    except (SyntaxError, UnicodeDecodeError):  # to be said by whoever compiles it
        return
    linecache.cache[file] = (len(text), None, lines, file)
