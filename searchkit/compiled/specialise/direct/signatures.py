"""By which signature numba calls a function for arguments of some types."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core.errors import NumbaError

from searchkit.compiled.specialise.direct.known import Unfit

Called = tuple[Any, Any]
"""The type of what is called, and the signature."""
_found: dict[tuple[Any, tuple[Any, ...]], Called] = {}
"""Of operators and intrinsics, which every function uses."""


class Signatures:
    """Asks numba, whose `context` knows all types."""

    def __init__(self, context: Any) -> None:
        self.context = context

    def of(self, function: Any, given: tuple[Any, ...], numbers: tuple[Any, ...] = ()) -> Called:
        """The signature for arguments of the types `given`.

        Some functions want to know `numbers` that the text hands to them (None for others), and
        then get the types of these numbers alone. O(1) for what was asked before.
        """
        key = function, given
        try:
            if key in _found:
                return _found[key]
            kind = self.context.resolve_value_type(function)
        except (TypeError, ValueError) as error:  # a dict, a function that is not compiled
            raise Unfit("a call of what has no type") from error
        signature = self._resolved(kind, given)
        if signature is not None and not isinstance(kind, types.Dispatcher):
            _found[key] = kind, signature
        elif signature is None and any(each is not None for each in numbers):
            literal = (
                each if number is None else types.literal(number)
                for each, number in zip(given, numbers, strict=True)
            )
            signature = self._resolved(kind, tuple(literal))
        if signature is None:
            raise Unfit("a call")
        return kind, signature

    def _resolved(self, kind: Any, given: tuple[Any, ...]) -> Any:
        try:
            found = self.context.resolve_function_type(kind, given, {})
        except NumbaError:  # numba tells it better where it compiles the whole function
            return None
        is_plain = found is not None and found.recvr is None and len(each_of(found)) == len(given)
        return found if is_plain else None


def each_of(signature: Any) -> tuple[Any, ...]:
    """The types of arguments, each by itself."""
    given = tuple(signature.args)
    return (*given[:-1], *given[-1].types) if takes_rest(signature) else given


def takes_rest(signature: Any) -> bool:
    """Whether a function is given its last arguments as one tuple: `min(*numbers)`."""
    last = signature.args[-1] if signature.args else None
    return isinstance(last, (types.StarArgTuple, types.StarArgUniTuple))
