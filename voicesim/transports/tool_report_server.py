"""An HTTP server for tool reports of agents on this machine; they POST to a URL that voicesim prints.

It listens on the loopback address only, under a path that nobody can guess, and takes a little at a time.
"""

import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from voicesim.audio.samples import Pcm
from voicesim.catalog.addresses import is_this_machine
from voicesim.recording.events import Intent
from voicesim.transports.base import FollowsUtterances, SendsAhead, Transport
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.tool_reports import read_tool_report

if TYPE_CHECKING:
    from aiohttp import web

HOST = "127.0.0.1"
BODY_LIMIT = 64 * 1024
"""Bytes of one request."""
MOST_REPORTS = 50
"""Reports in one request."""


class ToolReportServer:
    """Passes reports on to the running call; between calls it refuses them."""

    def __init__(self) -> None:
        self.path = f"/{secrets.token_urlsafe(18)}"
        self._inbox: BoundedInbox | None = None

    def attach(self, inbox: BoundedInbox) -> None:
        """From now on reports belong to this call."""
        self._inbox = inbox

    def detach(self) -> None:
        self._inbox = None

    async def take(self, request: "web.Request") -> "web.Response":
        """One report as a JSON object, or several as a list. 400 for anything else, 409 between calls."""
        from aiohttp import web

        if not is_this_machine(request.host):
            return web.json_response({"error": "this address is for agents on this machine"}, status=403)
        if self._inbox is None:
            return web.json_response({"error": "no call is running"}, status=409)
        try:
            content = json.loads(await request.text())
        except (ValueError, LookupError, RecursionError):  # LookupError: a charset that there is none of
            return web.json_response({"error": "not JSON"}, status=400)
        reports = content if isinstance(content, list) else [content]
        events = [read_tool_report(report, self._inbox.now()) for report in reports[:MOST_REPORTS]]
        if len(reports) > MOST_REPORTS or None in events:
            problem = f"up to {MOST_REPORTS} objects: tool_call or tool_result, each with a call_id, or tool_state"
            return web.json_response({"error": problem}, status=400)
        for event in events:
            if event is not None:
                self._inbox.event(event)
        return web.json_response({"taken": len(events)})


@asynccontextmanager
async def serving(server: ToolReportServer, port: int = 0) -> AsyncIterator[str]:
    """Runs the server and yields its URL. Raises OSError when the port (0: any free one) is taken."""
    from aiohttp import web

    app = web.Application(client_max_size=BODY_LIMIT)
    app.router.add_post(server.path, server.take)
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=0.5)
    await runner.setup()
    try:
        await web.TCPSite(runner, HOST, port).start()
        yield f"http://{HOST}:{runner.addresses[0][1]}{server.path}"
    finally:
        await runner.cleanup()


class ReportingTransport:
    """A transport whose agent reports its tool calls to a server for as long as the transport is open."""

    def __init__(self, transport: Transport, server: ToolReportServer) -> None:
        self.name, self.receive_delay = transport.name, transport.receive_delay
        self._transport, self._server = transport, server

    async def open(self, inbox: BoundedInbox) -> None:
        self._server.attach(inbox)
        try:
            await self._transport.open(inbox)
        except BaseException:
            self._server.detach()
            raise

    def send(self, pcm: Pcm) -> None:
        self._transport.send(pcm)

    def caller_starts(self, intent: Intent) -> None:
        if isinstance(self._transport, FollowsUtterances):
            self._transport.caller_starts(intent)

    def caller_stops(self, intent: Intent) -> None:
        if isinstance(self._transport, FollowsUtterances):
            self._transport.caller_stops(intent)

    def stop(self) -> None:
        if isinstance(self._transport, SendsAhead):
            self._transport.stop()

    async def close(self) -> None:
        self._server.detach()
        await self._transport.close()
