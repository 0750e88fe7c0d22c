"""A head that takes calls and never answers is not asked for twenty minutes."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any

import pytest

from searchkit.executors import on_ray


@pytest.mark.parametrize(("address", "attempts"), [("10.0.0.1:6379", "1"), (on_ray.LOCAL, None)])
def test_a_head_is_asked_once(
    address: str, attempts: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    ray = SimpleNamespace(init=lambda **_: asked.append(os.environ.get(on_ray.ASKED)))
    monkeypatch.delenv(on_ray.ASKED, raising=False)
    monkeypatch.setattr(on_ray, "_answers", lambda _: True)
    monkeypatch.setattr(on_ray, "import_module", lambda _: SimpleNamespace())
    on_ray._connect(ray, address, 1)
    assert asked == [attempts]
    assert on_ray.ASKED not in os.environ
