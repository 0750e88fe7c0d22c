"""Machine code of disk is called without its compiler, for the arguments that it was made for."""

from __future__ import annotations

import hashlib
import sys
import threading
from collections import namedtuple
from enum import IntEnum
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import typeof

from searchkit.compiled.specialise import own_folder
from searchkit.compiled.specialise.cache import load_module
from searchkit.compiled.specialise.code_files import CHECKED_BYTES, PREFIX, CodeFiles
from searchkit.compiled.specialise.entries import DirectCalls, KernelEntry, one_at_a_time
from searchkit.compiled.specialise.forms import form_of, quick_form
from searchkit.errors import SearchkitWarning

Pair = namedtuple("Pair", ["one", "other"])
Other = namedtuple("Other", ["one", "other"])


class Colour(IntEnum):
    """What is an integer for Python, and no number for numba."""

    RED = 1


KINDS = ["int64", "int32", "uint32", "uint8", "bool", "float64"]


@st.composite
def arrays(draw: st.DrawFn) -> np.ndarray[Any, Any]:
    """Arrays of all sorts: rows or columns, parts of others, read alone."""
    kind = draw(st.sampled_from(KINDS))
    array = np.zeros(draw(st.sampled_from([(0,), (3,), (2, 3), (1, 1)])), dtype=kind)
    how = draw(st.sampled_from(["whole", "turned", "every second", "unaligned"]))
    if how == "turned":
        array = array.T
    elif how == "every second":
        array = array[::2]
    elif how == "unaligned":
        array = np.frombuffer(bytearray(1 + 3 * array.itemsize), dtype=kind, offset=1)
    if draw(st.booleans()):
        array = array[:]
        array.flags.writeable = False
    return array


NUMBERS = st.one_of(
    st.integers(-(1 << 63), (1 << 64) - 1), st.booleans(), st.floats(), st.none(),
    st.sampled_from([np.int64(1), np.int32(1), np.uint8(1), np.bool_(True), np.float32(1)]),
)  # fmt: skip
VALUES = st.recursive(
    st.one_of(NUMBERS, arrays()),
    lambda inner: st.one_of(
        st.builds(Pair, inner, inner), st.builds(Other, inner, inner), st.tuples(inner, inner)
    ),
    max_leaves=4,
)


@given(VALUES, VALUES)
def test_forms_tell_apart_what_numba_has_types_for(one: Any, other: Any) -> None:
    forms, types = (form_of(one), form_of(other)), (typeof(one), typeof(other))
    assert None not in forms
    assert (forms[0] == forms[1]) == (types[0] == types[1])
    if quick_form((one, 1)) == quick_form((other, 1)):
        assert forms[0] == forms[1]


@pytest.mark.parametrize(
    "value", [Colour.RED, 1 << 64, -(1 << 63) - 1, 1j, "a", [1], np.zeros(1, "S1"), (1, "a")]
)
def test_other_values_have_no_form(value: Any) -> None:
    assert form_of(value) is None


PARTS = """
import numpy as np
from searchkit.compiled.specialise.kernels.prelude import called, entry

@called
def third(table, i):
    if i >= 3:
        raise IndexError("no row", i)
    return table[i]

@entry
def rows(pair, i, is_second):
    own = np.zeros(3, np.int64)
    own[0] = third(pair[1 if is_second else 0], i)
    return own[0] + NUMBER, is_second

@entry
def row(pair, i):
    return third(pair[0], i)
"""


