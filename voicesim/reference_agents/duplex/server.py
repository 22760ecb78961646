"""The HTTP side: WebSockets and JSON with SDP offers at `/v1/live/sessions`."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from voicesim.catalog.addresses import is_this_machine
from voicesim.reference_agents.brain import BrainMaker
from voicesim.reference_agents.duplex.protocol import Session, parse_session
from voicesim.reference_agents.duplex.talker import Shared, Talker
from voicesim.reference_agents.realtime.call import MakeTalk, RealtimeCall
from voicesim.reference_agents.realtime.refusal import ProtocolError
from voicesim.reference_agents.realtime.server import HEARTBEAT, LONGEST_OFFER, error_answers, served, token_of
from voicesim.reference_agents.realtime.socket_call import SocketCall
from voicesim.tools.dispatcher import ToolDispatcher

if TYPE_CHECKING:
    from aiohttp import web

PATH = "/v1/live/sessions"


class DuplexServer:
    """Takes offers and WebSockets, and keeps the calls that came of them."""

    def __init__(self, shared: Shared, host: str = "") -> None:
        """Bound to an address of this machine alone (`host`), it answers to no other name."""
        self._shared, self._local = shared, is_this_machine(host)
        self._calls: dict[str, RealtimeCall | SocketCall] = {}

    def app(self) -> "web.Application":
        from aiohttp import web

        app = web.Application(client_max_size=LONGEST_OFFER, middlewares=[error_answers()])
        app.router.add_get(PATH, self._upgrade)
        app.router.add_post(PATH, self._offer)
        return app

    async def close(self) -> None:
        """Hangs up every call."""
        await asyncio.gather(*(call.close() for call in list(self._calls.values())))

    async def _offer(self, request: "web.Request") -> "web.Response":
        from aiohttp import web

        self._check(request)
        body = json.loads(await request.text())
        transport = body.get("transport") if isinstance(body, dict) else None
        kind = transport.get("type") if isinstance(transport, dict) else None
        if not isinstance(transport, dict) or kind != "webrtc" or set(body) != {"session", "transport"}:
            wanted = "Send `session`, and `transport` of type webrtc with `sdp`."
            raise ProtocolError(wanted, "invalid_value", "transport")
        session = parse_session(body["session"], by_events=False)
        call = RealtimeCall(self._talker(session), lambda closed: self._forget(closed.id))
        self._calls[call.id] = call
        try:
            answer = await call.answer(str(transport.get("sdp")))
        except Exception as error:
            await call.close()
            raise ProtocolError(f"The SDP offer cannot be used: {error}", "invalid_offer", "transport.sdp") from error
        made: dict[str, Any] = {"session": {"id": call.id}, "transport": {"type": "webrtc", "sdp": answer}}
        return web.json_response(made, status=201)

    async def _upgrade(self, request: "web.Request") -> "web.StreamResponse":
        from aiohttp import web

        self._check(request)
        socket = web.WebSocketResponse(heartbeat=HEARTBEAT)
        if not socket.can_prepare(request):
            raise ProtocolError("This address takes WebSockets and offers.", "invalid_request")
        await socket.prepare(request)
        call = SocketCall(self._talker(None), socket)
        self._calls[call.id] = call
        try:
            await call.run()
        finally:
            self._forget(call.id)
        return socket

    def _talker(self, session: Session | None) -> MakeTalk:
        return lambda short, tasks, close: Talker(short, self._shared, tasks, lambda: tasks.later(0.0, close), session)

    def _check(self, request: "web.Request") -> None:
        if self._local and not is_this_machine(request.host):
            raise ProtocolError("This server answers to the name of its own machine only.", "invalid_host")
        token_of(request)

    def _forget(self, call: str) -> None:
        self._calls.pop(call, None)


@asynccontextmanager
async def serving(
    make_brain: BrainMaker, make_dispatcher: Callable[[], ToolDispatcher | None], whisper: str, host: str, port: int
) -> AsyncIterator[int]:
    """The running server, its models loaded; yields the port, and hangs up every call at the end.

    Each call has the tools of a dispatcher of its own, if `make_dispatcher` gives one. Raises UsageError when the port
    is taken or the weights or the voice are missing.
    """
    async with served(
        make_brain,
        whisper,
        host,
        port,
        lambda parts: DuplexServer(Shared(parts, make_dispatcher), host),
        lambda ear, wave: ear.dictate(wave, "en").text,
    ) as taken:
        yield taken
