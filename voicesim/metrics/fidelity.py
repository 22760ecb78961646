"""Speech fidelity: the agent's own transcript of itself against what is heard in its voice."""

from voicesim.language.entities import Entity, capitalised, entities
from voicesim.language.wer import word_error_rate
from voicesim.metrics.base import MeasuredCall
from voicesim.metrics.misheard import by_weight, compare, recalls
from voicesim.metrics.model import Misheard, SpeechFidelity
from voicesim.metrics.own_words import matched, split_at_the_cut
from voicesim.recording.events import AgentSaid, Event, Unheard

_BEYOND = 200
"""Words beside four for each that was heard, of what the agent tells of an utterance: no more of it is looked at."""


def speech_fidelity(call: MeasuredCall) -> SpeechFidelity | None:
    """How much of what the agent says it said is heard; None where it tells no transcript that matches its voice.

    Of an utterance that was cut only what was heard of it counts.
    """
    lines = [event for event in _played(call.events) if event.text.strip()]
    if call.transcript.language != "en" or not lines:
        return None
    taken, _ = matched(lines, call.transcript.of("agent"))
    meant: list[str] = []
    heard: list[str] = []
    said: list[Entity] = []
    misheard: list[Misheard] = []
    for utterance in call.transcript.of("agent"):
        text = " ".join(line.text for line in taken[utterance.id])
        text = split_at_the_cut(text, utterance.text)[0] if utterance.cut and text else text
        text = " ".join(text.split()[: _BEYOND + 4 * len(utterance.text.split())])
        if text:
            names = capitalised(text)
            meant.append(text)
            heard.append(utterance.text)
            said += entities(text, names)
            misheard += [
                entry.model_copy(update={"utterance": utterance.id}) for entry in compare(text, utterance.text, names)
            ]
    if not meant:
        return None
    rate = word_error_rate(" ".join(meant), " ".join(heard))
    share, kinds = recalls(said, misheard)
    return SpeechFidelity(
        wer=None if rate is None else round(rate, 4), entities=share, by_kind=kinds, misheard=by_weight(misheard)
    )


def _played(events: tuple[Event, ...]) -> list[AgentSaid]:
    """The agent's own lines without what was taken back before it was heard."""
    lost = {event.response_id: event.text for event in events if isinstance(event, Unheard) and event.text}
    return [
        event.model_copy(update={"text": event.text.strip().removesuffix(lost.get(event.response_id, "").strip())})
        for event in events
        if isinstance(event, AgentSaid)
    ]
