"""Does a recorded line still go with what another agent says? Told by the case's facts, offline.

The new agent's words are held against those that the line answered when it was recorded:

- they ask for a fact that the recorded patient never tells: it would have answered, and the replay cannot;
- they do not ask for the facts that the line tells, which the recorded agent's words did;
- they say goodbye, send to emergency care, ask whether there is anything else, ask again, or ask if the patient is
  there, and the recorded agent's words did not; or the other way round, where the line was the answer to that.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass

from voicesim.audio.samples import seconds
from voicesim.caller.asked import asked_for
from voicesim.caller.facts import first_ids
from voicesim.caller.mind import Mismatch
from voicesim.caller.moves import Move, read
from voicesim.caller.words import content
from voicesim.catalog.model import Case, Fact
from voicesim.recording.events import Divergence

TURNING: frozenset[Move] = frozenset(("farewell", "emergency", "anything_else", "again", "present"))
"""Moves of the agent that call for a line of their own."""
TOLD_SHARE = 0.6
"""Share of the words of a fact that have to be in a line for the line to tell it, where nobody noted that."""


@dataclass(frozen=True)
class RecordedLine:
    """A line of the recorded patient: the agent's words before it, its text, and the facts that it tells."""

    answers: str
    text: str
    facts: tuple[str, ...] = ()


def mismatch(line: RecordedLine, heard: str, case: Case, before: Set[str], later: Set[str]) -> Mismatch | None:
    """Why a line does not go with the agent's words; None where it does, or where nothing tells.

    `before` are the facts that were told already, `later` those that the recorded patient tells after this line.
    """
    if heard == line.answers:
        return None
    language = case.language
    new, old = read(heard, language), read(line.answers, language)
    # What replaces a fact answers the same question.
    facts, first = (
        [fact for fact in case.patient.reveal_only_if_asked if fact.replaces is None],
        first_ids(case.patient),
    )
    before, later, given = ({first.get(fact, fact) for fact in ids} for ids in (before, later, line.facts))
    asked, was_asked = (set(asked_for(turn, facts, before, language)) for turn in (new, old))
    unanswered = asked - was_asked - given
    never = [fact.id for fact in facts if fact.id in unanswered - before - later]
    if never:
        return Mismatch("never_answered", f"asked for {', '.join(never)}, which the recording never tells", line.text)
    expected = given & was_asked
    if expected and not expected & asked:
        return Mismatch("does_not_fit", f"nobody asked for {', '.join(sorted(expected))}", line.text)
    if unanswered and not given & asked:
        detail = f"asked for {', '.join(sorted(unanswered))}; the line is about something else"
        return Mismatch("does_not_fit", detail, line.text)
    moves, had = (frozenset[Move]().union(*(sentence.moves for sentence in turn)) & TURNING for turn in (new, old))
    if moves != had and not (line.facts and expected):
        detail = _moved(moves, had)
        return Mismatch("does_not_fit", detail, line.text)
    return None


def told_facts(text: str, facts: Sequence[Fact], language: str = "en") -> tuple[str, ...]:
    """The facts that a line tells, by its words; for calls in which nobody noted them."""
    words = content(text, language)
    return tuple(
        fact.id
        for fact in facts
        if (meant := content(fact.says, language)) and len(meant & words) >= TOLD_SHARE * len(meant)
    )


def marked(diverged: Mismatch, heard: str, now: int) -> Divergence:
    """The event of a mismatch at a sample of the call."""
    return Divergence(
        t=seconds(now),
        kind=diverged.kind,
        heard=heard,
        line=diverged.line,
        detail=diverged.detail,
        action=diverged.action,
    )


def _moved(moves: frozenset[Move], had: frozenset[Move]) -> str:
    new, gone = (", ".join(sorted(names)).replace("_", " ") for names in (moves - had, had - moves))
    parts = [f"the agent's words are new in this: {new}"] if new else []
    parts += [f"the line answered what is missing now: {gone}"] if gone else []
    return "; ".join(parts)
