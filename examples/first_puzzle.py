"""Frogs and toads: four frogs F and four toads T change places on nine stones.

Frogs go right, toads go left: one stone ahead, or over one animal of the other kind.

    searchkit run --plugin examples/first_puzzle.py frogs
"""

from searchkit import Problem, Step, hookimpl


class Frogs(Problem[str, str]):
    def initial_states(self):
        return ["FFFF.TTTT"]

    def successors(self, state):
        for i, animal in enumerate(state):
            forward = {"F": 1, "T": -1, ".": 0}[animal]
            for j in (i + forward, i + 2 * forward):
                if forward and 0 <= j < len(state) and state[j] == ".":
                    if abs(j - i) == 1 or state[i + forward] != animal:
                        stones = list(state)
                        stones[i], stones[j] = ".", animal
                        yield Step(f"{animal}{i + 1}-{j + 1}", "".join(stones))

    def is_goal(self, state):
        return state == "TTTT.FFFF"


@hookimpl
def searchkit_register_puzzles(register):
    register("frogs", Frogs, summary="four frogs and four toads change places")
