"""A pyramid with four tips to turn: what it is made of is declared, and nothing is programmed.

A pyramid has four tips, which only turn where they are, and six edges, which also go elsewhere.
In a cycle each piece goes to the place named next; `+1` turns it, or flips an edge.

    searchkit run --plugin examples/pyramid.py pyramid
    searchkit run --plugin examples/pyramid.py pyramid --start "[a: b] c" --all
    searchkit explore --plugin examples/pyramid.py pyramid
"""

from searchkit import hookimpl
from searchkit.pieces import Change, Definition, Move, Orbit, Pieces

TIPS = Orbit("tips", 4, 3)  # places, and how many ways round a piece can be there
EDGES = Orbit("edges", 6, 2)
TURNS = {
    "a": ("(0+1)", "(3 5+1 4+1)"),
    "b": ("(1+1)", "(1+1 2+1 5)"),
    "c": ("(2+1)", "(0 4+1 2+1)"),
    "d": ("(3+1)", "(0+1 1+1 3)"),
}


def make():
    moves = [
        Move(name, {"tips": Change.cycles(tips, 4, 3), "edges": Change.cycles(edges, 6, 2)})
        for name, (tips, edges) in TURNS.items()
    ]
    puzzle = Pieces.of(Definition("pyramid", [TIPS, EDGES], moves))
    return puzzle.with_start(puzzle.parse("a b' c d"))


@hookimpl
def searchkit_register_puzzles(register):
    register(
        "pyramid",
        make,
        summary="turn the corners of a pyramid until all pieces are home",
    )
