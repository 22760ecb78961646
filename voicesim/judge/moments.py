"""The agent's sentences, one by one, and as evidence."""

from collections.abc import Iterable
from dataclasses import dataclass

from voicesim.judge.evidence import SHORTEST, verify
from voicesim.judge.model import Evidence
from voicesim.language.sentences import split
from voicesim.transcript.model import Transcript, Utterance

_SHOWN = 3
"""Pieces of evidence that a verdict carries at most."""


@dataclass(frozen=True, eq=False)
class Moment:
    """One sentence of the agent: its neighbours, and what the patient had said before the utterance began.

    Each is itself alone: two are the same only when they are one object.

    `follows` is the patient's utterance that the agent's one came right after, "" when there was none.
    """

    text: str
    utterance: Utterance
    place: int
    sentences: tuple[str, ...]
    patient: tuple[str, ...]
    follows: str

    @property
    def rest(self) -> tuple[str, ...]:
        """The sentences behind this one in its utterance."""
        return self.sentences[self.place + 1 :]


def moments(transcript: Transcript) -> tuple[Moment, ...]:
    """Every sentence the agent said, in order."""
    sentences_said: list[Moment] = []
    patient: list[str] = []
    follows = ""
    for utterance in transcript.utterances:
        if utterance.side == "caller":
            patient.append(utterance.text)
            follows = utterance.text
            continue
        sentences = tuple(split(utterance.text))
        for place, text in enumerate(sentences):
            sentences_said.append(Moment(text, utterance, place, sentences, tuple(patient), follows))
        follows = ""
    return tuple(sentences_said)


def evidence(moments: Iterable[Moment]) -> tuple[Evidence, ...]:
    """The sentences as verified quotes, each once, at most three; a short one takes its neighbours along."""
    proof: list[Evidence] = []
    for moment in moments:
        quote = verify(_quotable(moment), moment.utterance)
        if quote is not None and quote not in proof:
            proof.append(quote)
    return tuple(proof[:_SHOWN])


def _quotable(moment: Moment) -> str:
    first = last = moment.place
    while len(" ".join(moment.sentences[first : last + 1])) < SHORTEST:
        if last + 1 < len(moment.sentences):
            last += 1
        elif first > 0:
            first -= 1
        else:
            break
    return " ".join(moment.sentences[first : last + 1])
