"""Machine code made straight from the text of functions does what Python does."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.errors import NumbaError

from searchkit import AStar, IDAStar, solve
from searchkit.compiled.specialise import compilers
from searchkit.compiled.specialise import module as modules
from searchkit.compiled.specialise.cache import load_module
from searchkit_sliding import eight_puzzle
from tests.compiled.random_kernels import BEGIN, Maker

FUNCTIONS = 3


@pytest.fixture
def left_to_numba(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the functions whose text does not suffice."""
    names: list[str] = []
    usual = compilers.Entry.define_pipelines

    def noting(self: Any) -> Any:
        names.append(self.state.func_id.func_name)
        return usual(self)

    monkeypatch.setattr(compilers.Entry, "define_pipelines", noting)
    return names


def plain(text: str) -> dict[str, Any]:
    """The functions of a text as Python runs them."""
    made: dict[str, Any] = {
        name: lambda function: function for name in ("entry", "called", "inlined")
    }
    exec(text.replace("from searchkit.compiled.specialise.kernels.prelude import", "# "), made)
    return made


class Rows(list[Any]):
    """Rows of numbers, which may be asked for two places at once as arrays are."""

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, tuple):
            return super().__getitem__(place[0])[place[1]]
        return super().__getitem__(place)

    def __setitem__(self, place: Any, number: Any) -> None:
        super().__getitem__(place[0])[place[1]] = number


def answer(function: Any, a: int, b: int, seed: int, *, as_arrays: bool) -> Any:
    """What a function gives, or raises, and what it leaves in its arrays."""
    numbers = np.random.default_rng(seed)
    t, u = numbers.integers(0, 30, 8), numbers.integers(0, 30, (2, 4))
    small = numbers.integers(0, 30, 4).astype(np.uint8)
    given: list[Any] = [t, u, small]
    if not as_arrays:
        given = [t.tolist(), Rows(u.tolist()), small.tolist()]
    found: Any
    try:
        found = tuple(map(int, function(a, b, *given)))
    except (IndexError, ValueError) as error:
        found = type(error), error.args
    return found, [list(map(list, each)) if each is given[1] else list(each) for each in given]


@pytest.mark.few
@given(st.integers(0, 10**9))
def test_random_functions(seed: int) -> None:
    random = Random(seed)
    text = BEGIN + "".join(Maker(random).text(number) for number in range(FUNCTIONS))
    module, python = load_module(text), plain(text)
    for number in range(FUNCTIONS):
        name = f"random_{number}"
        for _ in range(20):
            given = random.randint(-20, 40), random.randint(-20, 40), random.randint(0, 99)
            expected = answer(python[name], *given, as_arrays=False)
            assert answer(getattr(module, name), *given, as_arrays=True) == expected, text


