"""What the ear and the transcript get from sound."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from voicesim.audio.samples import Wave


@dataclass(frozen=True)
class HeardWord:
    """One word as Whisper gave it: seconds from the start of the sound, and its probability."""

    text: str
    start: float
    end: float
    probability: float


@dataclass(frozen=True)
class Hearing:
    """What was understood of a stretch of sound."""

    text: str
    words: tuple[HeardWord, ...]
    language: str


class Transcriber(Protocol):
    """Speech to text, with word times."""

    model: str
    sha256: str

    def transcribe(self, wave: Wave, language: str) -> Hearing:
        """Float32 mono at 24,000 Hz to words. Blocking; threads may call it at once, one at a time runs."""
        ...


@runtime_checkable
class LanguageDetector(Protocol):
    """A transcriber that can also tell what language sound is in."""

    def detect_language(self, wave: Wave) -> str:
        """The language of the first 30 s of float32 mono at 24,000 Hz, as an ISO code."""
        ...
