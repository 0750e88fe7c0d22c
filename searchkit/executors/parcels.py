"""What tasks need and is made once in each process, like a problem: sent as what makes it."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

import attrs

from searchkit.executors import travelling

T = TypeVar("T")
KEPT = 4
"""How many things a process keeps, those that were used last."""

_kept: OrderedDict[str, Any] = OrderedDict()


@attrs.frozen
class Parcel(Generic[T]):
    """A call that makes something; an argument of tasks. Equal parcels hold equal things.

    >>> parcel = Parcel.made_by(range, 3)
    >>> list(parcel.open()), parcel.open() is parcel.open()
    ([0, 1, 2], True)
    """

    data: bytes = attrs.field(repr=False)
    digest: str

    @classmethod
    def made_by(cls, function: Callable[..., T], *arguments: Any) -> Parcel[T]:
        """What the call of a function at the top level of a module gives."""
        data = travelling.dumps(function, arguments)
        return cls(data, hashlib.sha256(data).hexdigest())

    @classmethod
    def of(cls, value: T) -> Parcel[T]:
        """A value that can be pickled."""
        return cls.made_by(_itself, value)

    def open(self) -> T:
        """The thing, which this process keeps for the next task."""
        if self.digest not in _kept:
            function, arguments = travelling.loads(self.data)
            _kept[self.digest] = function(*arguments)
            while len(_kept) > KEPT:
                _kept.popitem(last=False)
        _kept.move_to_end(self.digest)
        return cast(T, _kept[self.digest])


def _itself(value: T) -> T:
    return value
