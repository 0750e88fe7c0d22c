"""Lists that several names, places and calls know, and lists of which there is one at a time."""


def kept_from_the_round_before(s):
    prev = None
    n = 0
    for i in range(3):
        cur = [x + i for x in s]
        if prev is not None:
            n += prev[0] * 10 + cur[0]
        prev = cur
    return (n % 1000, 0, 0, 0, 0)


def two_of_one_call(s):
    def make(k):
        return [k, k + 1]

    pair = (make(1), make(2))
    pair[0][0] = 7
    return (pair[0][0], pair[1][0], 0, 0, 0)


def rows_of_one_call(s):
    def make(k):
        return [k, k + 1]

    rows = [make(i) for i in range(3)]
    rows[0][0] = 9
    return (rows[0][0], rows[1][0], rows[2][0], 0, 0)


def tuple_before_a_change(s):
    t = list(s)
    u = tuple(t)
    t[0] = 6
    return u


def tuples_of_a_helper(s):
    def f(t):
        t[1] = 5
        return tuple(t)

    t = list(s)
    a = f(t)
    t[2] = 6
    b = f(t)
    return (a[2], b[2], a[1], t[1], 0)


def lists_kept_by_a_loop(s):
    out = []
    for i in range(3):
        t = list(s)
        t[i] = 9
        out.append(t)
    return (out[0][0], out[1][1], out[2][2], out[0][1], 0)


def tuples_kept_by_a_loop(s):
    out = []
    for i in range(3):
        t = list(s)
        t[i] = 9
        out.append(tuple(t))
    return (out[0][0], out[1][1], out[2][2], out[0][1] % 10, out[1][0] % 10)


def shifted_in_place(s):
    t = list(s)
    for i in range(5):
        t[i] = t[(i + 1) % 5]
    return tuple(t)


def one_of_two_lists(s):
    t = list(s)
    u = t if s[0] else list(s)
    u[0] = 7
    return tuple(t)


def sorted_then_changed(s):
    t = list(s)
    t.sort()
    t[0] = 3
    return tuple(t)


def changed_then_reversed(s):
    t = list(s)
    t[0], t[1] = t[1], t[0]
    t.reverse()
    return tuple(t)


def written_out_with_two_names(s):
    x = [1, 2, 3]
    y = x
    y[0] = s[0]
    return (x[0], y[0], 0, 0, 0)


def written_out_in_each_round(s):
    n = 0
    for i in range(3):
        x = [1, 2, 3]
        n += x[0]
        x[0] = 5
    return (n, 0, 0, 0, 0)


def dict_of_the_function_around(s):
    d = {1: 2}

    def g():
        return d

    g()[1] = s[0]
    return (d[1], 0, 0, 0, 0)


def changed_by_whoever_asks(s):
    def tail(t):
        yield t[0]
        yield t[1]

    n = 0
    for i in range(2):
        row = [s[0] + i, s[1] + i]
        for x in tail(row):
            row[1] = x + 1
            n = n * 10 + x
    return (n % 1000, 0, 0, 0, 0)


def best_row_so_far(s):
    best = None
    for i in range(4):
        row = [s[i], i]
        if best is None or row[0] > best[0]:
            best = row
    return (best[0], best[1], 0, 0, 0)


def the_same_by_two_calls(s):
    row = [0, 0]

    def keep():
        return row

    a = keep()
    b = keep()
    a[0] = 4
    return (b[0], row[0], 0, 0, 0)


def made_of_the_one_before(s):
    x = [s[0], 1]
    for i in range(3):
        y = [x[1], x[0] + i]
        x = y
        y[0] += 1
    return (x[0] % 9, x[1] % 9, 0, 0, 0)


def one_item_of_a_copy(s):
    t = list(s)
    t[0] = 8
    return (t[0], t[1], s[0], s[1], t[4])


def turned_items(s):
    a, b, c, d, e = s
    return (b, a, c, d, e)


def parts_of_two_copies(s):
    t = list(s)
    u = list(s)
    t[0] = 7
    u[1] = 6
    return (*t[:2], *u[2:4], u[1])


def one_item_replaced(s):
    i = s[0] % 5
    return s[:i] + (9,) + s[i + 1 :]


def rotated(s):
    i = s[0] % 5
    return s[:i] + s[i + 1 :] + (9,)


def neighbours_swapped(s):
    i = s[0] % 4
    return (*s[:i], s[i + 1], s[i], *s[i + 2 :])


def named_again_within_a_loop(s):
    while True:
        t = list(s)
        t[0] = 5
        u = t
        break
    t[1] = 6
    return tuple(u)


def two_arguments_of_one_list(s):
    def two(a, b):
        a[0] = 1
        return b[0]

    t = list(s)
    return (two(t, t), 0, 0, 0, 0)


def copied_by_a_helper(s):
    def rec(t):
        t = list(t)
        t[0] += 1
        return t

    x = rec(s)
    y = rec(x)
    return (x[0] % 10, y[0] % 10, 0, 0, 0)


def made_of_a_list_of_the_round(s):
    n = 0
    for i in range(3):
        x = [v + i for v in s]
        y = [v + 1 for v in x]
        x[0] = 50
        n += y[0] + x[0]
    return (n % 1000, 0, 0, 0, 0)


def list_within_two_tuples(s):
    t = (list(s), 1)
    u = t
    u[0][0] = 6
    return tuple(t[0])


def row_in_two_places(s):
    rows = [[0] * 2 for _ in range(2)]
    rows[1] = rows[0]
    rows[0][0] = 5
    return (rows[1][0], 0, 0, 0, 0)


def list_within_a_dict(s):
    t = list(s)
    seen = {0: t}
    t[0] = 4
    seen[0][1] = 5
    return tuple(seen[0])


def sorted_copies(s):
    x = sorted(s)
    y = sorted(x, reverse=True)
    x[0] = 9
    return (x[0], y[4], y[0], x[4], 0)
