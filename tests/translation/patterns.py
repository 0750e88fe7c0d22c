"""Rules that go near what is refused, and are translated all the same."""

import copy
import enum
import functools
import itertools
import math
from collections import deque
from typing import NamedTuple

# ruff: noqa


def pick(a, b, x):
    if x > 1:
        return a
    return b


def kept_in_loop(s):
    prev = [9, 9]
    n = 0
    for x in s:
        t = [x, x + 1]
        n = n * 3 + prev[0]
        prev = t
    return (n % 1000, prev[0], 0, 0, 0)


def gen(a):
    for i in range(len(a)):
        yield a[i]


def popper(a):
    while a:
        yield a.pop()


def twice(g):
    return sum(g) * 10 + sum(g)


def twice_range(s):
    return (twice(range(5)), 0, 0, 0, 0)


TABLE = [[1, 2], [3], [], [4, 5, 6], [0]]


def set_remove4(s):
    z = {1, 2}
    z.remove(s[0])
    return (len(z), *s[1:])


def fs2(s):
    z = frozenset(s)
    z &= {1, 2}
    return (len(z), 0, 0, 0, 0)


def fs3(s):
    z = frozenset(s)
    y = z
    z |= {9}
    return (len(z), len(y), 0, 0, 0)


def list_plus_tuple(s):
    a = list(s)
    a += (1, 2)
    return tuple(a[2:])


def dq_ok(s):
    d = deque(s)
    d.append(1)
    x = d.popleft()
    d.appendleft(x + 1)
    return tuple(d)[:5]


def pass_change(s):
    def f(a):
        a.append(1)
        return len(a)

    t = [s[0]]
    n = f(t)
    if s[1] > 0:
        t = [1, 2, 3]
    n += f(t)
    return (n, len(t), 0, 0, 0)


def lam_late(s):
    k = 1
    f = lambda v: v + k
    k = 3
    return (f(s[0]), 0, 0, 0, 0)


def nested_rows(s):
    g = [[x] * 2 for x in s]
    h = [r[:] for r in g]
    h[0][0] = 9
    return tuple(r[0] for r in g)


def row_names(s):
    g = [[x] * 2 for x in s]
    r = g[1]
    q = g[2]
    r[0], q[0] = q[0], r[0]
    return tuple(r[0] for r in g)


def star_alias(s):
    a = [1, 2]
    first, *rest = a
    rest.append(3)
    return (len(a), len(rest), 0, 0, 0)


def f(x, out):
    out.append(x)
    return x % 2


def slots(s):
    def mk(x):
        return [x, x + 1]

    a = [mk(x) for x in s]
    a[0][0] = 9
    b = mk(1)
    c = mk(2)
    b[0] = 4
    return (a[0][0], a[1][0], b[0], c[0], 0)


def slots2(s):
    def mk(x):
        if x > 2:
            return [x, x + 1]
        return [0, x]

    ls = []
    for x in s:
        ls.append(mk(x))
    ls[0][0] = 9
    return tuple(r[0] for r in ls)


K = itertools.count


def known_prod2(s):
    n = 0
    for a, b in itertools.product((0, 1), (-1, 1)):
        n = n * 3 + s[a] + b
    return (n, 0, 0, 0, 0)


D = {1: 2}


SS = {1, 2}


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


def lru1(s):
    a = cached(s[0])
    return (a[0], a[1], 0, 0, 0)


def lru3(s):
    a = cached_t(s[0])
    return (a[0], a[1], 0, 0, 0)


def lru6(s):
    return (cached_l(s), 0, 0, 0, 0)


def chain_break(s):
    n = 0
    for x in itertools.chain(s[:2], s[3:]):
        if x > 2:
            break
        if x < 0:
            continue
        n += x
    return (n, 0, 0, 0, 0)


def zip_first_gen(s):
    def g():
        for x in s:
            if x > 0:
                yield x

    n = 0
    for i, x in zip(range(2), g()):
        if x == 2:
            continue
        n = n * 10 + x + i
    return (n, sum(a * b for a, b in zip(g(), s)), 0, 0, 0)


