"""A reference agent whose starter is killed ends by itself, whether or not it was ready."""

import signal
import subprocess
import sys
import time

import pytest
from processes import children, gone_within

STARTER = """
import asyncio, sys
from voicesim.reference_agents.process import started

async def main():
    async with started({kind!r}):
        print("ready", flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""


def agents_of(starter: int) -> list[int]:
    return [process for process, command in children(starter).items() if " serve " in command]


@pytest.mark.parametrize("kind", ["realtime", "modular"])
@pytest.mark.parametrize("ready", [True, False])
def test_an_agent_ends_within_five_seconds_after_its_starter_was_killed(kind: str, ready: bool) -> None:
    command = [sys.executable, "-c", STARTER.format(kind=kind)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        if ready:
            assert starter.stdout.readline() == "ready\n"
        end = time.monotonic() + 30
        while not (agents := agents_of(starter.pid)):
            assert time.monotonic() < end
            time.sleep(0.05)
        starter.send_signal(signal.SIGKILL)
    (agent,) = agents
    assert gone_within(agent, 5)
