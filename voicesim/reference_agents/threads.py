"""Worker threads that a server never waits for when it stops."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager


@contextmanager
def threads(count: int, name: str) -> Iterator[ThreadPoolExecutor]:
    """A pool of threads. At the end its waiting jobs are dropped; one that runs is left to end by itself."""
    pool = ThreadPoolExecutor(count, name)
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
