from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

collect_ignore = ["conftest.py"]
"""There are others below, whose module has the same name."""


@pytest.fixture(autouse=True)
def ctrl_c_is_heard() -> Iterator[None]:
    """Ctrl-C is heard, here and in child processes, even if a shell started the tests deaf."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session", autouse=True)
def own_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Pattern databases of whoever runs the tests are neither used nor changed."""
    before = os.environ.get("SEARCHKIT_DATA_DIR")
    os.environ["SEARCHKIT_DATA_DIR"] = str(tmp_path_factory.mktemp("data"))
    yield
    if before is None:
        del os.environ["SEARCHKIT_DATA_DIR"]
    else:
        os.environ["SEARCHKIT_DATA_DIR"] = before