def zip_gen_count(s):
    log = []

    def g():
        for x in s:
            log.append(x)
            yield x

    n = 0
    for i, x in zip(range(2), g()):
        n += x
    for x, i in zip(g(), range(2)):
        n += x
    return (n, len(log), 0, 0, 0)


def enum_live(s):
    a = list(s)
    n = 0
    for i, x in enumerate(a):
        if len(a) > 2:
            a.pop()
        n = n * 10 + x + i
    return (n, len(a), 0, 0, 0)


def map_live(s):
    a = list(s)
    n = 0
    for x in map(lambda v: v + a[0], a):
        a[0] = 3
        n = n * 3 + x
    return (n, 0, 0, 0, 0)


def gen_arg(s):
    def f(g):
        return max(g)

    def h(g):
        for x in g:
            if x > 1:
                return x
        return 0

    return (
        f(x * x for x in s),
        f(range(4)),
        h(x + 1 for x in s if x),
        f(map(abs, s)),
        h(reversed(s)),
    )


def gen_arg_live(s):
    a = list(s)

    def f(g):
        a[0] = 9
        return sum(g)

    return (f(x for x in a), f(enumerate_sum(a)), 0, 0, 0)


def enumerate_sum(a):
    for i, x in enumerate(a):
        yield i * x


def not_gen(s):
    def f(g):
        if g:
            return 1
        return 2

    return (f(x for x in s if x > 9), f(range(0)), 0, 0, 0)


GRAPH = {0: {1: 2}, 1: {0: 3, 2: 4}}


def items_len(s):
    return (
        len(GRAPH[s[0]].items()),
        int(bool(GRAPH[s[0]].keys())),
        sum(GRAPH[s[0]].values()),
        0,
        0,
    )


def set_helper_local(s):
    def mv(x):
        t = [x, 1]
        t[0] += 1
        return tuple(t)

    return (len({mv(x) for x in set(s)}), 0, 0, 0, 0)


def upd(s):
    z = {1}
    z.update(set(s))
    z |= {4}
    y = set()
    y.update(x for x in z if x > 1)
    return (len(z), len(y), 0, 0, 0)


def dup_items(s):
    z = frozenset((s[0], s[1], s[0]))
    return (len(z), len({*s}), len({*s, 1, 1}), sum({*s}), 0)


def slices_(s):
    return (sum(s[::2]), sum(s[-1::-2]), sum(s[4:1:-1]), sum(s[-100:100]), sum(s[s[0] : s[1]]))


def slices2(s):
    a = list(s)
    return (sum(a[s[0] :]), sum(a[: s[0]]), len(a[1 : s[1]]), sum(a[::-1][s[0] :]), len(a[5:2]))


def bool_ops(s):
    b, c = s[0] > 1, s[1] > 1
    return (b & c, b | c, b ^ c, b == c, (b & 1) + (c | 2))


def minmax_bool(s):
    return (min(True, s[0]), max(s[0] > 1, s[1] > 1), min(s[0], 1), max(0, True), 0)


def sort_key_tuple(s):
    r = sorted(range(5), key=lambda i: (s[i] % 2, -s[i]))
    return tuple(r)


def sort_rev_stable(s):
    r = sorted(range(5), key=lambda i: s[i] % 2, reverse=True)
    return tuple(r)


def closure_two(s):
    def outer(a):
        def inner(b):
            return a * 10 + b

        return inner(a + 1)

    return (outer(s[0]), outer(2), 0, 0, 0)


def returned_func(s):
    def adder(k):
        return lambda v: v + k

    f = adder(s[0])
    return (f(1), 0, 0, 0, 0)


def star_call(s):
    def f(a, b, c):
        return a * 100 + b * 10 + c

    return (f(*s[:3]), f(*s[:2], c=1), max(*s), min(*s[:2], 9), 0)


def walrus_while(s):
    a = list(s)
    n = 0
    while (x := a.pop()) > 0:
        n += x
    return (n, x, len(a), 0, 0)


def aug_nested(s):
    g = [[x, 0] for x in s]
    g[s[0] % 5][1] += 3
    g[1][0], g[2][1] = g[2][1], g[1][0]
    return tuple(a * 10 + b for a, b in g)


