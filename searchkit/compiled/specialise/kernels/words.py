"""States in arrays, and their hashes: of one word or of several."""

from searchkit.compiled.specialise.names import WORDS

if WORDS == 1:
    from searchkit.compiled.specialise.kernels.words_one import (
        gather,
        load,
        mixed,
        read_words,
        store,
        write_words,
        zero_state,
    )
else:
    from searchkit.compiled.specialise.kernels.words_many import (
        gather,
        load,
        mixed,
        read_words,
        store,
        write_words,
        zero_state,
    )

__all__ = ["gather", "load", "mixed", "read_words", "store", "write_words", "zero_state"]
