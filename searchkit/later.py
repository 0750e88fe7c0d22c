"""What a plugin names without importing it: a command that uses one puzzle loads no other.

A place is a text like `"searchkit_lights.puzzle:Lights"`: a module, and a name in it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


class Later:
    """A function, or a class, that is imported when it is called for the first time.

    >>> square_root = Later("math:sqrt")
    >>> square_root(9)
    3.0
    """

    def __init__(self, place: str) -> None:
        self.place = place

    @property
    def __wrapped__(self) -> Any:
        """What is at the place."""
        module, _, name = self.place.partition(":")
        return getattr(import_module(module), name)

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call what is at the place."""
        return self.__wrapped__(*args, **options)

    def __repr__(self) -> str:
        return f"Later({self.place!r})"


def instances(place: str) -> Callable[[object], bool]:
    """Whether something is an instance of the class at `place`, which is not imported for that.

    >>> is_counter = instances("collections:Counter")
    >>> is_counter({}), is_counter(__import__("collections").Counter())
    (False, True)
    """
    module, _, name = place.partition(":")

    def is_instance(value: object) -> bool:
        kind = getattr(sys.modules.get(module), name, None)
        return kind is not None and isinstance(value, kind)

    return is_instance


def exports(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose names come from its modules when they are asked for.

    `places` gives the names of each module, with spaces between them. A type checker does not
    know them: import them under `if TYPE_CHECKING` as well. `dir` of the package lists them.
    """
    modules = {name: module for module, names in places.items() for name in names.split()}
    inside = vars(sys.modules[package])
    inside["__dir__"] = lambda: sorted({*inside, *modules})

    def get(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        inside[name] = getattr(import_module(f"{package}.{modules[name]}"), name)
        return inside[name]

    return get
