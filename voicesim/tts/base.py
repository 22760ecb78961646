"""The contract of a synthesizer."""

from dataclasses import dataclass
from typing import Protocol

from voicesim.audio.samples import Wave
from voicesim.catalog.model import Accent, Voice


@dataclass(frozen=True)
class Speech:
    """A spoken text: float32 mono at 24,000 Hz, what was asked for and the words that reached the voice."""

    wave: Wave
    text: str
    spoken: str


class Synthesizer(Protocol):
    """Makes one voice engine's sound. Blocking; runs in a worker process, never on the pacing loop."""

    version: str
    """The packages or the model behind it: sound of another version is other sound."""

    def speak(self, spoken: str, voice: Voice, accent: Accent, rate: float, seed: int) -> Wave:
        """Spoken words to float32 mono at 24,000 Hz; the same arguments give the same samples.

        Raises UsageError for a voice or accent it does not have, SpeechError when no sound comes.
        """
        ...

    def voices(self) -> tuple[str, ...]:
        """Names that `voice.name` may take."""
        ...

    def accents(self) -> tuple[str, ...]:
        """Names that `accent` may take with this engine. An accent of strength 0 sounds as none."""
        ...
