# ruff: noqa: B905, C414, C419, RUF007, RUF017  (what people write)
"""Rules with iterators of all kinds: each makes a tuple of a state of five small numbers."""

import functools
import itertools
import math
import operator
from collections import deque
from functools import partial, reduce
from itertools import (
    accumulate,
    chain,
    groupby,
    islice,
    permutations,
    product,
    repeat,
)

WEIGHTS = (3, 1, 2, 5, 4)


def weight(of, s):
    return sum(a * b for a, b in zip(of, s))


def all_orders(s):
    best, count, last = -99, 0, 0
    for p in permutations(s[:4]):
        count += 1
        best = max(best, weight(p, WEIGHTS))
        last = p[0] * 100 + p[1] * 10 + p[3]
    return (best, count, last, 0, 0)


def orders_of_some(s):
    rows = [a * 10 + b for a, b in permutations(s, 2)]
    short = list(permutations(s[: s[0]], 2))
    return (len(rows), rows[0], rows[-1], sum(i * x for i, x in enumerate(rows)), len(short))


def orders_of_a_number(s):
    k = s[0] % 4
    count, total = 0, 0
    for p in permutations(s[1:], k):
        count += 1
        total += count * sum(p)
        if count > 9:
            break
    return (count, total, k, 0, 0)


def products(s):
    pairs = [a * 10 + b for a, b in product(s[:2], s[2:])]
    bits = [p for p in product((0, 1), repeat=2) if p[0] <= s[0]]
    three = sum(a * b - c for a, b, c in product(s[:2], repeat=3))
    return (len(pairs), pairs[1], pairs[-1], len(bits), three)


def rising(s):
    rows = [a * 10 + b for a, b in itertools.combinations(s, 2)]
    return (len(rows), rows[0], rows[3], rows[-1], sum(a < b for a, b in itertools.pairwise(s)))


def flat(s):
    rows = [s[:2], s[2:], (s[0],)]
    joined = sum(rows, ())
    listed = sum([[x] * 2 for x in s[:2]], [])
    chained = list(chain.from_iterable(rows))
    behind = sum(rows, (7,))
    return (len(joined), sum(listed), chained[-1], joined[4], behind[0] + len(behind))


def running(s):
    sums = list(accumulate(s))
    most = tuple(accumulate(s, max))
    product_of = list(accumulate(s, lambda a, b: a * b % 7))
    return (sums[-1], sums[2], most[-1], most[1], product_of[-1])


def reduced(s):
    return (
        reduce(operator.xor, s), reduce(lambda a, b: a * 3 + b, s), reduce(max, s, 4),
        functools.reduce(lambda acc, x: acc + (x > 1), s, 0), reduce(operator.add, s[1:1], 6),
    )  # fmt: skip


def reduced_to_pairs(s):
    low, high = reduce(lambda ends, x: (min(ends[0], x), max(ends[1], x)), s, (0, 0))
    return (low, high, 0, 0, 0)


def runs(s):
    groups = [(k, len(list(g))) for k, g in groupby(s)]
    longest = max(n for _, n in groups)
    odd = [sum(g) for k, g in groupby(s, key=lambda x: x % 2) if k]
    total = 0
    for key, group in groupby(sorted(s)):
        total += key * len(tuple(group))
    return (len(groups), longest, len(odd), sum(odd), total)


def look_and_say(s):
    text = "".join(str(abs(x)) for x in s)
    said = "".join(str(len(list(g))) + k for k, g in groupby(text))
    return (len(said), int(said[:4]), int(said[-2:]), 0, 0)


def parts_of_iterators(s):
    two = list(islice(s, 2))
    more = tuple(islice(s, 1, s[0]))
    rest = list(islice(enumerate(s), 2, None))
    return (sum(two), len(more), sum(i * x for i, x in rest), len(rest), 0)


def repeated_and_weighted(s):
    fours = list(repeat(4, s[0] % 3))
    weighted = list(map(operator.mul, s, WEIGHTS))
    return (len(fours), sum(fours), sum(weighted), weighted[-1], 0)


def by_operators(s):
    pairs = sorted(zip(s, WEIGHTS), key=operator.itemgetter(1))
    down = sorted(zip(s, WEIGHTS), key=operator.itemgetter(0, 1), reverse=True)
    sums = tuple(map(operator.add, s, WEIGHTS))
    return (pairs[0][0], down[0][1], sums[0], int(operator.lt(s[0], s[1])), operator.neg(s[2]))


def partly(s):
    add = partial(weight, WEIGHTS)
    least = partial(min, 2)
    return (add(s), least(s[0]), 0, 0, 0)


def many(*numbers, factor=1):
    return sum(numbers) * factor + len(numbers)


def first_of(first, *rest):
    return first - sum(rest)


def stars(s):
    return (many(*s), many(s[0], s[1], factor=2), many(), first_of(*s), first_of(s[3]))


def named_iterators(s):
    pairs = zip(s, s[1:])
    rising_pairs = sum(a < b for a, b in pairs)
    squares = (x * x for x in s if x > 0)
    total = 0
    for square in squares:
        total += square
    places = enumerate(s)
    first = s[0]
    last = [i * x for i, x in places]
    return (rising_pairs, total, first, sum(last), len(last))


def chained_names(s):
    up = (x + 1 for x in s[:2])
    down = (x - 1 for x in s[2:])
    return (*chain(up, down),)


def turned_queue(s):
    d = deque(s)
    d.rotate(2)
    e = deque(s)
    e.rotate(-1)
    e.rotate(s[0])
    return (d[0], d[-1], e[0], e[1], e[-1])


