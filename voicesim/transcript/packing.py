"""Speech packed into windows for Whisper, and word times carried back to the call.

Whisper works on 30 s at a time whatever it is given, so short utterances share a window: speech only, a
little of the sound around each piece, half a second of silence between pieces.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from voicesim.audio.samples import RATE, Wave, samples
from voicesim.stt.model import HeardWord

WINDOW_SECONDS = 29.0
PAD = 0.15
GAP = 0.5


@dataclass(frozen=True)
class Piece:
    """Speech of one utterance (its index) between start and end, in seconds on the call clock."""

    utterance: int
    start: float
    end: float


@dataclass(frozen=True)
class Slot:
    """A piece and where its first sample (at piece.start) lies in its window, in seconds."""

    piece: Piece
    at: float

    @property
    def until(self) -> float:
        """Where the piece ends in the window, in seconds."""
        return self.at + self.piece.end - self.piece.start

    def to_call(self, moment: float) -> float:
        """A moment of the window (seconds) on the call clock."""
        return moment - self.at + self.piece.start


@dataclass(frozen=True)
class Packed:
    """Sound for one pass of Whisper (float32 mono, 24,000 Hz, under 30 s) and what lies where in it."""

    wave: Wave
    slots: tuple[Slot, ...]


def pieces_of(utterance: int, voiced: Sequence[tuple[float, float]]) -> list[Piece]:
    """An utterance as pieces that fit a window: whole if it can be, else cut at its pauses, else anywhere."""
    longest = WINDOW_SECONDS - 2 * PAD
    pieces: list[Piece] = []
    for start, end in voiced:
        if pieces and end - pieces[-1].start <= longest:
            pieces[-1] = Piece(utterance, pieces[-1].start, end)
            continue
        while end - start > longest:
            pieces.append(Piece(utterance, start, start + longest))
            start += longest
        pieces.append(Piece(utterance, start, end))
    return pieces


def pack(wave: Wave, pieces: Iterable[Piece]) -> list[Packed]:
    """Fills windows with pieces in order. `wave` is the whole channel, float32 mono at 24,000 Hz."""
    windows: list[Packed] = []
    clips: list[Wave] = []
    slots: list[Slot] = []
    length = 0
    for piece in pieces:
        first, last = max(0, samples(piece.start - PAD)), min(len(wave), samples(piece.end + PAD))
        clip = wave[first:last]
        if slots and length + len(clip) > samples(WINDOW_SECONDS):
            windows.append(Packed(np.concatenate(clips), tuple(slots)))
            clips, slots, length = [], [], 0
        slots.append(Slot(piece, length / RATE + piece.start - first / RATE))
        clips += [clip, np.zeros(samples(GAP), dtype=np.float32)]
        length += len(clip) + samples(GAP)
    if slots:
        windows.append(Packed(np.concatenate(clips), tuple(slots)))
    return windows


def unpack(words: Iterable[HeardWord], slots: Sequence[Slot]) -> list[tuple[int, HeardWord]]:
    """Words of a window as (utterance, word on the call clock), in the order Whisper gave them.

    A word belongs to the slot it shares most time with: one whose start was dragged back over a pause has
    its sound at its end, one whose end was dragged on has it at its start. A word that shares none goes to
    the nearest slot. No word goes back to an earlier slot than the word before it.
    """
    unpacked = []
    at = 0
    for word in words:
        at = max(range(at, len(slots)), key=lambda n: _closeness(word, slots[n]))
        slot = slots[at]
        moved = HeardWord(word.text, slot.to_call(word.start), slot.to_call(word.end), word.probability)
        unpacked.append((slot.piece.utterance, moved))
    return unpacked


def _closeness(word: HeardWord, slot: Slot) -> float:
    """Shared seconds, or, when there are none, the distance to the slot as a negative number."""
    return min(word.end, slot.until) - max(word.start, slot.at)
