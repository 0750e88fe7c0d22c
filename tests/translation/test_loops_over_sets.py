"""Loops over sets that leave the same behind in any order, and those that do not."""

import itertools
from math import inf

import pytest

from searchkit import BreadthFirst, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import UnsuitableError
from tests.translation.test_orders_of_sets import Numbers, moved
from tests.translation.test_searches import told

MEMBERS = ((1, -2, 5), (0, 3, 4, 7), (9,), (), (2, -1, 6, 22))
PLACES = [3, 8, -4]


def total(s, n):
    total = 0
    for x in s:
        total += x * n
    return total


def totals_of_a_condition(s, n):
    odd, far = 1, 0
    for x in s:
        if x % 2:
            odd += 1
            continue
        d = abs(x - n)
        far = far + d
    return 3 * odd - far


def least_of_lists(s, n):
    total = 0
    for x in s:
        best = 99
        for place in PLACES:
            if abs(x - place) < best:  # noqa: PLR1730
                best = abs(x - place)
        total += best
    return total


def nearest(s, n):
    best = inf
    for x in s:
        d = abs(x - n)
        if d < best:  # noqa: PLR1730
            best = d
    return 5 if best == inf else int(best)


def nearest_or_none(s, n):
    best = None
    for x in s:
        d = abs(x - n)
        if best is None or d < best:
            best = d
    return 5 if best is None else best


def greatest(s, n):
    most = -99
    for x in s:
        most = max(most, x % 5)
    return most


def greatest_by_turns(s, n):
    low, high = 99, -99
    for x in s:
        if low > x:  # noqa: PLR1730
            low = x
        if high < x:  # noqa: PLR1730
            high = x
    return high - low


def any_of(s, n):
    for x in s:
        if x % 3 == n % 3:
            return 7
    return 2


def none_of(s, n):
    found = False
    for x in s:
        if x > n:
            found = True
            break
    return 4 if found else 1


def none_of_or_else(s, n):
    for x in s:
        if x == n:
            break
    else:
        return 3
    return 8


def all_of_two(s, n):
    total = 0
    for x in s:
        if x == n:
            return 0
        total += 1
    return total


def pairs(s, n):
    count = 0
    for x in s:
        for y in s:
            if x < y and (x + y) % 2:
                count += 1
    return count


def first_of_a_list(s, n):
    total = 0
    for x in s:
        for place in PLACES:
            if place > x:
                total += place
                break
    return total


def swapped(s, n):
    total = 0
    for x in s:
        a, b = x, n
        while a > b:
            a, b = b, a + 1
        total += a
    return total


FREE = [total, totals_of_a_condition, least_of_lists, nearest, nearest_or_none,
        greatest, greatest_by_turns, any_of,
        none_of, none_of_or_else, all_of_two, pairs, first_of_a_list, swapped]  # fmt: skip


def last(s, n):
    found = 0
    for x in s:
        found = x
    return found


def last_of_the_loop(s, n):
    x = 0
    for x in s:  # noqa: B007
        pass
    return x


def difference_of_turns(s, n):
    total = 0
    for x in s:
        total = x - total
    return total


def remembers(s, n):
    total, before = 0, 0
    for x in s:
        total += before * x
        before = x
    return total


def remembers_what_it_found(s, n):
    total, d = 0, 0
    for x in s:
        if x % 2:
            d = x
        total += d
    return total


def reads_its_sum(s, n):
    total = 0
    for x in s:
        total += total * x + 1
    return total


def place_of_the_least(s, n):
    best, place = 99, 0
    for x in s:
        if x % 2 < best:
            best = x % 2
            place = x
    return place


def first(s, n):
    for x in s:
        if x % 2 == 1:
            return x
    return 0


def one_of_two(s, n):
    for x in s:
        if x > 2:
            return 1
        if x < 2:
            return 2
    return 0


def counts_until(s, n):
    count = 0
    for x in s:
        if x > 3:
            break
        count += 1
    return count


def two_flags(s, n):
    far = False
    for x in s:
        if x > 2:
            far = True
        if x % 2:
            break
    return int(far)


