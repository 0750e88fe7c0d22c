"""Warnings of the library are notes of one line, unless the command is to be quiet."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from searchkit.errors import SearchkitWarning
from searchkit.registry import Registry
from tests.support.cli_calls import Call


@pytest.fixture
def warned(monkeypatch: pytest.MonkeyPatch) -> None:
    load = Registry.load

    def loaded(*args: Any, **more: Any) -> Registry:
        warnings.warn("this takes long,\nevery time", SearchkitWarning, stacklevel=2)
        return load(*args, **more)

    monkeypatch.setattr(Registry, "load", loaded)


def test_a_note_on_stderr(call: Call, warned: None) -> None:
    outcome = call("info", "8-puzzle")
    assert (outcome.code, outcome.err) == (
        0, "searchkit: note: this takes long, every time\n",
    )  # fmt: skip


@pytest.mark.parametrize("args", [("-q", "info", "8-puzzle"), ("info", "8-puzzle", "-q")])
def test_quiet(call: Call, warned: None, args: tuple[str, ...]) -> None:
    outcome = call(*args)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out
