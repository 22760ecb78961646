"""Whisper's word times fitted to the sound, and words that were never said taken out."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from voicesim.stt.model import HeardWord
from voicesim.transcript.model import Word

SHORTEST_WORD = 0.02
SNAP = 0.5
LOOP_REPEATS = 3
LOOP_SECONDS_A_WORD = 0.1
LOOP_LONGEST_PHRASE = 5
_UNSPACED = frozenset({"ja", "lo", "my", "th", "yue", "zh"})


@dataclass(frozen=True)
class Loop:
    """A phrase that Whisper wrote `times` times over `seconds` of sound, and that is kept once."""

    phrase: str
    times: int
    seconds: float


def join(words: Sequence[Word], language: str) -> str:
    """Words as text; without spaces in languages that write none."""
    return ("" if language in _UNSPACED else " ").join(word.text for word in words)


def fit(words: Sequence[HeardWord], voiced: Sequence[tuple[float, float]]) -> tuple[Word, ...]:
    """Words of one utterance (call seconds, in spoken order) moved onto its voiced spans.

    - The first word begins at the onset and the last one ends at the end of the sound, if Whisper had them
      within 0.5 s of it.
    - A word that begins in a pause begins after it; one that ends in a pause ends before it.
    - Starts never go back, no word is shorter than 20 ms (or an equal share of an utterance that is too
      short for that), none overlaps the next, and all lie inside the utterance.
    """
    if not words:
        return ()
    onset, end = voiced[0][0], voiced[-1][1]
    starts = [_out_of_pause(word.start, voiced, forward=True) for word in words]
    ends = [_out_of_pause(word.end, voiced, forward=False) for word in words]
    if abs(words[0].start - onset) <= SNAP:
        starts[0] = onset
    if abs(words[-1].end - end) <= SNAP:
        ends[-1] = end
    spans = clamp(list(zip(starts, ends, strict=True)), onset, end)
    return tuple(
        Word(text=word.text, start=round(a, 4), end=round(b, 4), probability=round(word.probability, 4))
        for word, (a, b) in zip(words, spans, strict=True)
    )


def clamp(spans: Sequence[tuple[float, float]], low: float, high: float) -> list[tuple[float, float]]:
    """Spans in order, made monotone and disjoint inside [low, high], none shorter than 20 ms.

    When they cannot all be that long, they share the room equally.

    >>> spans = clamp([(27.4, 27.4), (27.4, 27.54), (27.9, 27.7)], 27.0, 28.0)
    >>> [(round(start, 2), round(end, 2)) for start, end in spans]
    [(27.4, 27.42), (27.42, 27.54), (27.9, 27.92)]
    """
    count = len(spans)
    if not count:
        return []
    least = min(SHORTEST_WORD, (high - low) / count)
    starts: list[float] = []
    for n, (start, _) in enumerate(spans):
        floor = starts[-1] + least if starts else low
        starts.append(max(floor, min(start, high - (count - n) * least)))
    ceilings = [*starts[1:], high]
    return [
        (start, min(max(end, start + least), ceiling))
        for start, (_, end), ceiling in zip(starts, spans, ceilings, strict=True)
    ]


def without_loops(words: Sequence[HeardWord], low: float, high: float) -> tuple[list[HeardWord], list[Loop]]:
    """Keeps once a phrase of up to five words that comes three times or more faster than anyone can speak.

    The time of a run is what of it lies within the utterance [low, high]; under 100 ms a word it is a loop
    of the model. "No no no" over 1.2 s is speech.
    """
    unlooped: list[HeardWord] = []
    loops: list[Loop] = []
    at = 0
    while at < len(words):
        size, times = _repeats(words, at)
        run = words[at : at + size * times]
        seconds = max(0.0, min(run[-1].end, high) - max(run[0].start, low))
        if times >= LOOP_REPEATS and seconds < LOOP_SECONDS_A_WORD * len(run):
            unlooped += words[at : at + size]
            loops.append(Loop(" ".join(word.text for word in words[at : at + size]), times, seconds))
            at += size * times
        else:
            unlooped.append(words[at])
            at += 1
    return unlooped, loops


def _repeats(words: Sequence[HeardWord], at: int) -> tuple[int, int]:
    """Length and count of the repeated phrase that begins here and covers most words."""
    folded = ["".join(filter(str.isalnum, word.text)).casefold() for word in words]
    best = (1, 1)
    for size in range(1, LOOP_LONGEST_PHRASE + 1):
        phrase = folded[at : at + size]
        times = 1
        while folded[at + times * size : at + (times + 1) * size] == phrase and len(phrase) == size:
            times += 1
        if times > 1 and size * times > best[0] * best[1]:
            best = (size, times)
    return best


def _out_of_pause(moment: float, voiced: Sequence[tuple[float, float]], *, forward: bool) -> float:
    """A moment inside a pause between voiced spans goes to the pause's end (forward) or its start."""
    for (_, pause_start), (pause_end, _) in pairwise(voiced):
        if pause_start < moment < pause_end:
            return pause_end if forward else pause_start
    return moment
