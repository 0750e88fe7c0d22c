"""Begins the runs of a comparison, each in a process of its own, and takes what they tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import click

from searchkit.cli.commands.comparing import worker
from searchkit.comparison.records import CRASHED
from searchkit.errors import ClusterError, OverdueError, SearchkitError, WorkerLostError
from searchkit.executors.executor import Executor, Job
from searchkit.solving.allowed import seconds_allowed
from searchkit.texts.amounts import one_line

Message = dict[str, Any]


@attrs.frozen
class Runner:
    """Runs jobs by an executor; `note` is given what searchkit warns of there."""

    executor: Executor
    note: Callable[[str], None]

    def begin(self, job: Message) -> Job[Message]:
        """Begin a run, or have it wait for its turn."""
        return self.executor.submit(worker.run, job | {"allowed": seconds_allowed(_time(job))})

    def end(self, job: Message, begun: Job[Message]) -> Message:
        """The fields of the `Run` that was begun; its failure is a status, no exception.

        A run in which machine code had to be made is done once more, now that it is on disk: making
        it takes memory.
        """
        answer = self._outcome(begun)
        if answer.pop("code_made", 0):
            answer = self._outcome(self.begin(job))
            answer.pop("code_made", None)
        return answer

    def _outcome(self, begun: Job[Message]) -> Message:
        try:
            (answer,) = self.executor.gather([begun])
        except ClusterError:
            raise
        except OverdueError as error:
            if str(error) == worker.NOT_READY:
                return _crashed(error)
            return {"status": "limit reached", "limit": "time", "reason": str(error)}
        except MemoryError:
            return _crashed("out of memory before the search began")
        except (SearchkitError, WorkerLostError) as error:
            return _crashed(error)
        except click.ClickException as error:
            return _crashed(error.format_message())
        except Exception as error:
            return _crashed(f"{type(error).__name__}: {error}")
        for text in answer.pop("notes", ()):
            self.note(text)
        return answer


def _time(job: Message) -> float | None:
    limit: float | None = job["limits"]["time"]
    return limit


def _crashed(why: object) -> Message:
    return {"status": CRASHED, "reason": one_line(why)}
