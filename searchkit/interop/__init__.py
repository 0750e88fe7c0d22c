"""Problems in the shapes that other libraries expect.

Each module needs a library of its own: `searchkit.interop.gymnasium` the extra `gymnasium`,
`searchkit.interop.networkx` the extra `networkx`.
"""

from __future__ import annotations


def missing(library: str) -> ModuleNotFoundError:
    """The error for `searchkit.interop.<library>` without that library, on one line."""
    return ModuleNotFoundError(
        f"searchkit.interop.{library} needs {library}, which is not installed; install searchkit "
        f"with its extra: pip install '.[{library}]'",
        name=library,
    )
