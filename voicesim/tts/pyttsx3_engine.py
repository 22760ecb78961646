"""pyttsx3 over eSpeak NG: many small voices and dialects, robotic but clear, without a system package.

A voice and an accent combine as in eSpeak itself: the accent is the eSpeak language or dialect that reads
the text (`en-gb-scotland`; `american` and `british` stand for `en-us` and `en`), and the voice is one of
its variants, who speaks (`f2`, `m3`, `Andy`; `default` is the dialect's own voice). Any pair works.
"""

import importlib.metadata
import importlib.util
import json
import subprocess
import sys
from functools import cached_property
from pathlib import Path

from voicesim.audio.resampling import resample
from voicesim.audio.samples import RATE, Wave
from voicesim.audio.sound_file import read_wav
from voicesim.catalog.model import Accent, Voice
from voicesim.errors import SpeechError, UsageError, near
from voicesim.scratch import scratch_folder
from voicesim.tts.accents import AMERICAN

_WORDS_PER_MINUTE = 175
_SLOWEST, _FASTEST = 80, 450
_ALIASES = {"american": "en-us", "british": "en"}


class Pyttsx3Engine:
    """Each text is spoken in a fresh process, so any number of threads may use any number of engines."""

    def __init__(self, timeout: float = 30.0) -> None:
        """`timeout` is in seconds, for one text. Raises UsageError when espeakng-loader is not installed."""
        if not all(map(importlib.util.find_spec, ("pyttsx3", "espeakng_loader"))):
            raise UsageError("pyttsx3 with espeakng-loader is not installed: pip install 'voicesim[local]'")
        numbers = [importlib.metadata.version(name) for name in ("pyttsx3", "espeakng-loader")]
        self.version = f"pyttsx3 {numbers[0]}, espeakng-loader {numbers[1]}"
        self._timeout = timeout

    def speak(self, spoken: str, voice: Voice, accent: Accent, rate: float, seed: int) -> Wave:
        """Words to float32 mono at 24,000 Hz. eSpeak draws nothing at random: the seed changes nothing.

        Raises UsageError and SpeechError as the Synthesizer says, UsageError also for a pace that eSpeak
        cannot speak at (175 words a minute * rate / pitch outside 80 to 450).
        """
        if voice.name not in self.voices():
            raise UsageError(f"pyttsx3 has no voice {voice.name!r}.{near(voice.name, self.voices())}")
        dialect = self._dialect(accent)
        pace = round(_WORDS_PER_MINUTE * rate / voice.pitch)
        if not _SLOWEST <= pace <= _FASTEST:
            raise UsageError(
                f"rate {rate:g} at pitch {voice.pitch:g} is {pace} words a minute; eSpeak has {_SLOWEST} to {_FASTEST}"
            )
        name = dialect if voice.name == "default" else f"{dialect}+{voice.name}"
        with scratch_folder() as folder:
            wave = self._run(spoken, name, pace, folder / "speech.wav")
        # Pitch and formants move together when the sound is played faster; eSpeak took the pace out before.
        return resample(wave, round(RATE * voice.pitch), RATE)

    def language(self, voice: Voice, accent: Accent) -> str:
        """The code of the language that an accent reads: a dialect of English, or another language."""
        return self._dialect(accent).partition("-")[0]

    def voices(self) -> tuple[str, ...]:
        """`default`, and eSpeak's variants by name."""
        return ("default", *sorted(file.name for file in (self._data / "voices" / "!v").iterdir()))

    def accents(self) -> tuple[str, ...]:
        """`american`, `british`, and every language and dialect id of eSpeak that has its words, English first."""
        ids = sorted(file.name.lower() for file in (self._data / "lang").rglob("*") if self._has_words(file))
        english = [name for name in ids if name == "en" or name.startswith("en-")]
        return (*_ALIASES, *english, *(name for name in ids if name not in english))

    def _dialect(self, accent: Accent) -> str:
        if accent.name not in self.accents():
            raise UsageError(f"pyttsx3 has no accent {accent.name!r}.{near(accent.name, self.accents())}")
        if 0 < accent.strength < 1:
            raise UsageError(f"pyttsx3 speaks {accent.name!r} as a whole: strength 0 or 1, not {accent.strength:g}")
        name = accent.name if accent.strength else AMERICAN
        return _ALIASES.get(name, name)

    @cached_property
    def _data(self) -> Path:
        spec = importlib.util.find_spec("espeakng_loader")
        if spec is None or spec.origin is None:
            raise UsageError("espeakng-loader is not installed: pip install 'voicesim[local]'")
        return Path(spec.origin).parent / "espeak-ng-data"

    def _has_words(self, file: Path) -> bool:
        """Whether a language file has a pronunciation dictionary: its own, or one that it names."""
        own = self._data / f"{file.name.lower().split('-')[0]}_dict"
        return file.is_file() and (own.exists() or "\ndictionary " in file.read_text("utf-8"))

    def _run(self, spoken: str, voice: str, pace: int, file: Path) -> Wave:
        order = {"text": spoken, "voice": voice, "words_per_minute": pace, "file": str(file)}
        command = [sys.executable, "-m", "voicesim.tts.pyttsx3_worker"]
        try:
            done = subprocess.run(
                command, input=json.dumps(order), capture_output=True, text=True, timeout=self._timeout, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise SpeechError(f"pyttsx3 took more than {self._timeout:g} s for {spoken!r}") from error
        if done.returncode or not file.exists():
            reason = (done.stderr.strip().splitlines() or ["it wrote no file"])[-1]
            raise SpeechError(f"pyttsx3 could not speak {spoken!r}: {reason}")
        return read_wav(file)
