"""Rules by what they use: each makes a tuple of a state of five small numbers."""

import collections
import dataclasses
import enum
import itertools
import math
import operator
from typing import NamedTuple

TABLE = [[1, 2], [3], [], [4, 5, 6], [0]]
NAMES = {"up": -1, "down": 1}
DICT = {(0, 1): 5, (2, 3): 7, (1, 1): 9}
SPARSE = {0: "a", 100: "b", 5: "c"}
WALLS = {(0, 0), (1, 2), (3, 3)}
GRAPH = {0: {1, 2}, 1: {0}, 2: set(), 3: {4, 0}}
FAR = {(x * 97, y * 89, x + y): x - y for x in range(-2, 6) for y in range(-2, 6)}
FAR_KEYS = frozenset(FAR)
FARTHER = {(x * 10**6, y * 10**6 - x): 2 * x - y for x in range(-2, 6) for y in range(-2, 6)}
FARTHEST = {(x * 10**9, y * 10**9, x * y): x - 2 * y for x in range(-2, 6) for y in range(-2, 6)}
NESTED = {((x, y), (y, 300 * x)): x + y for x in range(-2, 6) for y in range(-2, 4)}
PLACES = (5, -3, 8)
CHOSEN = [frozenset({1, 2, 3}), frozenset({2, 3, 4}), frozenset({0, 1}), frozenset()]
UNEQUAL = {"abc": 1, "ab": 2, "b": 3, "abca": 4, "": 5, "bbbbb": 6}
ROADS = {0: {1: 10, 2: 20}, 1: {0: 10}, 2: {3: 5}}


def five_or(s):
    yield 5
    yield s[0] % 3


def greatest_of_a_generator(s):
    most = max(x for x in five_or(s))
    return (most, int(most > 3), 0, 0, 0)


def known_numbers_among_floats_in_order(s):
    found = sorted([max(0, len(NAMES)), 0.5, len(TABLE) / 2])
    return (int(found[0] * 2), int(found[1]), int(found[2] * 2), s[0], 0)


class Three(NamedTuple):
    one: int
    two: int
    three: int


MOST = Three(7, 8, 9)


def items_of_a_named_tuple_by_number(s):
    three = Three(s[0], s[1], s[2])
    return (three[s[3] % 4], MOST[s[4] % 3 - 3], three[s[0] - 2], three[-1], sum(MOST))


def negative_index(s):
    return (s[-1], s[-2], s[s[0]], s[1], s[2])


def index_error(s):
    return (s[s[0] + 3], 0, 0, 0, 0)


def bounds_of_one_known_item(s):
    most = max((x for x in TABLE[1]), default=9)
    least = min((x for x in TABLE[4]), default=5)
    return (most < 9, least < 5, most, least, s[0])


def negative_index_of_short_rows(s):
    return (TABLE[s[0] % 5][s[1] % 4 - 2], 0, 0, 0, 0)


