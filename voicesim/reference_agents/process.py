"""A reference agent as a process of its own, for as long as it is needed."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

from voicesim.catalog.model import Case
from voicesim.catalog.tags import Tag
from voicesim.errors import TransportError
from voicesim.scratch import scratch_folder

READY_LIMIT = 60.0
"""Seconds an agent may take to load its models."""
STOP_LIMIT = 3.0
"""Seconds an agent may take to stop before it is killed."""
_TAIL = 2_000


@asynccontextmanager
async def started(
    kind: Literal["realtime", "modular", "duplex"],
    brain: str = "rules",
    log: Path | None = None,
    case: Case | None = None,
    fault: Tag | None = None,
) -> AsyncIterator[str]:
    """Starts `voicesim agent serve` on a free port and yields its base URL, such as http://127.0.0.1:40123.

    What the agent writes to stderr goes to the file `log`, if given. The process is stopped at the end, and ends by
    itself when this one is killed. Raises TransportError, with the end of its stderr, when it is not ready in 60 s or
    ends before.
    """
    command = [sys.executable, "-m", "voicesim", "agent", "serve", kind, "--port", "0", "--brain", brain]
    command += ["--until-stdin-ends"]
    command += ["--fault", fault] if fault else []
    with scratch_folder() as folder:
        if case is not None:
            file = folder / "case.json"
            file.write_text(case.model_dump_json(exclude_none=True), encoding="utf-8")
            command += ["--case", str(file)]
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe)
        tail = _Tail(log)
        reading = asyncio.get_running_loop().create_task(tail.read(process.stderr))
        try:
            yield await _ready(process, kind, tail, reading)
        finally:
            await _stop(process)
            await asyncio.gather(reading, return_exceptions=True)


class _Tail:
    """Empties a pipe, so that its writer never waits, and remembers its end."""

    def __init__(self, log: Path | None) -> None:
        self._log = log
        self._end = b""

    async def read(self, stream: asyncio.StreamReader | None) -> None:
        while stream is not None and (chunk := await stream.read(4096)):
            self._end = (self._end + chunk)[-_TAIL:]
            if self._log is not None:
                self._log.parent.mkdir(parents=True, exist_ok=True)
                with self._log.open("ab") as file:
                    file.write(chunk)

    def text(self) -> str:
        return self._end.decode("utf-8", "replace").strip() or "it wrote nothing to stderr"


async def _ready(process: asyncio.subprocess.Process, kind: str, tail: _Tail, reading: asyncio.Task[None]) -> str:
    line = b""
    if process.stdout is not None:
        with contextlib.suppress(TimeoutError):
            line = await asyncio.wait_for(process.stdout.readline(), READY_LIMIT)
    word, _, url = line.decode("utf-8", "replace").strip().partition(" ")
    if word == "ready" and url:
        return url
    if process.stdout is not None and not line and process.stdout.at_eof():
        await asyncio.wait({reading}, timeout=1.0)
        raise TransportError(f"the {kind} agent ended before it was ready: {tail.text()}")
    raise TransportError(f"the {kind} agent was not ready within {READY_LIMIT:g} s: {tail.text()}")


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), STOP_LIMIT)
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
