"""Live calls side by side, each in a process of its own, to scripted agents in another one; for benchmarks.

It is the caller's whole side that runs: patient, Silero, channel, recorder, and real WebRTC over loopback.
"""

import asyncio
import multiprocessing
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

from voicesim.call.real import run_real
from voicesim.recording.manifest import Manifest
from voicesim.selftest.agent import TimedAgent
from voicesim.selftest.call import make_call
from voicesim.selftest.timing import script
from voicesim.selftest.webrtc_server import served_over_webrtc
from voicesim.transports.smallwebrtc import SmallWebRTC

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


def _serve(count: int, lines: int, pipe: Connection) -> None:
    async def main() -> None:
        async with AsyncExitStack() as stack:
            every = [TimedAgent(script(lines)) for _ in range(count)]
            places = [await stack.enter_async_context(served_over_webrtc(agent)) for agent in every]
            pipe.send([f"http://{place}" for place in places])
            await asyncio.to_thread(pipe.recv)

    run_real(main())


def calls(urls: list[str], lines: int) -> list[Manifest]:
    """What came of a call to each address, all at the same time."""
    with tempfile.TemporaryDirectory() as scratch, ProcessPoolExecutor(len(urls), SPAWN) as pool:
        running = [pool.submit(_call, url, lines, Path(scratch) / str(n)) for n, url in enumerate(urls)]
        return [call.result() for call in running]


@contextmanager
def others(count: int) -> Iterator[None]:
    """Calls that have begun and go on until they are no longer wanted."""
    lines = 200
    with tempfile.TemporaryDirectory() as scratch, agents(count, lines) as urls:
        folders = [Path(scratch) / str(n) for n in range(count)]
        running = [
            SPAWN.Process(target=_call, args=(url, lines, folder)) for url, folder in zip(urls, folders, strict=True)
        ]
        for process in running:
            process.start()
        try:
            while not all(folder.exists() for folder in folders):
                if not all(process.is_alive() for process in running):
                    raise RuntimeError("a call in the background did not come about")
                time.sleep(0.2)
            yield
        finally:
            for process in running:
                process.terminate()
                process.join()


def _call(url: str, lines: int, folder: Path) -> Manifest:
    return run_real(make_call(SmallWebRTC(url), lines, folder))
