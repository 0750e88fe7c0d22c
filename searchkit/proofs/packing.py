"""One stream of xz whose beginning is known last, packed beside what makes its text.

The blocks of a stream do not depend on each other, and only the index at its end says where they
are: "The .xz File Format" (L. Collin, 2009). So threads pack the text, a piece each.
"""

from __future__ import annotations

import lzma
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import IO
from zlib import crc32

import attrs

BLOCK = 1 << 20
"""Bytes that are read at a time."""
PIECE = 1 << 22
"""The bytes of text that a block has."""
SMALL = 1 << 18
"""The bytes of text that is packed as well as can be."""
PRESETS = 6, 3
ENDS = 12
"""The bytes of the header of a stream, and of its footer."""


@attrs.define(eq=False, repr=False)
class Packer:
    """Takes text, and packs it by `threads` into `body`, a temporary file."""

    body: IO[bytes]
    threads: int
    _pool: ThreadPoolExecutor = attrs.field(init=False)
    _text: bytearray = attrs.field(factory=bytearray, init=False)
    _waiting: deque[Future[bytes]] = attrs.field(factory=deque, init=False)
    _records: list[bytes] = attrs.field(factory=list, init=False)
    """What the index says of each block."""

    def __enter__(self) -> Packer:
        self._pool = ThreadPoolExecutor(self.threads)
        return self

    def __exit__(self, *about: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def write(self, part: bytes) -> None:
        """Take more text; where each thread has a piece to pack, and another, wait for one."""
        self._text += part
        if len(self._text) >= PIECE:
            self._put(2 * self.threads)

    def whole(self, head: bytes) -> Iterator[bytes]:
        """The stream of `head`, which is not empty, and the text behind it."""
        if not (self._waiting or self._records):
            yield _packed(head + self._text, PRESETS[len(self._text) > SMALL])
            return
        self._put(0)
        stream = _packed(head, PRESETS[0])
        block = self._block(stream)
        yield from read_on(self.body, stream[:ENDS] + block)
        count, number = b"", len(self._records)
        while number >> 7:
            count, number = count + bytes([number & 127 | 128]), number >> 7
        index = b"".join([b"\0", count, bytes([number]), self._records.pop(), *self._records])
        index = _summed(index + bytes(-len(index) % 4))
        about = _summed((len(index) // 4 - 1).to_bytes(4, "little") + stream[6:8])
        yield index + about[-4:] + about[:-4] + stream[-2:]

    def _put(self, most: int) -> None:
        """Have the text packed, and take blocks until no more than so many are waited for."""
        if self._text:
            self._waiting.append(self._pool.submit(_packed, bytes(self._text), PRESETS[1]))
            self._text.clear()
        while len(self._waiting) > most:
            self.body.write(self._block(self._waiting.popleft().result()))

    def _block(self, stream: bytes) -> bytes:
        """The block of a stream that has one."""
        behind = ENDS + 4 * (int.from_bytes(stream[-8:-4], "little") + 1)
        # The index: a 0, how many blocks, two sizes of each, zeros to the next word, and its sum.
        self._records.append(stream[2 - behind : -ENDS - 4].rstrip(b"\0"))
        return stream[ENDS:-behind]


def read_on(body: IO[bytes], head: bytes) -> Iterator[bytes]:
    """What `head` begins, and then `body` from its beginning."""
    body.seek(0)
    while head:
        yield head
        head = body.read(BLOCK)


def _packed(text: bytes, preset: int) -> bytes:
    return lzma.compress(text, check=lzma.CHECK_CRC32, preset=preset)


def _summed(data: bytes) -> bytes:
    return data + crc32(data).to_bytes(4, "little")
