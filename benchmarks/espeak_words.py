"""Sentences spoken by eSpeak NG, which tells the sample at which each word begins."""

import ctypes
from dataclasses import dataclass

import numpy as np

from voicesim.audio.resampling import resample
from voicesim.audio.samples import RATE, Wave, samples

SILENCE = 0.2
"""Seconds before and after each sentence."""
_SYNCHRONOUS, _UTF8, _END_PAUSE = 2, 1, 0x1000
_WORDS_PER_MINUTE = 1
_WORD, _LAST = 1, 0


@dataclass(frozen=True)
class Spoken:
    """A sentence as sound (float32 mono, 24,000 Hz), and its words with their onsets in seconds."""

    text: str
    wave: Wave
    words: tuple[tuple[str, float], ...]


class _Event(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", ctypes.c_char * 8),
    )


_Callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(_Event))


class Espeak:
    """eSpeak's own library, one sentence at a time."""

    def __init__(self) -> None:
        import espeakng_loader

        self._library = ctypes.CDLL(espeakng_loader.get_library_path())
        self._rate = self._library.espeak_Initialize(_SYNCHRONOUS, 0, espeakng_loader.get_data_path().encode(), 0)

    def speak(self, text: str, voice: str, words_per_minute: int) -> Spoken:
        """A sentence of plain letters in a voice such as `en-gb+m3`."""
        parts: list[Wave] = []
        onsets: list[tuple[int, int]] = []

        def take(sound: "ctypes._Pointer[ctypes.c_short]", count: int, events: "ctypes._Pointer[_Event]") -> int:
            if sound and count:
                parts.append(np.ctypeslib.as_array(sound, (count,)).astype(np.float32) / np.float32(32768))
            at = 0
            while events[at].type != _LAST:
                if events[at].type == _WORD:
                    onsets.append((events[at].text_position - 1, events[at].sample))
                at += 1
            return 0

        callback = _Callback(take)
        self._library.espeak_SetVoiceByName(voice.encode())
        self._library.espeak_SetParameter(_WORDS_PER_MINUTE, words_per_minute, 0)
        self._library.espeak_SetSynthCallback(callback)
        data = text.encode()
        self._library.espeak_Synth(data, len(data) + 1, 0, 1, 0, _UTF8 | _END_PAUSE, None, None)
        silence = np.zeros(samples(SILENCE), np.float32)
        wave = np.concatenate([silence, resample(np.concatenate(parts), self._rate, RATE) * np.float32(0.5), silence])
        words = tuple((_word_at(text, position), SILENCE + sample / self._rate) for position, sample in onsets)
        return Spoken(text, wave, words)


def _word_at(text: str, position: int) -> str:
    return text[position:].split()[0]
