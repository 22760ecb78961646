"""The socket a server listens on, taken before anything slow is loaded."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from voicesim.errors import UsageError


@contextmanager
def bound_socket(host: str, port: int) -> Iterator[socket.socket]:
    """A TCP socket bound to host and port (0: any free one). Raises UsageError when that cannot be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise UsageError(f"unknown host {host!r}: {error}") from error
    with socket.socket(family, kind, protocol) as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind(address)
        except OSError as error:
            raise UsageError(f"cannot listen on {host}:{port}: {error.strerror}; --port 0 takes a free one") from error
        bound.setblocking(False)
        yield bound