@pytest.fixture
def again(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes a module's entries forget what they have found, so that it is found on disk."""
    monkeypatch.setenv(own_folder.ENVIRONMENT_VARIABLE, str(tmp_path))
    monkeypatch.setattr(CodeFiles, "has_warned", False)

    def forget(module: ModuleType, *names: str) -> None:
        for name in names:
            monkeypatch.setattr(getattr(module, name), "_found", {})

    return forget


def test_what_is_found_on_disk_does_what_was_made(again: Any) -> None:
    """It allocates, raises what the kernels raise, converts arguments, and shares its parts."""
    module = load_module(PARTS.replace("NUMBER", "5"))
    pair = Pair(np.arange(3), np.arange(3, 6))
    for _ in range(2):
        made = CodeFiles.made
        assert [module.rows(pair, i, i > 1) for i in range(3)] == [
            (5, False),
            (6, False),
            (10, True),
        ]
        assert module.row(pair, 2) == 2
        assert DirectCalls()(module, "row", pair, 1) == 1
        for ask in (lambda: module.rows(pair, 3, True), lambda: module.row(pair, 4)):
            with pytest.raises(IndexError) as raised:
                ask()
            assert raised.value.args[0] == "no row"
        assert raised.value.args[1] == 4
        again(module, "rows", "row")
    assert CodeFiles.made == made


def test_arrays_of_files_are_of_the_form_of_others(again: Any, tmp_path: Any) -> None:
    """Machine code for tables on disk was made again in each process."""
    module = load_module(PARTS.replace("NUMBER", "7"))
    np.arange(3).tofile(tmp_path / "table")
    table = np.memmap(tmp_path / "table", np.int64, "r")
    made = CodeFiles.made
    for _ in range(2):
        assert module.row(Pair(table, table), 1) == 1
        again(module, "row")
    assert CodeFiles.made == made + 1
    halves = np.memmap(tmp_path / "table", np.int32, "r")
    assert module.row(Pair(halves, halves), 2) == 1


def test_machine_code_is_called_with_no_other_arguments(again: Any) -> None:
    """What was made for words would take half words for them."""
    module = load_module(PARTS.replace("NUMBER", "6"))
    words, halves = np.arange(3), np.arange(3, dtype=np.int32)
    made = CodeFiles.made
    for _ in range(2):
        for array in (words, halves, words[::2]):
            assert module.row(Pair(array, array), 1) == array[1]
        again(module, "row")
    assert CodeFiles.made == made + 3


TWICE = """
from searchkit.compiled.specialise.kernels.prelude import entry

@entry
def twice(x):
    return 2 * x
"""


@pytest.mark.parametrize("damage", [b"rubbish", b"\0\0\0\2[]code", b'\0\0\0\x0e["x",[],["y"]]'])
def test_a_file_that_holds_no_machine_code_is_made_again(
    damage: bytes, again: Any, tmp_path: Any
) -> None:
    """Its checksum is right, but LLVM cannot read it, or it needs what is not there.

    A name that LLVM cannot find would end the process.
    """
    module = load_module(TWICE + f"# {damage!r}")
    assert module.twice(4) == 8
    (path,) = tmp_path.glob(f"{PREFIX}*")
    content = path.read_bytes()[CHECKED_BYTES:]
    path.write_bytes(hashlib.sha256(damage).digest() + damage)
    again(module, "twice")
    with pytest.warns(SearchkitWarning, match=r"machine code of twice cannot be loaded \(.*again"):
        assert module.twice(4) == 8
    assert path.read_bytes()[CHECKED_BYTES:] == content


def test_what_returns_arrays_is_made_again_in_each_process(again: Any, tmp_path: Any) -> None:
    """Arrays are made with an object of Python that says what is in them."""
    module = load_module(TWICE.replace("twice", "thrice").replace("2 * x", "3 * x"))
    with pytest.warns(SearchkitWarning, match="no file can hold thrice.*unless it returns numbers"):
        assert module.thrice(np.arange(3)).tolist() == [0, 3, 6]
    assert not list(tmp_path.iterdir())


LARGE = """
import numpy as np
from searchkit.compiled.specialise.kernels.prelude import entry

SQUARES = np.arange(1 << 18) ** 2

@entry
def square(x):
    return SQUARES[x]
"""


def test_what_has_a_large_array_is_made_again_in_each_process(again: Any, tmp_path: Any) -> None:
    """Machine code has the address of the array, which is another one in the next process."""
    module = load_module(LARGE)
    with pytest.warns(SearchkitWarning, match="no file can hold square, which .* has arrays"):
        assert module.square(5) == 25
    assert not list(tmp_path.iterdir())


def test_threads_that_need_the_same_at_once_make_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr(KernelEntry, "_obtained", lambda *_: made.append(1) or abs)
    entry = KernelEntry("module_of_no_text", "same", lambda: None)
    with one_at_a_time:
        threads = [threading.Thread(target=entry, args=(3,)) for _ in range(3)]
        for each in threads:
            each.start()
        threads[-1].join(0.05)  # they wait
    for each in threads:
        each.join()
    assert made == [1]


WAITS = """
import gate
gate.begun.set()
gate.go_on.wait(60)
seven = 7
"""


def test_no_thread_sees_half_of_a_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """One took the module that another was loading for whole, and found no function there."""
    gate: Any = ModuleType("gate")
    gate.begun, gate.go_on = threading.Event(), threading.Event()
    monkeypatch.setitem(sys.modules, "gate", gate)
    found: list[int | None] = []

    def load() -> None:
        found.append(getattr(load_module(WAITS), "seven", None))

    threads = [threading.Thread(target=load) for _ in range(2)]
    threads[0].start()
    gate.begun.wait(60)
    threads[1].start()
    threads[1].join(0.05)  # it waits
    gate.go_on.set()
    for each in threads:
        each.join()
    assert found == [7, 7]
