"""Functions of generated modules that Python calls, each found on disk or compiled when called."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from searchkit.compiled.specialise.code_files import PREFIX, CodeFiles, made_again
from searchkit.compiled.specialise.forms import form_of, quick_form
from searchkit.compiled.specialise.machine_code import CannotLinkError, ObjectCode
from searchkit.compiled.specialise.toolchain import digest, target
from searchkit.running.making import making_code

NUMBERS = "unless it returns numbers, and has no large arrays of its own"
one_at_a_time = threading.RLock()
"""Held by the thread that makes or loads modules or machine code: others would see half of them."""
_known: dict[tuple[str, str], KernelEntry] = {}


def own_name(module: str) -> str:
    """What is added to names of classes of a generated module."""
    return f"_{module.removeprefix(PREFIX)}"


class KernelEntry:
    """One such function, `name` of `module`, for arguments of all forms.

    What is not on disk is compiled by numba's function that `dispatcher` gives, and kept. Any
    number of threads may call it. A process has one, whichever modules use it: see `known`.
    """

    def __init__(self, module: str, name: str, dispatcher: Callable[[], Any]) -> None:
        self.__module__, self.__name__ = module, name
        self.dispatcher = dispatcher
        self._found: dict[Any, Callable[..., Any]] = {}

    @classmethod
    def known(
        cls, module: str, name: str, dispatcher: Callable[[], Any], *, is_last: bool = True
    ) -> KernelEntry:
        """The entry of that module and name, from now on with this `dispatcher`.

        One that is known keeps its own unless this is the last that it will need.
        """
        with one_at_a_time:
            found = _known.setdefault((module, name), cls(module, name, dispatcher))
            if is_last:
                found.dispatcher = dispatcher
        return found

    def __call__(self, *arguments: Any) -> Any:
        """What machine code returns for these arguments, found or made first if need be."""
        return self.direct(*arguments)(*arguments)

    def direct(self, *arguments: Any) -> Callable[..., Any]:
        """What calls the machine code for arguments of just these forms, without a look at them.

        Nothing checks the arguments of what is returned.
        """
        quick = quick_form(arguments)
        found = self._found.get(quick)
        if found is None:
            with one_at_a_time, making_code():
                found = self._found.get(quick)  # now: another thread may have made it meanwhile
                if found is None:
                    found = self._found[quick] = self._obtained(arguments)
        return found

    def _obtained(self, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        """Machine code of disk, or new one."""
        module, name = self.__module__, self.__name__
        form = form_of(arguments, own_name(module))
        if form is None:  # only numba itself tells such types apart
            made_again(f"no file can hold {name} for such arguments", "unless they are numbers")
            dispatcher = self.dispatcher()
            dispatcher.compile(tuple(map(dispatcher.typeof_pyval, arguments)))
            return dispatcher  # type: ignore[no-any-return]
        file = f"{module}.{name}.{digest(form, target())}"
        packed = CodeFiles.read(file)
        if packed is not None:
            try:
                return ObjectCode.unpacked(packed).linked(module, name)
            except (CannotLinkError, ValueError, TypeError, AttributeError) as error:
                made_again(f"machine code of {name} cannot be loaded ({error})")
        return self._compiled(arguments, file)

    def _compiled(self, arguments: tuple[Any, ...], file: str) -> Callable[..., Any]:
        """Machine code that is made now, and kept."""
        dispatcher = self.dispatcher()
        types = tuple(map(dispatcher.typeof_pyval, arguments))
        dispatcher.compile(types)
        result = dispatcher.overloads[types]
        CodeFiles.made += 1
        made = ObjectCode.of(result)
        if made is None:
            made_again(
                f"no file can hold {self.__name__}, which returns or has arrays or records", NUMBERS
            )
        else:
            CodeFiles.write(file, made.packed())
        return result.entry_point  # type: ignore[no-any-return]


class DirectCalls:
    """Calls kernels by name, each always with arguments of the same forms, looked at only once."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Any, Callable[..., Any]]] = {}

    def __call__(self, module: Any, name: str, *arguments: Any) -> Any:
        """What the kernel of the module returns."""
        kernel = getattr(module, name)
        known, found = self._known.get(name, (None, None))
        if known is not kernel or found is None:  # another module may have come
            found = kernel.direct(*arguments) if isinstance(kernel, KernelEntry) else kernel
            self._known[name] = kernel, found
        return found(*arguments)
