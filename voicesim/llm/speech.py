"""Speech out of a text, from a server with OpenAI's speech endpoint."""

from voicesim.llm.connection import connect
from voicesim.llm.errors import NoAnswerError, model_error
from voicesim.llm.server import ModelServer

TIMEOUT = 60.0
RETRIES = 2
LARGEST = 2**24
"""Bytes: nearly six minutes at 24,000 Hz and 16 bits."""


def speech(server: ModelServer, text: str, voice: str, instructions: str) -> bytes:
    """16-bit PCM, mono at 24,000 Hz, little endian. Blocking.

    Raises ModelError: NoAnswerError when no sound comes, else ServerRefusedError or UnreachableError.
    """
    from anyio.from_thread import start_blocking_portal

    with start_blocking_portal() as portal:
        return portal.call(_speech, server, text, voice, instructions)


async def _speech(server: ModelServer, text: str, voice: str, instructions: str) -> bytes:
    from openai import OpenAIError

    async with connect(server, server.timeout or TIMEOUT, RETRIES, LARGEST) as client:
        try:
            answer = await client.audio.speech.create(
                model=server.model, voice=voice, input=text, instructions=instructions, response_format="pcm"
            )
        except OpenAIError as error:
            raise model_error(error, server) from None
    kind = answer.response.headers.get("Content-Type", "")
    if "json" in kind or kind.startswith("text/"):
        raise NoAnswerError(f"{server.host} sent text where sound was asked for")
    return answer.content
