"""An agent in the same process: an object that takes and gives 20 ms of sound. The only line without a wire."""

import importlib
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np

from voicesim.audio.samples import RATE, TICK, TICK_SECONDS, Pcm
from voicesim.errors import TransportError, UsageError, near
from voicesim.transports.base import Facts
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.spec import TransportSpec


@runtime_checkable
class InProcessAgent(Protocol):
    """What `python:module:factory` returns. It may also have `async def start()` and `async def stop()`."""

    def tick(self, caller: Pcm) -> Pcm | None:
        """Take 480 samples (int16, 24,000 Hz) of the caller and give those the agent says meanwhile.

        None hangs up.
        """
        ...


class InProcess:
    """Feeds an agent object tick by tick; what it returns is heard in the very tick it was asked in."""

    held = 0.0

    def __init__(self, agent: InProcessAgent, name: str = "python") -> None:
        self.name = name
        self._agent = agent
        self._inbox: BoundedInbox | None = None
        self._ticks = 0

    async def open(self, inbox: BoundedInbox) -> None:
        start = getattr(self._agent, "start", None)
        if start is not None:
            try:
                await start()
            except Exception as error:
                raise TransportError(f"{self.name}: start() failed: {_where(error)}") from error
        self._inbox = inbox

    def send(self, pcm: Pcm) -> None:
        if self._inbox is None:
            return
        try:
            answer = self._agent.tick(pcm)
        except Exception as error:  # noqa: BLE001 - their code: an end of the call, as with an agent that crashes elsewhere
            self._inbox.ended("line", f"the agent's tick() failed: {_where(error)}")
            self._inbox = None
            return
        if answer is None:
            self._inbox.ended("agent", "the agent hung up")
            self._inbox = None
            return
        if not isinstance(answer, np.ndarray):
            raise UsageError(f"{self.name}: tick() gave a {type(answer).__name__}, not int16 ({TICK},)")
        if answer.dtype != np.int16 or answer.shape != (TICK,):
            raise UsageError(f"{self.name}: tick() gave {answer.dtype} {answer.shape}, not int16 ({TICK},)")
        self._inbox.audio(answer, media=self._ticks * TICK_SECONDS)
        self._ticks += 1

    async def facts(self) -> Facts:
        """There is no wire."""
        return Facts(codec="none (in process)", wire_rate=RATE)

    async def close(self) -> None:
        self._inbox = None
        stop = getattr(self._agent, "stop", None)
        if stop is not None:
            await stop()


def load_agent(spec: str) -> InProcess:
    """The line for `module:factory`; the factory is called without arguments.

    The module is looked for in the working directory too. Raises UsageError when the module, the factory or
    its `tick` is missing or fails.
    """
    module_name, _, factory_name = spec.partition(":")
    if not module_name or not factory_name:
        raise UsageError(f"python:{spec} is not of the form python:module:factory")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise UsageError(f"python:{spec}: the module cannot be imported: {error}") from error
    except Exception as error:
        raise UsageError(f"python:{spec}: the module cannot be imported: {_where(error)}") from error
    factory: Callable[[], InProcessAgent] | None = getattr(module, factory_name, None)
    if not callable(factory):
        known = [name for name in vars(module) if not name.startswith("_")]
        raise UsageError(f"python:{spec}: {module_name} has no {factory_name}().{near(factory_name, known)}")
    try:
        agent = factory()
    except Exception as error:
        raise UsageError(f"python:{spec}: {factory_name}() failed: {_where(error)}") from error
    if not callable(getattr(agent, "tick", None)):
        raise UsageError(f"python:{spec}: what {factory_name}() returns has no tick(caller)")
    return InProcess(agent, f"python:{spec}")


def _where(error: Exception) -> str:
    """An error of an agent's own code, with the place it comes from."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"


SPEC = TransportSpec(make=lambda destination: load_agent(destination.target), in_process=True)
