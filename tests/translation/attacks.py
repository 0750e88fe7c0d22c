"""Rules that a translation may refuse, but not say something else of than Python does."""

import dataclasses
import functools
import itertools
from collections import deque
from typing import NamedTuple

# ruff: noqa


def pick(a, b, x):
    if x > 1:
        return a
    return b


def alias_by_returns(s):
    l1 = [s[0], 1]
    l2 = [s[1], 2]
    x = pick(l1, l2, s[2])
    x.append(7)
    return (len(l1), len(l2), len(x), 0, 0)


def alias_by_returns2(s):
    l1 = [s[0], 1]
    l2 = [s[1], 2]
    x = pick(l1, l2, s[2])
    l1.append(7)
    return (len(l1), len(l2), len(x), 0, 0)


def kept_then_replaced(s):
    t = [1, 2]
    keep = t
    for x in s:
        t = [x, x]
    return (keep[0], t[0], 0, 0, 0)


def kept_then_replaced2(s):
    t = [s[0], 2]
    keep = t
    if s[1] > 1:
        t = [s[2], 5]
    return (keep[0], t[0], 0, 0, 0)


def zip_live(s):
    a = [s[0]]
    n = 0
    for x, y in zip(a, s):
        a.append(x + y)
        n += x
    return (n % 1000, len(a), 0, 0, 0)


def zip_live2(s):
    a = list(s)
    a.append(3)
    n = 0
    for x, y in zip(a, s):
        a[4] = 7
        n = n * 10 + x + y
    return (n, 0, 0, 0, 0)


def rev_live(s):
    a = list(s)
    a.append(3)
    n = 0
    for x in reversed(a):
        a[0] = 7
        n = n * 10 + x
    return (n, 0, 0, 0, 0)


def gen(a):
    for i in range(len(a)):
        yield a[i]


def zip_gen(s):
    a = list(s)
    n = 0
    for x, y in zip(gen(a), s):
        a[4] = 7
        n = n * 10 + x + y
    return (n, 0, 0, 0, 0)


def popper(a):
    while a:
        yield a.pop()


def zip_pop(s):
    a = list(s)
    n = 0
    for x, y in zip(popper(a), popper(a)):
        n = n * 10 + x - y
    return (n, len(a), 0, 0, 0)


def len_gen(s):
    return (len(x for x in s), 0, 0, 0, 0)


def len_zip(s):
    return (len(zip(s, s)), 0, 0, 0, 0)


def truth_gen(s):
    if (x for x in s[:0]):
        return (1, 1, 1, 1, 1)
    return s


def truth_zip(s):
    return (bool(zip(s, [])), bool(enumerate([])), bool(reversed([])), 0, 0)


def rev_gen(s):
    return tuple(reversed(x for x in s))


def rev_zip(s):
    return tuple(x for x, y in reversed(zip(s, s)))


def rev_enum(s):
    return tuple(i for i, y in reversed(enumerate(s)))


def twice(g):
    return sum(g) * 10 + sum(g)


def twice_gen(s):
    return (twice(x for x in s), 0, 0, 0, 0)


def twice_enum(s):
    def f(g):
        return sum(i for i, x in g) + 10 * sum(i for i, x in g)

    return (f(enumerate(s)), 0, 0, 0, 0)


def make_gen(s):
    return (x + 1 for x in s)


def returned_gen2(s):
    g = make_gen(s)
    return (sum(g), sum(g), 0, 0, 0)


TABLE = [[1, 2], [3], [], [4, 5, 6], [0]]


def const_idx(s):
    x = TABLE[7][0] if s[0] > 1 else 0
    return (x, 0, 0, 0, 0)


def const_idx2(s):
    x = 0 if s[0] > 1 else TABLE[7][0]
    return (x, 0, 0, 0, 0)


def gen_late(s):
    k = 1
    g = (x + k for x in s)
    k = 5
    return tuple(g)


def set_remove(s):
    z = set()
    z.remove(3)
    return s


def set_remove2(s):
    z = set(())
    z.discard(3)
    z.remove(s[0])
    return s


def set_remove3(s):
    z = set(frozenset())
    z.remove(s[0])
    return s


