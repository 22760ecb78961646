"""OpenAI's speech endpoint, or any server that speaks it: voices in the cloud, accents by instruction."""

import os
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from voicesim.audio.samples import Wave, to_wave
from voicesim.catalog.model import Accent, Voice
from voicesim.errors import SpeechError, UsageError, near
from voicesim.tts.accents import AMERICAN, accent_names, in_words
from voicesim.tts.shape import restyle

if TYPE_CHECKING:
    from openai import APIError, OpenAI

MODEL = "gpt-4o-mini-tts"
VOICES = (
    "alloy", "ash", "ballad", "cedar", "coral", "echo", "fable", "marin", "nova", "onyx", "sage", "shimmer", "verse",
)  # fmt: skip
_DIALECTS = MappingProxyType({AMERICAN: "a General American accent", "british": "a southern British accent"})
_INSTRUCTION = "You are an ordinary person speaking on the telephone, unrehearsed. Speak with {accent}."


class OpenAIEngine:
    """Needs OPENAI_API_KEY; OPENAI_BASE_URL points it at another server. The key is never stored or shown."""

    version = MODEL

    def speak(self, spoken: str, voice: Voice, accent: Accent, rate: float, seed: int) -> Wave:
        """Words to float32 mono at 24,000 Hz; pace and pitch are made here, exactly, not asked of the model.

        The service takes no seed: the same words sound different each time they are bought, and the same
        only out of the cache. Raises UsageError without a key, with a refused one, and for an unknown voice
        or accent; SpeechError when the service fails.
        """
        from openai import APIError

        if voice.name not in VOICES:
            raise UsageError(f"OpenAI has no voice {voice.name!r}.{near(voice.name, VOICES)}")
        instructions = _INSTRUCTION.format(accent=_in_words(accent))
        with _client() as client:
            try:
                answer = client.audio.speech.create(
                    model=MODEL,
                    voice=voice.name,
                    input=spoken,
                    instructions=instructions,
                    response_format="pcm",
                )
                content = answer.read()
            except APIError as error:
                raise _told(error, spoken) from error
        pcm = np.frombuffer(content[: len(content) // 2 * 2], "<i2").astype(np.int16)
        return restyle(to_wave(pcm), rate, voice.pitch) if len(pcm) else to_wave(pcm)

    def voices(self) -> tuple[str, ...]:
        """The service's built-in voices."""
        return VOICES

    def accents(self) -> tuple[str, ...]:
        """American and British, and every accent that has a file, which tells it in words."""
        return (*_DIALECTS, *(name for name in accent_names() if name not in _DIALECTS))


def _in_words(accent: Accent) -> str:
    if accent.strength == 0:
        return _DIALECTS[AMERICAN]
    return _DIALECTS.get(accent.name) or in_words(accent)


def _client() -> "OpenAI":
    from openai import OpenAI

    if not os.environ.get("OPENAI_API_KEY"):
        raise UsageError("voices of OpenAI need a key: set OPENAI_API_KEY (and OPENAI_BASE_URL for another server)")
    return OpenAI(timeout=60.0, max_retries=2)


def _told(error: "APIError", spoken: str) -> UsageError | SpeechError:
    """The failure in a sentence. The server's own words about a refused key may quote the key: left out."""
    status = getattr(error, "status_code", None)
    if status in (401, 403):
        return UsageError(f"the speech service refused OPENAI_API_KEY (HTTP {status})")
    said = f"HTTP {status}: {error.message}" if status else str(error.message)
    return SpeechError(f"the speech service could not speak {spoken!r}: {said.replace(_key(), '***')}")


def _key() -> str:
    return os.environ.get("OPENAI_API_KEY") or "\0"
