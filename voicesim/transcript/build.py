"""A recording to its transcript."""

from collections.abc import Sequence
from dataclasses import dataclass

from voicesim.audio.edges import levels_db
from voicesim.audio.samples import Wave, samples, to_wave
from voicesim.recording.manifest import BY_VOICE
from voicesim.recording.read import Recording
from voicesim.stt.model import LanguageDetector, Transcriber
from voicesim.stt.vad import speech_spans
from voicesim.transcript.cut import breaks_off, is_cut
from voicesim.transcript.from_sound import patient_from_sound
from voicesim.transcript.grouping import Spans, group
from voicesim.transcript.hearing import fitted_words, hear
from voicesim.transcript.model import Side, Transcript, Utterance, Word
from voicesim.transcript.packing import Piece
from voicesim.transcript.patient import PatientSpeech, patient_speech
from voicesim.transcript.words import join

LANGUAGE_SECONDS = 30.0
LANGUAGE_LEAST = 1.5


@dataclass(frozen=True)
class _AgentSpeech:
    voiced: Spans
    words: tuple[Word, ...]
    text: str
    cut: bool


def build(recording: Recording, transcriber: Transcriber, language: str) -> Transcript:
    """Who said what and when, from the recording's sound; the same recording and model give the same result.

    The patient's utterances are its lines, placed by the sound of the clean stem; in a call without one they are
    found as the agent's are. The agent's are the speech found in its channel, understood by the transcriber, which is
    told `language` (an ISO code); that it sounds like another language is only reported.
    """
    wave = to_wave(recording.agent)
    if recording.has_clean and recording.manifest.mind != BY_VOICE:
        patient, warnings = patient_speech(recording.events, recording.clean)
    else:
        patient, warnings = patient_from_sound(recording, wave, transcriber, language)
    caller_spans = [(utterance.voiced[0][0], utterance.voiced[-1][1]) for utterance in patient]
    spoken = group([(round(a, 4), round(b, 4)) for a, b in speech_spans(wave)], caller_spans)
    heard = hear(wave, spoken, transcriber, language)
    levels = levels_db(wave)
    agent = []
    for n, (voiced, words) in enumerate(zip(spoken, heard, strict=True), start=1):
        start, end = voiced[0][0], voiced[-1][1]
        fitted, loops = fitted_words(wave, words, voiced, language)
        warnings += [f"A{n}: {loop}" for loop in loops]
        intents = [(utterance.intent, span) for utterance, span in zip(patient, caller_spans, strict=True)]
        cut = is_cut((start, end), intents, recording.duration, broke_off=breaks_off(levels, end))
        agent.append(_AgentSpeech(voiced, fitted, join(fitted, language), cut))
    detected = detect(wave, spoken, transcriber)
    if detected and detected != language:
        warnings.append(f"the agent sounds like {detected!r}; the case is in {language!r}")
    return Transcript(
        call_id=recording.manifest.call_id,
        duration=round(recording.duration, 4),
        language=language,
        model=transcriber.model,
        detected_language=detected,
        utterances=_numbered(agent, patient),
        warnings=tuple(warnings),
    )


def detect(wave: Wave, spoken: Sequence[Spans], transcriber: Transcriber) -> str:
    """The language of the agent's longest utterance, or "" when none is over 1.5 s or nobody can tell."""
    if not spoken or not isinstance(transcriber, LanguageDetector):
        return ""
    longest = max(spoken, key=lambda voiced: voiced[-1][1] - voiced[0][0])
    piece = Piece(0, longest[0][0], min(longest[-1][1], longest[0][0] + LANGUAGE_SECONDS))
    if piece.end - piece.start < LANGUAGE_LEAST:
        return ""
    return transcriber.detect_language(wave[samples(piece.start) : samples(piece.end)])


def _numbered(agent: Sequence[_AgentSpeech], patient: Sequence[PatientSpeech]) -> tuple[Utterance, ...]:
    """All utterances by start time, numbered by side; the patient first where two start together."""
    both: list[tuple[float, Side, _AgentSpeech | PatientSpeech]] = [
        *((utterance.voiced[0][0], "agent", utterance) for utterance in agent),
        *((utterance.voiced[0][0], "caller", utterance) for utterance in patient),
    ]
    both.sort(key=lambda stretch: (stretch[0], stretch[1] == "agent"))
    counts = {"agent": 0, "caller": 0}
    utterances = []
    for start, side, utterance in both:
        counts[side] += 1
        utterances.append(
            Utterance(
                id=f"{'A' if side == 'agent' else 'P'}{counts[side]}",
                side=side,
                start=start,
                end=utterance.voiced[-1][1],
                text=utterance.text,
                voiced=utterance.voiced,
                words=utterance.words or (),
                intent=utterance.intent if isinstance(utterance, PatientSpeech) else None,
                kind=utterance.kind if isinstance(utterance, PatientSpeech) else None,
                cut=utterance.cut,
                source="line" if utterance.words is None else "whisper",
            )
        )
    return tuple(utterances)
