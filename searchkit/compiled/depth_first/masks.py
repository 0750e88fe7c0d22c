"""Lists of operators as words of bits."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from searchkit.bits import WORD_BITS
from searchkit.compiled.specialise.operators import OperatorLists
from searchkit.packed import MOST_CANDIDATES


class MaskedLists(NamedTuple):
    """The operators of each node as the bits of a word, and its control state.

    `following` has a row of 64 for each node: which node an operator leads to, -1 if that must be
    read off the state. The first node of a control state, in `begins`, has its number.
    """

    masks: np.ndarray[Any, Any]
    controls: np.ndarray[Any, Any]
    following: np.ndarray[Any, Any]
    begins: np.ndarray[Any, Any]

    @classmethod
    def of(cls, lists: OperatorLists) -> MaskedLists:
        """The lists as words, which they must fit into."""
        begins = np.arange(len(lists.controls))
        nodes = np.repeat(begins, np.diff(lists.first))
        masks = np.zeros(len(begins), dtype=np.int64)
        np.bitwise_or.at(masks, nodes, np.int64(1) << lists.operators)
        following = np.full((len(masks), WORD_BITS), -1, dtype=np.int32)
        following[nodes, lists.operators] = lists.following
        return cls(masks, lists.controls.astype(np.uint32), following, begins)

    @staticmethod
    def fit(lists: OperatorLists) -> bool:
        """Whether the operators of each list are bits of a word, in ascending order."""
        operators = lists.operators
        if len(operators) == 0 or operators.min() < 0 or operators.max() >= MOST_CANDIDATES:
            return False
        ascends, begins = np.diff(operators) > 0, lists.first[1:-1]
        ascends[begins[(begins > 0) & (begins < len(operators))] - 1] = True
        return bool(ascends.all())
