"""Permutation puzzles by their pieces: what is declared, and what follows from it."""

from searchkit.pieces.changes import Change, Motion
from searchkit.pieces.definition import Definition, Move, Orbit, Power
from searchkit.pieces.facelets import Face, Facelets, Sticker
from searchkit.pieces.files import read, read_definition, read_states
from searchkit.pieces.group import Group
from searchkit.pieces.kpuzzle import write_kpuzzle
from searchkit.pieces.patterns import Pattern, format_pattern, parse_pattern
from searchkit.pieces.place_maps import PlaceMap
from searchkit.pieces.puzzle import Pieces
from searchkit.pieces.sequences import read_sequence
from searchkit.pieces.symmetries import Symmetries
from searchkit.pieces.tws import write_tws

__all__ = [
    "Change",
    "Definition",
    "Face",
    "Facelets",
    "Group",
    "Motion",
    "Move",
    "Orbit",
    "Pattern",
    "Pieces",
    "PlaceMap",
    "Power",
    "Sticker",
    "Symmetries",
    "format_pattern",
    "parse_pattern",
    "read",
    "read_definition",
    "read_sequence",
    "read_states",
    "write_kpuzzle",
    "write_tws",
]
