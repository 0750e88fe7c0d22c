"""What is said where a library is not installed."""

from __future__ import annotations


def missing(library: str) -> ModuleNotFoundError:
    """The error for `searchkit.interop.<library>` without that library, on one line."""
    return ModuleNotFoundError(
        f"searchkit.interop.{library} needs {library}, which is not installed; install searchkit "
        f"with its extra: pip install '.[{library}]'",
        name=library,
    )