def multi_assign(s):
    a = b = s[0]
    c, d = e = (s[1], s[2])
    (f, g), h = e, s[3]
    return (a, c, e[1], g, h)


def unpack_nested(s):
    (a, b), (c, *d) = s[:2], s[2:]
    for i, (x, y) in enumerate(zip(s, s[1:])):
        a += i * x - y
    return (a, b, c, *d)


def unpack_wrong(s):
    a, b = s[s[0] :]
    return (a, b, 0, 0, 0)


class Pt(NamedTuple):
    x: int
    y: int = 3


def nt(s):
    p = Pt(s[0])
    q = Pt(y=s[1], x=2)
    r = q._replace(x=p.x)
    a, b = r
    return (p.y, q[0], r.x, a + b, len(p))


def nt_cmp(s):
    return (int(Pt(s[0], 2) < Pt(s[1], 1)), int(Pt(s[0], 1) in [Pt(1, 1), Pt(2, 1)]), 0, 0, 0)


def tup_in(s):
    return (
        int((s[0], s[1]) in [(1, 2), (4, 3)]),
        int(s[:2] in ((1, 2), (4, 3))),
        int((s[0],) in [(1, 2), (4,)]),
        int(s[0] in [(1,), 2]),
        0,
    )


def none_order(s):
    x = None if s[0] > 1 else s[1]
    return (int(x < 2), 0, 0, 0, 0)


def str_eq_char(s):
    w = "abc"[s[0] % 3]
    return (
        int(w == "a"),
        int(w in "ab"),
        int(w in ("a", "c")),
        "xyabc".index(w),
        int(w != "abc"[s[1] % 3]),
    )


def rows_fresh_append(s):
    g = []
    for x in s:
        g.append([x])
    g[0].append(5)
    return tuple(len(r) for r in g)


def rows_append_then_change(s):
    g = []
    for x in s:
        r = [x]
        r.append(1)
        g.append(r)
    return tuple(len(r) for r in g)


def two_level(s):
    g = [[[x], [x + 1]] for x in s]
    g[0][1][0] = 9
    r = g[1]
    r[0][0] = 8
    q = r[1]
    q.append(3)
    return (g[0][1][0], g[1][0][0], len(g[1][1]), 0, 0)


def set_rows(s):
    g = [set(), set()]
    g[0].add(s[0])
    for x in s:
        g[x % 2].add(x)
    return (len(g[0]), len(g[1]), 0, 0, 0)


def set_copy(s):
    z = set(s)
    y = z.copy()
    y.add(99)
    w = set(z)
    w.discard(s[0])
    v = z | set()
    v.add(98)
    return (len(z), len(y), len(w), len(v), 0)


def list_prev(s):
    z = []
    prev = z
    for x in s:
        prev = z
        z = z + [x]
    return (len(prev), len(z), 0, 0, 0)


def cond_replace(s):
    a = [1, 2]
    if s[0] > 1:
        a = a + [3]
        a.append(4)
    a.append(5)
    return (len(a), a[-1], a[2], 0, 0)


def loop_lists(s):
    front = [0]
    seen = [0]
    n = 0
    while front and n < 9:
        nxt = []
        for x in front:
            for y in (x + 1, x + 2):
                if y < 5 and y not in seen and s[y] >= 0:
                    seen.append(y)
                    nxt.append(y)
        front = nxt
        n += 1
    return (len(seen), n, sum(seen), 0, 0)


def loop_lists_change(s):
    front = [0]
    n = 0
    while n < 3:
        nxt = [n]
        front.append(7)
        n += 1
        nxt.extend(front)
        front = nxt
    return (len(front), n, sum(front), 0, 0)


def swap_lists(s):
    a, b = [1], [2, 3]
    a, b = b, a
    a.append(9)
    return (len(a), len(b), 0, 0, 0)


def helper_new(s):
    def f(a, k):
        b = list(a)
        if k > 2:
            b[0] = 9
            return b
        b.append(k)
        return b

    x = list(s)
    y = f(x, s[1])
    z = f(y, s[2])
    z[0] = 5
    y[1] = 6
    return (x[0], y[0], z[0], y[1], len(z))


