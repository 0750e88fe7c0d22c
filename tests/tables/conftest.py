"""Tables made in little memory."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from searchkit.compiled.specialise.images import image_tables
from tests.support.resuming import SMALL


@pytest.fixture
def in_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs spill to files, and ranges split, after a few words; the disk is not waited for."""
    for name, value in SMALL.items():
        monkeypatch.setattr(f"searchkit.{name}", value)
    for module in ("bitmaps", "sorted_files"):
        monkeypatch.setattr(f"searchkit.compiled.layers.{module}.image_tables", kept_image_tables)
    monkeypatch.setattr("searchkit.tables.keys.os.fsync", lambda _: None)


@cache
def _image_tables(maps: tuple[Any, ...], words: int) -> Any:
    return image_tables(maps, words)


def kept_image_tables(maps: Any, words: int = 1) -> Any:
    """Those of the same maps are made once: that takes a tenth of a second."""
    return _image_tables(tuple(maps), words)


@pytest.fixture
def new_folder(tmp_path: Path) -> Callable[[], AbstractContextManager[Path]]:
    """Makes folders that go away when they are done with."""
    numbers = itertools.count()

    @contextmanager
    def make() -> Iterator[Path]:
        folder = tmp_path / f"table{next(numbers)}"
        yield folder
        shutil.rmtree(folder, ignore_errors=True)

    return make
