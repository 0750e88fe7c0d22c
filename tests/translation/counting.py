# ruff: noqa: C408, PIE800, RUF007, SIM300  (what people write)
"""Rules with dicts, counters and defaults: each makes a tuple of a state of five small numbers."""

import math
from collections import Counter, defaultdict

TARGET = Counter({1: 2, 2: 1, 3: 1})
LETTERS = Counter("abca")
PRICES = defaultdict(int, {0: 7, 1: 5})
SIZES = {"a": 3, "b": 1, "c": 2}


def counts_of_numbers(s):
    c = Counter(s)
    return (c[s[0]], c[99], len(c), max(c.values()), sum(c[x] * x for x in c))


def counts_of_letters(s):
    c = Counter("abc"[x % 3] for x in s)
    left = LETTERS - c
    return (c["a"], left["a"], len(left), sum(left.values()), int("b" in c))


def counter_that_changes(s):
    c = Counter()
    for x in s:
        c[x] += 1
    c[s[0]] -= 2
    c.update(s[:2])
    c.subtract({s[1]: 3})
    del c[s[0]]
    return (c[s[1]], c[s[2]], len(c), c.total(), sum(v for k, v in c.items() if k == s[3]))


def most_common(s):
    c = Counter(s)
    (top, n), *rest = c.most_common()
    first, _ = c.most_common(1)[0]
    return (top, n, first, len(rest), c.most_common(2)[-1][0])


def elements(s):
    c = Counter(s)
    row = list(c.elements())
    return tuple(row)


def sums_of_counters(s):
    a, b = Counter(s[:3]), Counter(s[2:])
    both, less, most, least = a + b, a - b, a | b, a & b
    a += b
    weight = sum(k * v for k, v in a.items())
    return (sum(both.values()), sum(less.values()), len(most), len(least), weight)


def order_of_counters(s):
    a, b = Counter(s[:3]), Counter(s[1:])
    rows = [*(a + b), *(a - b), *(a | b), *(a & b)]
    return (len(rows), sum(i * x for i, x in enumerate(rows)), rows[0], rows[-1], 0)


def equal_counters(s):
    a, b = Counter(s[:2]), Counter(s[2:4])
    c = Counter(s)
    c[s[0]] -= 1
    zero = Counter(s[1:])
    return (int(a == b), int(a <= c), int(c < a), int(c == zero), int(c == TARGET))


def known_counters(s):
    need = TARGET - Counter(s)
    return (TARGET[s[0]], len(need), LETTERS["abz"[s[1] % 3]], int(Counter(s) >= TARGET),
            sum(n for _, n in LETTERS.most_common(2)))  # fmt: skip


def counter_of_a_dict(s):
    c = Counter({s[0]: s[1], 7: 2})
    d = Counter(a=s[2], b=1)
    return (c[s[0]], c[7], d["a"], d["b"], len(list(d.elements())))


def anagram(s):
    word = "".join("abc"[x % 3] for x in s[:3])
    return (int(Counter(word) == Counter("cab")), int(sorted(word) == list("abc")), 0, 0, 0)


def counted_by_default(s):
    d = defaultdict(int)
    for x in s:
        d[x] += 1
    before = len(d)
    zero = d[77]
    return (before, len(d), zero, sum(k * v for k, v in d.items()), d.get(55, -3))


def grouped(s):
    groups = defaultdict(list)
    for i, x in enumerate(s):
        groups[x % 3].append(i)
    total = 0
    for key, places in groups.items():
        for a, b in zip(places, places[1:], strict=False):
            total += (b - a) * (key + 1)
    return (total, len(groups), len(groups[0]), sum(groups[1]), len(groups))


def grouped_in_sets(s):
    rows = defaultdict(set)
    for i in range(4):
        rows[s[i] % 2].add(s[i + 1])
    return (len(rows[0]), len(rows[1]), int(s[1] in rows[0]), int(9 in rows[s[0]]), len(rows))


