"""An open list of numbers, added and taken one by one."""

from searchkit.compiled.best_first.kernels import open_list
from searchkit.compiled.best_first.kernels.open_list import Bucket, Info, OpenTables
from searchkit.compiled.specialise.names import entry


@entry
def begin(buckets, info):
    """Begin with no entries; bucket 0 is none."""
    buckets[0, Bucket.TOP] = -1
    info[Info.BUCKETS] = 1
    info[Info.FREE] = -1


@entry
def add(opened: OpenTables, info, f, h, number):
    """Add an entry."""
    open_list.push(opened, info, f, h, number, 0)


@entry
def take(opened: OpenTables, info):
    """Take the first entry out; -1 if there is none."""
    waiting, _, before, buckets, slots, heap, stack = opened
    current = info[Info.CURRENT]
    if buckets[current, Bucket.TOP] < 0:
        current = open_list.best_bucket(buckets, slots, heap, stack, info)
        if current == 0:
            return -1
    number = waiting[buckets[current, Bucket.TOP]]
    open_list.drop_last(before, buckets, current, info)
    return number
