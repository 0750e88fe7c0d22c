"""Whether numba, which makes machine code, is installed: it need not be loaded for that."""

from __future__ import annotations

from importlib.util import find_spec

NO_NUMBA = "numba is not installed"


def numba_folder() -> str | None:
    """Where numba is installed; None if it is not."""
    spec = find_spec("numba")
    places = None if spec is None else spec.submodule_search_locations
    return next(iter(places)) if places else None
