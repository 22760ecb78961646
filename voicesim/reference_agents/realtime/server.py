"""The HTTP side: SDP offers to `/v1/realtime/calls`, WebSockets at `/v1/realtime`, and client secrets."""

import asyncio
import json
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Protocol

from voicesim.catalog.addresses import is_this_machine
from voicesim.reference_agents.brain import BrainMaker
from voicesim.reference_agents.listen import bound_socket
from voicesim.reference_agents.realtime import call as calls
from voicesim.reference_agents.realtime.call import MakeTalk, RealtimeCall
from voicesim.reference_agents.realtime.dialogue import Dialogue, Parts
from voicesim.reference_agents.realtime.playout import to_wire
from voicesim.reference_agents.realtime.refusal import ProtocolError
from voicesim.reference_agents.realtime.session import Session, updated
from voicesim.reference_agents.realtime.socket_call import SocketCall
from voicesim.reference_agents.threads import threads

if TYPE_CHECKING:
    from aiohttp import web

    from voicesim.audio.samples import Wave
    from voicesim.stt.whisper import Whisper

SECRET_LIFE = 600
"""Seconds a client secret is good for."""
HEARTBEAT = 20.0
"""Seconds between pings to a WebSocket client."""
LONGEST_OFFER = 256 * 1024


class RealtimeServer:
    """Takes offers and WebSockets, and keeps the calls that came of them."""

    def __init__(self, parts: Parts, host: str = "") -> None:
        """Bound to an address of this machine alone (`host`), it answers to no other name."""
        self._parts, self._local = parts, is_this_machine(host)
        self._calls: dict[str, RealtimeCall | SocketCall] = {}
        self._secrets: dict[str, tuple[float, Session]] = {}

    def app(self) -> "web.Application":
        from aiohttp import web

        app = web.Application(client_max_size=LONGEST_OFFER, middlewares=[error_answers()])
        app.router.add_get("/v1/realtime", self._upgrade)
        app.router.add_post("/v1/realtime/calls", self._offer)
        app.router.add_post("/v1/realtime/calls/{id}/hangup", self._hang_up)
        app.router.add_post("/v1/realtime/client_secrets", self._secret)
        return app

    async def close(self) -> None:
        """Hangs up every call."""
        await asyncio.gather(*(call.close() for call in list(self._calls.values())))

    async def _offer(self, request: "web.Request") -> "web.Response":
        from aiohttp import web

        session = self._session(request)
        offer, wanted = await _body(request)
        if wanted is not None:
            session = updated(session, wanted)
        call = RealtimeCall(self._dialogue(session), lambda closed: _forget(self._calls, closed.id))
        self._calls[call.id] = call
        try:
            answer = await call.answer(offer)
        except Exception as error:
            await call.close()
            raise ProtocolError(f"The SDP offer cannot be used: {error}", "invalid_offer", "sdp") from error
        return web.Response(
            status=201,
            text=answer,
            content_type="application/sdp",
            headers={"Location": f"/v1/realtime/calls/{call.id}"},
        )

    async def _upgrade(self, request: "web.Request") -> "web.StreamResponse":
        from aiohttp import web

        session = self._session(request)
        socket = web.WebSocketResponse(heartbeat=HEARTBEAT)
        if not socket.can_prepare(request):
            raise ProtocolError("This address takes WebSockets only.", "invalid_request")
        await socket.prepare(request)
        call = SocketCall(self._dialogue(session, by_events=True), socket)
        self._calls[call.id] = call
        try:
            await call.run()
        finally:
            _forget(self._calls, call.id)
        return socket

    def _dialogue(self, session: Session, *, by_events: bool = False) -> MakeTalk:
        return lambda short, tasks, close: Dialogue(
            short, self._parts, session, tasks.spawn, lambda: tasks.later(calls.LINGER, close), by_events=by_events
        )

    def _session(self, request: "web.Request") -> Session:
        """The session that a request's key and query stand for. Raises ProtocolError when it may not be had."""
        if self._local and not is_this_machine(request.host):
            raise ProtocolError("This server answers to the name of its own machine only.", "invalid_host")
        token = token_of(request)
        if "realtime=v1" in request.headers.get("OpenAI-Beta", ""):
            raise ProtocolError(
                "The beta shape of this API is gone; leave out the OpenAI-Beta header.",
                "beta_api_shape_disabled",
            )
        expires, session = self._secrets.get(token, (float("inf"), Session()))
        if time.time() > expires:
            raise ProtocolError("This client secret has expired.", "invalid_api_key")
        if "model" in request.query:
            session = session.model_copy(update={"model": request.query["model"]})
        return session

    async def _hang_up(self, request: "web.Request") -> "web.Response":
        from aiohttp import web

        self._session(request)
        call = self._calls.get(request.match_info["id"])
        if call is None:
            raise web.HTTPNotFound(text="no such call")
        await call.close()
        return web.Response(status=200)

    async def _secret(self, request: "web.Request") -> "web.Response":
        from aiohttp import web

        self._session(request)
        body = _json(await request.text() or "{}")
        wanted = body.get("session")
        session = updated(Session(), wanted) if isinstance(wanted, Mapping) else Session()
        value, expires = f"ek_{secrets.token_hex(16)}", int(time.time()) + SECRET_LIFE
        self._secrets[value] = (expires, session)
        shown = {"object": "realtime.session", "id": f"sess_{value[3:15]}", **session.model_dump()}
        return web.json_response({"value": value, "expires_at": expires, "session": shown})


