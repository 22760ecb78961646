"""What the agent understood of the patient: words, clinical entities, and whose fault a loss is."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from voicesim.catalog.model import Case
from voicesim.language.entities import Entity, alike, capitalised, entities
from voicesim.language.values import part_of
from voicesim.language.wer import word_error_rate
from voicesim.metrics.agent_heard import MOST_CHARACTERS, by_utterance
from voicesim.metrics.base import MeasuredCall
from voicesim.metrics.misheard import by_weight, compare, recalls
from voicesim.metrics.model import AgentHearing, Misheard
from voicesim.recording.events import AgentHeard, Event, ToolCall
from voicesim.transcript.model import Transcript, Utterance

MOST_CALLS, MOST_PIECES = 300, 30
"""Tool calls, and transcripts of one line, as many as are looked at."""
LAST = 2.0
"""Seconds before the end of a call in which a line may end that the agent had no time to tell of."""


@dataclass(frozen=True)
class _Exchange:
    """Lines of the patient between which the agent did not speak, and what was understood of them together.

    `aside` are words that the agent need not have understood; `sent` is None where nobody listened to the channel.
    """

    lines: tuple[Utterance, ...]
    told: str
    sent: str | None
    aside: str

    @property
    def said(self) -> str:
        return " ".join(line.text for line in self.lines)


def agent_hearing(call: MeasuredCall) -> AgentHearing | None:
    """What the agent understood of the patient: from what it tells of that, else from what it says and does.

    None where the patient said nothing that wants an answer.
    """
    names = _names(call.transcript, call.case)
    language = call.transcript.language
    if language != "en":
        return None
    if not any(isinstance(event, AgentHeard) for event in call.events):
        return _shown(call.transcript, call.events, names)
    turns = [turn for turn in _turns(call.transcript, call.events) if turn.told or not _too_late(turn, call.transcript)]
    return _told(turns, names) if turns else None


def _told(turns: Sequence[_Exchange], names: frozenset[str]) -> AgentHearing:
    misheard = [entry for turn in turns for entry in _misheard(turn, names)]
    share, kinds = recalls([entity for turn in turns for entity in entities(turn.said, names)], misheard)
    said = " ".join(turn.said for turn in turns)
    listened = all(turn.sent is not None for turn in turns)
    sent = word_error_rate(said, " ".join(turn.sent or "" for turn in turns)) if listened else None
    return AgentHearing(
        source="told",
        wer=_rounded(word_error_rate(said, " ".join(turn.told for turn in turns))),
        wer_line=_rounded(sent),
        entities=share,
        by_kind=kinds,
        misheard=by_weight(misheard),
    )


def _misheard(turn: _Exchange, names: frozenset[str]) -> Iterator[Misheard]:
    """What was misheard of a turn, each with its utterance and with whether our own transcriber misheard it, too."""
    aside = entities(turn.aside, names)
    control = None if turn.sent is None else compare(turn.said, turn.sent, names)
    for entry in compare(turn.said, turn.told, names):
        if not entry.said and any(
            alike(other, entity) for other in aside for entity in entities(entry.understood, names)
        ):
            continue
        fault = None
        if control is not None:
            same = [other for other in control if (other.kind, other.said) == (entry.kind, entry.said)]
            same = [other for other in same if entry.said or other.understood.lower() == entry.understood.lower()]
            fault = "line" if same else "agent"
            if same:
                control.remove(same[0])
        line = next((line for line in turn.lines if entry.said and entry.said in line.text), turn.lines[-1])
        yield entry.model_copy(update={"utterance": line.id, "fault": fault})


def _shown(transcript: Transcript, events: Sequence[Event], names: frozenset[str]) -> AgentHearing | None:
    """Of an agent that does not tell what it understood: which entities its later words and tool calls hold."""
    lines = [line for line in transcript.of("caller") if line.intent != "ignore" and not line.cut]
    if not lines:
        return None
    said: list[Entity] = []
    misheard: list[Misheard] = []
    texts = [(reply.end, reply.text) for reply in transcript.of("agent")]
    calls = [event for event in events if isinstance(event, ToolCall)][:MOST_CALLS]
    texts += [(event.t, json.dumps(event.arguments)[:MOST_CHARACTERS]) for event in calls]
    replies = [(t, entity) for t, text in texts for entity in entities(text, names)]
    for line in lines:
        shown = [entity for t, entity in replies if t > line.start]
        # Nobody says a negation back.
        wanted = [entity for entity in entities(line.text, names) if entity.kind != "negation"]
        said += wanted
        sent = None if line.heard is None else entities(line.heard, names)
        for entity in wanted:
            if not any(_shows(other, entity) for other in shown):
                gone = sent is not None and not any(alike(other, entity) for other in sent)
                entry = Misheard(kind=entity.kind, said=entity.text, utterance=line.id, fault="line" if gone else None)
                misheard.append(entry)
    share, kinds = recalls(said, misheard)
    listened = [line for line in lines if line.heard is not None]
    rate = word_error_rate(" ".join(line.text for line in listened), " ".join(line.heard or "" for line in listened))
    return AgentHearing(
        source="shown", wer_line=_rounded(rate), entities=share, by_kind=kinds, misheard=by_weight(misheard)
    )


def _shows(shown: Entity, said: Entity) -> bool:
    if shown.value is not None and said.value is not None and part_of(shown.value, said.value):
        return True
    return alike(shown, said)


def _turns(transcript: Transcript, events: Sequence[Event]) -> Iterator[_Exchange]:
    """The patient's lines turn by turn. Lines that were cut are left out: how much of them was sent is not known."""
    taken, _ = by_utterance(events, transcript.of("caller"))
    turn: list[Utterance] = []
    for utterance in (*transcript.utterances, None):
        if utterance is None or (utterance.side == "agent" and turn and utterance.start >= turn[-1].end):
            if lines := tuple(line for line in turn if line.intent != "ignore"):
                if not any(line.cut for line in lines):
                    yield _turn(lines, turn, taken)
                turn = []
        elif utterance.side == "caller":
            turn.append(utterance)


def _turn(lines: tuple[Utterance, ...], turn: Sequence[Utterance], taken: dict[str, list[AgentHeard]]) -> _Exchange:
    texts = (event.text[:MOST_CHARACTERS] for line in turn for event in taken[line.id][:MOST_PIECES])
    understood = " ".join(text for text in texts if text.strip())
    sent = None if any(line.heard is None for line in lines) else " ".join(line.heard or "" for line in lines)
    return _Exchange(lines, understood, sent, " ".join(line.text for line in turn if line not in lines))


def _too_late(turn: _Exchange, transcript: Transcript) -> bool:
    return turn.lines[-1].end > transcript.duration - LAST


def _names(transcript: Transcript, case: Case | None) -> frozenset[str]:
    """The patient's name, and what its lines and facts write as names."""
    texts = [line.text for line in transcript.of("caller")]
    texts += [fact.says for fact in case.patient.reveal_only_if_asked] if case else []
    return frozenset(case.patient.name.split() if case else ()).union(*map(capitalised, texts))


def _rounded(rate: float | None) -> float | None:
    return None if rate is None else round(rate, 4)
