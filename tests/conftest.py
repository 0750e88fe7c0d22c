from __future__ import annotations

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
