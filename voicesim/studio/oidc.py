"""Signing in with a provider that speaks OpenID Connect: the authorization code flow with PKCE (RFC 7636)."""

import hmac
from typing import Any
from urllib.parse import urlencode

import httpx2
from fastapi import HTTPException, Request
from fastapi.responses import RedirectResponse, Response
from itsdangerous import BadSignature, URLSafeTimedSerializer
from sqlalchemy import select
from sqlalchemy.orm import Session

from voicesim.errors import UsageError
from voicesim.studio.accounts import add_person, new_secret
from voicesim.studio.settings import Provider, Settings
from voicesim.studio.tables.people import Person

COOKIE = "voicesim_studio_leaving"
WAITS = 600
"""Seconds that somebody may take at the provider."""
_LIMIT = 200_000


def leave(settings: Settings, path: str) -> Response:
    """The way to the provider; a signed cookie remembers who left."""
    from authlib.oauth2.rfc7636 import create_s256_code_challenge

    provider = _provider(settings)
    left = {"state": new_secret(), "nonce": new_secret(), "verifier": new_secret() + new_secret(), "path": path}
    query = {
        "response_type": "code",
        "client_id": provider.client_id,
        "redirect_uri": _back(settings),
        "scope": "openid profile email",
        "state": left["state"],
        "nonce": left["nonce"],
        "code_challenge": create_s256_code_challenge(left["verifier"]),
        "code_challenge_method": "S256",
    }
    answer = RedirectResponse(f"{_described(provider)['authorization_endpoint']}?{urlencode(query)}", 303)
    sealed = _signer(provider).dumps(left)
    answer.set_cookie(COOKIE, sealed, max_age=WAITS, httponly=True, secure=settings.secure, samesite="lax", path="/")
    return answer


def arrive(settings: Settings, request: Request) -> tuple[dict[str, Any], str]:
    """Who the provider says has come back, and where they were going. Raises 403 for anybody else's answer."""
    from authlib.oidc.core import CodeIDToken
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    provider = _provider(settings)
    try:
        left = _signer(provider).loads(request.cookies.get(COOKIE, ""), max_age=WAITS)
    except BadSignature:
        raise HTTPException(403, "This sign-in was not begun here, or took too long.") from None
    if not hmac.compare_digest(left["state"], request.query_params.get("state", "")):
        raise HTTPException(403, "This sign-in was not begun here.")
    endpoints = _described(provider)
    form = {
        "grant_type": "authorization_code",
        "code": request.query_params.get("code", ""),
        "redirect_uri": _back(settings),
        "code_verifier": left["verifier"],
    }
    tokens = _asked("POST", endpoints["token_endpoint"], data=form, auth=(provider.client_id, provider.secret))
    keys: Any = _asked("GET", endpoints["jwks_uri"])
    try:
        token = jwt.decode(str(tokens.get("id_token", "")), KeySet.import_key_set(keys), algorithms=["RS256", "ES256"])
        params = {"nonce": left["nonce"], "client_id": provider.client_id}
        options = {"iss": {"value": provider.issuer}, "aud": {"value": provider.client_id}}
        claims = CodeIDToken(token.claims, token.header, options, params)
        claims.validate(leeway=60)
    except (JoseError, ValueError, TypeError, KeyError) as error:
        raise HTTPException(403, f"The provider's answer does not hold: {type(error).__name__}.") from error
    except Exception as error:
        if type(error).__module__.startswith("authlib"):
            raise HTTPException(403, f"The provider's answer does not hold: {error}.") from error
        raise
    return dict(token.claims), left["path"]


def person(session: Session, settings: Settings, claims: dict[str, Any]) -> Person:
    """The account of whoever the provider names; made at the first sign-in. Raises 403 for one without access."""
    subject = f"{settings.provider.issuer if settings.provider else ''} {claims['sub']}"
    known = session.scalar(select(Person).where(Person.subject == subject))
    if known is None:
        name = str(claims.get("preferred_username") or claims.get("email") or claims["sub"])[:90]
        try:
            known = add_person(session, name, _provider(settings).role, subject=subject)
        except UsageError:  # the name is somebody else's: never the same account
            known = add_person(session, f"{name} ({claims['sub']})"[:100], _provider(settings).role, subject=subject)
    if not known.active:
        raise HTTPException(403, "This account has no access any more.")
    return known


def forget(answer: RedirectResponse) -> RedirectResponse:
    """The answer without the cookie of who left."""
    answer.delete_cookie(COOKIE, path="/")
    return answer


def _provider(settings: Settings) -> Provider:
    if settings.provider is None:
        raise HTTPException(404, "People sign in with name and password here.")
    return settings.provider


def _back(settings: Settings) -> str:
    return f"{settings.url}/sign-in/back"


def _signer(provider: Provider) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(provider.secret, salt="voicesim-studio-oidc")


def _described(provider: Provider) -> dict[str, Any]:
    """The provider's own description. Its issuer has to be the one that was set up."""
    described = _asked("GET", f"{provider.issuer}/.well-known/openid-configuration")
    if described.get("issuer") != provider.issuer:
        raise HTTPException(502, "The provider calls itself by another name.")
    return described


def _asked(method: str, url: str, **arguments: Any) -> dict[str, Any]:
    try:
        answer = httpx2.request(method, url, timeout=10.0, follow_redirects=False, **arguments)
        answer.raise_for_status()
        content = answer.json() if len(answer.content) < _LIMIT else None
    except (httpx2.HTTPError, ValueError) as error:
        raise HTTPException(502, f"The provider does not answer as it should: {type(error).__name__}.") from error
    if not isinstance(content, dict):
        raise HTTPException(502, "The provider does not answer as it should.")
    return content
