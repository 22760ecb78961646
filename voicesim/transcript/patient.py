"""The patient's utterances: what the caller was given to say, where its clean voice sounds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from voicesim.audio.edges import HOPS_PER_SECOND, levels_db, run_seconds, runs
from voicesim.audio.samples import RATE, Pcm, samples, to_wave
from voicesim.recording.events import CallerLine, Effect, Event, Intent, LineKind
from voicesim.transcript.model import Word

BELOW_PEAK = 40.0
LOWEST_DB = -70.0
BRIDGE = 0.1


@dataclass(frozen=True)
class PatientSpeech:
    """One line of the patient as it sounded; times in seconds on the call clock.

    `words` are what Whisper heard, where the line itself is not known.
    """

    text: str
    intent: Intent
    voiced: tuple[tuple[float, float], ...]
    cut: bool
    kind: LineKind | None = None
    words: tuple[Word, ...] | None = None


def patient_speech(events: Sequence[Event], clean: Pcm) -> tuple[list[PatientSpeech], list[str]]:
    """The lines that can be heard in the clean stem (int16, 24,000 Hz), and a warning for each that cannot.

    A line's span is cut by an effect `line_cut` inside it and by the end of the recording. Sound is what
    lies less than 40 dB under the line's loudest 5 ms (and above -70 dBFS), pauses under 100 ms included;
    zeros around it belong to nobody.
    """
    duration = len(clean) / RATE
    cuts = [event.t for event in events if isinstance(event, Effect) and event.kind == "line_cut"]
    speeches, warnings = [], []
    for line in events:
        if not isinstance(line, CallerLine):
            continue
        end = min([line.end, duration, *(t for t in cuts if line.start <= t < line.end)])
        voiced = voiced_spans(clean, line.start, end)
        if voiced:
            speeches.append(PatientSpeech(line.text, line.intent, voiced, cut=end < line.end, kind=line.kind))
        elif end == line.end:
            warnings.append(f"the patient's line at {line.start:.2f} s is silent: {line.text!r}")
    return speeches, warnings


def voiced_spans(clean: Pcm, start: float, end: float) -> tuple[tuple[float, float], ...]:
    """Where sound is in a stretch (seconds) of a noise-free channel, in call seconds."""
    first = samples(max(0.0, start))
    wave = to_wave(clean[first : samples(max(0.0, end))])
    if not len(wave):
        return ()
    levels = levels_db(wave)
    threshold = max(float(np.max(levels)) - BELOW_PEAK, LOWEST_DB)
    heard = runs(levels > threshold, round(BRIDGE * HOPS_PER_SECOND))
    offset = first / RATE
    spans = (run_seconds(a, b, len(wave)) for a, b in heard)
    return tuple((round(offset + a, 4), round(offset + b, 4)) for a, b in spans)
