"""Rows of cells: members of sets in order, and the places of the next combination."""


def is_less(cells, one, other, size):
    """Whether a row of `size` cells comes before another: by the first that differ."""
    for i in range(size):
        if cells[one + i] != cells[other + i]:
            return cells[one + i] < cells[other + i]
    return False


def sort_rows(cells, at, count, size):
    """Sort `count` rows of `size` cells each, by insertion: sets are small."""
    for i in range(1, count):
        place = at + i * size
        while place > at and is_less(cells, place, place - size, size):
            for k in range(place, place + size):
                held = cells[k]
                cells[k] = cells[k - size]
                cells[k - size] = held
            place -= size
    return 0


def next_combination(places, at, size, count):
    """Make the next `size` rising places out of `count` of these; whether there are any."""
    k = size - 1
    while k >= 0 and places[at + k] == count - size + k:
        k -= 1
    if k < 0:
        return False
    places[at + k] += 1
    for i in range(k + 1, size):
        places[at + i] = places[at + i - 1] + 1
    return True


def next_permutation(cells, places, left, size, count):
    """Make the next order of `count` places, of which `size` are looked at; whether there is one.

    They lie from `cells[places]` on, and from `cells[left]` on how many may still follow in each.
    """
    for k in range(size - 1, -1, -1):
        cells[left + k] -= 1
        rest = cells[left + k]
        held = cells[places + k]
        if rest != 0:
            cells[places + k] = cells[places + count - rest]
            cells[places + count - rest] = held
            return True
        for i in range(places + k, places + count - 1):
            cells[i] = cells[i + 1]
        cells[places + count - 1] = held
        cells[left + k] = count - k
    return False
