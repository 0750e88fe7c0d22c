"""Tables of cosets: lower bounds for puzzles of two kinds of pieces, up to symmetry.

Of a state, a coset keeps what can be seen of it when pieces of one colour look alike: in each
place, how the piece is turned, and its colour. A table has the distances of all cosets.
"""
