"""The command line of the campaign."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

import platformdirs

from hunt.group import Group
from hunt.groups import GROUPS
from hunt.state import Progress, State
from hunt.workers import Done, Failure, campaign, failure_of

WRITE_SECONDS = 5.0
TELL_SECONDS = 60.0
MOST_SHOWN = 4000


def main(arguments: list[str] | None = None) -> int:
    """Run the campaign; the exit code is 1 if anything is wrong."""
    options = _options(arguments)
    own_folders()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # workers are ended first
    names = options.group or list(GROUPS)
    if options.only is not None:
        return only(GROUPS[names[0]], options.seed, options.only)
    state = State(options.state, options.seed)
    failed = 0
    for name in names:
        kind = GROUPS[name]
        total = kind.hours if options.hours else kind.minutes
        total = total if options.trials is None else options.trials
        try:
            failed += group_of(kind, state, total, options)
        except KeyboardInterrupt:
            return 130
        if failed and not options.go_on:
            break
    return 1 if failed else 0


def own_folders() -> None:
    """Whoever runs it keeps pattern databases and machine code of their own."""
    os.environ.setdefault("SEARCHKIT_CACHE_DIR", platformdirs.user_cache_dir("searchkit-tests"))
    os.environ["SEARCHKIT_DATA_DIR"] = tempfile.mkdtemp(prefix="campaign-data-")


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python tests/campaign", description=__doc__)
    add = parser.add_argument
    add("--group", action="append", choices=list(GROUPS), help="only this group; may be repeated")
    add("--seed", type=int, default=1)
    add("--hours", action="store_true", help="as many trials as take hours, not minutes")
    add("--trials", type=int, help="so many trials of each group")
    add("--only", type=int, metavar="N", help="trial N of a group alone, made as small as possible")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="so many processes at once")
    add("--state", type=Path, help="a file: what was done is kept there, and not done again")
    add("--go-on", action="store_true", help="do not end at the first wrong answer")
    return parser.parse_args(arguments)


def only(kind: type[Group], seed: int, number: int) -> int:
    """Make one trial, in this process."""
    with tempfile.TemporaryDirectory(prefix="campaign-") as folder:
        group = kind(Path(folder))
        found = failure_of(group, seed, number, seconds=120.0)
        if found is None:
            print(f"{kind.name} {number}: nothing is wrong")
            print(group.case(seed, number))
            return 0
        case, text = found
        print(f"{kind.name} {number}: {text}\n{case}")
        return 1


def group_of(kind: type[Group], state: State, total: int, options: argparse.Namespace) -> int:
    """Make the trials of a group that are left to do; how many went wrong."""
    progress = state.of(kind.name)
    before, began = len(progress.failures), time.monotonic()
    written = shown = began

    def heard(news: Done | Failure) -> bool:
        nonlocal written, shown
        if isinstance(news, Done):
            progress.note(news.begin, news.end, news.told, news.cpu)
            if time.monotonic() - written > WRITE_SECONDS:
                state.write()
                written = time.monotonic()
            if time.monotonic() - shown > TELL_SECONDS:
                print(figures(kind.name, progress, time.monotonic() - began), file=sys.stderr)
                shown = time.monotonic()
            return True
        progress.failures.append(f"{news.command}\n    {news.text}")
        print(f"WRONG: {news.text}\n    {news.command}\n    {news.case[:MOST_SHOWN]}", flush=True)
        return bool(options.go_on)

    try:
        chunks = progress.chunks(total, kind.chunk)
        campaign(kind, options.seed, chunks, options.jobs, heard)
    finally:  # so that those of a group that was stopped are told, too
        state.write()
        print(figures(kind.name, progress, time.monotonic() - began), flush=True)
    return len(progress.failures) - before


def figures(name: str, progress: Progress, seconds: float) -> str:
    """What was done, on one line."""
    told = ", ".join(f"{number:,} {what}" for what, number in sorted(progress.told.items()))
    return (
        f"{name}: {progress.trials:,} trials, {len(progress.failures)} wrong; {told}; "
        f"{progress.cpu:.0f} s of processor time, {seconds:.0f} s now"
    )


if __name__ == "__main__":
    sys.exit(main())
