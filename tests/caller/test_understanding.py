"""Understanding stretch by stretch, on an exact clock: nothing twice, nothing lost, and no pile of work."""

import asyncio
from dataclasses import dataclass, field

import pytest

from voicesim.audio.samples import samples
from voicesim.call.virtual import run_virtual
from voicesim.caller.ear import AgentTurn, Stretch
from voicesim.caller.understanding import Understanding, Understood


def stretch(start: float, end: float) -> Stretch:
    """A stretch in seconds; its sound begins 0.1 s before and ends 0.2 s after it."""
    return Stretch(samples(start), samples(end), samples(start - 0.1), samples(end + 0.2))


def turn(*stretches: Stretch, until: float | None = None) -> AgentTurn:
    """A turn of these stretches; the agent is still speaking at `until`."""
    end = stretches[-1].end if until is None else samples(until)
    return AgentTurn(stretches[0].start, end, stretches)


@dataclass
class Transcriber:
    """Takes `takes` seconds for anything, and gives its place: "1-2" for what sounds from 1 to 2 s."""

    takes: float
    asked: list[tuple[float, float]] = field(default_factory=list)

    async def hear(self, turn: AgentTurn, stretch: Stretch, before: str) -> Understood:
        place = stretch.start / 24_000, stretch.end / 24_000
        self.asked.append(place)
        await asyncio.sleep(self.takes)
        return Understood(f"{place[0]:g}-{place[1]:g}", 0.9)


def known(understanding: Understanding) -> tuple[str | None, int | None, float]:
    """The words so far, where the last of them ended, and whether they sounded finished."""
    return understanding.text, understanding.last_words, understanding.finished


async def follow(understanding: Understanding, turn: AgentTurn | None, until: float) -> None:
    """Let ticks of 20 ms go by until a second of the loop's clock."""
    loop = asyncio.get_running_loop()
    while loop.time() < until:
        understanding.follow(turn)
        await asyncio.sleep(0.02)
    understanding.follow(turn)


def test_a_stretch_is_understood_once_and_the_turn_is_its_stretches_joined() -> None:
    transcriber = Transcriber(0.5)

    async def main() -> None:
        understanding = Understanding(transcriber.hear)
        first, second = stretch(1, 2), stretch(3, 4)
        await follow(understanding, turn(first), 0.4)
        assert known(understanding)[0] is None  # 0.5 s are not over
        await follow(understanding, turn(first), 0.6)
        assert known(understanding) == ("1-2", samples(2), 0.9)
        await follow(understanding, turn(first, until=3.5), 0.7)
        assert known(understanding)[0] is None  # the agent has gone on
        await follow(understanding, turn(first, second), 1.3)
        assert known(understanding) == ("1-2 3-4", samples(4), 0.9)

    run_virtual(main())
    assert transcriber.asked == [(1, 2), (3, 4)]


def test_what_ends_while_the_machine_is_behind_is_understood_together() -> None:
    transcriber = Transcriber(6.0)
    stretches = [stretch(start, start + 2) for start in (1, 4, 7, 10, 13)]

    async def main() -> None:
        understanding = Understanding(transcriber.hear)
        # The first is in work when the four others end: 11 s hold three of them (3.9 to 12.2), then the last.
        await follow(understanding, turn(stretches[0]), 1.0)
        await follow(understanding, turn(*stretches), 20.0)
        assert understanding.text == "1-3 4-12 13-15"

    run_virtual(main())
    assert transcriber.asked == [(1, 3), (4, 12), (13, 15)]


def test_a_stretch_longer_than_a_window_is_understood_all_the_same() -> None:
    transcriber = Transcriber(0.1)

    async def main() -> None:
        understanding = Understanding(transcriber.hear)
        await follow(understanding, turn(stretch(0.2, 20), stretch(21, 22)), 1.0)
        assert understanding.text == "0.2-20 21-22"

    run_virtual(main())


def test_a_forgotten_turn_leaves_nothing_behind() -> None:
    transcriber = Transcriber(1.0)

    async def main() -> None:
        understanding = Understanding(transcriber.hear)
        await follow(understanding, turn(stretch(1, 2)), 0.5)
        understanding.forget()
        assert known(understanding) == (None, None, 1.0)
        await follow(understanding, turn(stretch(5, 6)), 2.0)
        assert known(understanding)[0] == "5-6"

    run_virtual(main())
    assert transcriber.asked == [(1, 2), (5, 6)]


def test_a_sentence_with_a_pause_in_it_is_one_sentence() -> None:
    told: list[str] = []

    async def hear(turn: AgentTurn, stretch: Stretch, before: str) -> Understood:
        told.append(before)
        return Understood({1: "Do you have a fever?", 3: "or chest pain?", 5: "Right now?"}[stretch.start // 24_000])

    async def main() -> None:
        understanding, stretches = Understanding(hear), [stretch(1, 2), stretch(3, 4), stretch(5, 6)]
        for count in (1, 2, 3):
            await follow(understanding, turn(*stretches[:count]), 0.1 * count)
        assert understanding.text == "Do you have a fever, or chest pain? Right now?"

    run_virtual(main())
    assert told == ["", "Do you have a fever?", "Do you have a fever, or chest pain?"]


def test_a_sound_without_words_ends_no_words_later() -> None:
    async def cough(turn: AgentTurn, stretch: Stretch, before: str) -> Understood:
        return Understood("Are you well?", 0.8) if stretch.start == samples(1) else Understood("", 0.1)

    async def main() -> None:
        understanding = Understanding(cough)
        await follow(understanding, turn(stretch(1, 2)), 0.1)
        await follow(understanding, turn(stretch(1, 2), stretch(3, 3.2)), 0.2)
        assert (understanding.text, understanding.finished) == ("Are you well?", 0.8)
        assert understanding.last_words == samples(2)

    run_virtual(main())


def test_what_went_wrong_in_understanding_is_raised_by_a_later_tick() -> None:
    async def fail(turn: AgentTurn, stretch: Stretch, before: str) -> Understood:
        raise ValueError("no model")

    async def main() -> None:
        with pytest.raises(ValueError, match="no model"):
            await follow(Understanding(fail), turn(stretch(1, 2)), 0.2)

    run_virtual(main())
