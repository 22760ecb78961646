"""How soon the agent tells what to do once the patient has named a red flag."""

from collections.abc import Sequence

from voicesim.catalog.model import Case
from voicesim.language.cues import cue_in
from voicesim.language.polarity import negated
from voicesim.language.sentences import split
from voicesim.metrics.model import Urgency
from voicesim.transcript.model import Transcript, Utterance, Word

_NUMBER_WORDS = 3


def urgency(transcript: Transcript, case: Case | None) -> Urgency | None:
    """The time from the first red flag to the first emergency instruction after it.

    The case says what a red flag is (`urgent.red_flags`, cues in the patient's words) and which check is the
    instruction (`urgent.instruction`, whose cues are looked for in the agent's words). The time runs from the
    last voiced sample of the patient's utterance to the onset of the cue's first word. None when the case
    names no red flag or the patient did not come to speak of one; without an instruction, `agent`,
    `instructed_at` and `seconds` are None.
    """
    if case is None or case.urgent is None:
        return None
    flags = case.urgent.red_flags
    flagged = next(
        (utterance for utterance in transcript.of("caller") if any(_says(utterance, cue) for cue in flags)), None
    )
    if flagged is None:
        return None
    cues = next(check.cues for check in case.rubric if check.id == case.urgent.instruction)
    for utterance in transcript.of("agent"):
        for word in _instructions(utterance, cues):
            if word.start >= flagged.end:
                return Urgency(
                    caller=flagged.id,
                    flagged_at=flagged.end,
                    agent=utterance.id,
                    instructed_at=word.start,
                    seconds=round(word.start - flagged.end, 4),
                )
    return Urgency(caller=flagged.id, flagged_at=flagged.end)


def _says(utterance: Utterance, cue: str) -> bool:
    """Whether a cue stands in a sentence of an utterance that does not turn it down."""
    return any(cue_in(cue, sentence) and not negated(sentence, cue) for sentence in split(utterance.text))


def _instructions(utterance: Utterance, cues: tuple[str, ...]) -> list[Word]:
    """The words at which a cue begins in an agent utterance, in spoken order."""
    wanted = [cue for cue in cues if _says(utterance, cue)]
    return [word for n, word in enumerate(utterance.words) if any(_begins(cue, utterance.words[n:]) for cue in wanted)]


def _begins(cue: str, words: Sequence[Word]) -> bool:
    """Whether a cue stands at the very first of some words; a number may be written in more words than the cue."""
    texts = [word.text for word in words[: len(cue.split()) + _NUMBER_WORDS]]
    return cue_in(cue, " ".join(texts)) and not cue_in(cue, " ".join(texts[1:]))
