"""SVOX Pico by py-nanotts: a British and an American woman, and one each of German, Spanish, French and Italian.

Pico has no phonemes to rewrite here, so its only accents are its own two dialects; the voice is the dialect. What it
spoke before changes the last bits of what it speaks next, so each text is spoken in a fresh process (50 ms).
"""

import importlib.metadata
import importlib.util
import subprocess
import sys
from types import MappingProxyType

import numpy as np

from voicesim.audio.resampling import resample
from voicesim.audio.samples import Wave, to_wave
from voicesim.catalog.model import Accent, Voice
from voicesim.errors import SpeechError, UsageError, near
from voicesim.tts.accents import AMERICAN
from voicesim.tts.shape import restyle

RATE = 16_000
_VOICES = MappingProxyType({"gb": "en-GB", "us": "en-US", "de": "de-DE", "es": "es-ES", "fr": "fr-FR", "it": "it-IT"})
_DIALECT = MappingProxyType({"gb": "british", "us": AMERICAN})
_WORKER = "import sys, py_nanotts as p; sys.stdout.buffer.write(p.NanoTTS().speak(sys.stdin.read(), voice=sys.argv[1]))"
_MARKUP = str.maketrans("<>&", "   ")


class PicoEngine:
    """Pico draws nothing at random: the seed changes nothing."""

    def __init__(self, timeout: float = 30.0) -> None:
        """`timeout` is in seconds, for one text. Raises UsageError when py-nanotts is not installed."""
        if importlib.util.find_spec("py_nanotts") is None:
            raise UsageError("SVOX Pico (py-nanotts) is not installed: pip install 'voicesim[local]'")
        self.version = f"py-nanotts {importlib.metadata.version('py-nanotts')}"
        self._timeout = timeout

    def speak(self, spoken: str, voice: Voice, accent: Accent, rate: float, seed: int) -> Wave:
        """Words to float32 mono at 24,000 Hz. Raises UsageError and SpeechError as the Synthesizer says."""
        if voice.name not in _VOICES:
            raise UsageError(f"the voice engine pico has no voice {voice.name!r}.{near(voice.name, _VOICES)}")
        if accent.name not in self.accents():
            raise UsageError(f"the voice engine pico has no accent {accent.name!r}.{near(accent.name, self.accents())}")
        own = _DIALECT.get(voice.name)
        if own and accent.strength > 0 and accent.name != own:
            raise UsageError(f"pico's voice {voice.name} speaks {own}, not {accent.name}")
        content = self._run(spoken, _VOICES[voice.name])
        wave = to_wave(np.frombuffer(content[: len(content) // 2 * 2], "<i2").astype(np.int16))
        return restyle(resample(wave, RATE, 24_000), rate, voice.pitch)

    def _run(self, spoken: str, voice: str) -> bytes:
        command = [sys.executable, "-c", _WORKER, voice]
        text = spoken.translate(_MARKUP).encode()
        try:
            done = subprocess.run(command, input=text, capture_output=True, timeout=self._timeout, check=False)
        except subprocess.TimeoutExpired as error:
            raise SpeechError(f"Pico took more than {self._timeout:g} s for {spoken!r}") from error
        if done.returncode or not done.stdout:
            reason = (done.stderr.decode(errors="replace").strip().splitlines() or ["it made no sound"])[-1]
            raise SpeechError(f"Pico could not speak {spoken!r}: {reason}")
        return done.stdout

    def language(self, voice: Voice, accent: Accent) -> str:
        """The code of the language that a voice speaks."""
        return _VOICES.get(voice.name, "en").partition("-")[0]

    def voices(self) -> tuple[str, ...]:
        """`gb`, `us`, and the codes of the other languages."""
        return tuple(_VOICES)

    def accents(self) -> tuple[str, ...]:
        """The dialects of the English voices."""
        return tuple(_DIALECT.values())
