"""A small OpenID Connect provider: discovery, the code flow with PKCE, keys. Everybody who comes is Ann."""

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "voicesim", "what both sides know"
Change = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass
class OidcProvider:
    """A provider at `issuer`. `change` alters the claims of the next tokens, `key` is what signs them."""

    issuer: str = ""
    change: Change = lambda claims: claims
    header: dict[str, Any] = field(default_factory=lambda: {"alg": "RS256", "kid": "1"})
    published: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "1"}))
    key: RSAKey | None = None
    calls_itself: str = ""
    waiting: dict[str, dict[str, str]] = field(default_factory=dict)

    def reset(self) -> None:
        """Honest again."""
        self.change, self.key, self.calls_itself = (lambda claims: claims), None, ""

    def described(self) -> dict[str, Any]:
        """The discovery document."""
        names = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
        return {"issuer": self.calls_itself or self.issuer} | {
            name: f"{self.issuer}/{path}" for name, path in names.items()
        }

    def authorized(self, query: dict[str, str]) -> str:
        """Where a browser goes on to after Ann has said yes."""
        assert query["response_type"] == "code"
        assert query["code_challenge_method"] == "S256"
        assert query["client_id"] == CLIENT
        code = secrets.token_urlsafe()
        self.waiting[code] = query
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def tokens(self, form: dict[str, str], authorization: str) -> dict[str, Any] | None:
        """The tokens for a code, once, for who began; None for anybody else."""
        begun = self.waiting.pop(form.get("code", ""), None)
        known = base64.b64encode(f"{CLIENT}:{quote(SECRET)}".encode()).decode()
        plain = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if begun is None or authorization not in (f"Basic {known}", f"Basic {plain}"):
            return None
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if challenge != begun["code_challenge"] or form.get("redirect_uri") != begun["redirect_uri"]:
            return None
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "sub": "ann-1", "iat": now, "exp": now + 300}
        claims |= {"nonce": begun["nonce"], "preferred_username": "ann"}
        token = jwt.encode(self.header, self.change(claims), self.key or self.published)
        return {"access_token": "x", "token_type": "Bearer", "id_token": token}


@contextmanager
def oidc_provider() -> Iterator[OidcProvider]:
    """A provider at a free port of this machine for the length of the block."""
    provider = OidcProvider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            if parts.path == "/authorize":
                self.send_response(302)
                self.send_header("Location", provider.authorized(query))
                self.end_headers()
            elif parts.path == "/keys":
                self._json({"keys": [provider.published.as_dict(private=False)]})
            else:
                self._json(provider.described())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            self._json(provider.tokens(form, self.headers.get("Authorization", "")))

        def _json(self, content: dict[str, Any] | None) -> None:
            self.send_response(200 if content else 400)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(content or {"error": "invalid_grant"}).encode())

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.issuer = f"http://127.0.0.1:{server.server_address[1]}"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
