# ruff: noqa: SIM105  (what is tried here is try)
"""Rules with try and except: each makes a tuple of a state of five small numbers."""

ITEMS = (3, 1, 4)
SHOPS = {0: "a", 2: "b"}
PRICES = {"a": 1, "b": 5}


def index_behind_the_end(s):
    try:
        x = ITEMS[s[0]]
    except IndexError:
        x = -9
    return (x, 0, 0, 0, 0)


def key_that_is_missing(s):
    try:
        return (PRICES[SHOPS[s[0]]], 0, 0, 0, 0)
    except KeyError:
        return (0, 1, 0, 0, 0)


def what_was_done_before_stays(s):
    after = list(s)
    count = 0
    try:
        for i in range(6):
            after[i] += 1
            count += 1
    except IndexError:
        after[0] = -1
    return (*after[:4], count)


def the_first_that_takes_it(s):
    try:
        x = s[s[0]] // s[1]
    except ZeroDivisionError:
        x = 10
    except (IndexError, KeyError):
        x = 20
    return (x, 0, 0, 0, 0)


def by_a_base_class(s):
    try:
        x = ITEMS[s[0]] + PRICES["a" if s[1] else "c"]
    except LookupError:
        x = 7
    return (x, 0, 0, 0, 0)


def nested(s):
    out = 0
    try:
        try:
            out = ITEMS[s[0]]
        except KeyError:
            out = 1
        out += ITEMS[s[1]]
    except IndexError:
        out += 100
    return (out, 0, 0, 0, 0)


def not_taken(s):
    try:
        x = s[0] // s[1]
    except IndexError:
        x = 5
    return (x, 0, 0, 0, 0)


def whatever(s):
    try:
        x = ITEMS[s[0]] // s[1]
    except Exception:
        x = 5
    return (x, 0, 0, 0, 0)


def bare(s):
    try:
        x = ITEMS[s[0]]
    except:  # noqa: E722
        x = 5
    return (x, 0, 0, 0, 0)


def or_else(s):
    try:
        x = ITEMS[s[0]]
    except IndexError:
        x = 1
    else:
        x = SHOPS[x] == "b"
    return (int(x), 0, 0, 0, 0)


def in_a_loop(s):
    out = []
    for i in range(5):
        try:
            out.append(ITEMS[s[i]])
        except IndexError:
            if i == 3:
                break
            continue
        out.append(i)
    return (len(out), sum(out), 0, 0, 0)


def place_of(s):
    try:
        i = s.index(2)
    except ValueError:
        i = -1
    return (i, 0, 0, 0, 0)


def helper(s, i):
    if i > 3:
        raise ValueError("too large")
    return s[i + 1]


def raised_in_a_helper(s):
    try:
        return (helper(s, s[0]), 0, 0, 0, 0)
    except ValueError:
        return (0, 1, 0, 0, 0)
    except IndexError:
        return (0, 0, 1, 0, 0)


def taken_in_a_helper(s):
    def at(i):
        try:
            return s[i]
        except IndexError:
            return 9

    return (at(s[0]), at(s[1]), at(s[2]), at(7), at(-6))


def gone_through(s):
    """An error where items are used does not come into the generator."""

    def each():
        for i in range(3):
            try:
                yield ITEMS[s[i]]
            except IndexError:
                yield 50

    total = 0
    for x in each():
        total += ITEMS[x - 1] if x < 50 else x
    return (total, 0, 0, 0, 0)


def in_a_generator(s):
    def each():
        for i in (0, 1, 2, 3, 4, 5):
            yield s[i]

    total = 0
    try:
        for x in each():
            total += x
    except IndexError:
        total += 1000
    return (total, 0, 0, 0, 0)


def pop_of_nothing(s):
    rest = [x for x in s if x > 2]
    out = 0
    try:
        out += rest.pop()
        out += rest.pop()
    except IndexError:
        out += 100
    return (out, len(rest), 0, 0, 0)


def removed(s):
    rest, members = list(s), set(s)
    out = 0
    try:
        rest.remove(3)
        members.remove(2)
    except ValueError:
        out = 1
    except KeyError:
        out = 2
    return (out, len(rest), len(members), 0, 0)


def unpacked(s):
    rest = [x for x in s if x > 1]
    try:
        a, b = rest
    except ValueError:
        a, b = -1, len(rest)
    return (a, b, 0, 0, 0)


def asserted(s):
    try:
        assert s[0] < 2
        x = 1
    except AssertionError:
        x = 0
    return (x, 0, 0, 0, 0)


def least_of_nothing(s):
    try:
        x = min(x for x in s if x > 3)
    except ValueError:
        x = 0
    return (x, 0, 0, 0, 0)


def digit(s):
    total = 0
    for c in ("1", "x", "7", "-")[: max(0, s[0])]:
        try:
            total += int(c)
        except ValueError:
            total += 100
    return (total, 0, 0, 0, 0)


def value_before(s):
    x = s[4]
    try:
        x = 7
        x = ITEMS[s[0]]
    except IndexError:
        x += 1
    return (x, 0, 0, 0, 0)


def returns_in_the_body(s):
    try:
        return (ITEMS[s[0]], s[1], 0, 0, 0)
    except IndexError:
        pass
    return (0, 0, 0, 0, s[1])


def own_error(s):
    class_of = Found
    try:
        for x in s:
            if x == 2:
                raise class_of
    except Found:
        return (1, 0, 0, 0, 0)
    return (0, 0, 0, 0, 0)


class Found(Exception):  # noqa: N818
    pass


def all_of_them(s):
    try:
        found = all(ITEMS[x] > 0 for x in s)
    except IndexError:
        found = False
    return (int(found), 0, 0, 0, 0)


def conditional(s):
    try:
        x = ITEMS[s[0]] if s[1] > 1 else ITEMS[s[2]]
        y = s[0] > 1 and ITEMS[s[3]] > 1
    except IndexError:
        return (9, 0, 0, 0, 0)
    return (x, int(y), 0, 0, 0)


def list_that_stays(s):
    rest = [7]
    grid = [[1], [2]]
    known = {0: [5]}
    try:
        rest = [s[x] + 1 for x in (0, 1, 2)]
        rest = [ITEMS[x] for x in s]
    except IndexError:
        rest.append(3)
    try:
        grid[0] = [ITEMS[x] for x in s]
    except IndexError:
        pass
    try:
        rest += [ITEMS[x] for x in s]
    except IndexError:
        pass
    try:
        known[1] = [ITEMS[x] for x in s]
    except IndexError:
        pass
    try:
        rest.insert(0, sum([ITEMS[x] for x in s]))
        rest.extend([ITEMS[x] for x in s])
    except IndexError:
        pass
    return (len(rest), sum(rest), len(grid[0]), len(known), sum(grid[0]))


def list_that_grows(s):
    rest = [7]
    try:
        rest.extend(ITEMS[x] for x in s)
    except IndexError:
        rest.append(100)
    return (len(rest), sum(rest), 0, 0, 0)
