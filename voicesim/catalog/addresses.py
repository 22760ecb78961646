"""Addresses without what may be secret in them: user, password, query and fragment."""

import re
from urllib.parse import parse_qsl, unquote, urlsplit

from voicesim.redact import Alone

_URL = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*://)(?:[^/?#\s]*@)?(?P<place>[^?#\s]*)[^\s]*")


def shown_address(text: str) -> str:
    """A text with the addresses in it as they may be told, stored and shown.

    >>> shown_address("twilio:wss://me:pw@agent.example:8443/ws?token=abc#x")
    'twilio:wss://agent.example:8443/ws'
    >>> shown_address("openai+ws:gpt-realtime-2.1?audio=pcmu")
    'openai+ws:gpt-realtime-2.1?audio=pcmu'
    """
    return _URL.sub(lambda match: match["scheme"] + match["place"], text)


_SECRET_KEY = re.compile(
    r"key|token|secret|pass|pwd|auth|cred|jwt|session|code(?!c)|(?<![a-z])(?:pw|pin|sig|signature|sid)(?![a-z])",
    re.IGNORECASE,
)
"""Names of values in a query that are secret however short they are."""
_GUESSED = 2
"""Characters of a value that is no secret: anybody guesses it, and it would tear holes into plain text."""


def secrets_in(url: str) -> tuple[str, ...]:
    """What of an address must not be told: its query, the values in it, user and password, and the fragment.

    A short value is taken out with its name (`room=7`), and by itself if its name says that it is secret.
    """
    parts = urlsplit(url)
    user, decoded = parts.netloc.rpartition("@")[0], parse_qsl(parts.query, keep_blank_values=True)
    pairs = [*decoded, *((name, value) for name, _, value in (part.partition("=") for part in parts.query.split("&")))]
    values = [Alone(value) if _SECRET_KEY.search(name) and len(value) > _GUESSED else value for name, value in pairs]
    named = [Alone(f"{name}={value}") for name, value in pairs if value]
    name, _, password = unquote(user).partition(":")
    alone = [Alone(user), Alone(unquote(user))] if password else [user]
    if len(password) > _GUESSED:
        alone.append(Alone(password))
    secrets = [parts.query, *values, *named, *alone, name, *user.split(":"), parts.fragment]
    # A secret of whatever length comes before the same text as one of some length.
    secrets.sort(key=lambda secret: not isinstance(secret, Alone))
    return tuple(dict.fromkeys(secret for secret in secrets if secret))


def is_this_machine(host: str) -> bool:
    """Whether the Host of a request, with or without a port, names this machine.

    A page in a browser can have any name stand for 127.0.0.1, but not send another Host than that name.

    >>> is_this_machine("127.0.0.1:8080"), is_this_machine("[::1]:8080"), is_this_machine("rebound.example:8080")
    (True, True, False)
    """
    try:
        return urlsplit(f"//{host}").hostname in ("127.0.0.1", "localhost", "::1")
    except ValueError:
        return False
