"""Dicts and sets within a list or dict of the author's, of which a state chooses one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from searchkit.translation.lookups import Lookups
from searchkit.translation.types import Bool, Int, Seq
from searchkit.translation.values import Chosen, Items, Known, Place, Scalar, Stream, Value

_UNORDERED = (dict, set, frozenset)


class Choices(Lookups):
    """What is looked up in two steps."""

    def choice(self, values: tuple[Any, ...], place: str) -> Chosen | None:
        """One of several values, if they are dicts or sets; None if they are something else."""
        if not values or not any(isinstance(each, _UNORDERED) for each in values):
            return None
        if not all(isinstance(each, dict) for each in values) and any(
            isinstance(each, dict) for each in values
        ):
            raise self.refuse("chooses between dicts and other values", "use values of one kind")
        return Chosen(values, place)

    def _item_of(self, known: dict[Any, Any], place: str) -> Value:
        found = self.choice(tuple(known.values()), place)
        return super()._item_of(known, place) if found is None else found

    def indexed(self, value: Value, index: Value) -> Value:
        """`value[index]`."""
        if isinstance(value, Chosen):
            place = self._pair_place(value, index)
            if place is None:
                return self.always_raises(KeyError())
            self.trap(f"{place} < 0", KeyError)
            return self._item_of(self._pairs(value), place)
        is_row = isinstance(value, Known) and isinstance(value.value, (tuple, list))
        if is_row and not isinstance(index, Known):
            values: Any = value.value  # type: ignore[union-attr]
            if any(isinstance(each, _UNORDERED) for each in values):
                count = Scalar(Int(), str(len(values)), len(values), len(values))
                number = self.index_within(self.number(index, "indexes by"), count)
                found = self.choice(tuple(values), self.kept(number, "place").text)
                assert found is not None
                return found
        return super().indexed(value, index)

    def _kept_item(self, known: dict[Any, Any], place: str) -> Value:
        """An item of a dict; one of several sets as a row, which can be one of two values."""
        found = self._item_of(known, place)
        is_set = isinstance(found, Chosen) and not any(isinstance(e, dict) for e in found.values)
        return self.held(found) if is_set else found

    def got_from_dict(self, known: dict[Any, Any], key: Value, default: Value) -> Value:
        """`dict.get`."""
        place = self._key_place(known, key)
        if place is None:
            return default
        test = Scalar(Bool(), f"({place} >= 0)", 0, 1)
        return self.either(test, lambda: self._kept_item(known, place), lambda: default)

    def _pairs(self, value: Chosen) -> dict[Any, Any]:
        """All keys behind the number of their dict or set."""
        return {
            (i, *self._flat(key)): (each[key] if isinstance(each, dict) else True)
            for i, each in enumerate(value.values)
            for key in each
        }

    @staticmethod
    def _flat(key: Any) -> tuple[Any, ...]:
        return key if isinstance(key, tuple) else (key,)

    def _pair_place(self, value: Chosen, key: Value) -> str | None:
        keys = [key for each in value.values for key in each]
        if any(isinstance(each, tuple) for each in keys) and not all(
            isinstance(each, tuple) for each in keys
        ):
            raise self.refuse("looks up a dict with unlike keys", "use keys of one kind")
        parts: tuple[Any, ...] = (key,)
        if keys and isinstance(keys[0], tuple):
            found = self._parts(self.held(key))[0]
            if found is None or self.kind_of(key) is not tuple:
                return None
            parts = tuple(found)
        place = Scalar(Int(), value.place, 0, len(value.values) - 1)
        return self._key_place(self._pairs(value), Items((place, *parts)))

    def _row_of_chosen(self, value: Chosen, rows: Callable[[Any], tuple[Any, ...]]) -> Value:
        row = self.as_row(Known(tuple(rows(each) for each in value.values)))
        if not isinstance(row, Place) or not isinstance(row.type, Seq):
            raise self.refuse("chooses between unlike dicts or sets", "use like keys and values")
        return self.loaded(self.item_at(row, value.place))

    def contains(self, value: Value, item: Value) -> Scalar:
        """`item in value`."""
        if isinstance(value, Chosen):
            place = self._pair_place(value, item)
            if place is None:
                return self.truth(Known(False))
            return Scalar(Bool(), f"({place} >= 0)", 0, 1)
        return super().contains(value, item)

    def stream(self, value: Value) -> Stream:
        """What going through a value gives."""
        if isinstance(value, Chosen):
            return super().stream(self._row_of_chosen(value, tuple))
        return super().stream(value)

    def truth(self, value: Value) -> Scalar:
        """Whether Python takes a value for true."""
        return super().truth(self.length_of(value) if isinstance(value, Chosen) else value)

    def length_of(self, value: Value) -> Scalar | Known:
        """`len`."""
        if isinstance(value, Chosen):
            return super().length_of(self._row_of_chosen(value, tuple))
        return super().length_of(value)

    def held(self, value: Value) -> Value:
        """A sequence of which items can be taken by number: known, items, or in memory."""
        if isinstance(value, Chosen) and not any(isinstance(each, dict) for each in value.values):
            return self._row_of_chosen(value, lambda each: each)
        return super().held(value)

    def chosen_method(self, value: Chosen, name: str) -> Callable[..., Value] | None:
        """A method of one of several dicts."""
        views: dict[str, Callable[[Any], tuple[Any, ...]]] = {
            "items": lambda each: tuple(each.items()),
            "keys": tuple,
            "values": lambda each: tuple(each.values()),
        }
        if not all(isinstance(each, dict) for each in value.values):
            return None
        if name in views:
            return lambda owner: self.stream(self._row_of_chosen(owner, views[name]))._replace(
                is_iterator=False
            )
        return self._got if name == "get" else None

    def _got(self, owner: Chosen, key: Value, default: Value | None = None) -> Value:
        default = Known(None) if default is None else default
        place = self._pair_place(owner, key)
        if place is None:
            return default
        test = Scalar(Bool(), f"({place} >= 0)", 0, 1)
        pairs = self._pairs(owner)
        return self.either(test, lambda: self._kept_item(pairs, place), lambda: default)
