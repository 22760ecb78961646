"""The reference agents behind one door."""

import os
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from voicesim.catalog.model import Case
from voicesim.catalog.tags import Tag
from voicesim.errors import UsageError
from voicesim.reference_agents.brains import brains, fitting
from voicesim.tools.dispatcher import make_dispatcher

OWN_TOOLS = ("modular", "duplex")
"""The agents that have a clinic of their own."""
STOPS = 1.0
"""Seconds that an agent gets to stop by itself, once whoever started it is gone."""


@asynccontextmanager
async def serving(
    kind: str,
    *,
    brain: str | None,
    whisper: str,
    host: str,
    port: int,
    greeting: str | None,
    case: Case | None = None,
    fault: Tag | None = None,
) -> AsyncIterator[int]:
    """A reference agent that takes calls inside the `async with`; yields its port.

    Without a brain it has the one that fits the case. The client answers the tools of the realtime agent; those
    of the others are their own, a fresh copy of the case's backend in each call.

    Raises UsageError for an unknown kind, brain or fault, a port in use, or a model that is not installed.
    """
    brain = brain or fitting(case)
    if kind in OWN_TOOLS and brain == "booking" and (case is None or case.backend is None):
        raise UsageError(f"the {kind} agent books in a clinic of its own: name a case with a backend as --case")
    async with brains(brain, greeting, case, fault) as make_brain:
        if kind == "realtime":
            from voicesim.reference_agents.realtime import server as realtime

            async with realtime.serving(make_brain, whisper, host, port) as taken:
                yield taken
        elif kind == "duplex":
            from voicesim.reference_agents.duplex import server as duplex

            async with duplex.serving(make_brain, partial(make_dispatcher, case), whisper, host, port) as taken:
                yield taken
        elif kind == "modular":
            try:
                from voicesim.reference_agents.modular import server as modular
            except ModuleNotFoundError as error:
                if (error.name or "").partition(".")[0] != "pipecat":
                    raise
                raise UsageError("the modular agent needs Pipecat: pip install 'voicesim[agents]'") from error

            async with modular.serving(make_brain, partial(make_dispatcher, case), whisper, host, port) as taken:
                yield taken
        else:
            raise UsageError(f"unknown reference agent {kind!r}: realtime, modular or duplex")


def end_with_stdin() -> None:
    """From now on, when standard input ends this process is told to stop, and ended if it does not within a second.

    Whoever started it holds the other end: that is closed even when they are killed.
    """
    threading.Thread(target=_watch_stdin, daemon=True).start()


def _watch_stdin() -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(STOPS)
    os._exit(1)