def test_random_functions_are_made_from_their_text(
    left_to_numba: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SEARCHKIT_CACHE_DIR", str(tmp_path))
    text = BEGIN + Maker(Random(str(tmp_path))).text(0) + f"# {tmp_path}\n"
    answer(load_module(text).random_0, 3, 4, 5, as_arrays=True)
    assert left_to_numba == []


def test_engines_are_made_from_their_text(
    left_to_numba: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What makes arrays is left to numba, which counts who holds them."""
    monkeypatch.setenv("SEARCHKIT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(modules, "_made", {})
    for algorithm in (AStar(), IDAStar()):
        assert solve(eight_puzzle(), algorithm, engine="compiled").cost == 31
    assert set(left_to_numba) <= {"zero_state"}


ODD = """
from searchkit.compiled.specialise.kernels.prelude import entry

@entry
def by_two(low, high, step):
    found = low
    for i in range(low, high, {step}):
        found = i
    return found

@entry
def last(n):
    i = -1
    for i in range(n):
        if i == 4:
            break
    else:
        return 100 + i
    return i

@entry
def changed(n):
    count = 0
    for i in range(n):
        i += 10
        n = 0
        count += i
    return count
"""


@pytest.mark.parametrize("step", [2, 5, -1, -3, 7])
@given(st.integers(-(2**63), 2**63 - 1), st.integers(0, 40))
def test_ranges_up_to_the_last_word(step: int, low: int, length: int) -> None:
    """The number behind the last of a range may be no word."""
    high = min(low + length, 2**63 - 1) if step > 0 else max(low - length, -(2**63))
    expected = [low, *range(low, high, step)][-1]
    assert load_module(ODD.format(step=step)).by_two(low, high, 0) == expected


def test_loops_leave_their_variables_as_python_does() -> None:
    module, python = load_module(ODD.format(step=1)), plain(ODD.format(step=1))
    for n in range(8):
        assert module.last(n) == python["last"](n)
        assert module.changed(n) == python["changed"](n)


WIDTHS = """
from searchkit.compiled.specialise.kernels.prelude import entry

@entry
def widened(narrow, n, i):
    least = narrow[0]
    for k in range(n):
        if narrow[k] < least:
            least = narrow[k] - 300
    narrow[i] = least
    return least, i - narrow[0]

@entry
def retyped(operator, n):
    operator = operator + n
    operator -= 1
    return operator
"""


@pytest.mark.parametrize("width", [np.uint8, np.int8, np.uint16, np.int32, np.uint32, np.int64])
def test_numbers_of_several_widths_are_words(width: Any) -> None:
    module: ModuleType = load_module(WIDTHS)
    numbers = np.array([40, 3, 20], dtype=width)
    assert module.widened(numbers, 3, 2)[0] == -297
    assert numbers[2] == np.array(-297).astype(width)
    assert module.retyped(width(7), -9) == -3


FORMS = """
from searchkit.compiled.specialise.kernels.prelude import entry

@entry
def remark(n):
    n += 1
# a remark that begins the line
    return n

@entry
def counted(n):
    for i in range(n):
        last = i + 5
    return last

@entry
def repeated(n):
    for each in (n, n + 1):
        n = each
    return n
"""


def test_texts_of_other_forms_are_left_to_numba(
    left_to_numba: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SEARCHKIT_CACHE_DIR", str(tmp_path))
    module = load_module(FORMS + f"# {tmp_path}\n")
    assert module.remark(4) == 5
    assert module.repeated(3) == 4
    assert left_to_numba == ["remark", "repeated"]


def test_what_was_given_no_value_is_0() -> None:
    """Python raises an error; kernels are checked for that before they are compiled."""
    module = load_module(FORMS)
    assert [module.counted(n) for n in (3, 0, 1)] == [7, 0, 5]


FROM_NUMBA = """
from searchkit.compiled.specialise.kernels.prelude import called, entry

@called
def less(x, pair, truth):
    y, z = pair
    return x - y * z if truth else x

@entry
def each_less(n):
    for each in (n, n + 1):
        n = less(each, (n, 3), True)
    return less(7, (4, 5), False) + n
"""


def test_functions_that_numba_calls_with_numbers() -> None:
    """The type of a tuple there says which numbers it holds, and is laid out in another way."""
    python, module = plain(FROM_NUMBA), load_module(FROM_NUMBA)
    assert module.each_less(20) == python["each_less"](20)


LIKE_NUMBA = """
from searchkit.compiled.specialise.kernels.prelude import called, entry

def within():
    @called
    def same_name(n):
        return n + 1
    return same_name

outer = within()

@called
def same_name(n):
    return n - 1

@entry
def of_both(n):
    return outer(n), same_name(n)

@entry
def greatest(n):
    return max((n, 4, 2)), min((n, 2.5)), max((n,)), min(0.5, 1.5, 2.5)

@called
def summed(n):
    return {terms}

@entry
def of_one(n):
    return summed(n)

@entry
def of_two(n):
    count = 0
    for each in (n, n + 1):
        count += summed(each)
    return count

@entry
def chosen(n):
    if n < 0:
        return -1
{cases}    return 0
""".format(
    terms=" + ".join(f"n * {i}" for i in range(400)),
    cases="".join(f"    elif n == {i}:\n        return {7 * i}\n" for i in range(300)),
)


def test_numba_does_what_is_beyond_texts() -> None:
    """Names that two functions have, tuples for `min`, and texts of any length."""
    module = load_module(LIKE_NUMBA)
    assert module.of_both(5) == (6, 4)
    assert module.greatest(3) == (4, 2.5, 3, 0.5)
    assert module.of_one(2) == sum(2 * i for i in range(400))
    assert module.of_two(2) == sum(5 * i for i in range(400))
    assert [module.chosen(n) for n in (-1, 7, 299, 300)] == [-1, 49, 7 * 299, 0]


WRONG = """
import numpy as np
from searchkit.compiled.specialise.kernels.prelude import called, entry

LIMIT = 7
TABLE = {{1: 2}}

def plain(n):
    return n

@called
def bottom(n, row):
    {0}
    return n

@called
def middle(n, row):
    return bottom(n, row) + bottom(n + 1, row)

@entry
def top(n, row):
    return middle(n, row)
"""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("return 1 if absent else 2", "name 'absent' is not defined"),
        ("if absent:\n        return 3", "name 'absent' is not defined"),
        ("if absent == 3:\n        return 3", "name 'absent' is not defined"),
        ("pair = n, 2.5\n    n = pair[1.0]", "getitem"),
        ("n = -'a'", "neg"),
        ("if LIMIT < 'a':\n        return 3", "lt"),
        ("n = np.absent(n)", "no attribute 'absent'"),
        ("n = TABLE(n)", "Untyped global name 'TABLE'"),
        ("n = plain(n)", "Untyped global name 'plain'"),
        ("row[1:] = row[:-1]", "During: lowering"),
    ],
)
def test_numba_tells_what_is_wrong(line: str, message: str) -> None:
    module = load_module(WRONG.format(line))
    with pytest.raises((NumbaError, AttributeError), match=message):
        module.top(3, np.arange(4))


def test_what_cannot_be_compiled_is_tried_once(
    left_to_numba: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Not once more, and all that it calls, for each function above it."""
    monkeypatch.setenv("SEARCHKIT_CACHE_DIR", str(tmp_path))
    calls = "".join(
        f"@called\ndef above_{i}(n, row):\n    return {below}(n, row)\n"
        for i, below in enumerate(["top_1", *(f"above_{i}" for i in range(6))])
    )
    text = WRONG.format("row[1:] = row[:-1]").replace("@entry\ndef top", "@called\ndef top_1")
    text += calls + f"@entry\ndef top(n, row):\n    return above_6(n, row)\n# {tmp_path}\n"
    with pytest.raises(NumbaError, match="During: lowering"):
        load_module(text).top(3, np.arange(4))
    assert sorted(left_to_numba) == sorted(
        ["bottom", "middle", "top_1", *(f"above_{i}" for i in range(7)), "top"]
    )
