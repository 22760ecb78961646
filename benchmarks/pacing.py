"""Does a call keep time beside busy work? `python benchmarks/pacing.py [--loops 2] [--seconds 15]`.

Beside so many busy loops, and an ear that decodes a question over and over in a process of its own, a thread takes a
third of a millisecond in each of its 20 ms ticks, as a patient does. One row a way to run it: how late its ticks were,
and how long the ear took for the question. `as calls do` is what a live call does on this machine.
"""

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import numpy as np
from limits import Limits
from reply_time import busy

from voicesim.audio.samples import Pcm, to_pcm
from voicesim.call import worker_process
from voicesim.call.clock import CallClock, Pacer
from voicesim.call.priority import pacing_first
from voicesim.call.real import run_real
from voicesim.call.worker_pool import worker
from voicesim.reference_agents.voice import AgentVoice

QUESTION = "Have you had any fever, and how high was it when you measured it?"
LIMIT = 20.0
"""Milliseconds at the 99th percentile, from which a call is invalid."""


@contextmanager
def as_others() -> Iterator[bool]:
    """The priority of everybody."""
    yield True


@contextmanager
def niced() -> Iterator[bool]:
    """The best nice value there is, where it is allowed."""
    before = os.getpriority(os.PRIO_PROCESS, 0)
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -20)
    except OSError:
        yield False
        return
    yield True
    os.setpriority(os.PRIO_PROCESS, 0, before)


async def pace(way: AbstractContextManager[bool], seconds: float, sound: Pcm, ear_nice: int) -> tuple[Pacer, float]:
    """The pacer after so many seconds, and the median of what a question took the ear (seconds)."""
    pacer, took, loop = Pacer(CallClock()), list[float](), asyncio.get_running_loop()
    with worker() as ear:
        if ear_nice:
            await loop.run_in_executor(ear, os.nice, ear_nice)
        await loop.run_in_executor(ear, worker_process.warm_ear, "base")

        async def decode() -> None:
            while True:
                begun = time.perf_counter()
                await loop.run_in_executor(ear, worker_process.hear, "base", sound, sound, "en", "")
                took.append(time.perf_counter() - begun)

        decoding = asyncio.ensure_future(decode())
        draws = np.random.default_rng(0)
        with way:
            async for tick in pacer.ticks():
                draws.random(40_000).sum()
                if tick >= seconds * 50 and took:
                    break
        decoding.cancel()
    return pacer, float(np.median(took))


def main(loops: int, seconds: float) -> int:
    """Print the table; 1 when a call would be late."""
    sound, limits = to_pcm(AgentVoice().speak(QUESTION)), Limits()
    print(f"{'pacing thread':16}{'ear':>10}{'p50':>8}{'p99':>8}{'max, ms':>9}{'a question, s':>15}  load")
    with busy(loops):
        for name, way, nice in (
            ("as others", as_others, 0),
            ("as others", as_others, 5),
            ("nice -20", niced, 0),
            ("as calls do", pacing_first, 0),
        ):
            pacer, question = run_real(pace(way(), seconds, sound, nice))
            late = pacer.lateness()
            figures = "".join(f"{1000 * value:8.2f}" for value in (late.p50, late.p99, late.max))
            print(f"{name:16}{f'nice {nice}':>10}{figures}{question:16.2f}  {os.getloadavg()[0]:.1f}", flush=True)
    limits.at_most("p99 of the lateness of ticks, as calls do", 1000 * late.p99, LIMIT, "ms")
    return limits.missed


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--loops", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=15.0)
    chosen = parser.parse_args()
    sys.exit(main(chosen.loops, chosen.seconds) > 0)
