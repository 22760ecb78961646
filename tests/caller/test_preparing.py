"""Replies made before they are due: once for the same words, anew for others, and no harm from what is dropped."""

import asyncio

import numpy as np
import pytest

from voicesim.call.virtual import run_virtual
from voicesim.caller.mind import MindError, PatientLine
from voicesim.caller.playing import Prepared
from voicesim.caller.preparing import Preparation
from voicesim.tts.base import Speech


def prepared(words: str) -> Prepared:
    return Prepared(PatientLine(f"re: {words}"), Speech(np.ones(10, np.float32), words, words), answers=words)


class Maker:
    """Takes a second for a reply, and cannot answer "nothing"."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def make(self, words: str) -> Prepared:
        self.asked.append(words)
        await asyncio.sleep(1.0)
        if words == "nothing":
            raise MindError("mind_failed", "no line")
        return prepared(words)


def test_a_reply_is_made_once_for_the_same_words_and_anew_for_others() -> None:
    maker = Maker()

    async def main() -> None:
        preparation = Preparation(maker.make)
        for _ in range(3):
            preparation.begin("Do you smoke?")
            await asyncio.sleep(0.4)
        reply = preparation.reply("Do you smoke?")
        assert reply is not None
        assert reply.answers == "Do you smoke?"
        assert preparation.reply("Do you smoke? Be honest.") is None
        preparation.begin("Do you smoke? Be honest.")
        assert preparation.reply("Do you smoke? Be honest.") is None
        assert preparation.reply("Do you smoke?") is None  # it was dropped for the other one
        await asyncio.sleep(1.1)
        assert preparation.reply("Do you smoke? Be honest.") is not None

    run_virtual(main())
    assert maker.asked == ["Do you smoke?", "Do you smoke? Be honest."]


def test_what_goes_wrong_with_a_reply_is_raised_when_it_is_wanted_and_forgotten_when_it_is_dropped() -> None:
    async def main() -> None:
        preparation = Preparation(Maker().make)
        preparation.begin("nothing")
        await asyncio.sleep(1.1)
        with pytest.raises(MindError, match="no line"):
            preparation.reply("nothing")
        preparation.drop()
        preparation.begin("nothing")
        await asyncio.sleep(1.1)
        preparation.begin("Do you smoke?")  # the failed one is never said
        await asyncio.sleep(1.1)
        assert preparation.reply("Do you smoke?") is not None

    run_virtual(main())
