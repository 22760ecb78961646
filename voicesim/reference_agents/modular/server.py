"""The HTTP side: SDP offers and ICE candidates to `/api/offer`, as Pipecat's clients send them."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from voicesim.catalog.addresses import is_this_machine
from voicesim.errors import UsageError
from voicesim.reference_agents.brain import BrainMaker
from voicesim.reference_agents.listen import bound_socket
from voicesim.reference_agents.threads import threads
from voicesim.tools.dispatcher import ToolDispatcher

if TYPE_CHECKING:
    from fastapi import FastAPI

    from voicesim.reference_agents.modular.call import ModularCall, Parts

_STOP_LIMIT = 1.5
_THREADS = 32


class ModularServer:
    """Takes offers and keeps the pipelines that came of them."""

    def __init__(self, parts: "Parts", host: str = "") -> None:
        """Bound to an address of this machine alone (`host`), it answers to no other name."""
        from pipecat.transports.smallwebrtc.request_handler import SmallWebRTCRequestHandler

        self._parts, self._local = parts, is_this_machine(host)
        self._handler = SmallWebRTCRequestHandler()
        self._calls: dict[asyncio.Task[None], ModularCall] = {}

    def app(self) -> "FastAPI":
        from fastapi import Body, FastAPI, HTTPException
        from fastapi.middleware.trustedhost import TrustedHostMiddleware
        from pipecat.transports.smallwebrtc.request_handler import (
            IceCandidate,
            SmallWebRTCPatchRequest,
            SmallWebRTCRequest,
        )

        app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
        if self._local:
            app.add_middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost", "[::1]"])

        async def offer(body: dict[str, Any] = Body()) -> Any:  # noqa: B008
            try:
                request = SmallWebRTCRequest.from_dict(dict(body))
                if request.type != "offer" or "\nm=audio " not in str(request.sdp):
                    raise ValueError("it is none, or has no audio")
                return await self._handler.handle_web_request(request, self._accept)
            except HTTPException:
                raise
            except Exception as error:  # aiortc raises whatever a strange SDP leads it to
                raise HTTPException(400, f"the offer cannot be used: {type(error).__name__}: {error}") from error

        async def candidates(body: dict[str, Any] = Body()) -> Any:  # noqa: B008
            try:
                remote = [IceCandidate(**candidate) for candidate in body["candidates"]]
                request = SmallWebRTCPatchRequest(pc_id=body["pc_id"], candidates=remote)
                await self._handler.handle_patch_request(request)
            except HTTPException:
                raise
            except Exception as error:
                raise HTTPException(400, f"the candidates cannot be used: {error}") from error
            return {"status": "success"}

        app.add_api_route("/api/offer", offer, methods=["POST"])
        app.add_api_route("/api/offer", candidates, methods=["PATCH"])
        return app

    async def close(self) -> None:
        """Hangs up every call and waits until their pipelines are gone."""
        calls = dict(self._calls)
        for call in calls.values():
            await call.hang_up()
        if calls:
            _, late = await asyncio.wait(calls, timeout=_STOP_LIMIT)
            for task in late:
                task.cancel()
        await self._handler.close()  # type: ignore[no-untyped-call]

    async def _accept(self, connection: Any) -> None:
        from voicesim.reference_agents.modular.call import ModularCall

        call = ModularCall(connection, self._parts)
        task = asyncio.get_running_loop().create_task(call.run())
        self._calls[task] = call
        task.add_done_callback(lambda done: self._calls.pop(done, None))


@asynccontextmanager
async def serving(
    make_brain: BrainMaker, make_dispatcher: Callable[[], ToolDispatcher | None], whisper: str, host: str, port: int
) -> AsyncIterator[int]:
    """The running server, its models loaded; yields the port, and hangs up every call at the end.

    Each call has the tools of a dispatcher of its own, if `make_dispatcher` gives one. Sends Pipecat's own log
    (loguru, of the whole process) to stderr from WARNING up.
    Raises UsageError when the port is taken or the weights or the voice are missing.
    """
    import uvicorn

    class Server(uvicorn.Server):
        def capture_signals(self) -> Any:
            return contextlib.nullcontext()

    loop = asyncio.get_running_loop()
    with bound_socket(host, port) as socket, threads(1, "voice") as voices, threads(_THREADS, "default") as room:
        # Pipecat waits for Whisper in the loop's default threads, where aiortc also encodes: room for both.
        loop.set_default_executor(room)
        server = ModularServer(_load(make_brain, make_dispatcher, whisper, voices), host)
        config = uvicorn.Config(server.app(), log_level="warning", access_log=False, lifespan="off")
        http = Server(config)
        running = loop.create_task(http.serve(sockets=[socket]))
        try:
            while not http.started:
                if running.done():
                    raise UsageError(f"cannot serve on {host}:{port}: {running.exception()}")
                await asyncio.sleep(0.01)
            yield socket.getsockname()[1]
        finally:
            await server.close()
            http.should_exit = True
            await running
            # A loop that closes waits for its default threads: let them be fresh ones.
            loop.set_default_executor(ThreadPoolExecutor(1, "default"))


def _load(
    make_brain: BrainMaker,
    make_dispatcher: Callable[[], ToolDispatcher | None],
    whisper: str,
    voices: ThreadPoolExecutor,
) -> "Parts":
    from loguru import logger

    logger.remove()
    # The transport warns of every call that has no video.
    quiet: dict[str | None, str | int | bool] = {"": "WARNING", "pipecat.transports.smallwebrtc": "ERROR"}
    logger.add(sys.stderr, level=0, filter=quiet, format="{name}: {message}")
    from faster_whisper import WhisperModel

    from voicesim.reference_agents.modular.call import Parts
    from voicesim.reference_agents.modular.services import OneAtATime
    from voicesim.reference_agents.voice import AgentVoice
    from voicesim.stt.weights import find_weights

    folder = str(find_weights(whisper).folder)
    try:
        engine = WhisperModel(folder, device="cpu", compute_type="int8", cpu_threads=1)
    except (RuntimeError, ValueError, OSError) as error:
        raise UsageError(f"Whisper model {whisper!r} in {folder} could not be loaded: {error}") from error
    return Parts(make_brain, make_dispatcher, OneAtATime(engine), folder, AgentVoice(), voices)