def fs(s):
    z = frozenset(s)
    z.remove(s[0])
    return s


def fs4(s):
    z = frozenset(s)
    z.update([1])
    return s


def set_iop(s):
    z = set(s)
    y = z
    z &= {1, 2}
    return (len(z), len(y), 0, 0, 0)


def set_or_lists(s):
    z = set(s)
    z |= [1, 2]
    return (len(z), 0, 0, 0, 0)


def dq_plus(s):
    d = deque(s)
    e = d + [1]
    return (len(e), 0, 0, 0, 0)


def dq_slice(s):
    d = deque(s)
    return tuple(d[1:]) + (1,)


def dq_eq(s):
    d = deque(s)
    return (int(d == list(s)), 0, 0, 0, 0)


def dq_pop(s):
    d = deque(s)
    return (d.pop(0), 0, 0, 0, 0)


def dq_sort(s):
    d = deque(s)
    d.sort()
    return tuple(d)


def dq_live(s):
    d = deque(s)
    n = 0
    for x in d:
        d.append(x)
        n += x
        if len(d) > 10:
            break
    return (n, 0, 0, 0, 0)


def either_list(s):
    a = list(s)
    c = [0] * 5
    b = a if s[0] > 1 else c
    a[0] = 9
    return tuple(b)


def max_rows(s):
    rows = [[s[0], 1], [s[1], 2]]
    b = max(rows, key=lambda r: r[0])
    rows[0][1] = 8
    rows[1][1] = 9
    return (b[0], b[1], 0, 0, 0)


def tuple_list(s):
    a = ([s[0]], 2)
    x = a[0]
    y = a[0]
    x.append(1)
    return (len(y), len(x), 0, 0, 0)


def dup_return(s):
    def f():
        t = [s[0]]
        return [t, t]

    x = f()
    x[0].append(2)
    return (len(x[1]), 0, 0, 0, 0)


def dup_return2(s):
    def f():
        t = [s[0]]
        return t, t

    x, y = f()
    x.append(2)
    return (len(y), 0, 0, 0, 0)


def anon_row(s):
    x = [[s[0]], [s[1]]][s[2] % 2]
    rows = [[0]]
    rows.append(x)
    x[0] = 7
    return (rows[1][0], x[0], 0, 0, 0)


def pop_append(s):
    rows = [[s[0]], [s[1]]]
    row = rows[-1]
    rows.pop()
    rows.append([5])
    return (row[0], rows[-1][0], 0, 0, 0)


def rebind_in_loop(s):
    t = s
    n = 0
    for x in t:
        n = n * 10 + x
        t = t[1:] + (3,)
    return (n, *t[:4])


def rebind_in_loop2(s):
    a = list(s)
    n = 0
    for x in a:
        n = n * 10 + x
        a = [x, 1]
    return (n, a[0], 0, 0, 0)


def enum_start(s):
    k = 1
    n = 0
    for i, x in enumerate(s, k):
        k += 1
        n = n * 10 + i
    return (n, k, 0, 0, 0)


def own_share(s):
    def f(a):
        b = a
        if s[0] > 1:
            b = [1, 2]
        return b

    x = [s[0], 3]
    y = f(x)
    y[0] = 9
    return (x[0], y[0], 0, 0, 0)


def gen_param(s):
    t = [s[0]]
    n = 0
    for y in gens(t):
        n = n * 10 + y
        t = [7]
    return (n, t[0], 0, 0, 0)


def yield_alias2(s):
    def g():
        t = [0]
        for x in s:
            t[0] = x
            yield t

    last = [9]
    n = 0
    for r in g():
        n = n * 10 + last[0]
        last = r
    return (n, last[0], 0, 0, 0)


def or_list(s):
    a = [x for x in s if x > 2]
    b = a or [1]
    b.append(4)
    return (len(a), len(b), 0, 0, 0)


def or_list2(s):
    a = [x for x in s if x > 2]
    b = a or [1]
    a.append(4)
    return (len(a), len(b), 0, 0, 0)


def while_alias2(s):
    cur = [s[0]]
    old = cur
    n = 0
    while n < 3:
        cur = cur + [n]
        n += 1
    return (len(cur), len(old), 0, 0, 0)


