"""The nurse behind a Twilio number. Run as a process of its own; prints `ready URL`."""

import asyncio
import json
import socket
import sys

import uvicorn
from fastapi import FastAPI, WebSocket
from loguru import logger
from nurse import recorded, take_call
from pipecat.serializers.twilio import TwilioFrameSerializer
from pipecat.transports.websocket.fastapi import FastAPIWebsocketParams, FastAPIWebsocketTransport


def make_app(spoken: dict[str, bytes]) -> FastAPI:
    app = FastAPI()

    async def call(websocket: WebSocket) -> None:
        await websocket.accept()
        messages = websocket.iter_text()
        await anext(messages)  # connected
        start = json.loads(await anext(messages))["start"]
        serializer = TwilioFrameSerializer(
            start["streamSid"], start["callSid"], params=TwilioFrameSerializer.InputParams(auto_hang_up=False)
        )
        params = FastAPIWebsocketParams(audio_in_enabled=True, audio_out_enabled=True, serializer=serializer)
        await take_call(FastAPIWebsocketTransport(websocket, params), spoken, 8_000)

    app.add_api_websocket_route("/ws", call)
    return app


def main() -> None:
    logger.remove()
    logger.add(sys.stderr, level="WARNING")
    spoken = recorded()
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        print(f"ready ws://127.0.0.1:{bound.getsockname()[1]}/ws", flush=True)
        server = uvicorn.Server(uvicorn.Config(make_app(spoken), log_level="warning"))
        asyncio.run(server.serve(sockets=[bound]))


if __name__ == "__main__":
    main()
