"""OpenAI's speech endpoint, or any server that speaks it: voices in the cloud, accents by instruction."""

from datetime import date
from types import MappingProxyType

import numpy as np

from voicesim.audio.samples import Wave, to_wave
from voicesim.catalog.model import Accent, Voice
from voicesim.catalog.model_names import resolve_model
from voicesim.errors import SpeechError, UsageError, near
from voicesim.llm.errors import ModelError, RequestRefusedError, ServerRefusedError
from voicesim.llm.known_models import gone, known_models
from voicesim.llm.server import ModelServer, named_model
from voicesim.tts.accents import AMERICAN, accent_names, in_words
from voicesim.tts.shape import restyle

VOICES = (
    "alloy", "ash", "ballad", "cedar", "coral", "echo", "fable", "marin", "nova", "onyx", "sage", "shimmer", "verse",
)  # fmt: skip
_DIALECTS = MappingProxyType({AMERICAN: "a General American accent", "british": "a southern British accent"})
_INSTRUCTION = "You are an ordinary person speaking on the telephone, unrehearsed. Speak with {accent}."


class OpenAIEngine:
    """Needs OPENAI_API_KEY; OPENAI_BASE_URL or the voice's model file points it at another server."""

    version = known_models().defaults["speech"]

    def speak(self, spoken: str, voice: Voice, accent: Accent, rate: float, seed: int) -> Wave:
        """Words to float32 mono at 24,000 Hz; pace and pitch are made here, exactly, not asked of the model.

        The service takes no seed: the same words sound different each time they are bought, and the same
        only out of the cache. Raises UsageError when OpenAI has shut the model down, without a key, with a refused
        one, and for an unknown voice or accent; SpeechError when the service fails.
        """
        from voicesim.llm.speech import speech

        if not voice.model and voice.name not in VOICES:
            raise UsageError(f"OpenAI has no voice {voice.name!r}.{near(voice.name, VOICES)}")
        instructions = _INSTRUCTION.format(accent=_in_words(accent))
        server = server_of(voice)
        if server.is_openai and (end := gone(server.model, date.today())):
            raise UsageError(f"{end}: take a local voice, or name what serves /v1/audio/speech in a model file")
        server.check("voice")
        try:
            content = speech(server, spoken, voice.name, instructions)
        except ModelError as error:
            if isinstance(error, ServerRefusedError) and not isinstance(error, RequestRefusedError):
                raise UsageError(f"the speech service {error}") from None
            raise SpeechError(f"the speech service could not speak {spoken!r}: {error}") from None
        pcm = np.frombuffer(content[: len(content) // 2 * 2], "<i2").astype(np.int16)
        return restyle(to_wave(pcm), rate, voice.pitch) if len(pcm) else to_wave(pcm)

    def voices(self) -> tuple[str, ...]:
        """The service's built-in voices."""
        return VOICES

    def accents(self) -> tuple[str, ...]:
        """American and British, and every accent that has a file, which tells it in words."""
        return (*_DIALECTS, *(name for name in accent_names() if name not in _DIALECTS))


def server_of(voice: Voice) -> ModelServer:
    """Where a voice is: on the server of its model file, else at OPENAI_BASE_URL or OpenAI itself."""
    return resolve_model(voice.model) if voice.model else named_model(known_models().defaults["speech"])


def _in_words(accent: Accent) -> str:
    if accent.strength == 0:
        return _DIALECTS[AMERICAN]
    return _DIALECTS.get(accent.name) or in_words(accent)
