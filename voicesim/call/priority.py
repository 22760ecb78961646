"""Who goes first on a busy machine: the thread that keeps time before everything else, its own workers included.

A tick takes a millisecond in every twenty. Beside two busy loops on two cores, Linux lets an ordinary thread wait for
its core for up to a third of a second, whatever the nice value of its workers; a thread of the real-time class gets
it at once (`benchmarks/pacing.py`). That class is for root, and for users with an `rtprio` limit. Linux leaves other
threads 5 % of every second all the same.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

LOWEST = 1
"""The real-time priority of the pacing thread: before all ordinary work, behind everything else of that class."""


@contextmanager
def pacing_first() -> Iterator[bool]:
    """While this is open, the calling thread goes before all ordinary work; gives whether it does.

    What it starts meanwhile, threads and processes alike, does not.
    """
    first = _go_first()
    try:
        yield first
    finally:
        if first:
            _go_back()


def _go_first() -> bool:
    """Whether this thread is in the real-time class now, and was in the ordinary one before."""
    if not hasattr(os, "sched_setscheduler"):
        return False
    try:
        if os.sched_getscheduler(0) & ~os.SCHED_RESET_ON_FORK != os.SCHED_OTHER:
            return False
        os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(LOWEST))
    except OSError:  # not allowed here
        return False
    return True


def _go_back() -> None:
    # The flag stays: to take it off needs a right of its own, and it changes nothing in the ordinary class.
    os.sched_setscheduler(0, os.SCHED_OTHER | os.SCHED_RESET_ON_FORK, os.sched_param(0))
