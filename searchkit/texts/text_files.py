"""Text that users keep in files: read whole, but never more of it than it may be.

A file is a regular one or a pipe, so that nothing hangs on a device or grows without end. No
message shows what is in a file: it may not be what the user thinks it is.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from searchkit.errors import ParseError, UsageError
from searchkit.texts.amounts import quoted

if TYPE_CHECKING:
    from searchkit.parameters import Parameter

MOST_BYTES = 64 * 1024
"""The most bytes of a text that describes a state or a board."""


class FileNamedError(UsageError):
    """A parameter names a file where none is opened."""


def opened(path: str | Path) -> BinaryIO:
    """The file, or the pipe, to be read; `ParseError` if there is none or if it is a device."""
    try:
        mode = Path(path).stat().st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not _can_be_read(mode):  # opening may have effects
            raise ParseError(f"{quoted(path)} is neither a regular file nor a pipe")
        file = Path(path).open("rb")  # noqa: SIM115  (the caller closes it)
    except (OSError, ValueError) as error:  # a name with NUL is a ValueError
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "no such name"
        raise ParseError(f"{quoted(path)} cannot be read: {reason}") from error
    if not _can_be_read(os.fstat(file.fileno()).st_mode):
        file.close()
        raise ParseError(f"{quoted(path)} is neither a regular file nor a pipe")
    return file


def read_stream(file: BinaryIO, most: int, name: str) -> bytes:
    """All that `file`, which messages call `name`, has left; `ParseError` if it is too long."""
    try:
        data = file.read(most + 1)
    except OSError as error:
        raise ParseError(f"{name} cannot be read: {error.strerror or error}") from error
    if len(data) > most:
        raise ParseError(f"{name} is longer than {most:,} bytes, which is the most there may be")
    return data


def read_text(path: str | Path, most: int = MOST_BYTES) -> str:
    """The text of the file, which ends with a line break; `ParseError` if it is not such a text."""
    with opened(path) as file:
        data = read_stream(file, most, quoted(path))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ParseError(f"{quoted(path)} is not a UTF-8 text") from error
    return "\n".join([*text.splitlines(), ""])


def _can_be_read(mode: int) -> bool:
    return stat.S_ISREG(mode) or stat.S_ISFIFO(mode)


def names_file(value: str) -> bool:
    r"""Whether the value of a parameter that may name a file does name one.

    A name has a dot or a slash in it, so that `./board` is a file and `board` is a word; a value
    with a line break is the text itself.

    >>> [names_file(value) for value in ("english", "my.txt", "./my", "start:\n o.o\n")]
    [False, True, True, False]
    """
    return "\n" not in value and any(sign in value for sign in "./\\")


def texts_of_files(parameters: Iterable[Parameter], values: Mapping[str, str]) -> dict[str, str]:
    """`values` with the text of each file in place of its name.

    Only parameters that are marked with `path=True` are looked at. For values that the user has
    given: never for those that stand in a document. Raises `ParseError`.
    """
    most = {parameter.name: parameter.most_bytes for parameter in parameters if parameter.path}
    return {
        name: read_text(value, most[name]) if name in most and names_file(value) else value
        for name, value in values.items()
    }


def refuse_files(parameters: Iterable[Parameter], values: Mapping[str, Any]) -> None:
    """Raise `FileNamedError` if one of `values` names a file."""
    for parameter in parameters:
        value = values.get(parameter.name, parameter.default)
        if parameter.path and value != parameter.default and names_file(value):
            raise FileNamedError(
                f"parameter {parameter.name} names the file {quoted(value)}, which is not opened "
                "here; give the text of the file"
            )
