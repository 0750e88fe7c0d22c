"""Arrays of the indexes of states."""

from __future__ import annotations

from typing import Any

import numpy as np


def distinct(indexes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The indexes, rising, each once: `np.unique`, which imports masked arrays. O(n log n).

    >>> distinct(np.array([7, 2, 7, 5])).tolist()
    [2, 5, 7]
    """
    rising = np.sort(indexes)
    is_new = np.ones(len(rising), dtype=bool)
    np.not_equal(rising[1:], rising[:-1], out=is_new[1:])
    return rising[is_new]
