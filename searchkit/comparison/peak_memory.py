"""The most memory that this process has resident at once, above what it has when asked to begin.

Linux keeps a high-water mark that a process may put back (`/proc/self/clear_refs`, see proc(5)), so
that what loading took is forgotten. On other systems the mark is that of the process from its
start: what a search takes shows as far as it is above what loading took, and is understated where
it is not.
"""

from __future__ import annotations

import ctypes
import gc
import re
import sys
from contextlib import suppress
from pathlib import Path

import attrs

STATUS = Path("/proc/self/status")
CLEAR = Path("/proc/self/clear_refs")
RESET_PEAK = "5"


@attrs.frozen(kw_only=True)
class PeakMemory:
    """A measurement that has begun: `loaded` bytes were resident then.

    `method` says how it is made: "high-water mark put back" is exact to the page;
    "high-water mark" may understate.
    """

    loaded: int
    method: str

    @classmethod
    def begin(cls) -> PeakMemory:
        """Give back what is free, and measure from now on. O(size of the heap) once."""
        gc.collect()
        if sys.platform == "linux":
            with suppress(OSError, AttributeError):  # the C library is another one
                ctypes.CDLL(None).malloc_trim(0)
            with suppress(OSError, LookupError):
                CLEAR.write_text(RESET_PEAK, encoding="ascii")
                return cls(loaded=_linux("VmRSS"), method="high-water mark put back")
        peak = peak_bytes()
        return cls(loaded=peak or 0, method="unknown" if peak is None else "high-water mark")

    def above(self) -> int | None:
        """The peak since it began, in bytes above `loaded`; None if the system does not tell."""
        peak = None if self.method == "unknown" else peak_bytes()
        return None if peak is None else max(0, peak - self.loaded)


def peak_bytes() -> int | None:
    """The most memory of the process, since the mark was put back; None if it is not known."""
    if sys.platform == "linux":  # where the other way counts what was resident before `exec`
        with suppress(OSError, LookupError):
            return _linux("VmHWM")
    try:
        import resource  # noqa: PLC0415  (Windows has none)
    except ImportError:
        return _windows_peak()
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _linux(name: str) -> int:
    """A line of the process's status, in bytes; `LookupError` if there is none."""
    found = re.search(rf"^{name}:\s*(\d+) kB$", STATUS.read_text(encoding="ascii"), re.MULTILINE)
    if found is None:
        raise LookupError(name)
    return 1024 * int(found[1])


class _Counters(ctypes.Structure):
    """PROCESS_MEMORY_COUNTERS of the Windows interface psapi."""

    _fields_ = (
        ("size", ctypes.c_uint32),
        ("faults", ctypes.c_uint32),
        ("peak_working_set", ctypes.c_size_t),
        *((f"other_{number}", ctypes.c_size_t) for number in range(7)),
    )


def _windows_peak() -> int | None:
    try:
        libraries = getattr(ctypes, "windll")  # noqa: B009  (there on Windows only)
        kernel = libraries.kernel32
        kernel.GetCurrentProcess.restype = ctypes.c_void_p
        kernel.K32GetProcessMemoryInfo.argtypes = [
            ctypes.c_void_p, ctypes.POINTER(_Counters), ctypes.c_uint32,
        ]  # fmt: skip
        counters = _Counters(size=ctypes.sizeof(_Counters))
        known = kernel.K32GetProcessMemoryInfo(
            kernel.GetCurrentProcess(), ctypes.byref(counters), counters.size
        )
    except (AttributeError, OSError):
        return None
    return int(counters.peak_working_set) if known else None