def floor_division(s):
    return (s[0] // 3, s[0] % 3, -s[1] // 2, -s[1] % 4, s[2] // -2)


def division_by_state(s):
    return (s[0] // s[1], s[0] % s[1], 0, 0, 0)


def chained(s):
    return (int(s[0] < s[1] < s[2]), int(s[0] <= s[1] != s[2]), int(0 <= s[3] < 3), 0, 0)


def short_circuit(s):
    ok = s[0] != 0 and s[1] // s[0] > 0
    other = s[0] == 0 or s[1] % s[0] == 0
    return (int(ok), int(other), 0, 0, 0)


def and_or_values(s):
    return (s[0] and s[1], s[0] or s[1], (s[2] or 7) + 1, s[3] and 5, 0)


def swap(s):
    a, b = s[0], s[1]
    a, b = b, a
    after = list(s)
    after[2], after[3] = after[3], after[2]
    return (a, b, *after[2:])


def rotation(s):
    a, b, c, d, e = s
    a, b, c = b, c, a
    return (a, b, c, d, e)


def augmented(s):
    after = list(s)
    after[1] += after[0]
    after[2] -= 2
    after[3] *= 3
    after[4] ^= 1
    return tuple(after)


def slices(s):
    return s[2:] + s[:2]


def slice_by_state(s):
    k = s[0]
    return (s[:k] + (9,) + s[k:])[:5]  # noqa: RUF005


def negative_slice(s):
    return s[-2:] + s[:-2]


def backwards(s):
    return s[::-1]


def stepped(s):
    return (*s[::2], *s[1::2])


def stars(s):
    first, *rest = s
    return (*rest, first)


def star_middle(s):
    first, *middle, last = s
    return (last, *middle, first)


def comprehension(s):
    return tuple([x + 1 for x in s])


def filtered(s):
    odd = [x for x in s if x % 2]
    even = [x for x in s if x % 2 == 0]
    return tuple(odd + even)


def nested_comprehension(s):
    pairs = [(i, j) for i in range(3) for j in range(i) if s[i] > s[j]]
    return (len(pairs), sum(i * 10 + j for i, j in pairs), 0, 0, 0)


def sums(s):
    return (sum(s), min(s), max(s), sum(x > 1 for x in s), len(s))


def extremes(s):
    return (min(s[0], s[1]), max(s[0], s[1], s[2]), abs(s[3]), max(abs(x) for x in s), 0)


def extreme_by_key(s):
    return (min(s, key=lambda x: -x), max(range(5), key=lambda i: s[i]), 0, 0, 0)


def extreme_default(s):
    return (
        max((x for x in s if x > 4), default=-1),
        min([x for x in s if x < 0], default=0),
        0,
        0,
        0,
    )


def extreme_of_none(s):
    return (max(x for x in s if x > 4), 0, 0, 0, 0)


def any_all(s):
    return (int(any(x < 0 for x in s)), int(all(x >= 0 for x in s)), int(any(s)), int(all(s)), 0)


def sorting(s):
    return tuple(sorted(s))


def sorting_down(s):
    return tuple(sorted(s, reverse=True))


def sorting_pairs(s):
    pairs = sorted((x % 3, i) for i, x in enumerate(s))
    return tuple(i for _, i in pairs)


def sorting_by_key(s):
    return tuple(sorted(s, key=lambda x: x % 3))


def counting(s):
    return (s.count(1), int(2 in s), int(3 not in s), 0, 0)


def index_of(s):
    return (s.index(1), 0, 0, 0, 0)


def append_pop(s):
    stack = []
    for x in s:
        if x > 1:
            stack.append(x)
        elif stack:
            stack.pop()
    return (len(stack), sum(stack), 0, 0, 0)


def pop_first(s):
    queue = list(s)
    total = 0
    while len(queue) > 2:
        total = 2 * total + queue.pop(0)
    return (total, queue[0], queue[1], 0, 0)


def pop_of_nothing(s):
    found = [x for x in s if x > 3]
    return (found.pop(), 0, 0, 0, 0)


def insert_remove(s):
    a = list(s)
    a.insert(1, 7)
    a.remove(s[0])
    a.insert(-1, 8)
    return tuple(a[:5])


def remove_missing(s):
    a = list(s)
    a.remove(2)
    return (*a, 0)


def delete(s):
    a = list(s)
    del a[s[0]]
    return (*a, 1)


def extend_reverse(s):
    a = list(s[:2])
    a.extend(s[3:])
    a += [s[2]]
    a.reverse()
    return tuple(a)


def grows_while_gone_through(s):
    todo = [s[0]]
    for x in todo:
        if x < 4 and len(todo) < 10:
            todo.append(x + 1)
    return (len(todo), todo[-1], 0, 0, 0)


def flood(s):
    todo, seen = [0], {0}
    while todo:
        x = todo.pop()
        for y in (x - 1, x + 1, 2 * x):
            if 0 <= y < 5 and y not in seen and s[y] != 1:
                seen.add(y)
                todo.append(y)
    return tuple(int(i in seen) for i in range(5))


def queue(s):
    todo, far = collections.deque([0]), [-1] * 5
    far[0] = 0
    while todo:
        x = todo.popleft()
        for y in (x - 1, x + 1):
            if 0 <= y < 5 and far[y] < 0 and s[y] >= 0:
                far[y] = far[x] + 1
                todo.append(y)
    return tuple(far)


def rows(s):
    grid = [list(s[:2]), list(s[2:4])]
    grid[0][1], grid[1][0] = grid[1][0], grid[0][1]
    grid[1][1] += 1
    return (*grid[0], *grid[1], s[4])


def rows_of_lists(s):
    piles = [[x] for x in s]
    piles[1].append(piles[0].pop())
    piles[2].append(5)
    return tuple(len(pile) for pile in piles)


def ragged(s):
    return (sum(TABLE[s[0]]), len(TABLE[s[1]]), TABLE[s[0]][0], 0, 0)


def dict_by_pair(s):
    return (DICT[(s[0], s[1])], 0, 0, 0, 0)


def dict_get(s):
    return (DICT.get((s[0], s[1]), -1), DICT.get((2, 3), 0), 0, 0, 0)


def dict_sparse(s):
    return (int(SPARSE.get(s[0] * 5, "z") == "c"), int(s[1] in SPARSE), 0, 0, 0)


def in_walls(s):
    return tuple(int((x, y) in WALLS) for x, y in zip(s, s[::-1], strict=True))


def over_dict(s):
    total = 0
    for name, step in NAMES.items():
        total += step * s[0] if name == "up" else step * s[1]
    return (total, 0, 0, 0, 0)


def range_backwards(s):
    return tuple(s[i] for i in range(4, -1, -1))


def range_steps(s):
    return (sum(range(0, 7, 3)), sum(i for i in range(s[0], s[1])), len(range(s[0], 9, 2)), 0, 0)


def for_else(s):
    for i, x in enumerate(s):  # noqa: B007
        if x == 3:
            break
    else:
        i = 9
    return (i, 0, 0, 0, 0)


def while_else(s):
    i = 0
    while i < 5:
        if s[i] < 0:
            break
        i += 1
    else:
        return (7, 7, 7, 7, 7)
    return (i, 0, 0, 0, 0)


def breaks(s):
    found = 0
    for x in s:
        for y in s:
            if x * y == 4:
                found += 1
                break
            if y > 4:
                continue
            found += 10
        if found > 60:
            break
    return (found, 0, 0, 0, 0)


def helper(s, i, by=1):
    for x in s[i:]:
        if x > 2:
            return x * by
    return None


def with_helper(s):
    a = helper(s, 0)
    b = helper(s, 2, by=2)
    return (-1 if a is None else a, b if b is not None else -2, 0, 0, 0)


def none_used(s):
    return (helper(s, 0) + 1, 0, 0, 0, 0)


def pairs_of(s):
    for i in range(4):
        if s[i] < s[i + 1]:
            yield i, s[i]


def with_generator(s):
    total = 0
    for i, x in pairs_of(s):
        if x < 0:
            continue
        total += i * 10 + x
        if total > 40:
            break
    return (total, len(list(pairs_of(s))), sum(x for _, x in pairs_of(s)), 0, 0)


def change(a, i):
    a[i] += 10


def changed_by_helper(s):
    after = list(s)
    change(after, 1)
    change(after, 1)
    return tuple(after)


def walrus(s):
    if (n := s[0] + s[1]) > 3:
        return (n, n + (n := 2), n, 0, 0)
    return (n, 0, 0, 0, 0)


def inner_function(s):
    by = s[0]

    def scaled(x):
        return x * by

    return (scaled(1), scaled(s[1]), scaled(scaled(2)), 0, 0)


def tuple_order(s):
    return (int(s[:2] < s[2:4]), int((s[0], 1) <= (s[1], 0)), int(s[:3] >= s[1:4]), 0, 0)


def tuple_equality(s):
    return (
        int(s[:2] == s[2:4]),
        int(s == (1, 1, 1, 1, 1)),
        int((s[0], s[1]) == (s[1], s[0])),
        0,
        0,
    )


def bits(s):
    x = (s[0] & 3) << 2 | 1
    return (x ^ s[1], x >> 1, ~x, 1 << (s[2] & 7), int(bool(x & 4)))


def negative_shift(s):
    return (1 << s[0], 0, 0, 0, 0)


def powers(s):
    return (s[0] ** 2, 2 ** abs(s[1]), s[2] ** 3, 0, 0)


def truth(s):
    return tuple(1 if x else 0 for x in s)


def nested_conditional(s):
    return tuple("abc".index("a" if x < 0 else "b" if x == 0 else "c") for x in s)


def repeated(s):
    return ((0,) * 3 + (s[0],) * 2)[:5]


def repeated_list(s):
    a = [0] * 5
    for x in s:
        a[x] += 1
    return tuple(a)


def shadowed(s):
    x = 5
    y = [x for x in s]  # noqa: C416
    return (x, y[0], 0, 0, 0)


def reassigned(s):
    s = list(s)
    s[0] = 9
    s = tuple(s)
    s = s[1:] + s[:1]
    return s  # noqa: RET504


def two_kinds(s):
    x = s[0]
    x = (x, x + 1)
    x = x[1]
    return (x, 0, 0, 0, 0)


def kept_before_change(s):
    a = list(s)
    first = a[0]
    pair = (a[0], a[1])
    a[0] = 7
    return (first, pair[0], a[0], pair[1], 0)


def item_kept_before_change(s):
    a = [(x, x) for x in s]
    first = a[0]
    a[0] = (8, 8)
    return (first[0], a[0][0], 0, 0, 0)


def previous(s):
    before = (0, 0)
    now = (1, 1)
    total = 0
    for x in s:
        before, now = now, (x, before[0])
        total += before[1] - now[1]
    return (total, before[0], now[0], 0, 0)


def map_filter(s):
    doubled = list(map(lambda x: 2 * x, s))  # noqa: C417
    return (sum(filter(None, doubled)), doubled[1], len(tuple(filter(lambda x: x > 0, s))), 0, 0)


def zips(s):
    total = 0
    for a, b, c in zip(s, s[1:], s[2:]):  # noqa: B905
        total += a * b - c
    return (total, sum(a != b for a, b in zip(s, s[1:])), 0, 0, 0)  # noqa: B905, RUF007


def next_of(s):
    return (next((i for i, x in enumerate(s) if x > 2), -1), 0, 0, 0, 0)


def next_of_nothing(s):
    return (next(i for i, x in enumerate(s) if x > 2), 0, 0, 0, 0)


def sets(s):
    a, b = set(s[:3]), {s[3], s[4]}
    return (len(a), len(a | b), len(a & b), len(a - b), int(s[0] in a ^ b))


def subsets(s):
    a, b = set(s[:2]), set(s)
    return (int(a <= b), int(b <= a), int(a < b), int(a == b), int({s[0]} == {s[1]}))


def set_changes(s):
    a = {1, 2}
    a.add(s[0])
    a.discard(s[1])
    return (len(a), sum(a), int(1 in a), 0, 0)


def graph(s):
    return (sum(GRAPH[s[0]]), int(s[1] in GRAPH[s[0]]), len(GRAPH[s[0]]), 0, 0)


def roads(s):
    return (sum(miles * 10 + to for to, miles in ROADS[s[0]].items()), ROADS[s[0]][s[1]], 0, 0, 0)


def asserts(s):
    assert s[0] < 3
    return (1, 1, 1, 1, 1)


def raises(s):
    if s[0] == 2:
        raise ValueError("two")
    return (1, 1, 1, 1, 1)


def large(s):
    return (s[0] * 1000 * 1000 * 1000 // 1000000000, (s[1] << 30) >> 30, 0, 0, 0)


def hypotenuse(s):
    x, y = s[0] * 50000, s[1] * 70000
    return ((x * x + y * y) % 97, 0, 0, 0, 0)


def enumerated_from(s):
    return tuple(i * 10 + x for i, x in enumerate(s, 1))


def reverse_enumerate(s):
    return tuple(i - x for i, x in enumerate(reversed(s)))


def ident(a):
    return a


def swapped(a, i, j):
    a[i], a[j] = a[j], a[i]
    return a


def items_of(a):
    for i in range(3):
        yield a[i]


def second_name(s):
    a = list(s)
    b = a
    b[0] = 9
    return tuple(a)


def name_of_a_row(s):
    grid = [list(s[:2]), list(s[2:4])]
    row = grid[0]
    row[0] = 5
    return (*grid[0], *grid[1], 0)


def given_back(s):
    a = list(s)
    b = ident(a)
    b[0] = 4
    return tuple(a)


def slice_changed(s):
    a = list(s)
    b = a[1:3]
    b[0] = 9
    return tuple(a)


def list_of_slice(s):
    a = list(s[0:5])
    a[0] = 9
    return (s[0], *a[1:])


def changed_on_the_way(s):
    a = list(s)
    total = 0
    for i, x in enumerate(a):
        a[4 - i] = 1
        total += x
    return (total, *a[1:])


def two_names_of_a_set(s):
    seen = set()
    other = seen
    seen.add(s[0])
    return (len(other), 0, 0, 0, 0)


def tuple_before_change(s):
    a = list(s)
    b = tuple(a)
    a[0] = 9
    return b


def made_in_a_loop(s):
    out = []
    for i in range(2):
        t = [s[i]]
        t.append(i)
        out.append(tuple(t))
    return (*out[0], *out[1], 0)


def changed_while_yielded(s):
    a = list(s)
    r = 0
    for x in items_of(a):
        a[1] = 7
        a[2] = 8
        r = r * 10 + x
    return (r, 0, 0, 0, 0)


def changed_and_given_back(s):
    x = swapped(list(s), 0, 1)
    y = swapped(list(s), 2, 3)
    return (*x[:3], *y[2:4])


def rows_given_back(s):
    rows = [swapped(list(s), i, i + 1) for i in range(3)]
    rows[0][0] += 10
    return (rows[0][0], rows[1][0], rows[2][2], rows[1][1], 0)


def two_names_of_a_number(s):
    x = y = s[0]
    x += 1
    return (x, y, 0, 0, 0)


def sorted_in_place(s):
    a = list(s)
    a.sort()
    a.reverse()
    return tuple(a)


def rows_gone_through(s):
    grid = [list(s[:2]), list(s[2:4])]
    for row in grid:
        row[0] = 5
    return (*grid[0], *grid[1], 0)


def name_before(s):
    b = s
    s = (1, *s[1:])
    return (b[0], s[0], 0, 0, 0)


def none_at_first(s):
    last = None
    for x in s:
        if last is not None and last > x:
            return (1, 1, 1, 1, 1)
        last = x
    return s


def best_pair(s):
    best = None
    for i in range(4):
        p = (s[i], s[i + 1])
        if best is None or p < best:
            best = p
    return (*best, 0, 0, 0)


def countdown(n):
    while n > 0:
        yield n
        n -= 1


def too_many(s):
    return (sum(countdown(s[0] * 400)), len(tuple(countdown(s[1] * 20))), 0, 0, 0)


def combined(s):
    pairs = list(itertools.combinations(s, 2))
    some = [i for i, x in enumerate(s) if x > 1]
    count = 0
    for size in (1, 2, 3):
        for who in itertools.combinations(some, size):
            count = (3 * count + sum(who) + len(who)) % 1000
    return (len(pairs), pairs[1][1], count, sum(a * b for a, b in pairs), 0)


WORDS = ("zero", "one", "two", "three")


def words(s):
    word = WORDS[s[0]]
    letters = sum(c == "e" for c in word)
    return (len(word), letters, int(word == "two"), int("o" in word), ord(word[0]))


def texts(s):
    text = "".join("abc"[x % 3] for x in s)
    parts = text.split("a")
    back = "-".join(parts)
    turned = text[::-1].replace("b", "c")
    return (len(parts), len(back), len(parts[0]), turned.count("c"), int(turned == text))


def slice_replaced(s):
    a = list(s)
    a[1:3] = reversed(a[1:3])
    k = abs(s[0])
    a[:k] = a[:k][::-1]
    return tuple(a)


class Way(enum.Enum):
    NORTH = (0, -1)
    EAST = (1, 0)


class Spot(NamedTuple):
    x: int
    y: int

    def moved(self, way):
        return Spot(self.x + way.value[0], self.y + way.value[1])

    @property
    def total(self):
        return self.x + self.y


def members(s):
    spot = Spot(s[0], s[1])
    for way in Way:
        spot = spot.moved(way) if s[2] > 0 else spot
    turned = Way.NORTH if s[3] > 0 else Way.EAST
    return (spot.x, spot.y, spot.total, turned.value[0], int(turned is Way.EAST))


def found_before(s):
    last = None
    for x in s:
        if last is not None and last > x:
            return (last, x, 0, 0, 0)
        last = x
    t = [None] * 5
    t[s[0] % 5] = s[1]
    return tuple(-9 if v is None else v for v in t)


def sets_written_out(s):
    one = {s[0], s[0] + 0}
    return (
        len(one),
        sum({s[0], s[1]}),
        len(sorted({2, s[0], s[0] + 0})),
        int(one == {s[1]}),
        int(s[2] in one),
    )


def kinds_of_sets(s):
    same = frozenset((1, 2)) == {s[0], s[1]}
    return (int(set() != frozenset()), int(set(s) == frozenset(s)), int(same), 0, 0)


def nothing_to_go_through(s):
    n = 0
    for _ in zip(s, []):  # noqa: B905
        n += 1
    return (n, len(tuple(reversed(()))), len(list(reversed([]))), 0, 0)


def sets_written_out_and_joined(s):
    return (len({1, s[0]} | {1, 2}), len({1, 2} - {s[0]}), sum({1, 2, s[1]}), 0, 0)


def set_written_out_and_changed(s):
    seen = {s[0], s[1], s[0] + 0}
    seen.add(s[1])
    seen.discard(s[0])
    return (len(seen), sum(seen), max({s[0], s[1]}), min({s[3], s[3] + 0}), 0)


def none_in_a_range(s):
    perhaps = None
    for x in s:
        if x > 3:
            perhaps = x
    if perhaps is None:
        return s
    return (int(perhaps in range(5)), int(perhaps in range(0, 9, 2)), 0, 0, 0)


def pairs_of_neighbours(s):
    wide = sum(abs(a - b) > 1 for a, b in itertools.pairwise((*s, 9)))
    return (
        wide,
        sum(a * b for a, b in itertools.pairwise(s)),
        len(list(itertools.pairwise((s[0],)))),
        0,
        0,
    )


def a_text_and_a_character(s):
    words = "-".join("abc"[x] for x in s if 0 <= x < 3).split("-")
    letter = "abc"[s[0] % 3]
    same = [int(word == letter) for word in words]
    return (sum(same), int(words[0] == letter), int(letter != words[-1]), int(letter in words), 0)


def keys_far_apart(s):
    key = (s[0] * 97, s[1] * 89, s[0] + s[1])
    return (FAR[key], int((s[2] * 97, s[3] * 89, s[4]) in FAR), FAR.get((97, 89, s[2]), 4), 0, 0)


def keys_of_keys(s):
    return (
        NESTED[(s[0], s[1]), (s[1], 300 * s[0])],
        int(((s[2], s[3]), (s[3], s[4])) in NESTED),
        0,
        0,
        0,
    )


def keys_of_unequal_lengths(s):
    text = "".join("ab"[x] for x in s if 0 <= x < 2)
    return (
        UNEQUAL.get(text, 0),
        UNEQUAL.get(text + "c", 0),
        int(text[1:] in UNEQUAL),
        UNEQUAL["ab" + "c" * s[4]],
        0,
    )


def lengths_together(s):
    i, j = abs(s[0]) % 5, s[1] % 5
    one = (*s[:i], 7, *s[i + 1 :])
    other = s[:j][::-1] + s[j:]
    longer = (*s[:i], 1, 2, *s[i:])
    i += 1
    shifted = s[: i - 1] + s[i - 1 :]
    return (*one[:3], other[0], len(longer) + len(shifted))


def lengths_that_change(s):
    i = abs(s[0]) % 4
    text = "abcde"
    made = []
    for k in range(3):
        left = text[:i]
        i = (i + k) % 5
        made.append(len(left + "x" + text[i + 1 :]))
        made.append(len(text[:i] + "x" + text[(i := (i + 1) % 5) + 1 :]))
    return (*made[:4], sum(made))


def in_slices(s):
    i = s[0] % 5
    return (int(s[1] in s[:i]), int(s[1] not in s[i:]), int(9 in s[1:i]), int(2 in s[:i][::-1]), i)


# Tuples of lists that are not used again


def changed(row, i, by=1):
    after = list(row)
    after[i] += by
    return tuple(after)


def each_changed(row):
    for i in range(5):
        after = list(row)
        after[i] -= i
        yield tuple(after)


def tuple_of_a_list_that_ends(s):
    after = list(s)
    after[0], after[4] = after[4], after[0] + 1
    return tuple(after)


def best_of_rounds(s):
    best = s
    for i in range(5):
        after = list(s)
        after[i] += i - 2
        after[4 - i] -= 1
        best = max(best, tuple(after))
    return best


def list_made_again_behind_its_tuple(s):
    after = list(s)
    for i in range(3):
        held = tuple(after)
        after = [x + i for x in held]
        after[0] = held[1]
    held = s
    return (*held[:2], *after[2:])


def tuple_from_the_round_before(s):
    after, i = list(s), 0
    while True:
        held = tuple(after)
        after = list(s)
        after[i] += 3
        if held[i] > 2 or i == 4:
            break
        i += 1
    return (*held[:3], *after[3:])


def tuples_of_helpers(s):
    a = changed(s, 0)
    b = changed(a, 1, 2)
    c = changed(s, 2)
    return (a[0], b[1], c[2], a[1] * b[0], c[0])


def helper_in_rounds(s):
    before = s
    for i in range(5):
        now = changed(before, i, before[4 - i])
        if now[i] > before[0]:
            before = now
    return before


def helper_of_itself(s):
    row = s
    row = changed(row, 0)
    row = changed(row, 1, row[0])
    return changed(row, 2, row[1])


def tuples_kept_in_a_list(s):
    rows = []
    for i in range(5):
        after = list(s)
        after[i] = 9
        rows.append(tuple(after))
    return tuple(rows[i][(i + s[0]) % 5] for i in range(5))


def tuples_of_a_generator(s):
    before, total = s, 0
    for row in each_changed(s):
        total += row[1] * before[2]
        before = row
    return (total, *before[1:])


def rows_of_a_generator(s):
    rows = list(each_changed(s))
    return (*max(each_changed(s))[:2], *sorted(each_changed(s))[0][:2], rows[1][1] + rows[4][4])


def tuple_in_two_branches(s):
    if s[0] > 1:
        after = list(s)
        after[0] = 0
        found = tuple(after)
    else:
        after = [x + 1 for x in s]
        found = tuple(after)
    return found


def tuple_of_a_part(s):
    grid = [list(s), [x + 1 for x in s]]
    grid[0][1] = 7
    first = tuple(grid[0])
    grid[0][1] = 8
    return (first[1], grid[0][1], *first[2:])


# Keys that are hashed, by one number and by several


def keys_by_one_number(s):
    x, y = s[0] * 10**6, s[1] * 10**6
    found = FARTHER.get((x, y - s[0]), -7)
    return (found, FARTHER.get((x + 1, y), -7), int((y, x) in FARTHER), (s[2], s[3]) in FARTHER, 0)


def keys_by_several_numbers(s):
    x, y = s[0] * 10**9, s[1] * 10**9
    found = FARTHEST.get((x, y, s[0] * s[1]), -7)
    return (found, FARTHEST.get((x, y, s[2]), -7), int((y, x, s[2]) in FARTHEST), 0, 0)


class Field(NamedTuple):
    x: int
    y: int


FIELDS = (Field(1, 2), Field(2, 2))


def names_and_plain_tuples(s):
    spot = Field(s[0], s[1])
    plain = (s[1], s[0])
    return (
        int(spot == plain), int(spot != (1, 2)), int((s[0], s[1]) in FIELDS), int(spot < plain),
        int(plain == FIELDS[0]) + 2 * int(spot == (1, 2, 3)),
    )  # fmt: skip


def reads_a_global(s):
    global TABLE  # noqa: PLW0602
    one = s[0]

    def inner(x):
        nonlocal one
        return x + one + len(TABLE)

    return (inner(s[1]), 0, 0, 0, 0)


# Children that differ from the state in few cells


def item_replaced(s):
    i = s[0] % 5
    return (*s[:i], s[1] + 1, *s[i + 1 :])


def item_left_out_and_put_behind(s):
    i = s[0] % 5
    return s[:i] + s[i + 1 :] + (s[i],)


def two_items_replaced(s):
    i = s[1] % 4
    return (*s[:i], s[i + 1], s[i], *s[i + 2 :])


def part_turned(s):
    i = s[0] % 5
    return s[:i][::-1] + s[i:]


def last_part_turned(s):
    i = s[0] % 5
    return s[:i] + s[i:][::-1]


def parts_exchanged(s):
    i = s[0] % 5
    return s[i:] + s[:i]


def part_of_another(s):
    i = s[0] % 5
    other = tuple(x + 1 for x in s)
    return (*s[:i], 9, *other[i + 1 :])


def part_doubled(s):
    i = s[0] % 3
    return s[:i] + s[:1] + (s[i],) + s[i + 2 :]


def items_by_name(s):
    a, b, c, d, e = s
    return (a, c, b, d, e + a)


def all_but_one(s):
    return (s[0], s[1] - 1, s[2], s[3], s[4])


def nothing_changed(s):
    return s[:2] + s[2:]


def list_changed_item_by_item(s):
    after = list(s)
    for i in range(5):
        if after[i] > 1:
            after[i] -= 1
        elif i:
            after[i], after[i - 1] = after[i - 1], after[i] + 1
    return tuple(after)


def list_changed_by_a_helper(s):
    def put(row, i, x):
        row[i] = x

    after = list(s)
    put(after, 0, s[1])
    put(after, -1, s[0])
    other = after
    other[2] += after[0]
    return tuple(after)


def list_sorted_in_part(s):
    after = list(s)
    after[0] = 3
    if s[1] > 1:
        after.sort()
    after[1] = 7
    return tuple(after)


def list_made_longer_and_shorter(s):
    after = list(s)
    after[1] = 5
    after.append(s[0])
    first = after.pop(0)
    after[2] = first
    return tuple(after)


def list_with_a_slice_replaced(s):
    after = list(s)
    after[0] = 8
    after[1:3] = [s[2], s[1]]
    return tuple(after)


def list_turned(s):
    after = list(s)
    after[4] = 6
    after.reverse()
    return tuple(after)


def list_returned_and_changed(s):
    def copied(row):
        after = list(row)
        after[3] = 1
        return after

    one, other = copied(s), copied(s)
    one[0], other[1] = 4, 3
    return tuple(other) if s[0] > 1 else tuple(one)


def lists_of_one_state(s):
    one, other = list(s), list(s)
    one[0] = 7
    other[0] = one[0] + 1
    other[1] = one[1] + 1
    return tuple(other)


def list_in_rounds(s):
    found = s
    for i in range(3):
        after = list(s)
        after[i] = i
        if sum(after) > sum(found):
            found = tuple(after)
    return found


def given_to_itself(s):
    rest, pair = list(s), (s[0], s[1])
    for i in range(3):
        pair = pair  # noqa: PLW0127
        rest = rest  # noqa: PLW0127
        if s[i] > 1:
            pair = (s[i], i)
            rest.append(i)
    return (*pair, len(rest), 0, 0)


def matched_number(s):
    match s[0]:
        case 0:
            return s
        case 1 | 2:
            return s[::-1]
        case x if x > 3:
            return (x, 0, 0, 0, 0)
        case -1 as y:
            return (y, y, 0, 0, 0)
    return (9, 9, 9, 9, 9)


def matched_pair(s):
    out = 0
    match s[0], s[1]:
        case 0, _:
            out = 1
        case x, 2 | 3:
            out = x + 10
        case (p, q) if p == q:
            out = p * q
        case _:
            pass
    match out % 3 == 0:
        case True:
            out += 100
        case False:
            out += 200
    return (out, 0, 0, 0, 0)


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 5


def numbered_members(s):
    level = Level.HIGH if s[0] > 1 else Level.LOW
    other = Level.HIGH if s[1] > 1 else Level.LOW
    ten = list(range(10))
    return (level + 1, int(level < other), level * other, ten[level], int(level >= 5))


def functions_of_numbers(s):
    return (
        pow(s[0], 3), math.gcd(s[1], s[2]), math.isqrt(abs(s[3]) * 7), math.prod(s[:3]),
        math.prod(x + 2 for x in s),
    )  # fmt: skip


def every_other_of_some(s):
    few = [x for x in s if x > 1]
    odd, late = few[1::2], few[4::3]
    pairs = sum(10 * a + b for a, b in zip(few[::2], few[1::2], strict=False))
    return (len(few[::2]), len(odd), len(late), pairs, sum(odd) + sum(late))


def every_other_backwards(s):
    few = [x for x in s if x > 1]
    back = few[::2][::-1]
    few.append(9)
    return (len(back), back[0] if back else 7, back[-1] if back else 7, few[0], 0)


def frozenset_that_grows(s):
    seen = frozenset()
    for x in s:
        seen = seen | {x}
    return (len(seen), 0, 0, 0, 0)


def moved(s, i):
    if s[i] > 2:
        return None
    return (*s[1:], s[i] + 1)


def none_or_a_state_of_a_helper(s):
    found = moved(s, s[0] % 2)
    if found is not None:
        return found
    for other in [each for each in [moved(s, 2), moved(s, 3), s] if each is not None]:
        return other
    return s


def sets_that_a_state_chooses(s):
    one, other = CHOSEN[s[0] % 4], CHOSEN[s[1] % 4]
    mine = {s[2] % 5, s[3] % 5}
    return (len(mine - one), len(one & other), len(one ^ mine), len(mine & one), len(one | mine))


def ranges_down_by_more_than_one(s):
    by_threes, by_twos = range(s[0], 0, -3), range(s[1], s[2], -2)
    return (len(by_threes), sum(by_threes), len(by_twos), sum(by_twos), len(range(9, s[3], -4)))


def comparisons_of_sets_that_a_state_chooses(s):
    one, other = CHOSEN[s[0] % 4], CHOSEN[s[1] % 4]
    mine = {s[2] % 5}
    return (int(mine <= one), int(one > mine), int(one == other), int(one != mine), int(mine < one))


def methods_of_sets_that_a_state_chooses(s):
    one, mine = CHOSEN[s[0] % 4], {s[2] % 5, s[3] % 5}
    return (
        int(one.isdisjoint(mine)), int(one.issuperset(mine)), len(one.intersection(mine)),
        len(one.difference(mine)), len(one.union(mine)),
    )  # fmt: skip


def no_error_of_sets_that_a_state_chooses(s):
    try:
        return (len({s[2] % 5} - CHOSEN[s[0] % 4]), 0, 0, 0, 0)
    except TypeError:
        return (9, 9, 9, 9, 9)


def large_sets_of_the_module(s):
    far = {(s[0] * 97, s[1] * 89, s[0] + s[1]), (s[2], s[3], s[4])}
    return (len(far - FAR_KEYS), len(far & FAR_KEYS), len(FAR_KEYS & far), len(FAR_KEYS - far), 0)


def products_of_large_numbers(s):
    large = s[0] * 4294967296
    least, most = 4294967296 * s[1], (s[2] + 7) * 2**33
    return (large % 1009, least // 4294967296, most % 1013, s[3] * -(2**35) < 0, 0)


def products_of_two_large_numbers(s):
    large, small = 1, 1
    for i in range(2):
        large *= s[i] * 2**16 + 1
    for i in range(2):
        small *= s[i + 2] + 1
    return (small * large % 1013, large * small < 0, small, 0, 0)


def place_or_none(a, b):
    row, column = a % 3 - 1, b % 7
    if row < 0:
        return None
    return (row, column) if column > 2 else (row, 2)


def members_of_a_tuple_or_none(s):
    there = place_or_none(s[0], s[1])
    if there is None:
        return s
    return (PLACES[there[0]], there[1] ** 8 * there[1] ** 5, there[0], there[1], 0)


def tuples_that_grow(s):
    pair, best = (0, s[0]), None
    for each in s:
        if best is None or each > best[0]:
            best = (each, 2 * pair[0], "ab"[each % 2])
        pair = (pair[0] + each, each * each)
    return (*pair, best[0], best[1], ord(best[2]))


def longer_and_shorter_tuples(s):
    found = ()
    if s[0] > 1:
        found = (s[1] % 2,)
    if s[0] > 2:
        found = (s[1] % 3, s[2] + 7)
    whole = list(found)
    whole.append(1)
    whole[0] = 12
    return (sum(found), len(found), whole[0], found[-1] if found else -1, 0)


def inner_tuples_or_none(s):
    found = None
    for i in range(3):
        if s[i] > 1:
            found = ((s[i], i), None if i else (s[i + 1], s[i + 2]))
    if found is None:
        return s
    (value, at), more = found
    return (value * 3, PLACES[at], at, more[0] if more else 9, more[1] * 2 if more else 9)


def tuple_of_a_call_in_a_loop(s):
    far = 0
    for a in s:
        for b in s[1:]:
            there = place_or_none(a, b)
            far = far if there is None else max(far, there[0] * 7 + there[1])
    return (far, 0, 0, 0, 0)


CHOICES = (1, True, "a", 0, False)


def what_is_known_is_true_or_only_equal_to_it(s):
    lengths = [2 if each is True else 3 if each is False else 4 for each in CHOICES]
    return tuple(x * y for x, y in zip(lengths, s, strict=True))


OPTIONS = {"by": 2, "low": -1}
DOWN = {"reverse": True}


def limited(x, low=0, by=1, *, high=9):
    return min(max(x * by, low), high)


def arguments_of_a_dict(s):
    more = {"high": 3, "low": -1}
    ordered = sorted(s, **DOWN)
    return (limited(s[0], **OPTIONS), limited(s[1], high=s[2], **OPTIONS), ordered[0],
            limited(s[2], **more), limited(4, **more))  # fmt: skip


def an_argument_given_twice(s):
    if s[0] > 1:
        return (limited(s[0], by=3, **OPTIONS), 0, 0, 0, 0)
    return (limited(s[1], **OPTIONS), 0, 0, 0, 0)


def members_of_sets_in_memory(s):
    few = frozenset({s[0] % 3, 40 + s[1] % 3})
    if s[2] > 1:
        few = frozenset({50 + s[3] % 4, s[4] % 2})
    first, second = sorted(few)
    return (first, second, sum(few), max(few), len(few))


def a_tuple_or_none_of_an_expression(s):
    a, b = s[0] % 3, s[1] % 2
    there = (a, b, -a) if a > b else None
    other = (b, a, 2) if s[2] > 1 else there
    if other is None:
        return s
    return (PLACES[other[0]], other[1] ** 8 * other[0] ** 8, other[2], (a, b, 1)[s[3] % 3] ** 8, 0)


def a_tuple_made_a_list(s):
    pair = (s[0] % 2, s[1] % 2) if s[2] > 0 else (1, 0)
    row = list(pair)
    row[0] = s[3] + 70
    row.append(s[4] - 90)
    return (row[0] // 3, row[2] // 3, max(row), min(row), len(pair))


def what_never_runs(s):
    found = 2
    if s[0] > 1:
        return (s[1], 0, 0, 0, 0)
        print(s)
    while True:
        found += 1
        if found > 4:
            return (found, s[2], 0, 0, 0)
        continue
        members_of_sets_in_memory(s)
    return "never"


def sorted_by_no_key(s):
    return tuple(sorted(s, key=None, reverse=True))


BY_PAIRS = [{(0, 1): 5, (2, 2): 6}, {(1, 2): 7}]
SIZED = (Three(1, 2, 3), Three(2, 2, 1))


def dicts_that_a_state_chooses(s):
    own, pairs = ROADS[s[0] % 3], BY_PAIRS[s[1] % 2]
    found = pairs.get((s[2], s[3]), -2), pairs.get((s[3], s[2]), s[4])
    return (own.get(s[1], -1), own.get(3) or 0, *found, int((s[2], s[3]) in pairs))


def functions_of_operator_on_values(s):
    has, row = operator.contains(TABLE, [3]), list(s)
    return (
        int(operator.not_(s[0])), int(operator.contains(row, s[1] + 1)), int(has),
        operator.getitem(row, s[2] % 5), operator.getitem(SPARSE, 100) == "b",
    )  # fmt: skip


def attributes_by_their_names(s):
    one = Three(s[0], s[1], s[2])
    first, last = operator.attrgetter("one", "three")(one)
    return (
        first,
        last,
        operator.attrgetter("two")(one),
        min(SIZED, key=operator.attrgetter("three")).a,
        0,
    )


class AnyNames(NamedTuple):
    t: int
    own: int
    value: int
    owner: int


def names_of_any_kind_in_calls(s):
    """Whatever fields and keys are called, they go to what the author has called."""
    one = AnyNames(s[0], s[1], s[2], s[3])._replace(t=s[4], value=s[0], owner=s[1])
    keys = dict(t=s[0], owner=s[1], args=s[2])  # noqa: C408
    keys.update(other=s[3], t=s[4], owner=2, named=s[0])
    counts = collections.Counter(t=2, own=3)
    counts.update(t=1, own=2, args=4)
    counts.subtract(own=1, t=2)
    copied = one._replace(value=3)
    return (
        one.t + one.own * 2,
        one.value - one.owner,
        keys["t"] + keys["other"] + keys["named"],
        counts["t"] + counts["own"] * 3 + counts["args"],
        copied.value + keys["owner"],
    )


class Disc(NamedTuple):
    size: int
    is_white: bool


def gaps_after_the_first(s):
    before, gaps, whites = None, 0, 0
    for x in s:
        disc = Disc(abs(x), x > 2)
        if before is not None:  # noqa: SIM102
            if abs(disc.size - before.size) != 1 or disc.is_white != before.is_white:
                gaps += 1
        if before != None and before.is_white:  # noqa: E711
            whites += before.size
        before = disc
    return (gaps, whites, 0 if before is None else before.size, 0, 0)


def supports_of_letters(s):
    stacks = ["abcd"[i : i + 2] for i in range(abs(s[0]) % 4)]
    support = {}
    for stack in stacks:
        under = "table"
        for block in stack:
            support[block] = under
            under = block
    on_table = sum(1 for under in support.values() if under == "table")
    return (len(support), on_table, int(support.get("b") == "a"), 0, 0)


def chain_of_names_without_a_value(s):
    total = 0
    if s[0] > 1:
        return (s[0], 0, 0, 0, 0)
    if 0 and s[1]:  # noqa: SIM223
        first = [1]
        second = [2]
    for i, x in enumerate(itertools.chain(first, second)):
        total += i * x
    return (total, 0, 0, 0, 0)


class Room:
    """An object that is no record, as it holds lists and has no `__eq__`."""

    colour = "red"

    def __init__(self, number):
        self.number, self.size = number, number * 3 % 5
        self.tags, self.ways = [number] * number, {number: self.size, -1: number}
        self.name, self.beside = "abcdef"[number], None

    @property
    def twice(self):
        return self.size * 2

    @staticmethod
    def after(number):
        return number + 1

    def other(self, far=1):
        return ROOMS[(self.number + far) % 5]

    def numbers(self):
        for i in range(self.size):
            yield i + self.number


class Scale(Room):
    def __bool__(self):
        return self.size > 1

    def __getitem__(self, place):
        return self.size * 10 + place

    def __contains__(self, size):
        return size == self.size

    def __add__(self, other):
        return self.size + other

    def __lt__(self, other):
        return self.size > other.size


ROOMS = {i: Room(i) for i in range(5)}
HALLS = [Scale(i) for i in range(5)]
for each, after in zip(HALLS, HALLS[1:] + HALLS[:1], strict=True):
    each.beside = after


def objects_that_a_state_chooses(s):
    room, hall = ROOMS[s[0]], HALLS[s[1] % 5]
    return (
        room.number * 10 + room.size + len(room.tags) + room.ways[room.number],
        room.twice + room.after(s[1]) + hall.beside.beside.number,
        room.other().other(far=s[2] % 5).size + sum(room.numbers()),
        len(room.colour) + (room.name == "c") + (s[3] in room.tags) + (1 if room else 0),
        min(hall.twice, room.twice) + sum(each.number for each in HALLS),
    )


def objects_of_a_class_with_operators(s):
    one, other = HALLS[s[0] % 5], HALLS[s[1] % 5]
    return (1 if one else 0, one[s[2]], int(3 in one), one + s[3], int(one < other))


class Turning(NamedTuple):
    """Whose methods have several ways to return, of which each reads what others have written."""

    x: int
    y: int
    z: int

    def turned(self):
        if self.x > 2:
            return Turning(self.y, self.z, self.x)
        return Turning(self.z, self.x, self.y + 1)

    @property
    def back(self):
        if self.x > 2:
            return Turning(self.z, self.x, self.y)
        return Turning(self.y - 1, self.z, self.x)

    def __add__(self, other):
        if self.x > other.x:
            return Turning(self.y + other.z, self.x - other.y, self.z)
        return Turning(self.z, self.y + other.x, self.x)

    def __mul__(self, times):
        if times > 1:
            return Turning(self.y * times, self.x, self.z)
        return Turning(self.z, self.x * times, self.y)


def turns_of(state):
    return [Turning(*state[:3]), Turning(*state[1:4]), Turning(*state[2:])]


def results_of_chained_calls(s):
    one, other, third = turns_of(s)
    last = one.turned().turned().turned() + other.turned().turned() + third * 2 * s[0] * 3
    far = operator.attrgetter("back.back.back")(one)
    return (*last, one.back.back.turned().back.x * 10 + far.y, far.z)


def results_of_one_call_side_by_side(s):
    ranked = sorted(turns_of(s), key=Turning.turned)
    groups = [
        (key.x, len(list(g))) for key, g in itertools.groupby(ranked, key=lambda v: v.turned())
    ]
    pairs = sum(a.x * b.y - b.z for a, b in itertools.pairwise(map(Turning.turned, ranked)))
    whole = 0
    for a, b in itertools.product(map(Turning.turned, ranked), repeat=2):
        whole = (whole * 3 + a.x * b.y - a.z * b.x) % 1000
    return (
        ranked[0].x,
        ranked[1].y * 100 + len(groups) * 10 + groups[0][0],
        pairs,
        whole,
        ranked[2].z,
    )


def joined_with_sets_that_a_state_chooses(s):
    found = {7}
    for x in sorted({abs(y) % 4 for y in s}):
        found |= GRAPH[x]
    return (len(found), sum(found), int(2 in found), int(4 in found), 0)


@dataclasses.dataclass(frozen=True)
class Swapped:
    """Whose class says what its items are."""

    one: int
    two: int

    def __iter__(self):
        return iter((self.two * 2, self.one))


def items_are_what_the_class_says(s):
    here, far = Swapped(s[0], s[1]), [Swapped(s[2], s[3]), Swapped(s[4], 1)]
    two, one = Swapped(s[1], s[2])
    first, *rest = here
    whole = (0, *Swapped(s[3], s[4]), *here)
    pairs = sum(a * 10 + b for a, b in zip(Swapped(s[0], s[4]), here, strict=True))
    inside = sum(a - 3 * b for a, b in far) + int(4 in here) + 2 * (s[2] in Swapped(s[2], s[1]))
    return (two * 100 + one, first + sum(rest), whole[1] * 10 + whole[4], pairs, inside)