def two_ends(s, n):
    found = 0
    for x in s:
        if x > 2:
            found = 1
            break
        if x % 2:
            break
    return found


def of_two_constants(s, n):
    found = 0
    for x in s:
        if x > 2:  # noqa: SIM108
            found = 1
        else:
            found = 2
    return found


def of_two_ways(s, n):
    best = 0
    for x in s:
        best = max(best, x)
        best = min(best, 4)
        if x == 22:
            best += 1
    return best


def plus_of_a_choice(s, n):
    total = 0
    for x in s:
        total = total + x if x % 2 else 1
    return total


def more_than_the_least(s, n):
    best = 50
    for x in s:
        best = min(best, x) + 1
    return best


def first_or_less(s, n):
    best = None
    for x in s:
        if best is None or x < 2:
            best = x
    return 5 if best is None else best


def read_by_else(s, n):
    for x in s:
        y = x
    else:  # noqa: PLW0120
        return y if s else 0


def of_floats(s, n):
    total = 0.0
    for x in s:
        total += 1e16 if x == 4 else 1.0
    return int(total) % 1000


def of_a_list(s, n):
    found = []
    for x in s:
        found.append(x)  # noqa: PERF402
    return found[0] if found else 0


def by_break_of_an_else(s, n):
    total = 0
    for x in s:
        for place in PLACES:
            if place == x:
                break
        else:
            total += 1
            break
        total += 10
    return total


def read_by_a_function(s, n):
    total = 0

    def so_far():
        return total

    for x in s:
        total += so_far() * x + 1
    return total


def least_of_what_a_lambda_reads(s, n):
    best = 99
    far = lambda x: (best + x) % 7  # noqa: E731
    for x in s:
        best = min(best, far(x))
    return best


def flag_that_a_lambda_reads(s, n):
    found, count = False, 0
    before = lambda: int(found)  # noqa: E731
    for x in s:
        if x > 4:
            found = True
        count += before()
    return count


def read_by_a_generator(s, n):
    total = 0
    for y in (total * x + 1 for x in s):
        total += y
    return total


BOUND = [read_by_a_function, least_of_what_a_lambda_reads, flag_that_a_lambda_reads,
         read_by_a_generator, last,
         last_of_the_loop, difference_of_turns, remembers, remembers_what_it_found,
         reads_its_sum, place_of_the_least, first, one_of_two, counts_until, two_flags, two_ends,
         of_two_constants, of_two_ways, plus_of_a_choice, more_than_the_least, read_by_else,
         first_or_less,
         of_floats, of_a_list, by_break_of_an_else]  # fmt: skip


def results(rule):
    """What a rule gives for the members in each order."""
    for members in (*MEMBERS, (3, 8, 1, 2)):
        for n in range(4):
            yield {rule(each, n) for each in itertools.permutations(members)}


@pytest.mark.slow_variants(
    "totals_of_a_condition",
    "nearest_or_none",
    "greatest_by_turns",
    "none_of_or_else",
    "all_of_two",
    "swapped",
)
@pytest.mark.parametrize("rule", FREE)
def test_what_is_the_same_in_any_order(rule):
    assert all(len(each) == 1 for each in results(rule))

    def new(n, s):
        return moved(s, n, rule(s, n))

    expected = solve(Numbers(new), BreadthFirst(), engine="reference")
    with plainly():
        found = solve(Numbers(new), BreadthFirst(), engine="compiled")
    assert (found.states, told(found)) == (expected.states, told(expected))


@pytest.mark.parametrize("rule", BOUND)
def test_what_the_order_decides_is_refused(rule):
    assert any(len(each) > 1 for each in results(rule))
    with (
        plainly(),
        pytest.raises(UnsuitableError, match=r"a set.*whose order machine code does not"),
    ):
        solve(Numbers(lambda n, s: moved(s, n, rule(s, n))), BreadthFirst(), engine="compiled")


def of_another_min():
    def min(one, other):  # noqa: A001
        return one * 2 + other

    def another_min(s, n):
        found = 0
        for x in s:
            found = min(found, x)
        return found

    return another_min


def test_functions_with_the_names_of_pythons():
    test_what_the_order_decides_is_refused(of_another_min())
