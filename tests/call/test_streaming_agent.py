"""An agent that streams a long turn sentence by sentence is heard out, understood meanwhile, and answered in time."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from rig import PLAIN, ScriptedAgent, ToneWorkers, call

from voicesim.audio.samples import RATE
from voicesim.caller.ear import AgentTurn, Stretch
from voicesim.caller.mind import PatientLine
from voicesim.caller.understanding import Understood
from voicesim.catalog.model import ReplyGap

PERSONA = PLAIN.model_copy(update={"end_of_turn": 2.8, "patience": 8.0, "reply_gap": ReplyGap(between=(0.3, 0.3))})
FIRST, LENGTH, SENTENCE = 4.0, 60.0, 2.5
"""The agent's turn begins at 4 s (the opening line is over at 2.2) and lasts for a minute; seconds of a sentence."""


@dataclass(frozen=True)
class Sentence:
    text: str
    start: float
    end: float


def monologue(pauses: Sequence[float]) -> list[Sentence]:
    """A minute of statements with these pauses between them, in turn, and a question at its end."""
    sentences: list[Sentence] = []
    at = FIRST
    while at + SENTENCE < FIRST + LENGTH:
        sentences.append(Sentence(f"This is point {len(sentences) + 1}.", at, at + SENTENCE))
        at += SENTENCE + pauses[len(sentences) % len(pauses)]
    last = sentences[-1]
    return [*sentences[:-1], Sentence("Do you smoke?", last.start, last.end)]


class Transcriber(ToneWorkers):
    """Gives the sentences that lie in a stretch, `takes` seconds later."""

    def __init__(self, sentences: Sequence[Sentence], takes: float) -> None:
        super().__init__()
        self._sentences, self._takes = sentences, takes

    async def hear(self, turn: AgentTurn, stretch: Stretch, before: str) -> Understood:
        self.stretches.append(stretch)
        await asyncio.sleep(self._takes)
        heard = [s.text for s in self._sentences if stretch.start < s.end * RATE and stretch.end > s.start * RATE]
        return Understood(" ".join(heard))


def hear_out(folder: Path, sentences: Sequence[Sentence], takes: float) -> None:
    """One call to this agent, and everything that has to hold of it."""
    workers = Transcriber(sentences, takes)
    agent = ScriptedAgent([(sentence.start, sentence.end) for sentence in sentences])
    rig = call(folder, agent, lines=[PatientLine("No, never.")], workers=workers, turn_taking=PERSONA)
    assert rig.manifest.validity is not None
    assert rig.manifest.validity.valid, rig.manifest.validity.detail
    end = sentences[-1].end
    heard = next(event for event in rig.recording.events if event.type == "heard")
    assert heard.text == " ".join(sentence.text for sentence in sentences)
    assert heard.t - end <= 1.0
    opening, answer, *_ = rig.lines()
    assert opening[0] < FIRST
    assert answer[1] == "No, never."
    assert end < answer[0] <= end + 0.3 + 1.0
    # Nothing is understood twice: the sound of each stretch begins where the one before has ended.
    ours = [stretch for stretch in workers.stretches if stretch.end <= end * RATE]
    assert all(before.end <= after.sound_start for before, after in pairwise(ours))


@pytest.mark.parametrize("takes", [0.0, 0.4, 0.7])
def test_a_minute_with_a_pause_of_1_3_s_after_every_sentence(tmp_path: Path, takes: float) -> None:
    hear_out(tmp_path / "c", monologue([1.3]), takes)


@pytest.mark.parametrize("seed", range(10))
def test_a_minute_with_pauses_of_0_8_to_2_5_s(tmp_path: Path, seed: int) -> None:
    draws = Random(seed)
    hear_out(tmp_path / "c", monologue([draws.uniform(0.8, 2.5) for _ in range(40)]), 0.6)


def test_a_minute_without_a_pause_is_understood_while_it_lasts(tmp_path: Path) -> None:
    sentences = [Sentence("Do you smoke?", FIRST, FIRST + LENGTH)]
    workers = Transcriber(sentences, 0.5)
    rig = call(
        tmp_path / "c",
        ScriptedAgent([(FIRST, FIRST + LENGTH)]),
        lines=[PatientLine("No, never.")],
        workers=workers,
        turn_taking=PERSONA,
    )
    # Cut into stretches of at most 9 s: seven of them, of which the last is understood after the end.
    assert len(workers.stretches) >= LENGTH / 9
    assert max(stretch.end - stretch.start for stretch in workers.stretches) <= 9.1 * RATE
    assert FIRST + LENGTH < rig.lines()[1][0] <= FIRST + LENGTH + 0.3 + 1.0


def test_a_machine_that_falls_behind_catches_up(tmp_path: Path) -> None:
    """Each go takes longer than a sentence and its pause, and still the turn is understood soon after its end."""
    sentences = monologue([0.8])
    workers = Transcriber(sentences, 4.5)
    rig = call(
        tmp_path / "c",
        ScriptedAgent([(sentence.start, sentence.end) for sentence in sentences]),
        lines=[PatientLine("No, never.")],
        workers=workers,
        turn_taking=PERSONA,
    )
    heard = next(event for event in rig.recording.events if event.type == "heard")
    assert heard.text == " ".join(sentence.text for sentence in sentences)
    # Two goes may be left at the end: the one in work, and the one that waits.
    assert heard.t - sentences[-1].end <= 2 * 4.5 + 0.3
    assert len(workers.stretches) < len(sentences)
