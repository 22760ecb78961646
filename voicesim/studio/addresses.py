"""Which addresses a studio may be sent to: agents by an allow-list, webhooks to the open internet."""

import ipaddress
import re
import socket
from collections.abc import Iterable
from fnmatch import fnmatchcase
from urllib.parse import SplitResult, urlsplit

from voicesim.errors import UsageError
from voicesim.studio.settings import Settings

_PORTS = {"ws": "80", "http": "80", "wss": "443", "https": "443"}
_ODD = re.compile(r"[\s\\\x00-\x1f\x7f]")


def allowed(address: str, patterns: Iterable[str]) -> bool:
    """Whether an address fits one of the patterns, part by part: `*` of a host never reaches into the path.

    An address is `TRANSPORT:NAME`, `TRANSPORT:URL` or a URL; a pattern may leave the transport out. A pattern without
    a port is for the usual one, a pattern without a path for none. The query is free; names, passwords and fragments
    are never allowed.

    >>> allowed("pcm:wss://a.example.com/calls", ["wss://*.example.com/*"])
    True
    >>> allowed("pcm:wss://evil.example.net/a.example.com/", ["wss://*.example.com/*"])
    False
    """
    return not _ODD.search(address) and any(_fits(address, pattern) for pattern in patterns)


def check_webhook(url: str, settings: Settings) -> None:
    """Raises UsageError for an address that no webhook may have.

    A studio that others reach sends to public https addresses, and to what its allow-list names. Whether a name leads
    into the studio's own network is looked up, and again whenever something is sent there.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or _ODD.search(url):
        raise UsageError("url: a webhook has an http or https address without a name and password in it")
    if settings.loopback or allowed(url, settings.agents):
        return
    if parts.scheme == "http":
        raise UsageError("url: a webhook of a studio that others reach has an https address")
    if not all(_public(address) for address in _looked_up(parts)):
        raise UsageError("url: a webhook leads out of the studio's own network, or whoever runs it allows the address")


def _fits(address: str, pattern: str) -> bool:
    transport, target = _split(address)
    wanted_transport, wanted = _split(pattern)
    if "://" not in target or "://" not in wanted:
        return "://" not in target and fnmatchcase(address, pattern)
    return wanted_transport in ("", transport) and _same_place(urlsplit(target), urlsplit(wanted))


def _same_place(url: SplitResult, wanted: SplitResult) -> bool:
    if "@" in url.netloc or url.fragment or url.scheme != wanted.scheme:
        return False
    (host, port), (wanted_host, wanted_port) = _place(url), _place(wanted)
    fits = fnmatchcase(host, wanted_host) and wanted_port in ("*", port)
    return fits and fnmatchcase(url.path or "/", wanted.path or "/")


def _split(address: str) -> tuple[str, str]:
    """The transport and its target; "" for the transport of a plain URL."""
    before, colon, rest = address.partition(":")
    return ("", address) if not colon or rest.startswith("//") else (before, rest)


def _place(url: SplitResult) -> tuple[str, str]:
    """Host and port, both as text; the port that the scheme stands for where none is given."""
    host, colon, port = url.netloc.lower().rpartition(":")
    if not colon or port.endswith("]"):
        host, port = url.netloc.lower(), ""
    return host, port or _PORTS.get(url.scheme, "")


def _looked_up(url: SplitResult) -> list[str]:
    try:
        found_at = socket.getaddrinfo(url.hostname, url.port or 443, proto=socket.IPPROTO_TCP)
    except (OSError, ValueError) as error:
        raise UsageError(f"url: the webhook's host {url.hostname} is not known") from error
    return [str(entry[4][0]) for entry in found_at]


def _public(address: str) -> bool:
    number = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(number, "ipv4_mapped", None)
    return bool((mapped or number).is_global)
