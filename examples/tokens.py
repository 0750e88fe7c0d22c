"""Two tokens walk to the end of a line; what one token does in a row is one move.

A token goes one cell forward, or jumps over the other. Actions name the cells where the piece
stands before and after (`piece_before`, `piece_after`), so `ChainMoves` can join them. The tokens
look alike: in pictures each has the name of its cell, so `motion` says which cell becomes which.

    searchkit run examples/tokens.py --all
    searchkit run examples/tokens.py --html tokens.html
"""

from searchkit import Problem, Step, hookimpl
from searchkit.picture import Phase, Picture, Piece
from searchkit.transforms import ChainMoves

LENGTH = 7


class Tokens(Problem[frozenset[int], tuple[int, int]]):
    """A state holds the cells of the tokens; an action is the cells from which and to which."""

    def initial_states(self):
        return [frozenset({0, 1})]

    def successors(self, state):
        for cell in sorted(state):
            to = cell + 1 if cell + 1 not in state else cell + 2
            if to < LENGTH:
                yield Step((cell, to), state - {cell} | {to})

    def is_goal(self, state):
        return state == {LENGTH - 2, LENGTH - 1}

    def format_state(self, state):
        return " ".join(map(str, sorted(state)))

    def piece_before(self, action):
        return action[0]

    def piece_after(self, action):
        return action[1]

    def format_chain(self, actions):
        return "-".join(str(cell) for cell in (actions[0][0], *(to for _, to in actions)))

    def picture(self, state):
        return Picture(LENGTH, 1, [Piece(cell, cell + 0.5, 0.5) for cell in sorted(state)])

    def motion(self, state, action):
        cell, to = action
        yield Phase(self.picture(state - {cell} | {to}), {cell: to})


def make():
    return ChainMoves(Tokens())


@hookimpl
def searchkit_register_puzzles(register):
    register("tokens", make, summary="two tokens walk to the end of a line")
