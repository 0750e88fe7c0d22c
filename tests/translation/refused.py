"""Rules that are refused: where Python has one list, machine code would have two; and others."""

import functools

ITEMS = [[1, 2], [3, 4]]


@functools.cache
def rec(n):
    return 1 if n < 1 else rec(n - 1) + 1


def shared_row(s):
    a = list(s)
    rows = [a, a]
    rows[0][0] = 9
    return tuple(rows[1])


def repeated_rows(s):
    rows = [[0] * 2] * 2
    rows[0][0] = 7
    return (rows[1][0], 0, 0, 0, 0)


def same_row_again(s):
    rows = []
    cur = []
    for x in s:
        cur.append(x)
        rows.append(cur)
    return tuple(len(r) for r in rows)


def either_list(s):
    a = list(s)
    if s[0] > 1:  # noqa: SIM108
        b = a
    else:
        b = [0] * 5
    b[1] = 8
    return tuple(a)


def replaced_row(s):
    grid = [list(s[:2]), list(s[2:4])]
    row = grid[0]
    grid[0] = [7, 7]
    row[0] = 5
    return (*grid[0], *row, 0)


def changed_attribute(s):
    ITEMS[0][0] = s[0]
    return s


def list_in_a_tuple(s):
    a = list(s)
    t = (a, 1)
    a[0] = 6
    return tuple(t[0])


def kept_default(s):
    def f(x, acc=[]):  # noqa: B006
        acc.append(x)
        return len(acc)

    return (f(1), f(2), 0, 0, 0)


def copied_rows(s):
    a = [list(s), list(s)]
    b = list(a)
    b[0][0] = 9
    return tuple(a[0])


def swapped_rows(s):
    a = [list(s), list(s)]
    a[0], a[1] = a[1], a[0]
    a[0][0] = 9
    return tuple(a[1])


def slice_of_rows(s):
    a = [[x] for x in s]
    b = a[1:3]
    b[0].append(5)
    return tuple(len(x) for x in a)


def list_in_a_list(s):
    a = list(s)
    g = [a]
    g[0][0] = 3
    return tuple(a)


def remembers_itself(s):
    return (rec(s[0]), 0, 0, 0, 0)


def order_of_a_set(s):
    e = {x for x in s}  # noqa: C416
    out = [x for x in e]  # noqa: C416
    return (len(out), 0, 0, 0, 0)


def logged(function):
    @functools.wraps(function)
    def inner(s):
        return (*function(s)[1:], 0)

    return inner


@logged
def wrapped(s):
    return s


SEEN = {0: 0}


def remembered(s):
    SEEN[s[0]] = s[1]
    return s


def printed(s):
    print(s)
    return s


def imported(s):
    import math  # noqa: PLC0415

    return (math.gcd(s[0], s[1]), 0, 0, 0, 0)


def at_last(s):
    try:
        x = s[0]
    finally:
        x = 1
    return (x, 0, 0, 0, 0)


def looked_at(s):
    try:
        x = s[s[0]]
    except IndexError as error:
        x = len(error.args)
    return (x, 0, 0, 0, 0)


COUNT = 0


def counts_in_the_module(s):
    global COUNT  # noqa: PLW0603
    COUNT = s[0]
    return s


def counts_around(s):
    total = 0

    def add(x):
        nonlocal total
        total += x
        return x

    return (add(s[0]), total, 0, 0, 0)


def matched_sequence(s):
    match s:
        case (0, *others):
            return (*others, 0)
    return s


def some_in_steps(s):
    few = [x for x in s if x > 1]
    return (len(few[:3:2]), 0, 0, 0, 0)


def lists_put_on_the_way(s):
    groups = {0: [s[0]], 1: [s[1]]}
    for key, row in groups.items():
        groups[key] = [9]
        row.append(3)
    return (len(groups[0]), 0, 0, 0, 0)


def one_list_for_all_keys(s):
    rows = dict.fromkeys(s, [s[0]])  # noqa: RUF024
    rows[s[0]].append(3)
    return (len(rows[s[1]]), 0, 0, 0, 0)


def counts_from_a_place(s):
    text = "".join("ab"[x % 2] for x in s)
    return (text.count("a", 1), 0, 0, 0, 0)


def counts_up_to_a_place_of_a_known_text(s):
    return ("abcab".rfind("ab"[s[0] % 2], 0, 3), 0, 0, 0, 0)


def takes_a_known_text_apart_from_its_end(s):
    return (len("a-b-c".rpartition("a-b"[s[0] % 3])[0]), 0, 0, 0, 0)


def arguments_that_states_decide(s):
    given = {"start": s[0]}
    given["start"] += 1
    return (sum(s, **given), 0, 0, 0, 0)


def least_by_a_wrong_name(s):
    return (max(s, by=None), 0, 0, 0, 0)


def set_of_a_number_and_a_pair(s):
    pairs = [max(enumerate(s))]
    return (sum(1 for x in {pairs[-1], 5} if x), 0, 0, 0, 0)


def sorted_by_sets(s):
    parts = [frozenset({a % 3, b % 4}) for a in s for b in s[:3]]
    return (len(sorted(parts)[0]), 0, 0, 0, 0)


def sorted_by_a_key_with_a_set(s):
    pairs = [(a % 3, b % 4) for a in s for b in s[:3]]
    pairs.sort(key=lambda pair: (sum(pair), set(pair)))
    return (*pairs[0], *pairs[1], 0)
