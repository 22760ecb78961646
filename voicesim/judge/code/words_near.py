"""The rule about words that have to come near a moment of the call."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Self

from pydantic import Field, model_validator

from voicesim.catalog.entry import Entry, Words
from voicesim.catalog.rules import Seconds
from voicesim.judge.base import Call, Finding
from voicesim.judge.code.decide import Rule
from voicesim.judge.code.shown import seen_of
from voicesim.judge.model import Evidence, Seen
from voicesim.language.cues import cue_in
from voicesim.language.polarity import negated
from voicesim.language.sentences import split
from voicesim.recording.events import Hangup
from voicesim.tools.log import NO_LOG, ToolUse, tool_log
from voicesim.transcript.model import Side, Transcript, Utterance

_LONGEST = 6
"""Words of a cue that are looked for at most in a row; `nine one one` are three for `911`."""


class Anchor(Entry):
    """A moment of the call: a successful call of a tool, words that a side says, or the end of the call."""

    tool: str = ""
    said: Words = ()
    by: Side = "caller"
    hangup: bool = False

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        if bool(self.tool) + bool(self.said) + self.hangup != 1:
            raise ValueError("`of` needs exactly one of tool, said and hangup")
        return self


class WordsNear(Rule):
    """A side says one of these words within so many seconds of each moment of a kind."""

    type: Literal["words_near"] = "words_near"
    words: Words = Field(min_length=1)
    side: Side = "agent"
    within: Seconds
    when: Literal["before", "after", "around"] = "after"
    of: Anchor

    def decide(self, call: Call) -> Finding:
        """Missed when one of the moments has none of the words near it; not applicable without such a moment."""
        anchors = _anchors(self.of, call)
        if anchors is None:
            return Finding("cannot_assess", reason=NO_LOG)
        if not anchors:
            return Finding("not_applicable", reason="what the words should be near did not happen")
        words = said(call.transcript, self.side, self.words)
        proof: list[Evidence] = []
        for anchor in anchors:
            close = next((moment for moment in words if _close(self, anchor, moment)), None)
            if close is None:
                reason = f"nothing of {', '.join(self.words)} within {self.within:g} s {self.when} {anchor.told}"
                return Finding("miss", reason=reason, seen=(anchor.seen,), tag="missing_advice")
            if close.evidence is not None and close.evidence not in proof:
                proof.append(close.evidence)
        reason = f"said within {self.within:g} s {self.when} {anchors[0].told}"
        return Finding("hit", tuple(proof), reason, seen=tuple(anchor.seen for anchor in anchors))


@dataclass(frozen=True)
class TimeSpan:
    """A stretch of the call in seconds, and what it is in words."""

    start: float
    end: float
    told: str
    evidence: Evidence | None = None
    used: ToolUse | None = None

    @property
    def seen(self) -> Seen:
        return seen_of(self.used) if self.used else Seen(what=self.told, start=self.start, end=self.end)


def said(transcript: Transcript, side: Side, cues: Iterable[str]) -> list[TimeSpan]:
    """Where a side says one of the cues and does not turn it down, in time order."""
    wanted = tuple(cues)
    return [
        moment
        for utterance in transcript.of(side)
        for cue in wanted
        if _meant(cue, utterance.text)
        for moment in _places(cue, utterance)
    ]


def _meant(cue: str, text: str) -> bool:
    holding = [sentence for sentence in split(text) if cue_in(cue, sentence)]
    return any(not negated(sentence, cue) for sentence in holding)


def _places(cue: str, utterance: Utterance) -> list[TimeSpan]:
    """A cue by the times of its words; by the whole utterance's where words have no times (the patient's)."""
    proof = Evidence(utterance=utterance.id, quote=utterance.text.strip(), start=utterance.start, end=utterance.end)
    reason = f"“{cue}” at {utterance.start:.1f} s"
    places: list[TimeSpan] = []
    words = [word.text for word in utterance.words]
    for first in range(len(words)):
        for last in range(first + 1, min(first + _LONGEST, len(words)) + 1):
            # The shortest run of words that holds the cue: without its first word it is gone.
            if cue_in(cue, " ".join(words[first:last])):
                if not cue_in(cue, " ".join(words[first + 1 : last])):
                    spoken = utterance.words[first:last]
                    places.append(TimeSpan(spoken[0].start, spoken[-1].end, reason, proof))
                break
    return places or [TimeSpan(utterance.start, utterance.end, reason, proof)]


def _anchors(of: Anchor, call: Call) -> list[TimeSpan] | None:
    """The moments of a kind; None when only a tool log could tell and there is none."""
    if of.said:
        return said(call.transcript, of.by, of.said)
    if of.hangup:
        ends = [event.t for event in call.events if isinstance(event, Hangup)]
        return [TimeSpan(t, t, "the end of the call") for t in ends[:1] or [call.transcript.duration]]
    log = tool_log(call.events)
    if log is None:
        return None
    done = [(use, use.answered) for use in log if use.name == of.tool and use.ok and use.answered is not None]
    return [TimeSpan(answered, answered, use.told, used=use) for use, answered in done]


def _close(rule: WordsNear, anchor: TimeSpan, words: TimeSpan) -> bool:
    after = 0 <= words.start - anchor.end <= rule.within
    before = 0 <= anchor.start - words.end <= rule.within
    return (after and rule.when != "before") or (before and rule.when != "after")
