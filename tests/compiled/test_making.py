"""Ctrl-C while a function is made waits until that is done; and that one is made is told."""

from __future__ import annotations

import operator
import signal
import sys
import threading
from types import ModuleType, SimpleNamespace

import llvmlite
import numba
import numpy as np
import pytest
from numba.core.types.functions import BaseFunction

from searchkit import AStar, UnsuitableError, solve
from searchkit.compiled.specialise import compilers, toolchain
from searchkit.compiled.specialise import module as modules
from searchkit.compiled.specialise.cache import load_module
from searchkit.compiled.specialise.code_files import CodeFiles
from searchkit.running.making import ctrl_c_waits, making_code, telling_of_code
from searchkit_sliding import eight_puzzle

TEXT = """
from numba import njit
from searchkit.compiled.specialise.kernels.prelude import entry

@njit
def inner(x):
    return x + {number}

@entry
def outer(x):
    return inner(x)
"""


def made(number: int) -> ModuleType:
    """A module that no other test has."""
    return load_module(TEXT.format(number=number))


def test_ctrl_c_is_heard_when_the_function_is_made(monkeypatch, tmp_path):
    """Its exception would be lost in a callback of LLVM, or break what numba frees."""
    monkeypatch.setenv("SEARCHKIT_CACHE_DIR", str(tmp_path))
    load, save = CodeFiles.read, CodeFiles.write

    def pressed(name):
        signal.raise_signal(signal.SIGINT)
        return load(name)

    monkeypatch.setattr(CodeFiles, "read", pressed)
    saved = []
    monkeypatch.setattr(CodeFiles, "write", lambda *args: saved.append(save(*args)))
    outer = made(7001).outer
    with pytest.raises(KeyboardInterrupt):
        outer(1)
    assert len(saved) == 1
    assert len(outer.dispatcher().signatures) == 1
    assert outer(1) == 7002  # and nothing is heard twice


def test_other_threads_leave_ctrl_c_alone(monkeypatch, tmp_path):
    monkeypatch.setenv("SEARCHKIT_CACHE_DIR", str(tmp_path))
    outer, found, before = made(7002).outer, [], signal.getsignal(signal.SIGINT)

    def work():
        with making_code():
            found.append(signal.getsignal(signal.SIGINT))
        found.append(outer(1))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [before, 7003]


@pytest.mark.parametrize("handler", [signal.SIG_IGN, signal.SIG_DFL])
def test_who_ignores_ctrl_c_goes_on_doing_so(handler):
    signal.signal(signal.SIGINT, handler)
    with ctrl_c_waits():
        assert signal.getsignal(signal.SIGINT) is handler
    assert signal.getsignal(signal.SIGINT) is handler


def test_an_error_does_not_hide_ctrl_c():
    def failing():
        with ctrl_c_waits():
            signal.raise_signal(signal.SIGINT)
            raise ValueError

    with pytest.raises(KeyboardInterrupt):
        failing()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_each_function_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("SEARCHKIT_CACHE_DIR", str(tmp_path))
    outer, told = made(7003).outer, []
    with telling_of_code(lambda: told.append("outside")):
        with telling_of_code(lambda: told.append("inside")):
            outer(1)
            outer(2)
        outer(1.5)
    outer(np.int32(1))
    assert told == ["outside", "inside", "outside"]


@pytest.mark.slow_variants("llvmlite")
@pytest.mark.parametrize("missing", ["numba", "llvmlite", "NUMBA_DISABLE_JIT"])
def test_a_compiler_that_cannot_be_loaded(missing, monkeypatch, tmp_path):
    """As under a limit of address space: the puzzle is not to blame, and auto does without."""
    if missing != "llvmlite":  # numba is needed where nothing is on disk
        monkeypatch.setenv("SEARCHKIT_CACHE_DIR", str(tmp_path))
    if missing == "NUMBA_DISABLE_JIT":
        monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    elif missing == "numba":
        monkeypatch.setitem(sys.modules, "searchkit.compiled.specialise.cache", None)
    else:
        monkeypatch.delattr(llvmlite, "binding")
        monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
        monkeypatch.setattr(toolchain, "llvm", toolchain.llvm.__wrapped__)
    monkeypatch.setattr(modules, "_made", {})
    with pytest.raises(UnsuitableError, match=r"machine code cannot be used here: .*; engine='ref"):
        solve(eight_puzzle(), AStar(), engine="compiled")
    monkeypatch.setattr("searchkit.solving.plan.TRIAL_NODES", 10)
    result = solve(eight_puzzle(), AStar())
    assert (result.engine, result.cost) == ("reference", 31)
    assert "machine code cannot be used here" in (result.engine_reason or "")


SUMS = """
from searchkit.compiled.specialise.kernels.prelude import entry

@entry
def sums(x):
    y = x + 17{number} + 18{number} + 19{number}
    return y + y
"""


def test_a_sum_is_looked_up_once_whatever_numbers_the_text_holds(monkeypatch, tmp_path):
    """numba tries a dozen signatures for each number of a text, and again for its code."""
    monkeypatch.setenv("SEARCHKIT_CACHE_DIR", str(tmp_path))
    looked_up = []
    plain = BaseFunction.get_call_type

    def noting(self, context, given, named):
        if self.typing_key is operator.add:
            looked_up.append(given)
        return plain(self, context, given, named)

    monkeypatch.setattr(BaseFunction, "get_call_type", noting)
    for number in (1, 2):
        module = load_module(SUMS.format(number=number))
        assert module.sums(1) == 2 * (541 + 3 * number)
    assert len(looked_up) <= 1


@pytest.mark.parametrize("version", ["0.61", "later"])
def test_llvm_makes_code_simpler_as_each_version_of_numba_does(version):
    """The oldest that is allowed gives no builder with its passes: nothing was compiled with it."""

    class Passes:
        def run(self, *given):
            ran.append(given)

    ran, passes = [], Passes()
    made = passes if version == "0.61" else (passes, "builder")
    codegen = SimpleNamespace(_module_pass_manager=lambda: made)
    library = SimpleNamespace(_codegen=codegen, _final_module="module")
    compilers._Library._optimize_final_module(library)
    assert ran == [("module",) if version == "0.61" else ("module", "builder")]
