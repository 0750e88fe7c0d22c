"""Rules with texts, and numbers as texts: each makes a tuple of a state of five small numbers."""

WORDS = ["a", "no", "yes", "maybe", "b", "north"]


def text_of(s):
    return "".join("ab-"[x % 3] for x in s)


def found_from(s):
    t = text_of(s)
    return (t.find("a", 1), t.find("b", s[0]), t.find("ab", 2), t.find("a"), t.find("b-"))


def index_from(s):
    t = text_of(s)
    return (t.index("a", s[1] % 3), t.index("b"), s.index(s[4], 2), 0, 0)


def every_place(s):
    t, found = text_of(s), []
    i = t.find("a")
    while i >= 0:
        found.append(i)
        i = t.find("a", i + 1)
    return (len(found), sum(found), 0, 0, 0)


def counted(s):
    t = text_of(s) + text_of(s[::-1])
    return (t.count("aa"), t.count("ab"), t.count("a-b"), t.count(t[:2]), t.count("a"))


def replaced(s):
    t = text_of(s)
    return (
        len(t.replace("a", "")), len(t.replace("ab", "b")), t.replace("-", "ab").count("ab"),
        len(t.replace("a", "bb", 1)), len(t.replace("aa", "a", s[0])),
    )  # fmt: skip


def replaced_letters(s):
    t = text_of(s).replace("a", "x").replace("b", "a").replace("x", "b")
    return tuple("ab-".index(c) for c in t)


def partitions(s):
    t = text_of(s)
    head, mid, tail = t.partition("-")
    left, sign, right = t.partition("ab")
    return (len(head), len(mid), len(tail), len(left) - len(sign), len(right))


def stripped(s):
    t = text_of(s)
    return (
        len(t.strip("a")), len(t.lstrip("ab")), len(t.rstrip("-")), len((" " + t + "\n").strip()),
        len(t.rstrip(t[-1])),
    )  # fmt: skip


def split_by_texts(s):
    t = text_of(s)
    parts = t.split("ab")
    words = t.replace("-", " ").split()
    lines = (t.replace("-", "\n")).splitlines()
    return (len(parts), sum(map(len, parts)), len(words), len(lines), len(t.split("-")))


def repeated(s):
    t = "ab" * (s[0] % 3) + text_of(s) * 2
    row = s[:2] * 2 + (7,) * (s[1] % 2)
    return (len(t), t.count("ab"), sum(row), len(row), len(text_of(s[:3]) * s[2]))


def letters(s):
    t = text_of(s).upper()
    both = (t + text_of(s)).lower()
    return (t.count("A"), t.lower().count("a"), both.count("a"), int(t[0].isalnum()), 0)


def classes_of_texts(s):
    t, u = text_of(s), text_of(s).upper()
    return (int(t[:2].isalpha()), int(t[1:1].isalpha()), int(u.isupper()), int(t.islower()),
            int(str(abs(s[0])).isdigit()) + 2 * int((t[0] + "1").isalnum()))  # fmt: skip


def of_a_known_text(s):
    t = "abc-abc"
    return (t.find("bc", s[0]), t.count(text_of(s)[0]), len(t.split("bc"[s[1] % 2])), t.index("c"),
            int("abcab".startswith(text_of(s)[:2])))  # fmt: skip


def numbers_as_texts(s):
    n = 37 * s[0] - 12 * s[1] + 1000 * s[2]
    t = str(n)
    return (len(t), int(t), int(t[-1]), sum(c == "-" for c in t), int(str(abs(n))[::-1]))


def digits(s):
    n = abs(s[0] * 111 + s[1] * 7)
    return (sum(int(c) for c in str(n)), int(str(n) + "5"), int(f"{n}{s[2] % 10}"), 0, 0)


def no_number(s):
    try:
        return (int(text_of(s)), 0, 0, 0, 0)
    except ValueError:
        return (-1, 0, 0, 0, 0)


def in_binary(s):
    n = abs(s[0] * 16 + s[1])
    return (bin(n).count("1"), len(bin(n)), n.bit_length(), n.bit_count(), (-n).bit_length())


