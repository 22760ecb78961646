"""How long a server is waited for: what it asks for, else longer each time, and never for ever."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

TIMEOUT = 300.0
"""Seconds that a server has for one answer, unless told otherwise."""

Answer = TypeVar("Answer")


class GaveUpError(Exception):
    """The server stayed busy, or asks for a longer pause than is given. The message says which."""


@dataclass(frozen=True)
class Patience:
    """`tries` requests at most; pauses of `first` seconds, doubled each time, unless the server names one.

    A pause above `longest` seconds is not made: a server that asks for one has no room for this run.
    """

    tries: int = 5
    first: float = 0.5
    longest: float = 120.0
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.time

    def ask(self, request: Callable[[], Answer]) -> Answer:
        """The answer of a request that is made again while the server is busy or cannot be reached.

        Raises GaveUpError when it stays busy, openai.APIConnectionError when it stays out of reach, and at
        once whatever else the request raises.
        """
        import openai

        for number in range(1, self.tries + 1):
            pause = self.first * 2 ** (number - 1)
            try:
                return request()
            except openai.APIConnectionError as error:
                # A time-out is one of these, and says that somebody is there.
                if number == self.tries:
                    if isinstance(error, openai.APITimeoutError):
                        raise GaveUpError(f"no answer in time {self.tries} times (see --judge-timeout)") from None
                    raise
            except openai.APIStatusError as error:
                if error.status_code not in (408, 409, 429) and error.status_code < 500:
                    raise
                if _exhausted(error):
                    raise GaveUpError("the account has no quota left") from None
                asked = retry_after(error.response.headers, self.now())
                pause = pause if asked is None else asked
                if pause > self.longest:
                    raise GaveUpError(f"the server asks to wait {pause:.0f} s") from None
                if number == self.tries:
                    raise GaveUpError(f"busy ({error.status_code}) {self.tries} times") from None
            self.sleep(pause)
        raise GaveUpError("no try was allowed")


def retry_after(headers: Any, now: float) -> float | None:
    """Seconds that a server asks to wait (`retry-after-ms`, or `Retry-After` in seconds or as a date).

    None when it does not, or says something that is no time.
    """
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        told = headers.get(name)
        if told is None:
            continue
        try:
            return max(0.0, float(told) / scale)
        except ValueError:
            pass
        try:
            return max(0.0, parsedate_to_datetime(told).timestamp() - now)
        except ValueError:
            continue
    return None


def _exhausted(error: Any) -> bool:
    """Whether a 429 is about money and not about pace."""
    return error.status_code == 429 and getattr(error, "code", None) == "insufficient_quota"
