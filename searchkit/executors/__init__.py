"""Where work is done: in this process, in processes of this machine, or on a cluster.

An `Executor` runs tasks. A task is a call of a function at the top level of a module; it depends
on nothing but its arguments and files, and may be run twice: a worker that dies costs no more than
the tasks that it was at. No worker holds anything that would be lost with it.
"""