def words(s):
    w = WORDS[s[0]]
    other = WORDS[s[1]]
    return (len(w), int(w < other), int(w + "x" == "ax"), int(w.startswith("no")), w.count("e"))


def words_and_letters(s):
    order = sorted([WORDS[s[0]], WORDS[s[1]], "c"])
    best = max(WORDS[s[2]], WORDS[s[3]])
    by_word = {"a": 1, "yes": 2, "b": 3}
    return (len(order[0]), len(order[2]), len(best), by_word.get(WORDS[s[0]], 0), 0)


def letter_in_words(s):
    c = "abn"[s[0] % 3]
    return (int(c in WORDS), int(c in WORDS[s[1]]), sum(c == w for w in WORDS), len(c + WORDS[0]),
            WORDS.index(c) if c != "n" else -1)  # fmt: skip


def formats(s):
    n, m = abs(s[0] * 13), abs(s[1])
    clock = f"{n:02d}:{m:02}"
    return (len(clock), int(clock[:2]), len(f"{n:5}".strip()), int(format(m, "04b"), 2),
            int(f"{n:03d}{m}"))  # fmt: skip


def formats_below_zero(s):
    a, b = s[0] * 13 - 40, s[1] * 7 - 3
    texts = [f"{a:03d}", f"{b:02}", f"{a:1d}", f"{b:5}", format(a, "06b"), "%04d" % b]  # noqa: UP031
    line = "|".join(texts)
    return (len(line), line.find("-"), int(texts[0]), int(texts[5]), int(texts[4], 2))


def letters_replaced_in_one_letter(s):
    text = "ab".strip("b")
    for letter in "abc"[: s[0] % 4]:
        if letter == "bac"[s[1] % 3]:
            text = text.replace(letter, "c")
        text = text[:5] + "b"[: s[2] % 2]
    return (len(text), text.count("c"), text.count("b"), 0, 0)


TO_X = str.maketrans("ab", "bc")


def letters_changed_in_a_text_that_changes(s):
    text, other = "aBc", "ab"
    for i in range(s[0] % 4):
        text = text.upper() if i % 2 else text.translate(TO_X)
        text = (text + "bA")[: 2 + s[1] % 3]
        other = other.replace("a", "b") + "a"
        other = other[s[2] % 2 :]
    return (len(text), text.count("C"), text.count("b"), other.count("b"), len(other))


def formats_by_signs(s):
    n, m = abs(s[0] * 13), abs(s[1])
    text = "%02d:%d%s" % (n, m, "ab"[s[2] % 2])  # noqa: UP031
    one = "<%d>" % m  # noqa: UP031
    return (len(text), int(text[:2]), len(one), int(text[-1] == "a"), int("%d" % n))  # noqa: UP031


def padded(s):
    t = str(abs(s[0] * 7))
    return (
        int(t.zfill(3)),
        len(t.zfill(3)),
        len(t.rjust(4)),
        int(t.ljust(3, "5")),
        len(t.rjust(1, "x")),
    )


def number_of_bits(s):
    t = "".join("01"[x % 2] for x in s)
    return (int(t, 2), int("1" + t, base=3), int("-" + t, 8), 0, 0)


LETTERS_FOR = str.maketrans("ab", "ba")


def translated_letters(s):
    t = text_of(s).translate(LETTERS_FOR)
    return (
        t.count("a"),
        t.count("b"),
        t.find("-"),
        int(t[0].translate(LETTERS_FOR) == text_of(s)[0]),
        0,
    )


def found_from_the_end(s):
    t, part = text_of(s), "ab-"[s[0] % 3]
    return (t.rfind("a"), t.rfind("ab"), t.rfind(t[:2]), t.rfind(""), t.rindex(part))


def last_place_in_a_known_text(s):
    return ("maybe a name".rfind("ab-"[s[0] % 3]), "a-b-a".rindex("ab-"[s[1] % 3]), 0, 0, 0)


def begins_with_one_of_several(s):
    t = text_of(s)
    known = "north".startswith(("no", t[0]))
    return (t.startswith(("a", "bb")), t.endswith((t[1], "--")), t.endswith(("ab",)), known, 0)