def gen_tuple_of_param(s):
    def g(a):
        for i in range(3):
            a[i] += 1
            yield tuple(a)
            a[i] -= 1

    x = list(s)
    return tuple(sum(t) for t in g(x)) + (x[0], x[1])


def nested_gen(s):
    def g(k):
        for i in range(k):
            yield i

    def h():
        for j in range(3):
            for i in g(j):
                yield i + j

    return (sum(h()), len(list(h())), max(h()), 0, 0)


def gen_early(s):
    def g():
        yield 1
        if s[0] > 1:
            return
        yield 2
        for x in s:
            if x == 3:
                return
            yield x

    return (sum(g()), len(tuple(g())), next(g()), 0, 0)


def yield_from_list(s):
    def g():
        yield from s
        yield from [1, 2]
        yield from (x for x in s if x > 1)

    return (len(list(g())), sum(g()), 0, 0, 0)


def transpose(s):
    g = (s[:2], s[2:4])
    t = tuple(zip(*g))
    u = [list(r) for r in zip(*g)]
    u[0][1] = 7
    return (t[0][0], t[0][1], t[1][0], u[0][1], u[1][1])


def zip_star_state(s):
    g = [[x, x + 1] for x in s]
    return tuple(a for a in list(zip(*g))[0])


def enumerate_rows(s):
    g = [[x] for x in s]
    for i, r in enumerate(g):
        r[0] += i
        r.append(i)
    for r, x in zip(g, s):
        r[0] += x
    return tuple(r[0] * 10 + len(r) for r in g)


def index_after(s):
    a = list(s)
    i = a.index(max(a))
    a[i], a[0] = a[0], a[i]
    i, a[i] = 0, 99
    return tuple(a)


def q_bfs(s):
    q = deque([(0, 0)])
    seen = {0}
    best = -1
    while q:
        x, d = q.popleft()
        if s[x] == 3:
            best = d
            break
        for y in (x - 1, x + 2):
            if 0 <= y < 5 and y not in seen:
                seen.add(y)
                q.append((y, d + 1))
    return (best, len(seen), len(q), 0, 0)


def mv2(s):
    g = []
    r = [0]
    for x in s:
        g.append(r)
        r = [x]
    r.append(3)
    g[0].append(7)
    return tuple(len(r) for r in g)


def mv9(s):
    g = []
    r = [1]
    i = 0
    while i < 3:
        if s[i] > 2:
            g.append(r)
            r = [i]
        i += 1
    r.append(2)
    return (len(g), sum(len(x) for x in g), len(r), 0, 0)


def mv13(s):
    cur = [0]
    allf = []
    while len(cur) < 4:
        nxt = []
        for x in cur:
            nxt.append(x + 1)
            nxt.append(x - 1)
        allf.append(cur)
        cur = nxt
    cur[0] = 99
    allf[0][0] = 55
    return (len(allf), cur[0], allf[0][0], allf[1][0], 0)


def mv16(s):
    r = [s[0]]
    g = [r]
    g[0].append(1)
    return (len(g[0]), 0, 0, 0, 0)


def mv20(s):
    path = [0]
    stack = [path]
    n = 0
    best = 0
    while stack and n < 12:
        p = stack.pop()
        n += 1
        best = max(best, len(p))
        if len(p) < 4:
            for y in (1, 2):
                q = p + [y]
                q[0] = n
                stack.append(q)
    return (n, best, len(stack), stack[0][0] if stack else 0, 0)


def mv21(s):
    a = [s[0]]
    t = (a, 3)
    t[0].append(1)
    b, c = t
    b.append(2)
    return (len(t[0]), len(b), 0, 0, 0)


def mv24(s):
    a = [s[0]]
    b = [0]
    i = 0
    while i < 2:
        b.append(i)
        a, b = b, [i]
        i += 1
    return (len(a), len(b), 0, 0, 0)


def mv28(s):
    r = [1]
    r2 = r[:]
    g = [r, r2]
    g[0].append(4)
    return (len(g[0]), len(g[1]), 0, 0, 0)


