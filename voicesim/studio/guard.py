"""What every answer and every request go through: headers, the size of bodies, the host that was asked for."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from voicesim.studio.accounts import COOKIE
from voicesim.studio.settings import Settings, is_loopback

LARGEST_BODY = 4_000_000
"""Bytes of a request's body; a case is at most a few hundred thousand."""
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self' blob:; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
SANDBOX = "allow-scripts allow-popups allow-downloads allow-top-navigation-by-user-activation"
"""What a score card or suite page in a frame may do; following its link to a visit takes a click."""
FRAMED = f"sandbox {SANDBOX}; frame-ancestors 'self'"
"""The policy of a scorecard or suite page: an origin of its own, so that its script reaches nothing of the studio's.
The page brings the rest of its policy along."""
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "microphone=(self), camera=(), geolocation=()",
}


class Guard:
    """The outermost layer of the studio."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or one WebSocket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not self._known_host(headers) or (scope["type"] == "websocket" and not self._own_origin(headers)):
            await self._refuse(scope, receive, send, 421, "this studio has another address")
            return
        if int(headers.get("content-length") or 0) > LARGEST_BODY:
            await self._refuse(scope, receive, send, 413, f"at most {LARGEST_BODY} bytes can be sent")
            return
        if "\x00" in scope["path"]:
            await self._refuse(scope, receive, send, 404, "there is no such page")
            return
        body = _Body(receive)
        try:
            await self._app(scope, body.receive, self._sealed(scope, send, body))
        except ClientDisconnect:
            if not body.too_large:
                raise
        if body.too_large and not body.answered:
            await self._refuse(scope, receive, send, 413, f"at most {LARGEST_BODY} bytes can be sent")

    def _known_host(self, headers: Headers) -> bool:
        """Whether the browser asked for this studio: a page that renames itself to our address did not."""
        host = urlsplit(f"//{headers.get('host', '')}").hostname or ""
        public = urlsplit(self._settings.url).hostname
        return host in (public, self._settings.host) or is_loopback(host) or self._settings.host in ("0.0.0.0", "::")

    def _own_origin(self, headers: Headers) -> bool:
        """Whether a WebSocket was opened by a page of the studio."""
        origin = urlsplit(headers.get("origin", ""))
        return origin.netloc == headers.get("host", "")

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, status: int, reason: str) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        await PlainTextResponse(reason, status)(scope, receive, send)

    def _sealed(self, scope: Scope, send: Send, body: "_Body") -> Send:
        async def sealed(message: Message) -> None:
            if body.too_large and not body.answered:
                return  # whatever was made of half a body
            body.answered = True
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("content-security-policy", POLICY)
                if cookie := scope.get("state", {}).get("new_cookie"):
                    headers.append("set-cookie", f"{COOKIE}={cookie}; HttpOnly; Path=/; SameSite=lax")
                if not scope["path"].startswith("/static/"):
                    headers.setdefault("cache-control", "no-store")
                if self._settings.secure:
                    headers.setdefault("strict-transport-security", "max-age=31536000")
            await send(message)

        return sealed


class _Body:
    """The body of a request that does not tell its length, up to the bound; whoever reads on finds the line closed."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._got = receive, 0
        self.too_large = self.answered = False

    async def receive(self) -> Message:
        """The next message."""
        message = await self._receive()
        if message["type"] == "http.request":
            self._got += len(message.get("body", b""))
            self.too_large = self._got > LARGEST_BODY
        return {"type": "http.disconnect"} if self.too_large else message
