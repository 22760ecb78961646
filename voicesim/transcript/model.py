"""transcript.json: who said what, and when, on the call clock."""

from typing import Literal, Self

from pydantic import Field, model_validator

from voicesim.frozen import Frozen, Seconds
from voicesim.recording.events import Intent, LineKind

Side = Literal["agent", "caller"]

WEAK = 0.5
"""Below this probability a word is marked as one the transcriber was not sure of."""

GUESSED = 0.1
"""Below this probability a word is a guess, and proves nothing."""


LONGEST_TEXT, MOST_TEXT = 20_000, 1_000_000
"""Characters of an utterance, and of all: what is said in twenty minutes without a pause, and in ten hours."""


class Word(Frozen):
    """One word; start and end in seconds, probability as the transcriber gave it."""

    text: str
    start: Seconds
    end: Seconds
    probability: float


class Utterance(Frozen):
    """One stretch of speech by one side: A1, A2, ... (agent), P1, P2, ... (patient), numbered by start.

    `voiced` are the intervals (seconds) in which sound was found, in order; start and end are theirs.
    `cut`: it did not run to its end (interrupted, or the recording stops inside it). The patient's text
    is what was said (source `line`), the agent's is what Whisper heard (source `whisper`); `intent` and `kind`
    are the patient's alone. `heard` is what the transcriber hears of a patient's line in what was sent; None where
    nobody listened.
    """

    id: str
    side: Side
    start: Seconds
    end: Seconds
    text: str = Field(max_length=LONGEST_TEXT)
    voiced: tuple[tuple[Seconds, Seconds], ...]
    words: tuple[Word, ...] = ()
    intent: Intent | None = None
    kind: LineKind | None = None
    cut: bool = False
    heard: str | None = Field(default=None, max_length=LONGEST_TEXT)
    source: Literal["whisper", "line"]


class Transcript(Frozen):
    """The whole of transcript.json. `warnings` tell what was left out or looked wrong on the way."""

    schema_version: Literal[1] = 1
    call_id: str
    duration: Seconds
    language: str
    model: str
    detected_language: str = ""
    utterances: tuple[Utterance, ...]
    warnings: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _can_have_been_said(self) -> Self:
        if sum(len(utterance.text) for utterance in self.utterances) > MOST_TEXT:
            raise ValueError(f"more than {MOST_TEXT:,} characters; no call has as many")
        return self

    def of(self, side: Side) -> tuple[Utterance, ...]:
        """The utterances of one side, in time order."""
        return tuple(utterance for utterance in self.utterances if utterance.side == side)
