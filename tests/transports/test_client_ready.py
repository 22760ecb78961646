"""`client-ready` reaches a bot once, whenever it begins to read its data channel."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from voicesim.call.virtual import run_virtual
from voicesim.transports.webrtc_base import HELLOS, _Channel

HELLO = "client-ready"


class Peer:
    spoke = False


class Bot:
    """A data channel whose handler is attached at some second, and answers a while after it got the message."""

    def __init__(self, attached: float, answers: float | None) -> None:
        self.attached, self.answers = attached, answers
        self.readyState = "open"
        self.sent: list[float] = []
        self.got: list[float] = []
        self.channel: _Channel | None = None

    def send(self, message: str) -> None:
        now = asyncio.get_running_loop().time()
        self.sent.append(now)
        if now >= self.attached:
            self.got.append(now)
            if self.answers is not None:
                asyncio.get_running_loop().call_later(self.answers, self._answer)

    def _answer(self) -> None:
        assert self.channel is not None
        self.channel.heard(json.dumps({"label": "rtvi-ai", "type": "bot-ready"}), lambda message: None)


def talk(bot: Bot, meanwhile: Callable[[_Channel, Any], None] = lambda channel, peer: None) -> Bot:
    async def call() -> None:
        peer: Any = Peer()
        bot.channel = channel = _Channel(lambda message: True)
        channel.open(bot, HELLO, peer)
        meanwhile(channel, peer)
        await asyncio.sleep(20.0)
        channel.close()

    run_virtual(call())
    return bot


@pytest.mark.parametrize(
    ("attached", "answers", "by"),
    [(0.2, 0.05, 0.5), (0.0, 0.02, 0.5), (0.05, 1.5, 0.5), (1.0, 0.1, 5.0), (3.0, 0.1, 7.0), (0.0, 1.5, 0.5)],
)
def test_it_reaches_the_handler_once(attached: float, answers: float, by: float) -> None:
    bot = talk(Bot(attached, answers))
    assert len(bot.got) == 1
    assert bot.got[0] <= by


def test_an_agent_that_never_answers_is_told_a_few_times_and_not_often() -> None:
    bot = talk(Bot(99.0, None))
    assert len(bot.sent) == HELLOS
    assert min(second - first for first, second in zip(bot.sent, bot.sent[1:], strict=False)) >= 1.0


def test_an_agent_that_has_spoken_is_told_no_more() -> None:
    def speaks(_: _Channel, peer: Any) -> None:
        asyncio.get_running_loop().call_later(1.0, lambda: setattr(peer, "spoke", True))

    assert len(talk(Bot(99.0, None), speaks).sent) == 1


def test_a_channel_that_the_bot_opens_is_the_one_that_is_spoken_on() -> None:
    own = Bot(0.0, 0.05)

    def opens(channel: _Channel, peer: Any) -> None:
        own.channel = channel
        asyncio.get_running_loop().call_later(0.3, lambda: channel.open(own, HELLO, peer))

    talk(Bot(99.0, None), opens)
    assert own.got == [pytest.approx(0.55)]


def test_a_channel_that_closes_is_no_error() -> None:
    bot = Bot(0.0, 0.1)
    talk(bot, lambda channel, peer: setattr(bot, "readyState", "closed"))
    assert bot.sent == []
