"""What tasks need and is made once in each process, like a problem: sent as what makes it."""

from __future__ import annotations

import hashlib
import mmap
import pickle
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Generic, TypeVar, cast

import attrs

from searchkit.executors import travelling

T = TypeVar("T")
ALIGNED = 4096
"""Arrays in files begin at multiples of this, so that pages belong to one."""
KEPT = 4
"""How many things a process keeps, those that were used last."""

_kept: OrderedDict[str, Any] = OrderedDict()


@attrs.frozen
class Parcel(Generic[T]):
    """A call that makes something; an argument of tasks. Equal parcels hold equal things.

    >>> parcel = Parcel.made_by(range, 3)
    >>> list(parcel.open()), parcel.open() is parcel.open()
    ([0, 1, 2], True)
    """

    data: bytes = attrs.field(repr=False)
    digest: str
    parts: tuple[tuple[int, int], ...] = ()
    """Where each large array begins and ends in the file of the parcel, if it has any."""

    @classmethod
    def made_by(cls, function: Callable[..., T], *arguments: Any) -> Parcel[T]:
        """What the call of a function at the top level of a module gives."""
        data = travelling.dumps(function, arguments)
        return cls(data, hashlib.sha256(data).hexdigest())

    @classmethod
    def of(cls, value: T) -> Parcel[T]:
        """A value that can be pickled."""
        return cls.made_by(_itself, value)

    @classmethod
    def with_file(cls, value: T, folder: Path) -> Parcel[T]:
        """A value whose large arrays go into a file, which all processes of a machine map.

        `folder` is the one that workers know as `shared_folder`. The file is called like the
        digest, and is there only if there are such arrays.
        """
        arrays: list[pickle.PickleBuffer] = []
        data = travelling.dumps(_itself, (value,), large=arrays)
        views = [each.raw() for each in arrays]
        sha = hashlib.sha256(data)
        for view in views:
            sha.update(view)
        parcel = cls(data, sha.hexdigest(), tuple(_places(views)))
        if views and not parcel.file(folder).exists():
            with written(parcel.file(folder)) as out:
                for view, (begin, _) in zip(views, parcel.parts, strict=True):
                    out.seek(begin)
                    out.write(view)
        return parcel

    def file(self, folder: Path) -> Path:
        """The file of the parcel."""
        return folder / self.digest

    def open(self) -> T:
        """The thing, which this process keeps for the next task."""
        if self.digest not in _kept:
            function, arguments = travelling.loads(self.data, self._mapped())
            _kept[self.digest] = function(*arguments)
            while len(_kept) > KEPT:
                _kept.popitem(last=False)
        _kept.move_to_end(self.digest)
        return cast(T, _kept[self.digest])

    def _mapped(self) -> list[memoryview]:
        """The large arrays: pages that are written to become this process's own."""
        if not self.parts:
            return []
        with self.file(travelling.shared_folder()).open("rb") as file:
            whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))
        return [whole[begin:end] for begin, end in self.parts]


@attrs.frozen(eq=False)
class Here(Parcel[T]):
    """A parcel that stays in this process."""

    value: Any = None

    def open(self) -> T:
        """The thing itself."""
        return cast(T, self.value)


@contextmanager
def written(path: Path) -> Iterator[IO[bytes]]:
    """A file that is there when it is whole: it is written under a name of its own first."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as out:
        try:
            yield cast(IO[bytes], out)
            out.close()
            Path(out.name).replace(path)
        except BaseException:
            Path(out.name).unlink(missing_ok=True)
            raise


def _places(views: Sequence[memoryview]) -> Iterator[tuple[int, int]]:
    at = 0
    for view in views:
        yield at, at + view.nbytes
        at += -(-view.nbytes // ALIGNED) * ALIGNED


def _itself(value: T) -> T:
    return value
