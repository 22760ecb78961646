"""Transcripts from lines such as `A: Any fever?`, and the shipped cases."""

from functools import cache
from pathlib import Path

import yaml

from voicesim.catalog.model import Case, Check
from voicesim.judge.base import Call
from voicesim.transcript.model import Side, Transcript, Utterance, Word

CASES = Path(__file__).parents[2] / "cases"
PER_WORD = 0.5
GAP = 1.0


@cache
def shipped(name: str) -> Case:
    """The shipped case whose file name begins so (`cold-01`)."""
    (path,) = CASES.glob(f"{name}*.yaml")
    return Case.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))


def check_of(case: Case, name: str) -> Check:
    """One check of a case by its id."""
    return next(one for one in case.rubric if one.id == name)


def transcript(script: str, call_id: str = "spoken") -> Transcript:
    """Lines `A:` (agent) and `P:` (patient) as utterances: half a second a word, a second between lines.

    The first word of the first line begins at 0.0 s; the first line of n words ends at n * 0.5 s.
    """
    utterances: list[Utterance] = []
    now = 0.0
    for line in filter(None, (raw.strip() for raw in script.splitlines())):
        letter, _, text = line.partition(": ")
        side: Side = "agent" if letter == "A" else "caller"
        number = 1 + sum(one.side == side for one in utterances)
        words = tuple(
            Word(text=word, start=now + i * PER_WORD, end=now + (i + 1) * PER_WORD, probability=0.9)
            for i, word in enumerate(text.split())
        )
        end = now + len(words) * PER_WORD
        utterances.append(
            Utterance(
                id=f"{letter}{number}",
                side=side,
                start=now,
                end=end,
                text=text,
                voiced=((now, end),),
                words=words,
                source="whisper" if side == "agent" else "line",
            )
        )
        now = end + GAP
    return Transcript(call_id=call_id, duration=now, language="en", model="none", utterances=tuple(utterances))


def call_of(case: Case, lines: list[str]) -> Call:
    """A call of a case, from lines such as `A: Any fever?`."""
    return Call(case, transcript("\n".join(lines)))


def call(name: str, script: str) -> Call:
    """A call of a shipped case."""
    return Call(shipped(name), transcript(script))
