"""A plain agent on a WebSocket: 24,000 Hz 16-bit PCM both ways, whole sentences at once. Prints `ready URL`."""

import asyncio

import numpy as np
from hibari import Hibari
from websockets.asyncio.server import ServerConnection, serve

SENTENCES = (
    "Hello, this is the nurse line. How can I help you?",
    "Do you have any trouble breathing?",
    "Please drink plenty of water and get some rest. Goodbye.",
)


async def main() -> None:
    voice = Hibari(voice="heart", threads=1)
    recorded = [(np.asarray(voice(text, seed=0)) * 32_767).astype("<i2").tobytes() for text in SENTENCES]

    async def call(caller: ServerConnection) -> None:
        left, voiced, quiet = list(recorded), 0, 0
        await caller.send(left.pop(0))
        while left:
            level = np.abs(np.frombuffer(await caller.recv(decode=False), "<i2").astype(int)).max()
            voiced, quiet = (voiced + 1, 0) if level > 1_000 else (voiced, quiet + 1)
            if voiced > 10 and quiet > 40:  # the caller has spoken and is silent for 0.8 s
                await caller.send(left.pop(0))
                voiced = 0

    async with serve(call, "127.0.0.1", 0) as server:
        print(f"ready ws://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
        await server.serve_forever()


asyncio.run(main())
