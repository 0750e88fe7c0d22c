"""Words, members of enumerations and None by their numbers: their classes, letters and order."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from searchkit.translation.comparison import FALSE, Comparison
from searchkit.translation.naming import shown
from searchkit.translation.types import Atom, Bool, Char, Int, Seq, Type
from searchkit.translation.values import Known, Scalar, Value

UNMET = "uses a letter that was not met where letters and longer texts are"
MEET = "use texts of letters alone, or numbers"
_NONE, _OWN, _UNKNOWN = -1, -2, -3
"""Values without an order, with one of their own, and of a class that is not known before."""


class OfAtoms(Comparison):
    """What is looked up by the number of an atom.

    Tables are as long as there are atoms by then: a kernel is made again when there are more.
    """

    def of_atom(self, value: Scalar, number: Callable[[Any], int]) -> Scalar:
        """What `number` gives for an atom."""
        numbers = tuple(map(number, self.atoms.values)) or (0,)
        row = self.constant(numbers, Seq(Int(), len(numbers), len(numbers)))
        at = value.text if value.text.isidentifier() else self.text.temporary(value.text, "atom")
        self.trap(f"{at} >= {len(numbers)}")
        return Scalar(Int(), row.cell(at), min(numbers), max(numbers))

    def as_atom(self, value: Scalar, kind: Type) -> str | None:
        """A character as a word, or a word as a character, where it is one; None of all else.

        A word that is no character leaves the state to Python, and so does a character that is
        none of the words.
        """
        if isinstance(value.type, Char) and isinstance(kind, Atom) and kind.kind in (str, None):
            letters = {each: i for i, each in enumerate(self.atoms.values) if is_letter(each)}
            place = self._key_place(tuple(letters), value) if letters else None
            if place is None:
                self.fail(what=UNMET, instead=MEET)
                return "0"
            self.trap(f"{place} < 0", what=UNMET, instead=MEET)
            codes = tuple(letters.values())
            return self.constant(codes, Seq(Int(), len(codes), len(codes))).cell(place)
        if isinstance(value.type, Atom) and isinstance(kind, Char):
            found = self.of_atom(value, lambda each: ord(each) if is_letter(each) else -1)
        elif isinstance(value.type, Atom) and isinstance(kind, Atom):
            own: Any = kind.kind
            code = self.text.temporary(value.text, "atom")
            is_own = self.of_atom(Scalar(Int(), code), lambda each: int(each.__class__ is own))
            self.trap(f"{is_own.text} == 0", what=f"uses another value where {shown(kind)} is")
            return code
        else:
            return None
        number = self.text.temporary(found.text, "letter")
        self.trap(f"{number} < 0", what="uses a longer text where a single letter is")
        return number

    def _key_place(self, known: Any, key: Value) -> str | None:
        """A name for the place of a key among those that are known, -1 if it is not there."""
        raise NotImplementedError

    def ordered_atoms(self, sign: str, left: Value, right: Value) -> Scalar | None:
        """A comparison by size where one of two is an atom; None if the other is none.

        Python compares words, and members of enumerations that are texts or numbers as well; of
        all others it raises an error.
        """
        kinds = []
        for each in (left, right):
            if isinstance(each, Known) and not isinstance(each.value, (str, enum.Enum)):
                return None
            if isinstance(each, Scalar) and not isinstance(each.type, Atom):
                return None
            if not isinstance(each, (Known, Scalar)):
                return None
            kinds.append(each.value.__class__ if isinstance(each, Known) else each.type.kind)  # type: ignore[union-attr]
        orders = [_UNKNOWN if each is None else order_of(each) for each in kinds]
        if _OWN in orders:
            return None
        if _NONE in orders:
            self.always_raises(TypeError())
            return FALSE
        codes = [self.as_cell(each, Atom(None)) for each in (left, right)]
        ranks = _ranks(self.atoms.values)
        numbers = []
        for code in codes:
            assert code is not None
            name = self.text.temporary(code, "atom")
            found = self.of_atom(Scalar(Int(), name), lambda each: ranks[each])
            numbers.append(self.text.temporary(found.text, "rank"))
        if _UNKNOWN in orders:
            self.trap(" or ".join(f"{each} == {_OWN}" for each in numbers))
            self.trap(" or ".join(f"{each} == {_NONE}" for each in numbers), TypeError)
        return Scalar(Bool(), f"({numbers[0]} {sign} {numbers[1]})", 0, 1)


def is_letter(value: Any) -> bool:
    """Whether a value is a text of one character."""
    return value.__class__ is str and len(value) == 1


def order_of(kind: type) -> int:
    """Whether values of a class have no order (`_NONE`), that of texts (0), or one of their own."""
    owners = [
        {id(getattr(each, name)) for name in ("__lt__", "__le__", "__gt__", "__ge__")}
        for each in (kind, object, str)
    ]
    return _NONE if owners[0] == owners[1] else 0 if owners[0] == owners[2] else _OWN


def _ranks(values: list[Any]) -> dict[Any, int]:
    """The places of texts among the values, in their order; below 0 what is no text."""
    texts = sorted({str.__str__(each) for each in values if order_of(each.__class__) == 0})
    places = {each: i for i, each in enumerate(texts)}
    orders = ((each, order_of(each.__class__)) for each in values)
    return {each: order or places[str.__str__(each)] for each, order in orders}
