"""The three jugs, for `searchkit/proofs/checker.py`: nothing of searchkit is used."""

CAPACITY = (8, 5, 3)


def starts():
    yield (8, 0, 0)


def goal(state):
    return state == (4, 4, 0)


def successors(state):
    for i in range(3):
        for j in range(3):
            poured = min(state[i], CAPACITY[j] - state[j])
            if i != j and poured:
                after = list(state)
                after[i] -= poured
                after[j] += poured
                yield f"{CAPACITY[i]} to {CAPACITY[j]}", tuple(after), 1
