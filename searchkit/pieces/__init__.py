"""Permutation puzzles by their pieces: what is declared, and what follows from it."""

from searchkit.pieces.changes import Change, Motion
from searchkit.pieces.definition import Definition, Move, Orbit, Power
from searchkit.pieces.sequences import read_sequence

__all__ = ["Change", "Definition", "Motion", "Move", "Orbit", "Power", "read_sequence"]
