"""What a transcriber hears of the patient in what was sent: the control of what an agent says it understood."""

from voicesim.audio.samples import RATE, Pcm, to_wave
from voicesim.stt.model import Transcriber
from voicesim.transcript.hearing import hear
from voicesim.transcript.model import Transcript
from voicesim.transcript.packing import PAD
from voicesim.transcript.words import without_loops

TAIL = 0.5
"""Seconds behind a line of the clean stem in which the channel may still deliver its sound."""


def with_heard(transcript: Transcript, caller: Pcm, transcriber: Transcriber) -> Transcript:
    """The transcript with `heard` of each patient utterance, from the caller's channel (int16 at 24,000 Hz).

    Each is listened to from its start to half a second behind its end, or to right before the start of the next one.
    """
    lines = transcript.of("caller")
    if not lines:  # the agent never let the patient speak
        return transcript
    duration = len(caller) / RATE
    starts = [*(line.start - PAD for line in lines[1:]), duration]
    spans = [
        ((line.start, max(line.end, min(line.end + TAIL, after, duration))),)
        for line, after in zip(lines, starts, strict=True)
    ]
    words = hear(to_wave(caller), spans, transcriber, transcript.language)
    texts = {}
    for line, ((start, end),), heard in zip(lines, spans, words, strict=True):
        unlooped, _ = without_loops(heard, start, end)
        texts[line.id] = " ".join(word.text for word in unlooped)
    return transcript.model_copy(
        update={
            "utterances": tuple(
                utterance.model_copy(update={"heard": texts[utterance.id]}) if utterance.id in texts else utterance
                for utterance in transcript.utterances
            )
        }
    )
