"""Calls on a Ray cluster: each is a task that asks for cores and memory, and leaves its recording in a store."""

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from voicesim import __version__
from voicesim.call.assembly import Order
from voicesim.errors import HarnessError, UsageError
from voicesim.judge.judges import Panel
from voicesim.recording import files
from voicesim.recording.manifest import BY_TYPING, BY_VOICE
from voicesim.suite.after import Result
from voicesim.suite.on_node import Terms, finish_there, make_there
from voicesim.suite.plan import Plan
from voicesim.suite.store import Store
from voicesim.suite.worker import Job, Made

MEMORY = 1536 * 2**20
"""Bytes that a call asks for: two copies of Whisper's base model, a voice, and Python four times."""


class RayEngine:
    """An existing cluster at an `address`; none is that of RAY_ADDRESS, or of this machine.

    `store` is a URL for the recordings, of which the suite's folder here becomes a copy. None is the folder itself,
    which every machine of the cluster has to see.
    """

    agents_beside = True

    def __init__(self, address: str | None = None, store: str | None = None) -> None:
        """Raises UsageError when Ray is not installed."""
        # Read when Ray is imported: otherwise it prints what died on stdout, between the lines of a JSON object.
        os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".*")
        try:
            import ray
        except ImportError as error:
            raise UsageError("calls on a cluster need Ray: pip install 'voicesim[ray]'") from error
        self._ray: Any = ray
        self._address, self._url, self._connected = address, store, False

    def width(self, plan: Plan) -> int:
        """As many calls as the nodes have cores and memory for. Raises UsageError where no node has room for any."""
        if plan.tool_report_port is not None:
            raise UsageError("tool reports come to one machine: make these calls without a cluster")
        if plan.calls[0].order.mind in (BY_TYPING, BY_VOICE):
            raise UsageError("a patient who is played by hand needs this machine: make these calls without a cluster")
        self._connect()
        cores = plan.cores_of_a_call()
        nodes = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        room = sum(int(min(node.get("CPU", 0) // cores, node.get("memory", 0) // MEMORY)) for node in nodes)
        if not room:
            needs = f"{cores} core{'s' * (cores > 1)} and {MEMORY / 2**30:g} GiB of memory"
            raise UsageError(f"no node of the cluster has room for a call, which takes {needs}")
        return min(plan.at_once or room, room, len(plan.calls))

    def fetch(self, folder: Path) -> None:
        """See Engine."""
        if self._url:
            self._store(folder).get_missing(folder)

    def publish(self, folder: Path) -> None:
        """See Engine."""
        if self._url and folder.is_dir():
            self._store(folder).put_files(folder)

    @contextmanager
    def opened(self, plan: Plan, lines: int) -> Iterator["_Tasks"]:
        """See Engine."""
        self._connect()
        terms = Terms(self._store(plan.folder), self._url is None, str(Path.cwd()), __version__)
        try:
            yield _Tasks(self._ray, terms, plan.cores_of_a_call())
        finally:
            if self._connected:
                self._ray.shutdown()

    def _store(self, folder: Path) -> Store:
        """Of a suite: its folder itself, or one of its name below the URL."""
        return Store(f"{self._url.rstrip('/')}/{folder.name}" if self._url else str(folder.resolve()))

    def _connect(self) -> None:
        if self._ray.is_initialized():
            return
        where = self._address or os.environ.get("RAY_ADDRESS", "auto")
        try:
            _answers(where)
            self._ray.init(where, log_to_driver=False, logging_level="error", configure_logging=False)
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            raise UsageError(
                f"no Ray cluster is reached at {where}: {str(error).splitlines()[0]}. "
                "One is started with `ray start --head`"
            ) from error
        self._connected = True


class _Tasks:
    """The tasks of one suite."""

    def __init__(self, ray: Any, terms: Terms, cores: int) -> None:
        self._ray, self._terms = ray, terms
        # A crash costs its call: whether it is made again is for the suite to say.
        self._make = ray.remote(num_cpus=cores, memory=MEMORY, max_retries=0)(make_there)
        self._finish = ray.remote(num_cpus=1, memory=MEMORY, max_retries=0)(finish_there)
        self._running: set[Any] = set()

    async def make(self, line: int, job: Job) -> Made:
        """See Site."""
        made: Made = await self._result(self._make.remote(job, self._terms))
        if not self._terms.shared:
            await _aside(self._terms.store.get, job.order.folder.name, job.order.folder)
        if not (made.problem or made.stopped or (job.order.folder / files.MANIFEST).is_file()):
            raise HarnessError(f"its recording did not arrive in {job.order.folder}")
        return made

    async def finish(self, order: Order, panel: Panel, live: bool) -> Result:
        """See Site."""
        store, folder = self._terms.store, order.folder
        if not await _aside(store.holds, f"{folder.name}/{files.MANIFEST}"):
            await _aside(store.put, folder)
        result: Result = await self._result(self._finish.remote(order, panel, live, self._terms))
        if not self._terms.shared:
            await _aside(partial(store.get, sound=False), folder.name, folder)
        return result

    def interrupt(self) -> None:
        """See Site."""
        for reference in self._running:
            with suppress(self._ray.exceptions.RayError):
                self._ray.cancel(reference, force=False)

    async def _result(self, reference: Any) -> Any:
        self._running.add(reference)
        try:
            return await reference
        except self._ray.exceptions.TaskCancelledError:
            return Made(stopped=True)
        except self._ray.exceptions.RayError as error:
            raise HarnessError(f"the cluster lost it: {_first_line(error)}") from error
        finally:
            self._running.discard(reference)


async def _aside(work: Any, *args: Any) -> Any:
    """Do what waits for a disk or a network in a thread; what goes wrong there costs the call."""
    try:
        return await asyncio.get_running_loop().run_in_executor(None, partial(work, *args))
    except UsageError as error:
        raise HarnessError(str(error)) from error


def _answers(address: str) -> None:
    """Raises OSError where nothing listens at HOST:PORT; Ray itself would go on trying for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=5).close()


def _first_line(error: Any) -> str:
    """What went wrong, without Ray's traceback."""
    lines = str(getattr(error, "cause", None) or error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
