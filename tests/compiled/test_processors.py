"""Machine code for processors with and without vectors finds the same, and ARM can have it."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from searchkit import IDAStar, solve
from searchkit.compiled.specialise import processor
from searchkit.compiled.specialise.kernels.prelude import to_fixed_tuple
from searchkit.compiled.specialise.module import module_of
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import CompilationError
from searchkit_sliding import eight_puzzle
from tests.support.kernels import gathered

FORMS = (8, 4, 0)
ROOM = 8
EASIEST = 540_860
"""The nodes of number 79 of Korf's hundred 15-puzzles."""


def is_there(form: int) -> bool:
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(processor.LANES_VARIABLE, str(form))
            return processor.lanes() == form
    except CompilationError:
        return False


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("is_plain", [True, False])
@settings(max_examples=40)
@given(
    keys=st.lists(st.sampled_from([0, 1, 2, 63, -1]), max_size=21),
    key=st.sampled_from([0, 2]),
    start=st.integers(0, 3),
)
def test_every_form_gathers_the_words_with_a_key(form, is_plain, keys, key, start):
    if is_plain:
        with plainly():
            module = module_of({}, (gathered,), LANES=form, WORDS=1)
    elif is_there(form):
        module = module_of({}, (gathered,), LANES=form, WORDS=1)
    else:
        pytest.skip("not on this processor")
    taken = len(keys)
    padded = np.array(keys + [63] * 7, dtype=np.int64)
    source = np.arange(100, 100 + len(padded), dtype=np.int64)
    target = np.full(start + taken + ROOM, -5, dtype=np.int64)
    found = module.gather_words(source, padded, taken, key, target, start)
    expected = [100 + i for i in range(taken) if keys[i] == key]
    assert found == len(expected)
    assert target[:start].tolist() == [-5] * start
    assert target[start : start + found].tolist() == expected


def on_processor(name: str) -> dict:
    """What a search of a process finds whose machine code is for that processor."""
    answer = subprocess.run(
        [sys.executable, "-m", "tests.support.on_processor"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": ""},
    )
    assert not answer.returncode, answer.stderr
    return json.loads(answer.stdout)


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the names are of x86")
def test_searches_on_other_processors_find_the_same():
    v2, haswell = map(on_processor, ("x86-64-v2", "haswell"))
    assert (v2.pop("lanes"), haswell.pop("lanes")) == (0, 4)
    assert v2 == haswell
    assert v2["foreign"] == []
    assert 1 + sum(generated for _, generated in v2["rows"]) == EASIEST
    assert (v2["cost"], len(v2["path"])) == (42, 42)


def test_a_form_that_is_not_there_is_an_error(monkeypatch):
    monkeypatch.setenv(processor.LANES_VARIABLE, "5")
    with pytest.raises(CompilationError, match=r"SEARCHKIT_LANES is '5'; the processor has .*0$"):
        solve(eight_puzzle(), IDAStar(), engine="compiled")


def test_a_state_of_several_words_is_read_without_a_loop():
    """A loop that puts words into a tuple keeps them in memory, and waits for them at each turn."""

    @njit
    def state(rows, i):
        return to_fixed_tuple(rows[i], 3)

    rows = np.arange(24).reshape(4, 6)
    assert state(rows[:, :3], 2) == (12, 13, 14)
    assert state(rows[::-2, ::2], 1) == (6, 8, 10)
    assert state(rows, 3) == (18, 19, 20)
    for text in state.inspect_llvm().values():
        body = text.partition("define")[2].partition("\n}")[0]
        assert "load i64" in body
        assert "alloca" not in body
        assert "\n  br " not in body
