"""The nurse on SmallWebRTC, behind Pipecat's own runner. Run as a process of its own; prints `ready URL`."""

import socket
import sys
import threading
import time
from typing import TextIO

from nurse import RATE, recorded, take_call
from pipecat.runner.run import main
from pipecat.runner.types import RunnerArguments
from pipecat.runner.utils import create_transport
from pipecat.transports.base_transport import TransportParams

SPOKEN = recorded()


async def bot(runner_args: RunnerArguments) -> None:
    """What the runner calls for every connection."""
    params = {"webrtc": lambda: TransportParams(audio_in_enabled=True, audio_out_enabled=True)}
    await take_call(await create_transport(runner_args, params), SPOKEN, RATE)


def tell_when_ready(port: int, place: TextIO) -> None:
    while True:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                print(f"ready http://127.0.0.1:{port}", file=place, flush=True)
                return
        time.sleep(0.05)


if __name__ == "__main__":
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    threading.Thread(target=tell_when_ready, args=(port, sys.stdout), daemon=True).start()
    sys.stdout = sys.stderr  # the runner prints a banner of its own
    sys.argv = [sys.argv[0], "--host", "127.0.0.1", "--port", str(port), "-t", "webrtc"]
    main()
