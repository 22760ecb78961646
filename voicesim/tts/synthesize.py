"""A line of the patient as sound: words, voice, audit, level; made once and kept."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from voicesim.audio.samples import Pcm, Wave, to_pcm, to_wave
from voicesim.cache import LIMIT, DiskCache, cache_folder
from voicesim.catalog.model import Persona
from voicesim.catalog.model_names import resolve_model
from voicesim.errors import SpeechError
from voicesim.language.sentences import split
from voicesim.language.spoken import as_written
from voicesim.language.spoken import spoken as words_of
from voicesim.tts.accents import accent_key
from voicesim.tts.audit import audit
from voicesim.tts.base import Speech
from voicesim.tts.engines import engine, language_of
from voicesim.tts.shape import level, trim

_FORM = 2
"""Part of the cache key: to be raised when the sound after the engine is made in another way."""


def synthesize(text: str, persona: Persona, seed: int) -> Speech:
    """A text in the persona's voice, accent and pace. Blocking.

    The sound begins and ends with speech (no silent ends), stands at levels.ACTIVE_LEVEL_DB and stays below
    shape.PEAK. It is 16-bit sound, so that it is the same from the voice and from the cache. What a voice of another
    language than English gets is the text as written, whose figures it reads itself. Raises
    UsageError for an engine, voice or accent that is not there, and SpeechError, naming the text, when
    nothing in it can be spoken or what came back is no speech.
    """
    spoken = _words(text, persona)
    if not spoken:
        raise SpeechError(f"no usable speech for {text!r}: there is no word in it")
    voice = persona.voice
    maker = engine(voice.engine)
    cache = SpeechCache(cache_folder() / "speech")
    key: tuple[str | float, ...] = (
        _FORM, voice.engine, maker.version, voice.name, voice.pitch, accent_key(persona.accent), persona.rate, seed,
        spoken,
    )  # fmt: skip
    if voice.model:
        server = resolve_model(voice.model)
        key += (server.base_url, server.model)
    if (cached := cache.get(key)) is not None:
        return Speech(to_wave(cached), text, spoken)
    raw = maker.speak(spoken, voice, persona.accent, persona.rate, seed)
    audit(raw, spoken, text, persona.rate)
    pcm = to_pcm(_finish(raw))
    cache.put(key, pcm)
    return Speech(to_wave(pcm), text, spoken)


def sentence_by_sentence(text: str, persona: Persona, seed: int) -> Iterator[Speech]:
    """As synthesize, one sentence after the other, so that the first can be said while the next is made.

    Between two of them a speaker leaves phonemes.PAUSE seconds, by the persona's rate. Sentences without a word are
    left out; raises SpeechError when no sentence has one.
    """
    sentences = [sentence for sentence in split(text) if _words(sentence, persona)]
    if not sentences:
        raise SpeechError(f"no usable speech for {text!r}: there is no word in it")
    for sentence in sentences:
        yield synthesize(sentence, persona, seed)


def _words(text: str, persona: Persona) -> str:
    english = language_of(persona.voice, persona.accent) in ("en", "")
    return words_of(text) if english else as_written(text)


def _finish(raw: Wave) -> Wave:
    # Trimmed first: silence takes no part in the level either way, and the ends are faded at their own level.
    return level(trim(raw))


class SpeechCache:
    """Speech kept on disk (int16), so that the same words are made, or bought, once."""

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        """`limit` in bytes."""
        self._entries = DiskCache(folder, ".pcm", limit)

    def get(self, key: tuple[str | float, ...]) -> Pcm | None:
        """The samples of a key; None when there is no whole, undamaged entry."""
        content = self._entries.get(key)
        if not content or len(content) % 2:
            return None
        return np.frombuffer(content, "<i2").astype(np.int16)

    def put(self, key: tuple[str | float, ...], pcm: Pcm) -> None:
        """Keep the samples of a key."""
        self._entries.put(key, pcm.astype("<i2").tobytes())
