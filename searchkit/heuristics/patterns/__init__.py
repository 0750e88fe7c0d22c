"""Pattern databases: exact distances in a puzzle of which only some pieces are told apart.

J. C. Culberson and J. Schaeffer, Pattern databases, 1998; R. E. Korf and A. Felner, Disjoint
pattern database heuristics, 2002 (additive sets of them).
"""

from typing import TYPE_CHECKING

from searchkit.later import exports
from searchkit.pattern_space import PatternSpace

if TYPE_CHECKING:
    from searchkit.heuristics.patterns.database import PatternDatabase
    from searchkit.heuristics.patterns.heuristic import PatternHeuristic
else:
    __getattr__ = exports(
        __name__,
        {"database": "PatternDatabase", "heuristic": "PatternHeuristic"},
    )

__all__ = ["PatternDatabase", "PatternHeuristic", "PatternSpace"]
