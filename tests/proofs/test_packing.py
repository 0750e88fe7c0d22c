"""Text that is packed in blocks is one stream of xz."""

from __future__ import annotations

import io
import lzma
import random
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit.proofs import packing
from searchkit.proofs.packing import Packer, read_on


def packed(head, parts, threads=1):
    with Packer(io.BytesIO(), threads) as packer:
        for part in parts:
            packer.write(part)
        return b"".join(packer.whole(head))


def lines(size, seed):
    choose = random.Random(seed)
    return b"".join(b"%d\n" % choose.randrange(1 << 40) for _ in range(size))


@given(
    st.binary(min_size=1, max_size=40),
    st.lists(st.builds(lines, st.integers(0, 99), st.integers(0, 9)), max_size=9),
    st.integers(1, 3000),
    st.integers(1, 3),
)
def test_it_is_unpacked_as_one_stream(head, parts, piece, threads):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packing, "PIECE", piece)
        patch.setattr(packing, "SMALL", 100)
        stream = packed(head, parts, threads)
    reader = lzma.LZMADecompressor(lzma.FORMAT_XZ)
    assert reader.decompress(stream) == head + b"".join(parts)
    assert reader.eof
    assert not reader.unused_data


def test_many_blocks_that_other_programs_read(monkeypatch, tmp_path):
    """More blocks than one byte can say."""
    monkeypatch.setattr(packing, "PIECE", 10)
    parts = [lines(2, seed) for seed in range(300)]
    stream = packed(b"head", parts)
    assert lzma.decompress(stream) == b"head" + b"".join(parts)
    xz = shutil.which("xz")
    if xz is not None:
        path = tmp_path / "file.xz"
        path.write_bytes(stream)
        told = subprocess.run([xz, "--robot", "-l", path], check=True, capture_output=True)
        assert b"\t301\t" in told.stdout.splitlines()[1]


def test_what_is_read_on():
    assert b"".join(read_on(io.BytesIO(b"body"), b"head")) == b"headbody"
