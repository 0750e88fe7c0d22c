"""Puzzles by their fields: what a state holds is declared, and rules are written on that."""

from searchkit.fields.declared import Array, Int, Set
from searchkit.fields.puzzle import Fields
from searchkit.fields.states import State

__all__ = ["Array", "Fields", "Int", "Set", "State"]
