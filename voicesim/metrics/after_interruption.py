"""What the agent says after an interruption that it yielded to: an answer, its old words again, or what was left."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from voicesim.language.fold import fold
from voicesim.language.grammar import word_set
from voicesim.language.values import read, same
from voicesim.metrics.model import AfterInterruption, Interruption, NeverHeard
from voicesim.transcript.model import Transcript, Utterance

RUN = 4
"""Words in a row that two utterances need to share to count as said again; fewer are in any two sentences."""
REPEATED = 0.5
"""Share of the words that were heard before the interruption from which the agent said them again."""
RESUMED = 0.5
"""Share of the words that were left from which the agent took them up."""
REPLIES = 3
"""So many of the agent's next utterances are looked at for what was left."""
LONG_WORD = 4
"""Letters of a word that says what an interruption is about; a shorter one counts when it is a figure."""
_COMMON = word_set(
    "sorry wait moment hang hold could just stop there second please what that this said with have would"
)


def after_interruptions(
    transcript: Transcript, interruptions: Sequence[Interruption], lost: Sequence[NeverHeard]
) -> tuple[AfterInterruption, ...]:
    """One entry for every interruption that was yielded to and after which the agent spoke again.

    - `answered`: its next utterance holds a value of the interruption, or a long word of one without values; None for
      an interruption that has neither ("Sorry, wait a moment.").
    - `repeated`: half of what was heard of the interrupted utterance comes again in that next utterance, counted in
      runs of four words and more; None where fewer than four words were heard.
    - `resumed`: half of the words that were left unsaid, by the agent's own transcript, come in its next three
      utterances; None where it tells no transcript, or nothing was left.
    """
    by_id = {utterance.id: utterance for utterance in transcript.utterances}
    rest = {entry.utterance: entry.text for entry in lost}
    entries = []
    for interruption in interruptions:
        stop, broken = by_id[interruption.caller], by_id[interruption.agent]
        later = [utterance for utterance in transcript.of("agent") if utterance.start >= max(stop.end, broken.end)][
            :REPLIES
        ]
        if interruption.yielded and later:
            entries.append(
                AfterInterruption(
                    caller=stop.id,
                    agent=later[0].id,
                    answered=_answers(stop.text, later[0].text),
                    repeated=_said_again(broken.text, later[0].text),
                    resumed=_taken_up(rest.get(broken.id, ""), later),
                )
            )
    return tuple(entries)


def _answers(interruption: str, reply: str) -> bool | None:
    values = [reading.value for reading in read(interruption)]
    words = {word for word in fold(interruption) if len(word) >= LONG_WORD} - _COMMON
    if not values and not words:
        return None
    if values:
        replied = [reading.value for reading in read(reply)]
        return any(same(value, other) for value in values for other in replied)
    return not words.isdisjoint(fold(reply))


def _said_again(heard: str, reply: str) -> bool | None:
    words = fold(heard)
    if len(words) < RUN:
        return None
    return _shared(words, fold(reply)) >= REPEATED * len(words)


def _taken_up(rest: str, later: Sequence[Utterance]) -> bool | None:
    words = fold(rest)
    if not words:
        return None
    said = {word for utterance in later for word in fold(utterance.text)}
    return sum(word in said for word in words) >= RESUMED * len(words)


def _shared(words: Sequence[str], other: Sequence[str]) -> int:
    """Words that two texts have in the same order, in runs of four and more."""
    blocks = SequenceMatcher(None, words, other, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks if block.size >= RUN)
