"""Numbers as Python and as machine code have them, operation by operation.

Most numbers are the same in both, as far as 64 bits go: these are plain ints. Where an operation
gives machine code another number (a word with the highest bit shifted to the right, say), both go
on side by side as a `Parted`. That is not an error as long as nothing depends on the difference: a
mask often takes it away. A condition, an index or a result that depends on it is one.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any, NoReturn

import attrs

from searchkit import bits
from searchkit.errors import ProblemError
from searchkit.kernel_language.constants import BINARY, COMPARED, HIGHEST, WORD, fits_word
from searchkit.kernel_language.site import Site

MOST_BITS = 1 << 14
"""Numbers of more bits have got out of hand."""
_OF_ANY = {"+", "-", "*", "&", "|", "^"}
"""What can be done with any two numbers."""


@attrs.frozen
class Parted:
    """A number that Python and machine code have differently, and the operation that parted it."""

    python: int
    machine: int
    place: str
    message: str

    def _error(self) -> ProblemError:
        return ProblemError(f"{self.place}: {self.message}, and what follows depends on it")

    def fail(self) -> NoReturn:
        """Raise the error for something that depends on the difference."""
        raise self._error()

    def __bool__(self) -> bool:
        if bool(self.python) is not bool(self.machine):
            self.fail()
        return bool(self.python)

    def __index__(self) -> int:
        raise self._error()


def python_of(value: Any) -> Any:
    """The number that Python has."""
    return value.python if isinstance(value, Parted) else value


def machine_of(value: Any) -> int:
    """The number that machine code has, a signed one of 64 bits."""
    return value.machine if isinstance(value, Parted) else wrapped(int(value))


def wrapped(value: int) -> int:
    """The signed number of 64 bits with the low bits of a number."""
    return (value + HIGHEST) % WORD - HIGHEST


def shown(value: Any) -> str:
    """A number for a message: large ones in hexadecimal digits."""
    number = int(value)
    return str(number) if abs(number) < 1 << 32 else f"{number:#x}"


@attrs.frozen
class Operations:
    """The operations of one function; each is given the line it stands in."""

    site: Site

    def error(self, line: int, message: str) -> ProblemError:
        """The error to raise for a line."""
        return ProblemError(f"{self.site.at(line)}: {message}")

    def binary(self, sign: str, left: Any, right: Any, line: int) -> Any:
        """`left sign right`."""
        if _fit(left, right) and (sign in _OF_ANY or 0 < right < bits.WORD_BITS):
            exact = BINARY[sign](left, right)
            if type(exact) is int and -HIGHEST <= exact < HIGHEST:
                return exact  # as most are: the same in both
        for value in (left, right):
            if isinstance(value, (tuple, list)) or (hasattr(value, "shape") and value.shape):
                raise self.error(line, f"uses {sign} with more than a number")
        machine = machine_of(right)
        for number in (int(python_of(right)), machine):
            if sign in ("<<", ">>") and not 0 <= number < bits.WORD_BITS:
                raise self._shift(number, line)
            if sign in ("//", "%") and number == 0:
                raise self.error(line, f"{sign} by 0")
        exact = self._exact(sign, python_of(left), python_of(right), line)
        return self._joined(
            sign, (left, right), exact, _machine(sign, machine_of(left), machine), line
        )

    def _exact(self, sign: str, left: Any, right: Any, line: int) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # overflow of numpy's numbers is found here
                exact = BINARY[sign](left, right)
        except OverflowError as error:
            raise self.error(
                line, f"{error}: an item of a numpy array; write int(...) around it"
            ) from error
        except (TypeError, ZeroDivisionError) as error:
            raise self.error(line, f"{error}") from error
        if int(exact).bit_length() > MOST_BITS:
            raise self.error(line, f"{sign} gives a number of more than {MOST_BITS} bits")
        return exact

    def _shift(self, places: int, line: int) -> ProblemError:
        return self.error(
            line, f"shifts by {shown(places)} places; a word can be shifted by 0 to 63"
        )

    def _joined(
        self, sign: str, operands: tuple[Any, ...], exact: Any, machine: int, line: int
    ) -> Any:
        """One number if Python and machine code agree, else both."""
        if wrapped(int(exact)) == machine:
            return exact
        for operand in operands:
            if isinstance(operand, Parted):
                return attrs.evolve(operand, python=int(exact), machine=machine)
        operands_shown = " and ".join(shown(each) for each in operands)
        message = (
            f"{sign} of {operands_shown} gives {shown(exact)} in Python and {shown(machine)} as "
            "machine code"
        )
        return Parted(int(exact), machine, self.site.at(line), message)

    def unary(self, sign: str, value: Any, line: int) -> Any:
        """`sign value`; `~` of a truth value is that of a number."""
        if sign == "not":
            return not value
        if sign == "+":
            return self.binary("+", 0, value, line)
        if sign == "-":
            return self.binary("-", 0, value, line)
        return self.binary("^", int(value) if isinstance(value, bool) else value, -1, line)

    def compare(self, sign: str, left: Any, right: Any, line: int) -> bool:
        """`left sign right`, which must be the same in both."""
        if sign in ("in", "not in"):
            found = any(self.compare("==", left, each, line) for each in _items(right))
            return found is (sign == "in")
        if _fit(left, right):
            return bool(COMPARED[sign](left, right))
        if isinstance(left, (tuple, list)) or isinstance(right, (tuple, list)):
            return self._compare_tuples(sign, left, right, line)
        python = bool(COMPARED[sign](python_of(left), python_of(right)))
        machine = bool(COMPARED[sign](machine_of(left), machine_of(right)))
        if python is not machine:
            for operand in (left, right):
                if isinstance(operand, Parted):
                    operand.fail()
            raise self.error(
                line,
                f"{shown(left)} {sign} {shown(right)} is {python} in Python and {machine} as "
                "machine code, where words are signed",
            )
        return python

    def _compare_tuples(self, sign: str, left: Any, right: Any, line: int) -> bool:
        if sign not in ("==", "!=") or not isinstance(left, tuple) or not isinstance(right, tuple):
            raise self.error(line, f"{sign} with a tuple; tuples are compared by == and !=")
        same = len(left) == len(right) and all(
            self.compare("==", *pair, line) for pair in zip(left, right, strict=True)
        )
        return same is (sign == "==")

    def item(self, container: Any, index: Any, what: str, line: int) -> Any:
        """`container[index]`, or an item of a row of it."""
        for each in index if isinstance(index, tuple) else (index,):
            container = container[self._place(container, each, what, line)]
        if isinstance(container, (tuple, list)) or hasattr(container, "__len__"):
            return container
        if not fits_word(int(python_of(container))):
            raise self.error(line, f"{what} holds {shown(container)}, which has more than 64 bits")
        return container

    def put(self, container: Any, index: Any, value: Any, line: int) -> None:
        """`container[index] = value`."""
        container[self._place(container, index, "memo", line)] = self.number(value, line)

    def _place(self, container: Any, index: Any, what: str, line: int) -> int:
        if isinstance(index, Parted):
            index.fail()
        if not hasattr(container, "__len__"):
            raise self.error(line, f"{what} has no items")
        place, count = int(index), len(container)
        if not 0 <= place < count:
            raise self.error(
                line, f"index {shown(place)} is outside {what}, which has {count} items"
            )
        return place

    def number(self, value: Any, line: int) -> Any:
        """A number that leaves the kernel, and so must be the same in both."""
        if isinstance(value, Parted):
            value.fail()
        is_number = hasattr(value, "__index__") and not getattr(value, "shape", ())
        if not is_number and type(value).__name__ not in ("bool", "bool_"):
            raise self.error(line, f"must give an integer, but gives {value!r:.40}")
        return value

    def within(self, value: Any, what: str, low: int, below: int, line: int) -> Any:
        """A number that must be within bounds."""
        number = int(self.number(value, line))
        if not low <= number < below:
            raise self.error(
                line, f"{what} becomes {shown(number)}; it must be from {low} to {below - 1}"
            )
        return value

    def result(self, value: Any, gives: str | None, words: int, line: int) -> Any:
        """What a function returns: anything within kernels, words and numbers to the engines."""
        if gives is None:
            return value
        if gives == "number":
            number = self.number(value, line)
            if wrapped(int(number)) != int(number):
                raise self.error(line, f"gives {shown(number)}, which has more than 63 bits")
            return number
        state = value if words > 1 else (value,)
        if not isinstance(state, tuple) or len(state) != words:
            raise self.error(line, f"must give a state of {words} words, but gives {value!r:.60}")
        for word in state:
            number = int(self.number(word, line))
            if not 0 <= number < WORD:
                raise self.error(
                    line, f"gives the word {shown(number)}; words are from 0 to 2**64 - 1"
                )
        return value

    def range(self, line: int, *limits: Any) -> Iterable[int]:
        """`range(*limits)`."""
        for limit in limits:
            self.number(limit, line)
            if wrapped(int(limit)) != int(limit):
                raise self.error(line, f"range with {shown(limit)}, negative as a machine word")
        return range(*map(int, limits))

    def called(self, name: str, line: int, *values: Any) -> Any:
        """A function of Python, or one of `searchkit.bits`."""
        if name in ("replace_word", "zero_state", "frame"):
            return getattr(bits, name)(*values)
        if name == "len":
            return len(*values)
        if name == "bool":
            return bool(*values)
        if name == "int":
            return values[0] if isinstance(values[0], Parted) else int(*values)
        if name in ("min", "max"):
            return self._extreme(name, values, line)
        if name == "abs":
            return (
                values[0]
                if self.compare(">=", values[0], 0, line)
                else self.unary("-", values[0], line)
            )
        if name == "divmod":
            left, right = values
            return self.binary("//", left, right, line), self.binary("%", left, right, line)
        return self._of_bits(name, values, line)

    def _extreme(self, name: str, values: Any, line: int) -> Any:
        listed = list(_items(values[0])) if len(values) == 1 else list(values)
        best = listed[0]
        for value in listed[1:]:
            if self.compare("<" if name == "min" else ">", value, best, line):
                best = value
        return best

    def _of_bits(self, name: str, values: Any, line: int) -> int:
        word = machine_of(values[0]) % WORD
        if not isinstance(values[0], Parted) and not 0 <= int(values[0]) < WORD:
            raise self.error(
                line, f"{name} of {shown(values[0])}, which is not a word from 0 to 2**64 - 1"
            )
        if isinstance(values[0], Parted):
            values[0].fail()
        if name == "lowest_one" and word == 0:
            raise self.error(line, "lowest_one of 0, which has none")
        if name == "shift_right":
            places = int(self.number(values[1], line))
            if not 0 <= places < bits.WORD_BITS:
                raise self._shift(places, line)
            return bits.shift_right(word, places)
        return int(getattr(bits, name)(word))


def _fit(left: Any, right: Any) -> bool:
    """Whether these are numbers that both have as they are."""
    return (
        type(left) is int and type(right) is int
        and -HIGHEST <= left < HIGHEST and -HIGHEST <= right < HIGHEST
    )  # fmt: skip


def _items(container: Any) -> Iterable[Any]:
    return container.tolist() if hasattr(container, "tolist") else container  # type: ignore[no-any-return]


def _machine(sign: str, left: int, right: int) -> int:
    if sign in ("//", "%") and (left, right) == (-HIGHEST, -1):
        return 0
    return wrapped(BINARY[sign](left, right))
