"""What can go wrong with a model, as a few kinds of errors, told without any key."""

from datetime import date
from typing import TYPE_CHECKING

from voicesim.errors import UsageError, VoicesimError
from voicesim.llm.known_models import retirement
from voicesim.llm.server import ModelServer
from voicesim.redact import redact

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAIError

SHOWN = 300
"""Characters of a server's own words."""


class ModelError(VoicesimError):
    """A model gave nothing that can be used."""

    exit_code = 3


class UnusableAnswerError(ModelError):
    """An answer that is cut off, empty, refused or not of the form asked for. Another try may give a better one."""


class NoAnswerError(UnusableAnswerError):
    """No whole answer came: the server is busy or late, or sends more than is read."""


class ServerRefusedError(UsageError, ModelError):
    """The server refuses the key, the model or the request; asking again would change nothing."""

    exit_code = 2


class RequestRefusedError(ServerRefusedError):
    """The server refuses this very request; another one it may take."""


class UnreachableError(UsageError, ModelError):
    """The server cannot be reached."""

    exit_code = 2


def model_error(error: "OpenAIError", server: ModelServer) -> ModelError:
    """The SDK's error as one of ours. Its words go without the key, which some servers repeat."""
    import openai

    if isinstance(error, openai.APITimeoutError):
        return NoAnswerError(f"{server.host} gave no answer in time")
    if isinstance(error, openai.APIConnectionError):
        return UnreachableError(f"cannot reach {server.host}")
    if isinstance(error, openai.APIStatusError):
        return _status_error(error, server)
    return NoAnswerError(f"{server.host}: {plain_words(str(error), server)}")


def plain_words(text: str, server: ModelServer) -> str:
    """A server's words in one line, cut to SHOWN characters, without keys."""
    cleaned = redact(" ".join(text.split()), *server.secrets())
    return cleaned if len(cleaned) <= SHOWN else f"{cleaned[:SHOWN]} ..."


def _status_error(error: "APIStatusError", server: ModelServer) -> ModelError:
    status, words = error.status_code, plain_words(words_of(error), server)
    if status == 401:  # servers repeat parts of the key here, so their words are left out
        what = f"the key in {server.key_env}" if server.key_env else "to answer without a key"
        return ServerRefusedError(f"{server.host} refused {what}")
    if getattr(error, "code", None) == "insufficient_quota":
        return ServerRefusedError(f"the account at {server.host} has no quota left")
    if 300 <= status < 400:
        return ServerRefusedError(f"{server.host} redirects to another address, which is not followed")
    if status in (408, 409, 429) or status >= 500:
        wait = error.response.headers.get("retry-after", "")
        asks = f", asks to wait {wait[:40]}" if wait else ""
        return NoAnswerError(f"{server.host} gave no answer: busy ({status}{asks})")
    kind = RequestRefusedError if status in (400, 413, 422) else ServerRefusedError
    end = retirement(server.model, date.today()) if server.is_openai and status in (400, 403, 404) else ""
    return kind(f"{server.host} refused the request with {status}: {words}{f' ({end})' if end else ''}")


def words_of(error: "APIStatusError") -> str:
    """What the server itself says about a refusal."""
    body = error.body if isinstance(error.body, dict) else {}
    return str(body.get("message") or error.message)
