"""Rules whose functions call themselves: floods, chains of steps, choices, mutual recursion."""


def fact(n):
    return 1 if n < 1 else n * fact(n - 1)


def factorial(s):
    return (fact(s[0]), fact(s[1] + 2), 0, 0, 0)


def late(n):
    if n > 0:
        return late(n - 1) + 2
    return 7


def base_last(s):
    return (late(s[0]), 0, 0, 0, 0)


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def fibonacci(s):
    return (fib(s[0]), fib(abs(s[1]) + 3), 0, 0, 0)


def gcd(a, b):
    if b == 0:
        return a
    return gcd(b, a % b)


def euclid(s):
    return (gcd(s[0] * 12, s[1] * 18), gcd(s[2], 3), 0, 0, 0)


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def mutual(s):
    return (int(even(abs(s[0]))), int(odd(abs(s[1]))), 0, 0, 0)


WALLS = {(0, 1), (2, 2), (3, 1), (1, 3)}


def fill(r, c, seen):
    if not (0 <= r < 5 and 0 <= c < 5) or (r, c) in WALLS or (r, c) in seen:
        return
    seen.add((r, c))
    for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        fill(r + dr, c + dc, seen)


def flood(s):
    seen = set()
    fill(s[0], s[1], seen)
    return (len(seen), int((4, 4) in seen), 0, 0, 0)


def reach(r, c, goal, seen):
    if (r, c) == goal:
        return True
    seen.append((r, c))
    return any(
        reach(r + dr, c + dc, goal, seen)
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
        if 0 <= r + dr < 4
        and 0 <= c + dc < 4
        and (r + dr, c + dc) not in WALLS
        and (r + dr, c + dc) not in seen
    )


def reached(s):
    return (int(reach(s[0], s[1], (3, 3), [])), 0, 0, 0, 0)


def chains(path, left):
    if left == 0:
        yield path
        return
    for x in (1, 2, 3):
        if x not in path:
            yield from chains((*path, x), left - 1)


def chained(s):
    found = []
    for path in chains((), s[0]):
        found.append(sum(path) * len(path))  # noqa: PERF401
    return (len(found), sum(found), 0, 0, 0)


def best(s, i, room):
    if i == len(s) or room <= 0:
        return 0
    without = best(s, i + 1, room)
    if s[i] > room:
        return without
    return max(without, abs(s[i]) + best(s, i + 1, room - abs(s[i]) - 1))


def knapsack(s):
    return (best(s, 0, s[0] + 4), 0, 0, 0, 0)


def turned(t):
    if not t:
        return ()
    return (*turned(t[1:]), t[0])


def reversal(s):
    return turned(s)


def subsets(items, i):
    if i == len(items):
        return [()]
    rest = subsets(items, i + 1)
    return rest + [(items[i], *each) for each in rest]


def all_subsets(s):
    found = subsets(s, 1)
    return (len(found), sum(map(sum, found)), len(found[3]), 0, 0)


def inner_fill(s):
    seen = []

    def go(i):
        if i in seen or not 0 <= i < 5:
            return
        seen.append(i)
        go(s[i])
        go(i - 1)

    go(s[0])
    return (len(seen), sum(seen), *seen[:3], 0, 0, 0)[:5]


def inner_best(s):
    def search(i, total):
        if i == 5:
            return total
        least = search(i + 1, total + s[i])
        if s[i] > 1:
            least = min(least, search(i + 1, total - 1))
        return least

    return (search(0, 0), 0, 0, 0, 0)


def undone(s):
    board = list(s)
    count = [0]

    def place(i):
        if i == 4:
            count[0] += board[0] * board[1] - board[4]
            return
        for k in range(3):
            board[i] += k
            if board[i] % 2 == 0:
                place(i + 1)
            board[i] -= k

    place(0)
    return (count[0], *board[1:])


def ack(m, n):
    if m <= 0:
        return n + 1
    if n <= 0:
        return ack(m - 1, 1)
    return ack(m - 1, ack(m, n - 1))


def ackermann(s):
    return (ack(min(s[0], 2), min(s[1], 3)), 0, 0, 0, 0)


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


def pairs_of(items, k):
    if k == 0:
        return [()]
    if len(items) < k:
        return []
    found = [(items[0], *rest) for rest in pairs_of(items[1:], k - 1)]
    found.extend(pairs_of(items[1:], k))
    return found


def combos(s):
    found = pairs_of(s[:4], 2)
    return (len(found), sum(a * b for a, b in found), 0, 0, 0)


def caught(n):
    if n < 0:
        raise ValueError
    return 1 if n == 0 else caught(n - 2) * 2