def grouped_by_setdefault(s):
    groups = {}
    for i, x in enumerate(s):
        groups.setdefault(x, []).append(i)
    firsts = [places[0] for places in groups.values()]
    longest = max(map(len, groups.values()))
    return (len(groups), sum(firsts), longest, 0, groups[s[0]][-1])


def names_within_a_loop(s):
    groups = defaultdict(list)
    for x in s:
        groups[x % 2].append(x)
    total = 0
    for row in groups.values():
        row.append(5)
        same = row
        same.append(len(row))
        total += sum(same)
    return (total, len(groups[0]), len(groups[1]), sum(groups[0]), 0)


def default_that_is_known(s):
    best = defaultdict(lambda: math.inf)
    open_by = defaultdict(lambda: True)
    best[s[0]] = s[1]
    open_by[s[2]] = False
    nearer = best[s[1]] > 3
    return (int(nearer), int(best[s[0]] < 3), int(open_by[s[3]]), len(best), int(open_by[s[2]]))


def known_default(s):
    return (PRICES[0], PRICES[s[0] % 2], PRICES[s[0] + 50], 0, 0)


def first_places(s):
    seen = {}
    again = 0
    for i, x in enumerate(s):
        again += seen.setdefault(x, i) != i
    return (again, len(seen), seen[s[4]], seen.pop(s[0], -1), seen.pop(44, s[1]))


def made_by_names(s):
    d = dict(a=s[0], b=s[1], c=3)
    e = dict(d, b=9)
    f = {**d, "z": 1, "a": s[2], **{"c": s[3]}}
    return (d["a"] + d["b"], e["b"], e["a"], f["a"] + f["z"], f["c"] + len(f))


def joined(s):
    d = {s[0]: 1, s[1]: 2}
    e = d | {s[2]: 3}
    d |= {s[3]: 4}
    e.update(
        {s[0]: 5},
    )
    e.update(zip(s, s[1:], strict=False))
    return (len(d), len(e), d[s[0]], e[s[0]], sum(e.values()))


def updated_by_names(s):
    d = {"a": s[0]}
    d.update(b=s[1], a=7)
    keys = dict.fromkeys(s, 0)
    keys[s[0]] += 1
    before = len(keys)
    keys.clear()
    return (d["a"], d["b"], before, len(keys), int(bool(keys)))


def equal_dicts(s):
    a, b = {s[0]: 1, s[1]: 2}, {s[1]: 2, s[0]: 1}
    return (int(a == b), int(a == {s[0]: 1}), int(a != {0: 1, 1: 2}), int({1: 1, 2: 2} == a), 0)


def best_by_get(s):
    d = {"a": s[0], "b": s[1], "c": s[2]}
    best = max(d, key=d.get)
    order = sorted("abc", key=d.get)
    least = min(SIZES, key=SIZES.get)
    places = [*map("abc".index, (best, order[0], least))]
    return (*places, d[best], sum(map(SIZES.get, order)))


def keys_of_words(s):
    where = dict(zip(("wolf", "goat", "man"), ("W" if x % 2 else "E" for x in s[:3]), strict=True))
    here = where["man"]
    new = {**where, "man": "E" if here == "W" else "W"}
    west = sum(v == "W" for v in new.values())
    return (int(new["wolf"] == new["goat"]), int(where["man"] == new["man"]), len(new), west,
            int(tuple(new.values()) == ("W", "E", "W")))  # fmt: skip


def keys_as_sets(s):
    met = set(s)
    both = met & PRICES.keys()
    without = met - PRICES.keys()
    return (int(met >= PRICES.keys()), int({s[0], s[1]} == PRICES.keys()), len(both), len(without),
            int(PRICES.keys() <= met))  # fmt: skip


NEEDS = {0: {1, 2}, 1: {3}, 2: set()}


def sets_by_get(s):
    need = NEEDS.get(s[0], set())
    return (len(need), int(need <= set(s)), int(s[2] in need), int(3 in NEEDS.get(s[1], set())), 0)