def mv33(s):
    a = [s[0]]
    g = [0]
    g[0] = len(a)
    rows = [[0], [0]]
    rows[1] = a
    rows[1].append(3)
    return (len(rows[1]), 0, 0, 0, 0)


def mv34(s):
    a = sorted(s)
    b = a if s[0] > 0 else [1]
    b.append(3)
    return (len(b), b[0], 0, 0, 0)


def mv35(s):
    a = [1] if s[0] > 1 else [2, 3]
    a.append(1)
    b = [x for x in s if x > 1] or [7]
    b.append(8)
    return (len(a), len(b), 0, 0, 0)


class C(enum.Enum):
    R = 1
    G = 2
    B = 5


def ceil1(s):
    return (
        math.ceil(s[0] / 2),
        math.ceil(s[1] / -3),
        math.floor(s[2] / 2),
        int(s[3] / 2),
        int(s[4] / -2),
    )


def round1(s):
    return (
        round(s[0] / 2),
        round(s[1] / -4),
        round(s[2] / 3),
        math.trunc(s[3] / 3),
        round((s[4] * 7 + 1) / 2),
    )


def ceil2(s):
    return (
        math.ceil(s[0] / s[1]),
        int(s[2] / s[1]),
        round(s[3] / s[1]),
        math.floor((s[4] - 3) / s[1]),
        int(10 / 4),
    )


def fcmp(s):
    return (
        int(s[0] > 1.5),
        int(s[1] >= -0.5),
        int(2.5 < s[2]),
        int(0.5 >= s[3]),
        int(1.0 <= s[4] < 2.5),
    )


def fcmp2(s):
    n = s[0]
    return (int(n > float("inf")), int(n > -math.inf), int(n == 1.0), int(n != 1.5), int(n < 1e30))


def dc(s):
    g = [[x, 1] for x in s]
    h = copy.deepcopy(g)
    h[0][0] = 9
    k = copy.copy(list(s))
    k[0] = 4
    r = copy.copy(g[1])
    r[0] = 77
    return (g[0][0], h[0][0], k[0], g[1][0], r[0])


def dc2(s):
    t = copy.deepcopy(s)
    g = copy.copy(s)
    z = copy.copy({s[0]})
    z.add(99)
    return (*t[:3], g[0], len(z))


def order_rows(s):
    a = tuple(x for x in s if x > 0)
    b = tuple(x for x in s[::-1] if x > 1)
    return (int(a < b), int(a <= b), int(a > b), int(a >= a), len(max(a, b)))


def order_long(s):
    a = s * 5 if False else s + s + s + s
    b = a[::-1]
    return (int(a < b), min(a, b)[0], int([*a] >= [*b]), 0, 0)


def order_empty(s):
    a = tuple(x for x in s if x > 0)
    return (int(a < ()), int(() < a), int(a <= ()), int((1,) > a), int(a < (1, 2)))


def order_text(s):
    w = "abcde"[s[0] % 5 :]
    v = "abcde"[: s[1] % 5]
    return (
        int(w < v),
        int(w > "c"),
        int("b" <= v),
        int(min(w, v) == w),
        int(max(w, "b", v) == "b"),
    )


def del_sl(s):
    a = list(s)
    b = a
    del a[1 : s[0]]
    return (len(a), len(b), sum(a), 0, 0)


def enum_call(s):
    c = C(s[0])
    return (int(c is C.R), c.value, int(c == C.B), 0, 0)


def enum_none(s):
    row = [C.R, None, C.G, C.B if s[0] > 1 else None]
    row[0], row[1] = row[1], row[0]
    return (
        sum(c is None for c in row),
        int(row[1] is C.R),
        int(C.B in row),
        int(row[3] != C.B),
        1 if row[3] else 0,
    )


def subtext(s):
    w = "".join("ab"[x % 2] for x in s)
    return (
        w.find("ab"),
        int("aba" in w),
        int(w.startswith("ab")),
        int(w.endswith("ba")),
        w.count("a"),
    )


def subtext2(s):
    w = "abcab"[s[0] % 5 :]
    v = "ab"[: s[1] % 3]
    return (w.find(v), int(v in w), int(w.startswith(v)), int(w.endswith(v)), int("" in w))