def columns(s):
    grid = [s[:2], s[2:4], (s[4], 7)]
    turned = [list(row) for row in zip(*grid[::-1])]
    return (turned[0][0], turned[0][2], turned[1][1], len(turned), len(turned[0]))


def numbers_of_ways(s):
    n, k = abs(s[0]) + 4, abs(s[1])
    return (math.comb(n, k), math.lcm(s[0], s[2]), math.factorial(abs(s[3])), math.comb(2, n), 0)


def rows_that_are_turned(s):
    rows = tuple(s[i : i + 2] for i in range(abs(s[0]) % 4))
    columns = [sum(column) for column in zip(*rows)]
    texts = ["".join("ab"[x % 2] for x in row) for row in rows]
    read = ["".join(column) for column in zip(*texts)]
    return (len(columns), sum(columns), len(read), sum(t.count("a") for t in read), len(rows))


def the_first_and_the_only(s):
    only = {x for x in s if x == s[0]}
    (same,) = only
    return (next(iter(only)), same, next(iter(s[2:])), next(iter([s[1]])), 0)


def kinds_of_actions(row):
    fill = [("fill", i) for i, x in enumerate(row) if x < 3]
    return (
        fill
        + [("dump", i) for i in range(5) if row[i] > 1]
        + [("pour", i, j) for i in range(3) if row[i] for j in range(row[3] % 4) if i != j]
        + [("rest",)]
    )


def goes_through_actions_of_unlike_lengths(s):
    found, total = [0] * 5, 0
    for action in kinds_of_actions(s):
        if action[0] == "rest":
            found[4] += 1000
            continue
        name, i, *_ = action
        found[i] += 1 if name == "fill" else 10 if name == "dump" else 100 * (action[2] + 1)
        total += len(action)
        if total > 40:
            break
    return tuple(found)


def unlike_parts_are_made_before_they_are_gone_through(s):
    row, total = [x % 4 for x in s], 0
    for action in [(x,) for x in row] + [(x, y) for x in row[:2] for y in row]:
        if len(row) < 9 + s[0] % 2:
            row.append(len(action))
            row[0] = 7
        total += 10 * action[0] + len(action)
    return (total, len(row), row[0], 0, 0)


def rows_of_unlike_lengths_one_by_one(s):
    """One comprehension is gone through several times, each time with room of its own."""
    counts = []
    for rows, most in ((s[:1], 2), (s, 3), (s[:2], 4)):
        counts.append(len([y for x in rows for y in range(most) if y != x]))
    return (*counts, len([y for row in (s[:2], s, s[1:4]) for y in row if y]), 0)


def turned(rows):
    return [list(column) for column in zip(*rows)]


def mirrored_rows(rows):
    out = []
    for row in rows:
        out.append(row[::-1])  # noqa: PERF401
    return out


def rows_that_may_change_are_turned(s):
    rows = [[x for x in s if x != skipped] for skipped in range(abs(s[0]) % 4)]
    if s[1] > 1:
        rows = turned(rows)
    rows = [row[:2] for row in rows]
    if s[2] > 1:
        rows = mirrored_rows(turned(rows))
    if rows and rows[0]:
        rows[0][0] = 7
    return (len(rows), sum(map(sum, rows)), sum(map(len, rows)), len(turned(rows)), s[0])


def columns_while_another_list_grows(s):
    rows = [[x, x + 1, x * 2][: 2 + s[0] % 2] for x in s if x > 0]
    sums = []
    for column in zip(*rows):
        sums.append(sum(column))
        if sums[-1] > 6:
            break
    return (len(sums), sum(sums), len(rows), 0, 0)


def lists_of_sets_whose_order_makes_no_difference(s):
    own = {x * 7 % 23 for x in s}
    digits = sorted([x % 10 for x in own])
    return (
        max([abs(x - s[0]) for x in own]) - min([x % 5 for x in own], default=0),
        len([x for x in own if x % 2]) + 10 * len(list(filter(None, own))),
        int(any([x > 20 for x in own])) + 2 * all([x > 2 for x in own]),
        sum([x * s[1] for x in own]) + len(set(list(own))) * 1000,
        digits[0] + 10 * digits[-1] + 100 * sorted(list(own))[0] + 10000 * max(tuple(own)),
    )


def what_a_list_of_all_raises(s):
    return (int(any([12 // (x - 3) > 1 for x in {abs(y) for y in s}])), 0, 0, 0, 0)


def powers_of_a_known_number(s):
    return (10 ** abs(s[0]), sum(3**i * x for i, x in enumerate(s)), 7 ** (s[1] ** 2 // 2), 0, 0)


def turned_clockwise(rows):
    return [list(row) for row in zip(*rows[::-1])]


def rows_are_turned_clockwise(s):
    square, rows = [list(s[:2]), list(s[2:4])], [[x, x + 1, x * 2] for x in s if x > 0]
    for _ in range(abs(s[0]) % 4):
        square, rows = turned_clockwise(square), turned_clockwise(rows)
    pairs = [[x, i] for i, x in enumerate(s)]
    columns = list(zip(*pairs[::-1]))
    pairs[0][0] = 99
    rows.append([])
    return (*square[0], *square[1], len(rows) * 100 + sum(rows[0]) + columns[0][-1])


class Shelf:
    def __init__(self, cells, name):
        self.cells = cells
        self.name = name

    def __eq__(self, other):
        return (self.cells, self.name) == (other.cells, other.name)

    def __hash__(self):
        return hash((self.cells, self.name))

    def __iter__(self):
        return iter(self.cells)


def objects_that_give_iterators(s):
    shelf = Shelf(s[:3], s[4])
    one, *_ = [x * 2 for x in iter(s[1:])]
    return (sum(shelf), max(iter(shelf.cells)), one, int(any(shelf)), len(list(shelf)))
