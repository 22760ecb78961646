"""Addresses without what may be secret in them: user, password, query and fragment."""

import re
from urllib.parse import parse_qsl, unquote, urlsplit

_URL = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*://)(?:[^/?#\s]*@)?(?P<place>[^?#\s]*)[^\s]*")


def shown_address(text: str) -> str:
    """A text with the addresses in it as they may be told, stored and shown.

    >>> shown_address("twilio:wss://me:pw@agent.example:8443/ws?token=abc#x")
    'twilio:wss://agent.example:8443/ws'
    >>> shown_address("openai+ws:gpt-realtime-2.1?audio=pcmu")
    'openai+ws:gpt-realtime-2.1?audio=pcmu'
    """
    return _URL.sub(lambda match: match["scheme"] + match["place"], text)


def secrets_in(url: str) -> tuple[str, ...]:
    """What of an address must not be told: its query, the values in it, user and password, and the fragment."""
    parts = urlsplit(url)
    user = parts.netloc.rpartition("@")[0]
    values = [value for _, value in parse_qsl(parts.query, keep_blank_values=True)]
    raw = [part.partition("=")[2] for part in parts.query.split("&")]
    found = [parts.query, *values, *raw, user, *user.split(":"), unquote(user), parts.fragment]
    return tuple(dict.fromkeys(secret for secret in found if secret))


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
