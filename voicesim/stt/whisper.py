"""Whisper on the CPU, one call at a time, and never asked about sound without speech."""

import threading
from collections.abc import Iterable
from typing import Any

from voicesim.audio.resampling import resample
from voicesim.audio.samples import RATE, Wave
from voicesim.errors import UsageError
from voicesim.stt import short_windows
from voicesim.stt.model import HeardWord, Hearing
from voicesim.stt.short_windows import WHISPER_RATE, Dictated
from voicesim.stt.vad import speech_spans
from voicesim.stt.weights import find_weights

_SHORTEST = 0.1


class Whisper:
    """A loaded model. Deterministic: greedy at temperature 0, each window decoded on its own."""

    def __init__(self, engine: Any, model: str, sha256: str) -> None:
        """`engine` is a faster_whisper.WhisperModel, or what behaves like one."""
        self.model = model
        self.sha256 = sha256
        self._engine = engine
        self._inside = threading.Lock()

    def transcribe(self, wave: Wave, language: str) -> Hearing:
        """Float32 mono at 24,000 Hz to words with times in seconds from its start.

        Whisper is told the language (an ISO code such as `en`). Sound in which no speech is found never
        reaches the model, which would invent words for it, and gives an empty Hearing.
        """
        if len(wave) < _SHORTEST * RATE or not speech_spans(wave):
            return Hearing("", (), language)
        return self.transcribe_speech(wave, language)

    def transcribe_speech(self, wave: Wave, language: str) -> Hearing:
        """As `transcribe`, for sound that is already known to hold speech."""
        audio = resample(wave, RATE, WHISPER_RATE)
        with self._inside:
            segments, _ = self._engine.transcribe(
                audio,
                language=language,
                beam_size=1,
                temperature=0.0,
                condition_on_previous_text=False,
                word_timestamps=True,
                vad_filter=False,
            )
            words = [word for segment in segments for word in segment.words or ()]
        text = "".join(word.word for word in words)
        return Hearing(" ".join(text.split()), _whole_words(words), language)

    def dictate(self, wave: Wave, language: str, before: str = "") -> Dictated:
        """The words of float32 mono at 24,000 Hz, without times, three to four times as fast as `transcribe`.

        For the ear of a live call. `before` are the words right before; what goes on with their sentence begins with a
        small letter. No words for sound in which no speech is found.
        """
        if len(wave) < _SHORTEST * RATE or not speech_spans(wave):
            return Dictated("", 1.0)
        return self.dictate_speech(wave, language, before)

    def dictate_speech(self, wave: Wave, language: str, before: str = "") -> Dictated:
        """As `dictate`, for sound that is already known to hold speech."""
        parts: list[tuple[str, float]] = []
        for piece in short_windows.pieces(wave):
            audio = resample(piece, RATE, WHISPER_RATE)
            said = " ".join([before, *(text for text, _ in parts)]).strip()
            with self._inside:
                decoded = short_windows.dictate(self._engine, audio, language, said)
            parts.append((decoded.text, decoded.confidence))
        return Dictated(short_windows.joined(text for text, _ in parts), short_windows.sure_of(parts))

    def check_language(self, language: str) -> None:
        """Raises UsageError for a language that the model does not understand."""
        if language != "en" and not self._engine.model.is_multilingual:
            raise UsageError(f"Whisper {self.model!r} understands English only; this case is in {language!r}: use base")

    def detect_language(self, wave: Wave) -> str:
        """The language the first 30 s of a wave (float32 mono, 24,000 Hz) sound like, as an ISO code.

        "" from a model that knows one language only.
        """
        if not self._engine.model.is_multilingual:
            return ""
        audio = resample(wave, RATE, WHISPER_RATE)
        with self._inside:
            code, _, _ = self._engine.detect_language(audio)
        return str(code)


def _whole_words(pieces: Iterable[Any]) -> tuple[HeardWord, ...]:
    """Whisper's words, with pieces that it splits off (`-up` of `follow-up`) joined again."""
    words: list[HeardWord] = []
    for word in pieces:
        text = word.word.strip()
        if not text:
            continue
        end, probability = float(word.end), float(word.probability)
        glued = bool(words) and not word.word[0].isspace()
        if glued and not (text[0].isalnum() and words[-1].text[-1].isalnum()):
            last = words[-1]
            words[-1] = HeardWord(last.text + text, last.start, end, min(last.probability, probability))
        else:
            words.append(HeardWord(text, float(word.start), end, probability))
    return tuple(words)


def load_whisper(model: str = "base", threads: int = 1) -> Whisper:
    """Loads a Whisper model as int8 on the CPU: `base` (weights installed with voicesim), a folder or a size.

    Raises UsageError when there are no such weights or they cannot be loaded (see `find_weights`).
    """
    from faster_whisper import WhisperModel

    weights = find_weights(model)
    try:
        engine = WhisperModel(str(weights.folder), device="cpu", compute_type="int8", cpu_threads=threads)
    except (RuntimeError, ValueError, OSError) as error:
        raise UsageError(f"Whisper {model!r} in {weights.folder} could not be loaded: {error}") from error
    return Whisper(engine, weights.name, weights.sha256)
