"""Speech that was found in a channel to words on the call clock."""

from collections.abc import Sequence

from voicesim.audio.samples import Wave
from voicesim.stt import align
from voicesim.stt.model import HeardWord, Transcriber
from voicesim.transcript.grouping import BLIP, Spans
from voicesim.transcript.model import Word
from voicesim.transcript.packing import Piece, pack, pieces_of, unpack
from voicesim.transcript.words import fit, without_loops


def hear(wave: Wave, spoken: Sequence[Spans], transcriber: Transcriber, language: str) -> list[list[HeardWord]]:
    """The words of each utterance (its voiced spans in seconds of `wave`), on the clock of `wave`.

    A sound under 150 ms holds no word, and Whisper would invent one: it is not asked.
    """
    words: list[list[HeardWord]] = [[] for _ in spoken]
    sounding = [(n, voiced) for n, voiced in enumerate(spoken) if voiced[-1][1] - voiced[0][0] >= BLIP]
    pieces = [piece for n, voiced in sounding for piece in pieces_of(n, voiced)]
    for window in pack(wave, pieces):
        for utterance, word in unpack(transcriber.transcribe(window.wave, language).words, window.slots):
            words[utterance].append(word)
    return words


def placed(wave: Wave, words: Sequence[HeardWord], pieces: Sequence[Piece], language: str) -> list[HeardWord]:
    """The words of an utterance, in order, moved to where their sounds are; as they are in other languages.

    Each piece of the utterance is looked at with the words whose middle lies before its end.
    """
    if language != align.LANGUAGE:
        return list(words)
    aligned: list[HeardWord] = []
    for n, piece in enumerate(pieces):
        rest = words[len(aligned) :]
        last = n == len(pieces) - 1
        inside = [utterance for utterance in rest if last or (utterance.start + utterance.end) / 2 < piece.end]
        aligned += align.align(wave, rest[: len(inside)], piece.start, piece.end)
    return aligned


def fitted_words(
    wave: Wave, words: Sequence[HeardWord], voiced: Spans, language: str
) -> tuple[tuple[Word, ...], list[str]]:
    """The words of an utterance where their sounds are, and which phrases came again and again and were left out."""
    unlooped, loops = without_loops(words, voiced[0][0], voiced[-1][1])
    notes = [f"{loop.phrase!r} came {loop.times} times over {loop.seconds:.2f} s of sound; kept once" for loop in loops]
    return fit(placed(wave, unlooped, pieces_of(0, voiced), language), voiced), notes
