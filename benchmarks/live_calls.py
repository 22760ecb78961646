"""Live calls side by side, each in a process of its own, to scripted agents in another one; for benchmarks.

It is the caller's whole side that runs: patient, Silero, channel, recorder, and real WebRTC over loopback.
"""

import asyncio
import multiprocessing
import tempfile
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

from voicesim.call.real import run_real
from voicesim.lines.smallwebrtc import SmallWebRTC
from voicesim.recording.manifest import Manifest
from voicesim.selftest.agent import ScriptedAgent
from voicesim.selftest.call import make_call
from voicesim.selftest.peer import served
from voicesim.selftest.timing import script

SPAWN = multiprocessing.get_context("spawn")


@contextmanager
def agents(count: int, lines: int) -> Iterator[list[str]]:
    """The addresses of scripted agents, for one call of some lines each."""
    here, there = SPAWN.Pipe()
    process = SPAWN.Process(target=_serve, args=(count, lines, there))
    process.start()
    try:
        yield here.recv()
    finally:
        here.send("enough")
        process.join()


def _serve(count: int, lines: int, told: Connection) -> None:
    async def main() -> None:
        async with AsyncExitStack() as stack:
            every = [ScriptedAgent(script(lines)) for _ in range(count)]
            told.send([await stack.enter_async_context(served(one)) for one in every])
            await asyncio.to_thread(told.recv)

    run_real(main())


@contextmanager
def calls(urls: list[str], lines: int) -> Iterator[list["Future[Manifest]"]]:
    """Calls that have begun, one to each address; waits for their ends."""
    with ProcessPoolExecutor(len(urls), SPAWN) as pool:
        yield [pool.submit(_call, url, lines) for url in urls]


def _call(url: str, lines: int) -> Manifest:
    with tempfile.TemporaryDirectory() as scratch:
        return run_real(make_call(SmallWebRTC(url), lines, Path(scratch) / "call"))