def catches(s):
    try:
        x = caught(s[0])
    except ValueError:
        x = -7
    return (x, 0, 0, 0, 0)


def hops(board, at, far):
    for d in (-2, 2):
        to = at + d
        if 0 <= to < 5 and board[to] <= 0 and board[at + d // 2] > 0 and far < 4:
            yield to, far
            yield from hops((*board[:to], far + 1, *board[to + 1 :]), to, far + 1)


def hopping(s):
    return (
        sum(to * far for to, far in hops(s, s[0] % 5, 0)),
        max((far for _, far in hops(s, 2, 0)), default=9),
        0,
        0,
        0,
    )


def first_hop(s):
    for to, far in hops(s, s[1] % 5, 0):
        if to != 2 and far > 0:
            return (to, far, 1, 1, 1)
    return s


def walk(t, i):
    if i < len(t):
        for x in walk(t, i + 1):  # noqa: UP028
            yield x
        yield t[i]


def backwards(s):
    return tuple(walk(s, 0))


def gen_a(n):
    if n > 0:
        yield n
        yield from gen_b(n - 1)


def gen_b(n):
    yield -n
    for k in range(2):
        yield from gen_a(n - 1 - k)


def mutual_items(s):
    return (sum(gen_a(s[0])), len(list(gen_a(s[1] + 1))), 0, 0, 0)


def nested(n, m):
    total = 0
    for i in range(n):
        total += inner_sum(i, m) + (nested(n - 1, m) if i else 0)
    return total


def inner_sum(i, m):
    return 0 if m <= 0 else i + inner_sum(i, m - 1)


def nested_recursions(s):
    return (nested(min(s[0], 4), s[1]), 0, 0, 0, 0)


def cross(n, m):
    if n <= 0:
        return 1

    def down(k):
        if k <= 0:
            return cross(n - 1, m)
        return down(k - 1) + k

    return down(m) + n


def crossing(s):
    return (cross(s[0], s[1]), 0, 0, 0, 0)


def path_list(s, path, i, out):
    if len(path) == 3:
        out.append(path[0] * path[1] - path[2])
        return
    for j in range(i, 5):
        path_list(s, [*path, s[j]], j + 1, out)


def paths_of_lists(s):
    out = []
    path_list(s, [], 0, out)
    return (len(out), sum(out), *out[:3])


def backtrack(s, path, out):
    if sum(path) > 5 or len(path) > 4:
        out.append(tuple(path))
        return
    for j in (1, 2, 3):
        path.append(j + s[0])
        backtrack(s, path, out)
        path.pop()


def backtracking(s):
    out = []
    if s[0] < 3:
        return s
    backtrack(s, [], out)
    return (len(out), sum(map(sum, out)), 0, 0, 0)


def lists_back(n):
    if n <= 0:
        return []
    found = lists_back(n - 1)
    found.append(n)
    return found


def list_returned(s):
    a = lists_back(s[0])
    a.append(9)
    return (len(a), sum(a), a[0], 0, 0)


def frozen_seen(i, seen):
    if i in seen:
        return len(seen)
    return max(frozen_seen((i + 1) % 4, seen | {i}), frozen_seen((i * 3 + 1) % 5, seen | {i}))


def frozen(s):
    return (frozen_seen(s[0] % 5, frozenset()), 0, 0, 0, 0)


def with_or(n):
    return n <= 0 or with_and(n - 1)


def with_and(n):
    return n != 3 and with_or(n - 2)


def boolean(s):
    return (int(with_or(s[0])), int(with_and(s[1])), 0, 0, 0)


def maybe(n):
    if n <= 0:
        return None
    if n == 3:
        return (n, 1)
    return maybe(n - 1)


def optional(s):
    found = maybe(s[0])
    return (0 if found is None else found[0], 0, 0, 0, 0)


def floats(n):
    return 0.5 if n <= 0 else floats(n - 1) / 2 + n


def halves(s):
    return (int(floats(s[0]) * 8), 0, 0, 0, 0)


def loops(n):
    total = 0
    while n > 0:
        n -= 1
        for i in range(n):
            if i == 2:
                continue
            if i == 4:
                break
            total += loops(n - i)
        else:
            total += 1
        if total > 50:
            break
    return total


def looping(s):
    return (loops(s[0]), loops(s[1]), 0, 0, 0)


def depth_known(s, k):
    if k == 0:
        return 0
    return s[k] + depth_known(s, k - 1)


def unrolled(s):
    return (depth_known(s, 4), 0, 0, 0, 0)


def tree(n):
    return n if n <= 0 else {"a": tree(n - 1), "b": 2}["a"] + len({tree(n - 2), 1, 7})


def dicts_in(s):
    return (tree(s[0]), 0, 0, 0, 0)


def sort_rec(t):
    if len(t) <= 1:
        return t
    p = t[0]
    less, more = tuple(x for x in t[1:] if x < p), tuple(x for x in t[1:] if x >= p)
    return (*sort_rec(less), p, *sort_rec(more))


def quick(s):
    return sort_rec(s)


def memo_fill(s):
    seen = {}

    def go(i):
        if i in seen:
            return seen[i]
        if not 0 <= i < 5:
            return 1
        seen[i] = 0
        seen[i] = go(s[i]) + go(i - 1) * 2
        return seen[i]

    return (go(s[0]), go(s[1]), 0, 0, 0)


def set_local(n, seen):
    if n in seen or n > 20:
        return len(seen)
    seen = seen | {n}
    return max(set_local(n + 2, seen), set_local(n * 2 + 1, set(seen)))


def set_copies(s):
    return (set_local(abs(s[0]), {3}), 0, 0, 0, 0)


def items_rec(n):
    if n > 0:
        yield n
        yield from items_rec(n - 1)
        yield n * 10


def sum_rec(n):
    return 0 if n <= 0 else n + sum_rec(n - 1)


def suspended(s):
    total = 0
    out = []
    for x in items_rec(s[0]):
        total += sum_rec(x % 7) * (1 + x)
        for y in items_rec(x % 3):
            total -= y
            out.append(total % 5)
    return (total, len(out), sum(out), 0, 0)


def outer_rec(n):
    total = 1
    for x in items_rec(n):
        if x < 4 and x < n:
            total += outer_rec(x) + sum_rec(x)
        if x > 100:
            break
    return total


def consumer_recurses(s):
    return (outer_rec(min(s[0], 4)), 0, 0, 0, 0)


def stops_early(s):
    out = 0
    for i in range(3):
        for x in items_rec(s[0] + i):
            if x * 10 > s[1] * 5:
                break
            out += x
        else:
            out += 1000
    return (out, next((x for x in items_rec(s[2]) if x > 5), -1), 0, 0, 0)


def bools(n, flag):
    ok = n % 2 == 0
    if n <= 0:
        return flag
    other = bools(n - 1, ok)
    last = ok if flag else other
    third = bools(n - 2, not last)
    return (ok and other) or (last and not third)


def truths_kept(s):
    return (int(bools(s[0], True)), int(bools(s[1], False)), 0, 0, 0)


def unlike(s):
    total = 0
    for a, b in ((1, "x"), (2, (3, 4)), (0, 5)):
        total += sum_rec(s[0] + a) * 3 + sum(items_rec(s[1])) + (b == 5)
    return (total, 0, 0, 0, 0)


def unlike2(s):
    total = 0
    for a in (1, "x", (3, 4)):
        for x in items_rec(s[1]):
            total += sum_rec(s[0] + x % 2) + (a == 1)
        total += outer_rec(min(s[0], 3))
    return (total, 0, 0, 0, 0)


def tricky(t, k):
    a = t[0] + k
    b = [x + 1 for x in t]
    if k > 0:
        c = tricky(tuple(b), k - 1)
        a += c[0] * 2
        b[0] += a
        d = tricky((*t[1:], b[0] % 5), k - 2)
        return (a % 50, b[0] % 50, c[1], d[2], len(b))
    b.reverse()
    return tuple(x % 20 for x in b)


def tuples_kept(s):
    return tricky(s, min(3, abs(s[0])))


def swap_sort(xs, lo, hi):
    if lo >= hi:
        return
    p, i = xs[hi], lo
    for j in range(lo, hi):
        if xs[j] < p:
            xs[i], xs[j] = xs[j], xs[i]
            i += 1
    xs[i], xs[hi] = xs[hi], xs[i]
    swap_sort(xs, lo, i - 1)
    swap_sort(xs, i + 1, hi)


def sorts_in_place(s):
    xs = list(s)
    swap_sort(xs, 0, 4)
    return tuple(xs)


def hanoi(n, a, b, c, pegs):
    if n == 0:
        return 0
    moved = hanoi(n - 1, a, c, b, pegs)
    pegs[b] += n
    pegs[a] -= 1
    return moved + 1 + hanoi(n - 1, c, b, a, pegs)


def hanois(s):
    pegs = [0, 0, 0]
    return (hanoi(abs(s[0]), 0, 2, 1, pegs), *pegs, 0)


def labels(grid, r, c, mark):
    if 0 <= r < 3 and 0 <= c < 3 and grid[r][c] == 0:
        grid[r][c] = mark
        return (
            1
            + sum(labels(grid, r + d, c, mark) for d in (-1, 1))
            + sum(labels(grid, r, c + d, mark) for d in (-1, 1))
        )
    return 0


def components(s):
    grid = [
        [0 if (r * 7 + c * 3 + s[0]) % (2 + abs(s[1]) % 3) else -1 for c in range(3)]
        for r in range(3)
    ]
    out = []
    for r in range(3):
        for c in range(3):
            size = labels(grid, r, c, len(out) + 1)
            if size:
                out.append(size)
    return (len(out), max(out, default=0), sum(map(sum, grid)), 0, 0)


def late_name(s):
    def a(n):
        return 1 if n <= 0 else b(n - 1) + 1

    def b(n):
        return 2 if n <= 0 else a(n - 2)

    return (a(s[0]), 0, 0, 0, 0)


def gen_collect(n, out):
    for k in range(n):
        out.append(n * 10 + k)
        yield k
        yield from gen_collect(k, out)
        out.append(-k)


def generator_that_changes(s):
    out = []
    got = []
    for x in gen_collect(s[0], out):
        got.append(len(out) * 10 + x)  # noqa: PERF401
    return (len(out), sum(out) % 1000, sum(got) % 1000, 0, 0)


def dfs(i, seen=None):
    if seen is None:
        seen = set()
    if i in seen or not 0 <= i < 9:
        return seen
    seen.add(i)
    for d in (3, -2):
        dfs(i + d, seen)
    return seen


def default_none(s):
    a = dfs(s[0])
    b = dfs(s[1])
    return (len(a), len(b), int(4 in a), 0, 0)


def given_seen(i, seen):
    if i in seen or not 0 <= i < 9:
        return seen
    seen.add(i)
    given_seen(i + 3, seen)
    given_seen(i - 2, seen)
    return seen


def returned_seen(s):
    a = given_seen(s[0], set())
    a.add(77)
    given_seen(s[1], a)
    return (len(a), int(77 in a), 0, 0, 0)


def rebound_seen(i, seen):
    if 0 <= i < 9 and i not in seen:
        seen.add(i)
        seen = rebound_seen(i + 3, seen)
        seen = rebound_seen(i - 2, seen)
    return seen


def rebinds(s):
    return (len(rebound_seen(s[0], set())), 0, 0, 0, 0)


def collect(t, i, out=None):
    if out is None:
        out = []
    if i < len(t):
        if t[i] > 0:
            out.append(t[i])
        return collect(t, i + 1, out)
    return out


def collected(s):
    found = collect(s, 0)
    return (len(found), sum(found), *found, 0, 0, 0, 0, 0)[:5]


def collect_none(t, i, out=None):
    out = [] if out is None else out
    if i < len(t):
        out.append(t[i] * 2)
        collect_none(t, i + 1, out)
    return out


def collected2(s):
    return tuple(collect_none(s, 0))


def path_default(s, at, path=()):
    if len(path) == 3 or at in path:
        return len(path) * 10 + at
    return max(
        path_default(s, (at + 1) % 5, (*path, at)), path_default(s, (at * 2) % 5, (*path, at))
    )


def paths_default(s):
    return (path_default(s, s[0] % 5), 0, 0, 0, 0)


def helped(values, x):
    if x < 0:
        return values
    values.append(x)
    return values


def given_back_in_place(s):
    a = list(s)
    b = helped(a, s[0])
    b.append(1)
    return (len(a), a[-1], len(b), 0, 0)


def same_list(n, acc):
    if n > 0:
        acc.append(n)
        return same_list(n - 1, acc)
    return acc


def given_back(s):
    a = []
    b = same_list(s[0], a)
    a.append(4)
    c = same_list(s[1], [])
    return (len(a), len(b), len(c), sum(b), 0)


def walrus(n):
    if n > 0 and (m := walrus(n - 1)) > 2:
        return m - 1
    return n + 2


def given_in_a_test(s):
    return (walrus(s[0]), walrus(s[1]), 0, 0, 0)


def key_of(n):
    return max(range(n), key=lambda k: key_of(k) * k % 5, default=1) + 1


def within_a_key(s):
    return (key_of(s[0]), key_of(s[1]), 0, 0, 0)


def mapped(n):
    return sum(map(mapped, range(n))) + 1


def maps_itself(s):
    return (mapped(s[0]), mapped(s[1]), 0, 0, 0)


def count_all(n, counts):
    if n > 0:
        counts[n % 3] += n
        count_all(n - 1, counts)
        count_all(n - 2, counts)


def counts_in_place(s):
    counts = [0, 0, 0]
    count_all(s[0], counts)
    return (*counts, 0, 0)
