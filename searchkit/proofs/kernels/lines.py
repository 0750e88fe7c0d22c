"""Lines of a list, put together from the texts of parts of states; nothing here asks the problem.

Row `f` of `fields` says where part `f` of a text is: the word, its first bit, the mask of its bits,
and the first of the numbers of its values.
"""

import numpy as np

from searchkit.compiled.specialise.names import apart, entry, shift_right
from searchkit.proofs.listing import FIRST, MOST_SHARED

NEW_LINE = 10


BLOCK = 256
"""How many rows are looked at together, part by part, by vectors of machine words."""


@apart
def take_ranks(words, shift, mask, ranks, place, found):
    """Put the ranks of a part in their place beside those that were found; whether one lacks."""
    lacks = np.int64(0)
    for i in range(len(words)):
        rank = ranks[shift_right(words[i], shift) & mask]
        found[i] |= rank << place
        lacks |= rank
    return lacks < 0


@entry
def rank_rows(rows, fields, ranks, places, fixed, begin, keys):
    """Fill keys in the order of the texts, from row `begin` on: where `places` says, with ranks.

    Gives the first row of which a value has no rank, but -1, or a bit was always the same; or how
    many rows there are. The last word of a key is left for its cost.
    """
    words, found = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)
    start, most = begin, BLOCK
    while start < len(rows):
        size, own, f, is_wrong = min(most, len(rows) - start), -1, 0, False
        for w in range(rows.shape[1]):
            differs = np.int64(0)
            for i in range(start, start + size):
                differs |= rows[i, w] ^ fixed[0, w]
            is_wrong |= differs & fixed[1, w] != 0
        for k in range(keys.shape[1] - 1):
            found[:] = 0
            while f < len(fields) and places[f, 0] == k:
                if fields[f, 0] != own:
                    own = fields[f, 0]
                    for i in range(size):
                        words[i] = rows[start + i, own]
                part = fields[f, 1], fields[f, 2], ranks[fields[f, 3] :], places[f, 1]
                is_wrong |= take_ranks(words[:size], *part, found[:size])
                f += 1
            for i in range(size):
                keys[start + i, k] = found[i]
        if is_wrong and size == 1:
            return start
        # The rows of a block with one that is wrong are looked at one by one.
        start, most = (start, 1) if is_wrong else (start + size, most)
    return len(rows)


@entry
def deal(keys, low, shift, ends, heaps):
    """Put keys into heaps by their first words; the ends of heaps move on."""
    for i in range(len(keys)):
        heap = shift_right(keys[i, 0] - low, shift)
        for w in range(keys.shape[1]):
            heaps[ends[heap], w] = keys[i, w]
        ends[heap] += 1


@entry
def write_lines(keys, places, codes, tails, sizes, ends, last, out):
    """Write the lines of keys that are in order, of which `last` is the one before; how many bytes.

    If a key is that of the line before, nothing but -1 less its place.

    Row `f` of `places` says where the rank of part `f` is: the word, its first bit, the mask of its
    bits, and the first of the `codes` of its texts. `tails` has the codes of some of the last
    parts with a number, of which there are `sizes`; or 0. `ends` is the code of the first word of
    numbers, whether that is a tab, and digits follow it; and how many codes a line may share.
    """
    at, parts = 0, len(places)
    split = parts + 1 - len(sizes)
    for i in range(len(keys)):
        same = 0
        while same < parts:
            word, shift = places[same, 0], places[same, 1]
            if shift_right(keys[i, word] ^ last[word], shift) != 0:
                break
            same += 1
        if same == parts:
            return -1 - i
        same = min(same, MOST_SHARED, ends[2])
        for w in range(keys.shape[1]):
            last[w] = keys[i, w]
        cost, tail, written = keys[i, keys.shape[1] - 1], np.int64(0), parts
        if same <= split < parts:
            place = np.int64(0)
            for f in range(split, parts):
                rank = shift_right(keys[i, places[f, 0]], places[f, 1]) & places[f, 2]
                place = place * sizes[f - split] + rank
            tail = np.int64(tails[place * sizes[parts - split] + cost])
            if tail != 0:
                written = split
        ends[2] = written
        out[at] = FIRST + same
        at += 1
        for f in range(same, written):
            rank = shift_right(keys[i, places[f, 0]], places[f, 1]) & places[f, 2]
            out[at] = codes[rank + places[f, 3]]
            at += 1
        if tail != 0:
            out[at] = tail
        elif ends[1] == 0:
            out[at] = ends[0] + cost
        else:
            out[at] = ends[0]
            digits, left = 1, cost // 10
            while left > 0:
                digits += 1
                left //= 10
            for digit in range(digits):
                out[at + digits - digit] = ends[0] + 1 + cost % 10
                cost //= 10
            at += digits
        at += 1
        out[at] = NEW_LINE
        at += 1
    return at
