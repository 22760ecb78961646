"""`voicesim agent serve`: the reference agents, on a port of this machine."""

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
import time
from contextlib import AbstractAsyncContextManager
from enum import StrEnum
from typing import Annotated

import typer

from voicesim.cli import options
from voicesim.cli.telling import echo
from voicesim.reference_agents.brain import GREETING


class Kind(StrEnum):
    """The architectures."""

    realtime = "realtime"
    modular = "modular"
    duplex = "duplex"


_PATIENCE = 0.3
"""Seconds that threads get to end by themselves."""

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True)


@app.callback()
def _agent() -> None:
    """Reference agents to test against."""


@app.command()
def serve(
    kind: Annotated[
        Kind, typer.Argument(help="realtime: OpenAI Realtime. modular: Pipecat. duplex: GPT-Live's protocol.")
    ],
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 7860,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    brain: Annotated[
        str | None, typer.Option(help="rules, booking, openai:MODEL or a model file; left out, what fits the case.")
    ] = None,
    case: Annotated[
        str | None, typer.Option(help="A case id or file: its backend is behind the tools of modular and duplex.")
    ] = None,
    fault: Annotated[str | None, typer.Option(help="Plant a fault, named after the failure it is.")] = None,
    whisper: options.Whisper = "base",
    greet: Annotated[str, typer.Option(help="What the agent says first; empty: it waits.")] = GREETING,
    until_stdin_ends: Annotated[
        bool, typer.Option("--until-stdin-ends", help="Stop, too, when standard input is closed.")
    ] = False,
) -> None:
    """Serve a reference agent until it is told to stop; prints `ready URL` when it takes calls."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(name)s: %(message)s")
    from voicesim.catalog.find import Catalogue
    from voicesim.catalog.tags import tag_of
    from voicesim.reference_agents.serve import end_with_stdin, serving

    if until_stdin_ends:
        end_with_stdin()
    agent = serving(
        kind.value,
        brain=brain,
        whisper=whisper,
        host=host,
        port=port,
        greeting=greet or None,
        case=Catalogue.here().case(case) if case else None,
        fault=tag_of(fault) if fault else None,
    )
    asyncio.run(_serve(agent, host))
    _leave()


def _leave() -> None:
    """Ends the process without waiting for a transcription that nobody will read."""
    others = [thread for thread in threading.enumerate() if thread is not threading.current_thread()]
    end = time.monotonic() + _PATIENCE
    for thread in others:
        thread.join(max(0.0, end - time.monotonic()))
    if any(thread.is_alive() for thread in others):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


async def _serve(agent: AbstractAsyncContextManager[int], host: str) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, stop.set)
    async with agent as taken:
        shown = f"[{host}]" if ":" in host else host
        echo(f"ready http://{shown}:{taken}")
        await stop.wait()
