"""The three jugs, for `searchkit/proofs/checker.py`: nothing of searchkit is used."""

from ast import literal_eval

CAPACITY = (8, 5, 3)


def starts():
    yield "(8, 0, 0)"


def goal(state):
    return state == "(4, 4, 0)"


def successors(state):
    litres = literal_eval(state)
    for i in range(3):
        for j in range(3):
            poured = min(litres[i], CAPACITY[j] - litres[j])
            if i != j and poured:
                after = list(litres)
                after[i] -= poured
                after[j] += poured
                yield f"{CAPACITY[i]} to {CAPACITY[j]}", str(tuple(after)), 1
