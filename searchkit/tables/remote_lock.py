"""A lock where there are none: a file that its owner writes again and again, as a sign of life.

Whoever finds one watches it: it is taken over if it does not change for some time. An owner that
was thought to be gone finds the lock with another before it adds a layer, and gives up. (C. Gray
and D. Cheriton, Leases, 1989.)
"""

from __future__ import annotations

import threading
import time
import uuid
import warnings
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.errors import SearchkitError, SearchkitWarning, UsageError
from searchkit.tables.lock import MOST_BYTES, NAME, owner_in, signature, this_process, who
from searchkit.tables.store import Lock

if TYPE_CHECKING:
    from searchkit.tables.remote import Remote

SIGN_SECONDS = 5.0
GONE_SECONDS = 20.0
"""An owner that gives no sign for this long is taken to be gone."""
LOOK_SECONDS = 1.0
TELL_SECONDS = 1.0
"""After so long it is said what is waited for."""
SETTLE_SECONDS = 1.0
"""How long two that take a lock over at the same moment wait to see who has it."""


@attrs.define(eq=False)
class RemoteLock(Lock):
    """A lock that is held, and shown to be held, by a thread."""

    store: Remote
    owner: dict[str, Any]
    _released: threading.Event = attrs.field(factory=threading.Event)
    _signs: threading.Thread = attrs.field(init=False)

    @classmethod
    def take(cls, store: Remote) -> RemoteLock:
        """Take the lock, which may take as long as an owner that is gone is waited for."""
        lock = cls(store, {"id": uuid.uuid4().hex, **this_process(), "sign": 0})
        if not store.create(NAME, signature(lock.owner)):
            lock._take_over()
        if lock._read().get("id") != lock.owner["id"]:
            raise lock._taken(lock._read())
        lock._signs = threading.Thread(target=lock._sign, daemon=True)
        lock._signs.start()
        return lock

    def check(self) -> None:
        """Raise `SearchkitError` where another process has taken the lock over."""
        found = self._read()
        if found.get("id") != self.owner["id"]:
            raise SearchkitError(
                f"{self.store}: {who(found)} has taken over, as this process gave no sign of life "
                f"for {GONE_SECONDS:.0f} s; let that one go on"
            )

    def release(self) -> None:
        """Stop the signs, and delete the file unless another has it."""
        self._released.set()
        self._signs.join()
        if self._read().get("id") == self.owner["id"]:
            self.store.delete([NAME])

    def _take_over(self) -> None:
        """Watch the lock, and take it if its owner gives no sign of life."""
        first, began, is_told = self._read(), time.monotonic(), False
        while (waited := time.monotonic() - began) < GONE_SECONDS:
            if waited >= TELL_SECONDS and not is_told:
                is_told = True
                warnings.warn(
                    f"{who(first)} was exploring into {self.store}; it is taken to be gone if it "
                    f"gives no sign of life for {GONE_SECONDS:.0f} s",
                    SearchkitWarning,
                    stacklevel=2,
                )
            time.sleep(LOOK_SECONDS)
            if (found := self._read()) != first:
                if found:
                    raise self._taken(found)
                break
        self.store.write(NAME, signature(self.owner))
        time.sleep(SETTLE_SECONDS)

    def _taken(self, owner: dict[str, Any]) -> UsageError:
        return UsageError(
            f"{self.store} is being explored into by {who(owner)}; wait until it has ended, or "
            "give another place"
        )

    def _sign(self) -> None:
        while not self._released.wait(SIGN_SECONDS):
            try:
                if self._read().get("id") != self.owner["id"]:
                    return
                self.owner["sign"] += 1
                self.store.write(NAME, signature(self.owner))
            except OSError:
                continue  # the next sign may come through

    def _read(self) -> dict[str, Any]:
        """What the file says; nothing if there is none, or it cannot be understood."""
        try:
            return owner_in(self.store.read(NAME, MOST_BYTES))
        except FileNotFoundError:
            return {}
