"""Calls what appends chosen words of one array to another."""

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import entry


@entry
def gather_words(source, keys, taken, key, target, start):
    """Call `gather`."""
    return words.gather(source, keys, taken, key, target, start)