class Server(Protocol):
    """Whatever takes calls over HTTP."""

    def app(self) -> "web.Application": ...

    async def close(self) -> None:
        """Hangs up every call."""
        ...


@asynccontextmanager
async def served(
    make_brain: BrainMaker,
    whisper: str,
    host: str,
    port: int,
    make_server: Callable[[Parts], Server],
    hear: "Callable[[Whisper, Wave], str]",
) -> AsyncIterator[int]:
    """A running server, its models loaded; yields the port, and hangs up every call at the end.

    `hear` is how its ear is used: float32 mono at 24,000 Hz to words.

    Raises UsageError when the port is taken or the weights or the voice are missing.
    """
    from aiohttp import web

    from voicesim.reference_agents.voice import AgentVoice
    from voicesim.stt.whisper import load_whisper

    with bound_socket(host, port) as socket:
        ear, voice = load_whisper(whisper, threads=1), AgentVoice()
        with threads(1, "ear") as ears, threads(1, "voice") as voices:
            parts = Parts(
                make_brain,
                lambda wave: hear(ear, wave),
                lambda sentence: to_wire(voice.speak(sentence)),
                ears,
                voices,
            )
            server = make_server(parts)
            runner = web.AppRunner(server.app(), access_log=None, handle_signals=False, shutdown_timeout=0.5)
            await runner.setup()
            await web.SockSite(runner, socket).start()
            try:
                yield socket.getsockname()[1]
            finally:
                await server.close()
                await runner.cleanup()


@asynccontextmanager
async def serving(make_brain: BrainMaker, whisper: str, host: str, port: int) -> AsyncIterator[int]:
    """The running realtime agent. As `served`."""
    async with served(
        make_brain,
        whisper,
        host,
        port,
        lambda parts: RealtimeServer(parts, host),
        lambda ear, wave: ear.transcribe(wave, "en").text,
    ) as taken:
        yield taken


def error_answers() -> Any:
    """Middleware that answers a refused request with the protocol's error object."""
    from aiohttp import web

    @web.middleware
    async def answer_errors(request: web.Request, handler: Any) -> web.StreamResponse:
        try:
            response: web.StreamResponse = await handler(request)
        except (ValueError, LookupError) as error:
            refused = ProtocolError(f"The request cannot be read: {type(error).__name__}.", "invalid_request")
            return web.json_response({"error": refused.body()}, status=400)
        except ProtocolError as error:
            status = 401 if error.code == "invalid_api_key" else 400
            return web.json_response({"error": error.body()}, status=status)
        return response

    return answer_errors


def token_of(request: "web.Request") -> str:
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not token.strip():
        raise ProtocolError("Send any key as `Authorization: Bearer KEY`.", "invalid_api_key")
    return token.strip()


async def _body(request: "web.Request") -> tuple[str, Mapping[str, Any] | None]:
    """The offer, and the session a multipart form may bring with it."""
    if request.content_type == "application/sdp":
        return await request.text(), None
    if not request.content_type.startswith("multipart/"):
        raise ProtocolError("Send the offer as application/sdp, or a form with `sdp` and `session`.", "invalid_type")
    form = await request.post()
    fields = {name: _text(form[name]) for name in ("sdp", "session") if name in form}
    if "sdp" not in fields:
        raise ProtocolError("Missing required parameter: 'sdp'.", "missing_required_parameter", "sdp")
    return fields["sdp"], _json(fields["session"]) if "session" in fields else None


def _text(field: Any) -> str:
    if isinstance(field, str):
        return field
    # A part with a content type of its own comes as bytes, one with a file name as a file.
    content = field if isinstance(field, bytes | bytearray) else field.file.read()
    return bytes(content).decode("utf-8", "replace")


def _json(text: str) -> Mapping[str, Any]:
    try:
        content = json.loads(text)
    except ValueError as error:
        raise ProtocolError(f"Not JSON: {error}", "invalid_json", "session") from error
    if not isinstance(content, dict):
        raise ProtocolError("A JSON object is wanted.", "invalid_type", "session")
    return content


def _forget(calls: dict[str, RealtimeCall | SocketCall], id_: str) -> None:
    calls.pop(id_, None)