def subtext3(s):
    w = "abcab"[s[0] % 5 :]
    return (w.index("ca"), 0, 0, 0, 0)


def subtext4(s):
    w = "abcab"[s[0] % 6 :]
    return (
        w.find("b"),
        w.find(""),
        w.find("abcabc"),
        int(w.startswith("")),
        int(w.endswith("abcabc")),
    )


def inner_default(s):
    k = s[0]

    def f(x, y=k, *, z=2):
        return x * 100 + y * 10 + z

    k = 5
    g = lambda v, k=k: v + k
    return (f(1), f(1, 2), f(1, z=s[1]), g(1), g(1, k))


def inner_default_loop(s):
    n = 0
    for i in range(3):

        def f(x, i=i):
            return x * 10 + i

        n = n + f(i + 1)
    return (n, 0, 0, 0, 0)


def key_default(s):
    k = s[0]
    r = sorted(s, key=lambda v, k=k: abs(v - k))
    return tuple(r)


def dict_where(s):
    pos = {v: i for i, v in enumerate(s)}
    return (pos[s[0]], len(pos), pos.get(99, -1), int(3 in pos), sum(pos.values()))


def dict_counts(s):
    seen = {}
    for x in s:
        seen[x] = seen.get(x, 0) + 1
    return (
        len(seen),
        max(seen.values()),
        seen[s[0]],
        seen.get(7, 0),
        sum(k * v for k, v in seen.items()),
    )


def dict_counts2(s):
    seen = {}
    for x in s:
        if x not in seen:
            seen[x] = 0
        seen[x] += 1
    return (len(seen), *list(seen)[:1], *list(seen.values())[:1], sum(seen), 0)


def dict_order(s):
    d = {}
    for i, x in enumerate(s):
        d[x] = i
    ks = list(d)
    vs = list(d.values())
    n = 0
    for k, v in d.items():
        n = n * 3 + k - v
    return (ks[0], ks[-1], vs[0], vs[-1], n)


def dict_keyerr(s):
    d = {1: 2, s[0]: 3}
    return (d[s[1]], len(d), d[1], 0, 0)


def dict_pairs(s):
    d = {(i, x): i + x for i, x in enumerate(s)}
    return (d[(0, s[0])], int((1, 2) in d), d.get((4, s[4])), len(d), 0)


def dict_popped(s):
    d = {x: i for i, x in enumerate(s)}
    a = d.pop(s[2])
    d[77] = 5
    del d[s[0]]
    return (a, len(d), *list(d)[:1], int(s[2] in d), list(d)[-1])


def dict_lists_in(s):
    d = {}
    for i, x in enumerate(s):
        if x not in d:
            d[x] = []
        d[x].append(i)
    return (
        len(d),
        len(d[s[0]]),
        d[s[0]][0],
        sum(len(v) for v in d.values()),
        max(len(v) for k, v in d.items()),
    )


def dict_grows2(s):
    d = {s[0]: 1, 99: 3}
    n = 0
    for k in d:
        d[k] = n
        n += 1
    return (d[99], n, len(d), 0, 0)


def dict_grow_break(s):
    d = {1: 1}
    for k in d:
        d[s[0]] = 2
        break
    return (len(d), 0, 0, 0, 0)


def dict_alias(s):
    d = {1: s[0]}
    e = d
    e[2] = 5
    return (len(d), d.get(2, 0), 0, 0, 0)


def dict_alias3(s):
    d = {x: [x] for x in s}
    r = d[s[0]]
    r.append(5)
    return (len(d[s[0]]), len(d), 0, 0, 0)


def dict_alias6(s):
    a = [s[0]]
    d = {}
    d[0] = a
    d[0].append(2)
    return (len(d[0]), 0, 0, 0, 0)


def dict_copies(s):
    d = {x: 1 for x in s}
    e = dict(d)
    f = d.copy()
    e[100] = 2
    f[101] = 3
    f[102] = 3
    return (len(d), len(e), len(f), 0, 0)


def dict_helper_dict(s):
    def bump(d, k):
        d[k] = d.get(k, 0) + 1

    d = {}
    for x in s:
        bump(d, x)
    return (len(d), d[s[0]], 0, 0, 0)


