"""Small questions about undirected graphs given as adjacency lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from searchkit.heuristic import distances_from

Adjacency = Sequence[Sequence[int]]


def is_biconnected(adjacency: Adjacency) -> bool:
    """Whether a graph of three or more vertices stays connected without any one of them.

    O(vertices x edges).

    >>> is_biconnected([[1, 2], [0, 2], [0, 1]]), is_biconnected([[1], [0, 2], [1]])
    (True, False)
    """

    def is_connected_without(removed: int) -> bool:
        reached = distances_from(
            int(removed == 0), lambda vertex: (n for n in adjacency[vertex] if n != removed)
        )
        return len(reached) == len(adjacency) - 1

    return len(adjacency) >= 3 and all(map(is_connected_without, range(len(adjacency))))


def automorphisms(
    adjacency: Adjacency, fixed: int, image_of_fixed: int | None = None
) -> Iterator[tuple[int, ...]]:
    """Every map of a connected graph onto itself that keeps the vertex `fixed`; identity first.

    If `image_of_fixed` is given, every map that takes `fixed` there.

    A map is given by the images of the vertices. Backtracking: fast on graphs with few
    automorphisms, such as boards; their number can be exponential.

    >>> list(automorphisms([[1, 2], [0, 3], [0, 3], [1, 2]], fixed=0))
    [(0, 1, 2, 3), (0, 2, 1, 3)]
    """
    neighbours = [frozenset(each) for each in adjacency]
    distances = distances_from(fixed, adjacency.__getitem__)
    order = sorted(range(len(adjacency)), key=distances.__getitem__)
    images: dict[int, int] = {}

    def fits(vertex: int, image: int) -> bool:
        return len(neighbours[vertex]) == len(neighbours[image]) and all(
            (known in neighbours[vertex]) == (images[known] in neighbours[image])
            for known in images
        )

    def extend(index: int) -> Iterator[tuple[int, ...]]:
        if index == len(order):
            yield tuple(images[vertex] for vertex in range(len(order)))
            return
        vertex = order[index]
        candidates: Sequence[int] = [fixed if image_of_fixed is None else image_of_fixed]
        if index > 0:
            parent = next(known for known in neighbours[vertex] if known in images)
            candidates = sorted(neighbours[images[parent]].difference(images.values()))
            if vertex in candidates:  # so that the identity comes first
                candidates = [vertex, *(each for each in candidates if each != vertex)]
        for image in candidates:
            if fits(vertex, image):
                images[vertex] = image
                yield from extend(index + 1)
                del images[vertex]

    return extend(0)
