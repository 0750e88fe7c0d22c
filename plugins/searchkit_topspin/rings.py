"""Rings of tokens: in machine words, as text, and as pictures.

Where on the ring the tokens stand does not matter, so a ring is read from token 0 on (written 1);
four bits for each token, the first in the lowest.
"""

from __future__ import annotations

from collections.abc import Sequence

from searchkit import ParseError

MOST_TOKENS = 16


def pack(tokens: Sequence[int]) -> int:
    """The state of a ring of tokens, from any token on."""
    first = tokens.index(0)
    return sum(token << 4 * i for i, token in enumerate([*tokens[first:], *tokens[:first]]))


def unpack(state: int, size: int) -> list[int]:
    """The tokens from token 0 on."""
    return [state >> 4 * i & 15 for i in range(size)]


def parity(tokens: Sequence[int]) -> int:
    """1 if an odd number of swaps puts the tokens in order, else 0."""
    return sum(a > b for i, a in enumerate(tokens) for b in tokens[i + 1 :]) % 2


def write(tokens: Sequence[int]) -> str:
    """The tokens with their numbers from 1 on."""
    return " ".join(str(token + 1) for token in tokens)


def read(text: str, size: int) -> int:
    """The ring that a text describes, from any token on; `ParseError` if it describes none.

    >>> write(unpack(read("3 4 1 2", 4), 4))
    '1 2 3 4'
    """
    words = text.replace(",", " ").split()
    example = repr(write(range(size)))
    known = {str(token + 1): token for token in range(size)}
    for word in words:
        if word not in known:
            raise ParseError(
                f"{word[:20]!r} is not a token; tokens are 1 to {size}, like {example}"
            )
    tokens = [known[word] for word in words]
    for token in range(size):
        if (times := tokens.count(token)) != 1:
            many = f"{times} times" if times else "never"
            raise ParseError(
                f"token {token + 1} occurs {many}; each of 1 to {size} must occur once, "
                f"like {example}"
            )
    return pack(tokens)


def picture(tokens: Sequence[int]) -> str:
    """The ring, clockwise from the first token.

    >>> print(picture(range(7)))
    ╭─ 1 ─ 2 ─ 3 ─ 4 ─╮
    ╰─── 7 ─ 6 ─ 5 ───╯
    """
    width = len(str(len(tokens)))
    labels = [str(token + 1).rjust(width) for token in tokens]
    half = -(-len(labels) // 2)
    upper, lower = (" ─ ".join(part) for part in (labels[:half], labels[half:][::-1]))
    room = len(upper) - len(lower)
    left, right = "─" * (room // 2), "─" * (room - room // 2)
    return f"╭─ {upper} ─╮\n╰─{left} {lower} {right}─╯"