def dict_helper_makes(s):
    def mk(xs):
        d = {}
        for x in xs:
            d[x] = d.get(x, 0) + x
        return d

    a = mk(s)
    b = mk(s[:2])
    a[50] = 1
    return (len(a), len(b), a[s[0]], b[s[0]], 0)


def dict_nested(s):
    d = {}
    for x in s:
        d[x] = {}
    d[s[0]][1] = 2
    return (len(d), len(d[s[0]]), 0, 0, 0)


def dict_truth(s):
    d = {}
    if d:
        return s
    for x in s:
        if x > 1:
            d[x] = x
    return (1 if d else 0, 2 if not d else 3, len(d) and 5, int(bool(d)), 0)


def dict_views3(s):
    d = {x: x + 1 for x in s}
    return (sum(d.keys()), max(d.items())[0], min(d.values()), int(5 in d.values()), sorted(d)[0])


def dict_tup_values(s):
    d = {x: (i, x) for i, x in enumerate(s)}
    d[s[0]] = d[s[1]]
    a, b = d[s[0]]
    return (a, b, d[s[2]][0], 0, 0)


def dict_none_values(s):
    d = {x: None for x in s}
    d[s[0]] = 4
    return (
        sum(v is None for v in d.values()),
        d[s[0]] or 0,
        int(d.get(s[1]) is None),
        int(d.get(1234) is None),
        0,
    )


def dict_dup_keys(s):
    d = {s[0]: 1, s[1]: 2, s[0]: 3}
    return (len(d), d[s[0]], d[s[1]], *list(d.values())[:1], 0)


def dict_bool_keys(s):
    d = {s[0] > 1: 5}
    d[False] = 7
    return (len(d), d.get(True, 0), 0, 0, 0)


def dict_str_keys(s):
    d = {}
    for x in s:
        c = "abc"[x % 3]
        d[c] = d.get(c, 0) + 1
    return (d.get("a", 0), d.get("b", 0), len(d), max(d.values()), 0)


def dict_order_eval(s):
    d = {}
    a = list(s)
    d[a.pop()] = a.pop()
    d[len(d)] = len(d)
    return (len(d), *list(d.items())[0], 0, 0)


def dict_const_stays(s):
    d = {0: 1, 1: 5}
    return (d.get(s[0], 9), len(d), d[1], 0, 0)


def dict_loop_new(s):
    n = 0
    for x in s:
        d = {}
        d[x] = 1
        n += len(d)
    prev = {}
    for x in s:
        cur = {}
        for k in prev:
            cur[k + 1] = prev[k]
        cur[x] = 1
        prev = cur
    return (n, len(prev), prev.get(s[4], 0), 0, 0)


def dict_pop_in_loop(s):
    d = {x: 1 for x in s}
    for k in list(d):
        if k > 2:
            del d[k]
    return (len(d), 0, 0, 0, 0)


def dict_walk_values(s):
    d = {x: [x] for x in s}
    for v in d.values():
        v.append(1)
    for k, v in d.items():
        v[0] += k
    return (sum(len(v) for v in d.values()), d[s[0]][0], 0, 0, 0)


def dict_dict_of_zip(s):
    d = dict(zip(s, s[1:]))
    e = dict([(1, 2), (s[0], 4)])
    return (len(d), d[s[0]], e[s[0]], len(e), 0)


def assigned_in_conditions(s):
    if 0 <= (a := s[0] + 1) < 4 and 0 <= (b := s[1] - 1) < 3:
        return (a, b, 0, 0, 0)
    if not (s[2] > 1 and (c := s[3]) > 1):
        return (a, 0, 0, 0, 1)
    return (a, c, 0, 0, 2)


def assigned_on_the_way(s):
    found = [0]
    rest = list(s)
    while rest and (x := rest.pop()) != 2:
        found.append(x)
    if s[0] < 0 or (y := s[1] * 2) > 4:
        return (len(found), sum(found), 0, 0, 0)
    z = y if (w := s[4]) > 1 and w != y else w
    assert s[3] < 5 and (v := s[3]) < 5
    return (len(found), y, z, w, v)
