"""What is known of a bundled algorithm stands in one place, and all else follows from it."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

import searchkit
from searchkit.algorithms import ALGORITHMS, AStar, BeamSearch, IDAStar, WeightedAStar
from searchkit.checks.laws import engines as law
from searchkit.errors import UsageError
from searchkit.solving.engines import engine_kinds, engine_of, register_engine

ROOT = Path(__file__).parents[2]
by_name = pytest.mark.parametrize("algorithm", ALGORITHMS.values(), ids=lambda each: each.name)


@by_name
def test_its_engines_are_there(algorithm):
    assert callable(engine_of(algorithm, "reference"))
    for kind, place in algorithm.engines.items():
        assert kind in engine_kinds(algorithm)
        assert find_spec(f"searchkit.{place.partition(':')[0]}") is not None


@by_name
def test_it_is_exported_and_documented(algorithm):
    assert algorithm.__name__ in searchkit.__all__
    assert getattr(searchkit, algorithm.__name__) is algorithm
    row = rf"\| `{algorithm.__name__}\(.*\)` \| `{algorithm.name}` \|"
    assert re.search(row, (ROOT / "docs/reference/engines.md").read_text())


@pytest.mark.parametrize("algorithm", [BeamSearch, WeightedAStar], ids=lambda each: each.name)
def test_no_other_module_need_know_it(algorithm):
    name = re.compile(rf"\b{algorithm.__name__}\b")
    found = {path for path in (ROOT / "searchkit").rglob("*.py") if name.search(path.read_text())}
    assert found == {ROOT / "searchkit/algorithms/values.py", ROOT / "searchkit/__init__.py"}


def test_one_algorithm_of_each_compiled_family_is_tried():
    assert {each.name for each in law.FAMILIES.values()} == {"bfs", "astar", "idastar"}


def test_an_algorithm_made_of_another_has_no_engine_of_it():
    class Mine(AStar):
        name = "mine"

    assert engine_kinds(Mine) == ()


def test_a_bundled_engine_cannot_be_replaced():
    with pytest.raises(UsageError, match="idastar has a reference engine already"):
        register_engine(IDAStar, "reference", engine_of(AStar, "reference"))