def cond_alias(s):
    a = [1]
    b = [2, 3]
    if s[0] > 1:
        c = a
    else:
        c = b
    a.append(5)
    return (len(c), 0, 0, 0, 0)


def ret_arg(s):
    def f(a, x):
        if x > 1:
            return a
        a.append(3)
        return a

    t = [s[0]]
    u = f(t, s[1])
    return (len(t), len(u), 0, 0, 0)


def any_set(s):
    return (int(any(10 // x > 3 for x in {s[0], s[1], 1})), 0, 0, 0, 0)


def set_effects(s):
    out = []
    z = {f(x, out) for x in set(s)}
    return (out[0], len(z), 0, 0, 0)


def f(x, out):
    out.append(x)
    return x % 2


def set_effects2(s):
    out = []
    any(f(x, out) > 5 for x in set(s))
    return (out[0], 0, 0, 0, 0)


K = itertools.count


def inf_count(s):
    n = 0
    for i in itertools.count():
        n += i
        if i > s[0]:
            break
    return (n, 0, 0, 0, 0)


def known_zip_twice(s):
    g = zip((1, 2, 3), (4, 5, 6))
    return (sum(a for a, b in g), sum(b for a, b in g), 0, 0, 0)


def known_zip_len(s):
    return (len(zip((1,), (2,))), 0, 0, 0, 0)


D = {1: 2}


SS = {1, 2}


def mut_known(s):
    D.popitem()
    return s


def mut_known2(s):
    SS.difference_update({1})
    return s


@functools.lru_cache(None)
def cached(x):
    return [x, x + 1]


@functools.lru_cache(None)
def cached_t(x):
    return (x, x + 1)


@functools.lru_cache(None)
def cached_g(x):
    return (i for i in range(x))


@functools.lru_cache(None)
def cached_l(xs):
    return len(xs)


def lru2(s):
    a = cached(s[0])
    a[0] = 7
    return (a[0], a[1], 0, 0, 0)


def lru4(s):
    return (sum(cached_g(s[0])), 0, 0, 0, 0)


def lru5(s):
    return (cached_l(list(s)), 0, 0, 0, 0)


def eval_order(s):
    a = [(x, x) for x in s]
    t = (a[0], a.pop(0), a[0])
    return (t[0][0], t[1][0], t[2][0], 0, 0)


def eval_order2(s):
    a = list(s)
    t = ([x for x in a][0], a.pop(), len(a))
    return (t[0], t[1], t[2], 0, 0)


def eval_order3(s):
    a = [(x, x) for x in s]
    b = a[0] == a.pop(0)
    c = a[0] < a.pop(0) < (9, 9)
    return (int(b), int(c), 0, 0, 0)


def eval_order4(s):
    a = list(s)

    def f(p, q, r):
        return p * 100 + q * 10 + r

    return (f(a[0], a.pop(0), a[0]), f(r=a.pop(), q=a[-1], p=len(a)), 0, 0, 0)


def eval_order5(s):
    a = list(s)
    n = 2
    return (n + (n := 5) + n, a[0] - a.pop(0) + a[0], 0, 0, 0)


def idx_order(s):
    a = list(s)
    a[a.pop() % 3] = a[0] + a.pop()
    return (*a, 0, 0)


def aug_idx(s):
    a = list(s)
    a[0] += a.pop()
    a[len(a) - 1] += a.pop(0)
    return (*a, 0, 0)


def chain_live(s):
    a = [s[0]]
    n = 0
    for x in itertools.chain(a, s):
        n = n * 3 + x
        if len(a) < 3:
            a.append(x + 1)
    return (n, len(a), 0, 0, 0)


def chain_len(s):
    return (len(itertools.chain(s, s)), 0, 0, 0, 0)


def rev_shrink(s):
    a = list(s)
    a.append(9)
    n = 0
    for x in reversed(a):
        n = n * 7 + x
        if len(a) > 2:
            a.pop()
            a.pop()
    return (n, len(a), 0, 0, 0)


def enumerate_sum(a):
    for i, x in enumerate(a):
        yield i * x


GRAPH = {0: {1: 2}, 1: {0: 3, 2: 4}}


def items_index(s):
    return (GRAPH[s[0]].items()[0][0], 0, 0, 0, 0)


def set_changed(s):
    z = set(s)
    m = sum(1 for x in z if z.discard(x) is None)
    return (m, 0, 0, 0, 0)


def set_items_lt(s):
    a, b = s[0], s[1]
    return (
        int({a, b, a} < {a, b, 3}),
        int({a} <= {b, a}),
        int({a, b} > {a}),
        int({a, 1} >= set(s)),
        int(frozenset(s) < {1, 2, 3, 4, 5, 0}),
    )


def set_lt_list(s):
    return (int({s[0]} < [1, 2]), 0, 0, 0, 0)


def set_eq_list(s):
    return (int({s[0]} == [s[0]]), int([s[0]] == (s[0],)), 0, 0, 0)


def minmax_tuple(s):
    return (*min((s[0], 1), (s[1], 0)), *max([(s[2], 5), (s[3], 4)]), min(s, default=0))


class Pt(NamedTuple):
    x: int
    y: int = 3


def nt_eq(s):
    return (int(Pt(1, 2) == (s[0], s[1])), 0, 0, 0, 0)


def none_cmp(s):
    x = None if s[0] > 1 else s[1]
    return (int(x == None), int(x is None), int(x in (None, 2)), 1 if x else 0, int(x != 1))


def rows_pop_front(s):
    g = [[x, i] for i, x in enumerate(s)]
    a = g.pop(0)
    a[0] += 10
    g.append(a)
    a[1] = 77
    return (g[-1][0], g[-1][1], a[1], len(g), 0)


def row_by_tuple(s):
    g = [[x] for x in s]
    t = (g[0], g[1])
    g[0][0] = 50
    return (t[0][0], t[1][0], 0, 0, 0)


def set_bind(s):
    z = set(s)
    y = z
    y.add(99)
    return (len(z), len(y), 0, 0, 0)


def set_multi(s):
    z = set()
    for x in s:
        if x > 3:
            z = set()
        z.add(x)
    return (len(z), 0, 0, 0, 0)


def list_prev2(s):
    z = []
    prev = z
    for x in s:
        prev = z
        z += [x]
    return (len(prev), len(z), 0, 0, 0)


def swap_lists2(s):
    a, b = [s[0]], [2, 3]
    for _ in range(3):
        a, b = b, a
    return (len(a), len(b), a[0], b[0], 0)


def helper_multi(s):
    def f(a, k):
        a[0] = k
        a.append(k)
        if k > 2:
            return a
        return a

    x = [s[0]]
    y = f(x, 3)
    return (len(x), len(y), y[0], 0, 0)


def gen_yields_param(s):
    def g(a):
        for i in range(3):
            a[i] += 1
            yield a
            a[i] -= 1

    x = list(s)
    n = 0
    for r in g(x):
        n = n * 3 + r[0] + x[1]
        r[4] = 1
    return (n, x[4], x[0], 0, 0)


def zip_rows_replace(s):
    g = [[x] for x in s]
    for r, x in zip(g, s):
        g[0] = [x]
        r[0] += 1
    return tuple(r[0] for r in g)


def extend_live(s):
    a = [s[0], 2]
    a.extend(x + len(a) for x in s)
    return (len(a), sum(a), 0, 0, 0)


def subscript_order(s):
    a = list(s)
    a[0], a[a[0] % 5] = 3, 77
    return tuple(a)


def remove_all(s):
    a = list(s)
    for x in a:
        if x == 2:
            a.remove(x)
    return (len(a), 0, 0, 0, 0)


def mv1(s):
    g = []
    for x in s:
        r = [x]
        r.append(1)
        g.append(r)
        if x > 2:
            r.append(2)
    return tuple(len(r) for r in g)


def mv3(s):
    g = []
    r = [0]
    q = r
    g.append(r)
    q.append(1)
    return (len(g[0]), len(q), 0, 0, 0)


def mv4(s):
    g = []
    for x in s:
        r = [x]
        q = r
        g.append(q)
        g[0].append(1)
    return tuple(len(r) for r in g)


def mv5(s):
    r = [[x] for x in s]
    q = r[0]
    g = []
    g.append(r)
    q.append(5)
    return (len(g[0][0]), len(q), 0, 0, 0)


def mv6(s):
    def put(g, r):
        g.append(r)

    g = []
    r = [s[0]]
    put(g, r)
    r.append(1)
    return (len(g[0]), 0, 0, 0, 0)


def mv10(s):
    a = [1]
    b = [2, 3]
    a, b = [9], a
    b.append(1)
    return (len(a), len(b), 0, 0, 0)


def mv12(s):
    a = [1]
    b = [7]
    for x in s:
        c = a
        a = b
        b = c
        a.append(x)
    return (len(a), len(b), 0, 0, 0)


def mv14(s):
    cur = [s[0]]
    for x in cur:
        cur2 = [x]
        cur = cur2
        cur.append(1)
    return (len(cur), 0, 0, 0, 0)


def mv15(s):
    r = [s[0]]
    g = [r for _ in range(2)]
    g[0].append(1)
    return (len(g[1]), 0, 0, 0, 0)


def mv17(s):
    r = [s[0]]
    f = lambda: r
    g = [r]
    g[0].append(1)
    return (len(f()), 0, 0, 0, 0)


def mv18(s):
    r = [s[0]]

    def f():
        return len(r)

    g = []
    g.append(r)
    g[0].append(1)
    return (f(), 0, 0, 0, 0)


def mv25(s):
    def f(r):
        g = [r, [1]]
        return g

    a = [s[0]]
    g = f(a)
    g[0].append(1)
    return (len(a), 0, 0, 0, 0)


def mv26(s):
    def f(x):
        r = [x]
        yield r
        r.append(2)
        yield r

    g = []
    for r in f(s[0]):
        g.append(r)
    g[0].append(1)
    return (len(g[0]), len(g[1]), 0, 0, 0)


def mv30(s):
    r = [x for x in s]
    g = (r, r)
    r.append(1)
    return (len(g[0]), len(g[1]), 0, 0, 0)


def mv32(s):
    b = [0]
    keep = b
    for x in s:
        r = [x]
        b = r
    b.append(1)
    return (len(b), len(keep), 0, 0, 0)


def dict_grows(s):
    d = {s[0]: 1}
    for k in d:
        d[k + 1] = 2
        if len(d) > 3:
            break
    return (len(d), 0, 0, 0, 0)


def dict_grow_last(s):
    d = {1: 1}
    for k in d:
        d[s[0]] = 2
    return (len(d), 0, 0, 0, 0)


def dict_alias2(s):
    d = {1: s[0]}
    e = d
    if s[0] > 1:
        e = {3: 4}
    d[2] = 5
    return (len(e), 0, 0, 0, 0)


def dict_alias4(s):
    d = {x: [x] for x in s}
    r = d[s[0]]
    d[s[0]] = [1, 2, 3]
    r.append(5)
    return (len(d[s[0]]), len(r), 0, 0, 0)


def dict_alias5(s):
    a = [1]
    d = {0: a}
    d[0].append(2)
    return (len(d[0]), len(a), 0, 0, 0)


def dict_views(s):
    d = {x: x for x in s}
    it = d.items()
    d[88] = 1
    return (len(it), 0, 0, 0, 0)


def dict_views2(s):
    d = {x: x + 1 for x in s}
    return (len(d.items()), sum(d.keys()), max(d.items())[0], min(d.values()), int(5 in d.values()))


def dict_eq(s):
    d = {x: 1 for x in s}
    return (int(d == {1: 1}), 0, 0, 0, 0)


def dict_list_key(s):
    d = {}
    d[[1]] = 2
    return s


def dict_upd(s):
    d = {0: 1}
    d.update({s[0]: 2})
    return (len(d), 0, 0, 0, 0)


def dict_pop_in_loop2(s):
    d = {x: 1 for x in s}
    for k in d:
        d.pop(k)
        d[k + 50] = 1
        break
    return (len(d), 0, 0, 0, 0)


def dict_over_capacity(s):
    d = {}
    for i in range(70):
        d[i * (s[0] + 3)] = i
    return (len(d), 0, 0, 0, 0)


def dict_swap_dict(s):
    a = {1: 1}
    b = {2: s[0]}
    a, b = b, a
    b[5] = 5
    return (len(a), len(b), 0, 0, 0)


def tuple_then_alias(s):
    after = list(s)
    other = after
    held = tuple(after)
    other[0] = 9
    return held


def alias_then_tuple(s):
    after = list(s)
    other = after
    other[0] = 9
    held = tuple(after)
    other[1] = 8
    return held


def tuple_beside_its_list(s):
    after = list(s)
    pair = (after, tuple(after))
    pair[0][0] = 5
    return pair[1]


def tuple_in_a_closure(s):
    after = list(s)

    def change(x):
        after[0] = x
        return x

    held = tuple(after)
    change(9)
    return held


def tuple_and_walrus(s):
    after = list(s)
    held = (tuple(after), after.append(3), after.pop())[0]
    return held


def tuple_by_default(s):
    after = list(s)

    def get(row=tuple(after)):
        return row

    after = [x + 1 for x in s]
    return (*get()[:2], *after[2:])


def tuple_of_lists(s):
    grid = [list(s), list(s)]
    row = grid[0]
    held = tuple(grid)
    row[0] = 9
    return held[0]


def tuple_of_a_given_list(s):
    def made(row):
        return tuple(row)

    after = list(s)
    held = made(after)
    after[0] = 9
    again = made(after)
    return (held[0], again[0], *held[2:])


def tuple_given_away(s):
    def made(row):
        return tuple(row)

    after = list(s)
    held = made(after)
    for i in range(2):
        after = [x + i for x in held]
        held = made(after)
    return (*held[:2], *after[2:])


def name_of_a_case_that_fails(s):
    x = s[1]
    match s[0]:
        case x if x > 3:
            return (x, 0, 0, 0, 0)
        case _:
            return (x, 1, 0, 0, 0)


def text_that_is_no_sequence(s):
    word = "ab" if s[0] > 1 else "ba"
    match word:
        case (a, b):
            return (1, 0, 0, 0, 0)
        case _:
            return (2, 0, 0, 0, 0)


def zip_that_fails_at_its_end(s):
    total = 0
    rest = [x for x in s if x > 1]
    try:
        for a, b in zip(s, rest, strict=True):
            total += a * 3 + b
    except ValueError:
        total += 100
    return (total, 0, 0, 0, 0)


def zip_that_always_fails(s):
    total = 0
    try:
        for a, b in zip(s, (1, 2), strict=True):
            total += a * 3 + b
    except ValueError:
        total += 100
    return (total, 0, 0, 0, 0)


def generator_and_zip(s):
    def each():
        yield s[0]
        yield s[1]
        yield s[9]

    total = 0
    try:
        for a, b in zip((1, 2), each()):  # noqa: B905
            total += a * b
    except IndexError:
        total += 1000
    return (total, 0, 0, 0, 0)


def set_that_fails_on_the_way(s):
    seen = []
    try:
        found = any((5 // x) > 4 for x in set(s))
    except ZeroDivisionError:
        found = True
    try:
        for x in sorted(set(s)):
            seen.append((1, 2, 3)[x])
    except IndexError:
        seen.append(9)
    return (int(found), len(seen), sum(seen), 0, 0)


def iterator_of_what_changes(s):
    rest = list(s)
    pairs = zip(rest, rest[1:], strict=False)
    rest[0] = 9
    return tuple(a for a, _ in pairs) + (0,)  # noqa: RUF005


def iterator_of_a_name_that_changes(s):
    n = s[0]
    more = (x + n for x in s)
    n = 5
    return (*more,)


def iterator_that_is_used_up(s):
    squares = (x * x for x in s)
    first = sum(squares)
    second = sum(squares)
    return (first, second, 0, 0, 0)


def iterator_in_a_loop(s):
    squares = (x * x for x in s)
    total = 0
    for _ in range(2):
        total += sum(squares)
    return (total, 0, 0, 0, 0)


def iterator_changed_by_its_loop(s):
    n = 1
    more = (x + n for x in s)
    total = 0
    for x in more:
        n = x
        total += n
    return (total, 0, 0, 0, 0)


def iterator_after_a_call(s):
    rest = list(s)
    more = (x for x in rest)
    return (rest.pop(), *more)


def group_that_is_gone_through_twice(s):
    found = []
    for _, group in itertools.groupby(s):
        found.append(len(list(group)) + len(list(group)))
    return (len(found), sum(found), 0, 0, 0)


def is_far(s):
    for x in {y - 2 for y in s}:
        for z in s:
            if x < z - 3:
                return True
        if 10 // x == 1:
            return True
    return False


def error_or_return_of_a_set(s):
    return (is_far(s), 0, 0, 0, 0)


def error_or_break_of_a_set(s):
    n = 0
    for w in range(3):
        for x in {y - 2 for y in s}:
            if x < w - 1:
                n = 5
                break
            if 10 // x == 1:
                continue
        else:
            n += 1
    return (n, 0, 0, 0, 0)


def error_or_return_of_sets(s):
    def near():
        n = 0
        for x in {y - 2 for y in s}:
            n += 1
            for z in {y % 3 for y in s}:
                if x < z - 2:
                    return None
                n += 10 // (z + x * x)
        return n

    return (near() or 3, 0, 0, 0, 0)


def columns_of_rows_that_change(s):
    rows = [[x, x + 1, x + 2] for x in s if x > 0]
    found = []
    for column in zip(*rows):
        found.append(sum(column))
        if rows:
            rows[-1][2] = 9
    return (len(found), sum(found), 0, 0, 0)


def columns_of_rows_that_shrink(s):
    rows = [[x, x + 1, x + 2] for x in s if x > 0]
    found = 0
    for column in zip(*rows):
        found += sum(column)
        for row in rows:
            row.pop()
    return (found, len(rows), 0, 0, 0)


def columns_of_rows_that_a_helper_changes(s):
    rows = [[x, x + 1, x + 2] for x in s if x > 0]

    def spoil(own):
        for row in own:
            row[-1] = 0
        return len(own)

    return (sum(sum(column) * spoil(rows) for column in zip(*rows)), 0, 0, 0, 0)


def columns_of_sets(s):
    sets = tuple(frozenset((x * 10**9, 7, x)) for x in s if x > 1)
    first = list(zip(*sets))[:1]
    return (len(first), first[0][0] % 97 if first else 0, 0, 0, 0)


def columns_in_a_function_that_calls_itself(s):
    rows = [[x, x + 1, x + 2] for x in s if x > 0]

    def down(own, depth):
        total = 0
        for column in zip(*own):
            total += sum(column)
            if depth:
                total += down(own, depth - 1)
        if own:
            own[0][2] = depth
        return total

    return (down(rows, 2), 0, 0, 0, 0)


def first_of_rows(rows):
    return rows[0]


def part_of_a_list_that_is_given_again(s):
    rows = [[s[0]], [s[1]]]
    row = first_of_rows(rows)
    rows = [[s[2]], [s[3]]]
    rows[0].append(5)
    return (row[0], len(row), rows[0][0], len(rows[0]), 0)


def row_by_row(rows):
    for row in rows:
        yield row


def rows_given_again_while_they_are_yielded(s):
    rows = [[x] for x in s]
    total = 0
    for row in row_by_row(rows):
        rows = [[0], [1]]
        rows[0][0] = 8
        total = total * 7 % 1000 + row[0]
    return (total, rows[0][0], 0, 0, 0)


def row_kept_by_an_inner_function(s):
    rows = [[x] for x in s]

    def look():
        nonlocal rows
        total = 0
        for row in rows:
            rows = [[total], [1]]
            total += row[0] + len(rows)
        return total

    return (look(), len(rows), rows[0][0], 0, 0)


def rows_changed_in_a_function(rows):
    for row in rows:
        row.append(len(rows))
    first = rows[0]
    first[0] = 6
    return first


def row_of_a_function_that_changes_it(s):
    rows = [[x] for x in s]
    if s[0] > 1:
        rows = [[1, 2], [3]]
    first = rows_changed_in_a_function(rows)
    first.append(4)
    return (len(rows[0]), rows[0][0], len(first), len(rows[1]), 0)


def chain_that_raises_an_error_later(s):
    total = 0
    try:
        for x in itertools.chain((3, 4), 5):
            total += x
    except TypeError:
        total += 1
    return (total, s[0], 0, 0, 0)


def first_after_a_call(rows, change):
    row = rows[0]
    change()
    return row[0] * 10 + rows[0][0]


def list_given_again_by_an_inner_function(s):
    rows = [[s[0]], [s[1]]]

    def change():
        nonlocal rows
        rows = [[7], [8]]

    found = first_after_a_call(rows, change)
    return (found, rows[0][0], len(rows), 0, 0)


def rows_in_a_loop_with_a_call(rows, change):
    total = 0
    for row in rows:
        change()
        total = total * 3 % 101 + row[0]
    return total


def list_given_again_in_a_loop_of_another(s):
    rows = [[x] for x in s]

    def change():
        nonlocal rows
        rows = [[s[0] + 1], [8]]

    found = rows_in_a_loop_with_a_call(rows, change)
    return (found, rows[0][0], len(rows), 0, 0)


def by_a_comprehension_with_a_call(rows, change):
    return sum(row[0] + change() for row in rows)


def list_given_again_in_a_comprehension(s):
    rows = [[x] for x in s]

    def change():
        nonlocal rows
        rows = [[s[0] + 1], [8]]
        return 1

    found = by_a_comprehension_with_a_call(rows, change)
    return (found, rows[0][0], len(rows), 0, 0)


def powers_below_zero_and_beyond_words(s):
    return (10 ** s[0], 3 ** (s[1] * 12), (-3) ** abs(s[2]), 0, 0)


class Node:
    def __init__(self, number):
        self.number, self.seen = number, []

    def __eq__(self, other):
        return isinstance(other, Node) and self.number % 2 == other.number % 2

    def __hash__(self):
        return self.number % 2


NODES = [Node(i) for i in range(5)]


def equal_objects(s):
    one, other = NODES[s[0] % 5], NODES[s[1] % 5]
    return (int(one == other), int(one is other), int(one in NODES[:2]), len({one, other}), 0)


def equal_to_an_object_of_the_module(s):
    one = NODES[s[0] % 5]
    return (int(one == NODES[2]), int(NODES[1] != one), int(one is None), int(one == None), 0)


def objects_that_are_changed(s):
    node = NODES[s[0] % 5]
    node.number += 0
    return (node.number, 0, 0, 0, 0)


def objects_whose_lists_are_changed(s):
    node = NODES[s[0] % 5]
    node.seen.append(1)
    return (len(node.seen), 0, 0, 0, 0)


def objects_with_another_name(s):
    node = NODES[s[0] % 5]
    for x in s:
        if x > 2:
            node = NODES[x % 5]
    return (node.number, 0, 0, 0, 0)


@dataclasses.dataclass(frozen=True)
class Pair:
    one: int
    two: int


class ByNumber(NamedTuple):
    pair: Pair

    def at(self, i):
        return self.pair


@dataclasses.dataclass(frozen=True)
class OnlyByNumber:
    one: int

    def __getitem__(self, place):
        if place > 2:
            raise IndexError
        return self.one + place

    def __len__(self):
        return 3


def items_of_what_has_none(s):
    one, two = Pair(s[0], s[1])
    return (one, two, 0, 0, 0)


def number_of_items_of_what_has_none(s):
    return (len(Pair(s[0], s[1])), 0, 0, 0, 0)


def item_of_what_has_none(s):
    return (Pair(s[0], s[1])[0], 0, 0, 0, 0)


def member_of_what_has_none(s):
    pair = Pair(s[0], s[1])
    return (int(2 in pair), 0, 0, 0, 0)


def display_of_what_has_none(s):
    return (*Pair(s[0], s[1]), 0, 0, 0)


def arguments_of_what_has_none(s):
    return (max(*ByNumber(Pair(s[0], s[1])).at(1)), sum(Pair(s[2], s[3])), 0, 0, 0)


def loop_over_what_has_none(s):
    total = 0
    for x in Pair(s[0], s[1]):
        total += x
    return (total, 0, 0, 0, 0)


def items_by_number(s):
    row = OnlyByNumber(s[0])
    return (int(3 in row), sum(row), next(reversed(row)), row[1], len(row))


def slice_of_an_object(s):
    return (len(Pair(s[0], s[1])[:1]), 0, 0, 0, 0)
