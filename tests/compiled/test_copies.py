"""Copies of syntax trees may be changed without changing the trees."""

import ast
from pathlib import Path

import pytest

from searchkit.kernel_language import syntax
from searchkit.kernel_language.trees import copied


@pytest.mark.parametrize("path", [Path(syntax.__file__), Path(__file__)], ids=["syntax", "test"])
def test_a_copy_is_equal_and_shares_nothing_that_can_be_changed(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    twin = copied(tree)
    assert ast.dump(twin, include_attributes=True) == ast.dump(tree, include_attributes=True)
    shared = {id(node) for node in ast.walk(tree)} & {id(node) for node in ast.walk(twin)}
    assert all(not node._fields for node in ast.walk(tree) if id(node) in shared)
    lists = {id(value) for node in ast.walk(tree) for value in vars(node).values() if value == []}
    assert not lists & {id(value) for node in ast.walk(twin) for value in vars(node).values()}
