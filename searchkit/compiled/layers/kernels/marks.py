"""Numbers as bits of a bitmap, set and listed; nothing here asks the problem."""

from searchkit.compiled.specialise.names import borrowed, entry, lowest_one, prefetch

AHEAD = 64
"""The words of this many numbers are prefetched: their bits lie anywhere."""


@entry
def mark(bitmap, numbers, base):
    """Set the bits of numbers, less `base`; how many were not set, or -1 if one has no bit."""
    bitmap, numbers = borrowed(bitmap), borrowed(numbers)
    most, fresh, wrong = 64 * len(bitmap), 0, False
    for begin in range(0, len(numbers), AHEAD):
        end = min(len(numbers), begin + AHEAD)
        for i in range(begin, end):
            # What is not memory of ours is asked for in vain.
            prefetch(bitmap, (numbers[i] - base) >> 6)
        for i in range(begin, end):
            number = numbers[i] - base
            if 0 <= number < most:
                before = bitmap[number >> 6]
                fresh += 1 - (before >> (number & 63) & 1)
                bitmap[number >> 6] = before | 1 << (number & 63)
            else:
                wrong = True
    return -1 if wrong else fresh


@entry
def take_marked(bitmap, at, base, numbers):
    """Take the bits of the words from `at[0]` on away, as rising numbers with `base`; how many.

    Stops where 64 more might not have room, at the word that `at[0]` is then.
    """
    bitmap, numbers = borrowed(bitmap), borrowed(numbers)
    count, word = 0, at[0]
    while word < len(bitmap) and count + 64 <= len(numbers):
        left = bitmap[word]
        if left != 0:
            bitmap[word] = 0
            first = base + 64 * word
            while left != 0:
                numbers[count] = first + lowest_one(left)
                count += 1
                left &= left - 1
        word += 1
    at[0] = word
    return count
