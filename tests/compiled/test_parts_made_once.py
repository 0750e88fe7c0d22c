"""What machine code is made of is compiled once, and nothing of numba's own with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.compiler import CompilerBase

from searchkit.compiled.specialise.cache import load_module

BEGIN = """
import numpy as np
from searchkit.compiled.specialise.kernels.prelude import called, entry, inlined
"""
TEXT = """
@called
def doubled(number): return 2 * number

@inlined
def item(pair, place): return pair[place]

@entry
def numbers(one, other, real):
    low, high = min(one, other), max(one, other, one - 1)
    return doubled(one), doubled(3), doubled(True), low, high, min(real, one), max(2, other)

@entry
def items(one, real):
    return item((one, real), 0), item((one, real), 1)
"""
WORDS = st.integers(-(1 << 40), 1 << 40)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The names of the functions that numba compiles; none is on disk."""
    monkeypatch.setenv("SEARCHKIT_CACHE_DIR", str(tmp_path))
    names: list[str] = []
    usual = CompilerBase.compile_extra

    def noting(self: Any, function: Any) -> Any:
        names.append(function.__qualname__)
        return usual(self, function)

    monkeypatch.setattr(CompilerBase, "compile_extra", noting)
    return names


def test_functions_are_compiled_once_whichever_numbers_the_text_hands_to_them(
    compiled: list[str], tmp_path: Path
) -> None:
    """One more time for each number took a tenth of the time of a first search."""
    load_module(BEGIN + TEXT + f"# {tmp_path}").numbers(1, 2, 2.5)
    assert sorted(compiled) == [
        *("doubled", "doubled"),  # of words, and of truth values
        *("numbers", "ol_min.<locals>.impl"),  # of a float and a word
    ]


def test_functions_that_go_by_a_number_of_the_text_have_it(
    compiled: list[str], tmp_path: Path
) -> None:
    """Items of a tuple may be of different types."""
    assert load_module(BEGIN + TEXT + f"# {tmp_path}").items(7, 0.5) == (7, 0.5)
    assert compiled.count("items") == 1


@given(WORDS, WORDS, st.floats(-1e9, 1e9))
def test_numbers_are_what_they_are_in_python(one: int, other: int, real: float) -> None:
    assert load_module(BEGIN + TEXT).numbers(one, other, real) == (
        *(2 * one, 6, 2, min(one, other), max(one, other, one - 1)),
        *(min(real, one), max(2, other)),
    )
