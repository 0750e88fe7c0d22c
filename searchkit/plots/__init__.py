"""Pictures of searches and of state spaces, by matplotlib, which the extra `plots` installs.

Importing this does not load it.
"""

from __future__ import annotations

from importlib.util import find_spec

from searchkit.errors import UsageError

PLOT_SUFFIXES = frozenset({".svg", ".png"})
"""What a plot can be written as."""


def require_plots(what: str) -> None:
    """Raise `UsageError` unless the library that draws is installed."""
    if find_spec("matplotlib") is None:
        raise UsageError(
            f"{what} needs matplotlib, which is not installed: pip install matplotlib, or "
            "'.[plots]' in a clone of searchkit"
        )
