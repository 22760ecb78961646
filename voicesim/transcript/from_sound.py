"""The patient's utterances in a call without a clean stem: found in its channel, as the agent's are.

What each of them wanted is read off who spoke when, since nobody told:

- it begins while the agent speaks, and the agent speaks on after it: `ignore` when it has at most two words;
- it begins while the agent speaks, 0.25 s or more before the agent ends: `stop`;
- otherwise it is a turn of its own: `respond`.
"""

from collections.abc import Sequence

import numpy as np

from voicesim.audio.samples import Wave, rms_db, samples, to_wave
from voicesim.language.words import read
from voicesim.recording.events import CallerLine, Intent, LineKind
from voicesim.recording.read import Recording
from voicesim.stt.model import Transcriber
from voicesim.stt.vad import speech_spans
from voicesim.transcript.channel_speech import channel_spans
from voicesim.transcript.grouping import Spans, group
from voicesim.transcript.hearing import fitted_words, hear
from voicesim.transcript.patient import PatientSpeech
from voicesim.transcript.words import join

THINKING_PAUSE = 2.0
"""Seconds of silence within a turn of the patient while the agent is silent as well."""
RUNNING = 0.25
"""Seconds that the agent still speaks when the patient begins into its speech; less is the end of a turn."""
FEW_WORDS = 2
NO_WORDS = 0.6
"""Seconds of a sound under which it is no utterance when Whisper finds no word in it."""
BACKGROUND_BELOW = 6.0
"""dB by which a sound without words is quieter than the patient's speech when it is somebody else's, far away."""
LEAK_BELOW = 10.0
"""dB by which what leaks from the other side is quieter than that side itself."""
FROM_SOUND = (
    "there is no clean stem: the patient's words are what Whisper heard, its edges are read off the sound (to some "
    "20 ms), and whether it interrupted off who spoke when"
)
SPOKEN = (
    "a person spoke: the patient's words are what Whisper heard, its edges are read off the sound (to some 20 ms), and "
    "whether it interrupted off who spoke when"
)

Spanned = Sequence[tuple[float, float]]


def patient_from_sound(
    recording: Recording, agent: Wave, transcriber: Transcriber, language: str
) -> tuple[list[PatientSpeech], list[str]]:
    """What the patient of an imported call said, and what has to be known about it. `agent` is the agent's channel.

    Where the events hold the patient's lines, the texts are theirs.
    """
    imported, wave = recording.manifest.imported, to_wave(recording.caller)
    other, spans = speech_spans(agent), channel_spans(wave)
    if imported is not None and imported.crosstalk:
        spans = [span for span in spans if not _leaked(span, wave, agent)]
    why = FROM_SOUND if imported is not None else SPOKEN
    lines = [event for event in recording.events if isinstance(event, CallerLine)]
    if lines:
        return _placed_lines(lines, spans), [why]
    spoken = group(spans, other, THINKING_PAUSE)
    speeches, warnings = [], [why, *(imported.notes if imported else ())]
    heard = list(zip(spoken, hear(wave, spoken, transcriber, language), strict=True))
    loudness = [_loudness(wave, voiced) for voiced, words in heard if words]
    least = float(np.median(loudness)) - BACKGROUND_BELOW if loudness else float("-inf")
    for n, (voiced, words) in enumerate(heard, start=1):
        fitted, loops = fitted_words(wave, words, voiced, language)
        warnings += [f"P{n}: {loop}" for loop in loops]
        text = join(fitted, language)
        short = voiced[-1][1] - voiced[0][0] < NO_WORDS
        if not text and (short or _loudness(wave, voiced) < least):
            continue
        intent, kind = wanted((voiced[0][0], voiced[-1][1]), text, other)
        cut = recording.duration - voiced[-1][1] < 0.1
        speeches.append(PatientSpeech(text, intent, voiced, cut=cut, kind=kind, words=fitted))
    return speeches, warnings + swapped(
        recording, " ".join(speech.text for speech in speeches), agent, other, transcriber
    )


def _loudness(wave: Wave, voiced: Spanned) -> float:
    """The level in dBFS of what is voiced (spans in seconds)."""
    return rms_db(np.concatenate([wave[samples(start) : samples(end)] for start, end in voiced]))


def wanted(span: tuple[float, float], text: str, agent: Spanned) -> tuple[Intent, LineKind]:
    """What an utterance of the patient wants, by the agent's speech (spans in seconds) around it."""
    start, end = span
    running = [other for other in agent if other[0] < start and start + RUNNING < other[1]]
    if not running:
        return "respond", "line"
    goes_on = any(first <= end + 1.0 and last > end + RUNNING for first, last in agent)
    if goes_on and len(read(text).texts) <= FEW_WORDS:
        return "ignore", "backchannel"
    return "stop", "interruption"


def swapped(recording: Recording, patient: str, agent: Wave, spans: Spanned, transcriber: Transcriber) -> list[str]:
    """A warning where the patient's opening line is heard from the agent, and not from the patient."""
    content = recording.manifest.case.content.get("patient", {})
    opening = _long_words(str(content.get("says_first", "")))
    if len(opening) < 3 or len(opening & _long_words(patient)) > len(opening) / 3:
        return []
    begin = [span for span in spans if span[0] < 60.0]
    heard = hear(agent, [(span,) for span in begin], transcriber, str(recording.manifest.case.content["language"]))
    said = _long_words(" ".join(word.text for words in heard for word in words))
    if len(opening & said) < 0.6 * len(opening):
        return []
    return [
        "the patient's opening line is heard in the agent's channel: the channels may be swapped (--caller-channel)"
    ]


def _long_words(text: str) -> set[str]:
    return {word for word in read(text).texts if len(word) > 3}


def _placed_lines(lines: Sequence[CallerLine], spans: Spanned) -> list[PatientSpeech]:
    """Known lines where sound was found in their planned span."""
    speeches = []
    for line in lines:
        voiced: Spans = tuple(
            (max(start, line.start - 0.1), min(end, line.end + 0.1))
            for start, end in spans
            if start < line.end and end > line.start
        )
        if voiced:
            speeches.append(PatientSpeech(line.text, line.intent, voiced, cut=False, kind=line.kind))
    return speeches


def _leaked(span: tuple[float, float], own: Wave, other: Wave) -> bool:
    """Whether a stretch of one channel is the other side, heard through."""
    first, last = samples(span[0]), samples(span[1])
    power = [float(np.mean(np.square(wave[first:last], dtype=np.float64))) for wave in (own, other)]
    return power[1] > power[0] * 10 ** (LEAK_BELOW / 10)
