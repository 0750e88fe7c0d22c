"""Sleeps four times on the cluster whose address is given, and prints what came: for a test.

In a process of its own, as Ray takes its token from the environment once.
"""

from __future__ import annotations

import sys

from searchkit.errors import ClusterError
from searchkit.executors.on_ray import OnRay
from tests.executors import tasks

if __name__ == "__main__":
    address, file, seconds = sys.argv[1:]
    try:
        with OnRay(address) as executor:
            job = executor.submit(tasks.lose_parent, f"{file}-deaths")
            print(executor.workers, *executor.gather([job]))
            jobs = [executor.submit(tasks.sleep, float(seconds), file) for _ in range(4)]
            print(*executor.gather(jobs))
    except ClusterError as error:
        print(error)
