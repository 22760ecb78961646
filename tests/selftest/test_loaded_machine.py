"""A machine that is loaded on purpose: what a call says of its agent is right, or it says that it cannot tell."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from voicesim.selftest.timing import chosen, examine


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """So many loops that never wait."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


@pytest.mark.live
def test_a_call_beside_busy_loops_on_every_core_is_right_or_says_that_it_was_late() -> None:
    (transport,) = chosen(["openai+ws"])
    with busy(2 * (os.cpu_count() or 1)):
        # What is not told to be late left within 10 ms of its deadline, and was noticed within 20 ms of its arrival.
        result = examine(replace(transport, limit=0.030), 3)
    assert result.passed or result.spoiled.startswith("late_harness"), result
