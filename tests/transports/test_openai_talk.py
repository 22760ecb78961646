"""Interruptions over WebSocket, to the millisecond: how much the agent is told was heard of it."""

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from inboxes import Playing

from voicesim.audio.g711 import encode
from voicesim.audio.samples import TICK, blocks
from voicesim.recording.events import Unheard
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.openai_audio import MuLawDecoder, MuLawEncoder, PcmDecoder
from voicesim.transports.openai_replies import words_after
from voicesim.transports.openai_talk import Talk


class Agent:
    """Sends the events of an agent to a talk, and keeps what comes back."""

    def __init__(self) -> None:
        self.box = Playing()
        self.sent: list[Mapping[str, Any]] = []
        self.talk = Talk(BoundedInbox(self.box), "audio/pcm", self.sent.append)

    def sound(self, ms: int, item: str = "i1") -> None:
        data = b64encode(bytes(ms * 48)).decode()
        where = {"item_id": item, "response_id": f"r-{item}", "content_index": 0}
        self.talk.take({"type": "response.output_audio.delta", **where, "delta": data})

    def said(self, text: str, item: str = "i1") -> None:
        where = {"item_id": item, "response_id": f"r-{item}"}
        self.talk.take({"type": "response.output_audio_transcript.done", **where, "transcript": text})

    def done(self, item: str = "i1", status: str = "completed") -> None:
        self.talk.take({"type": "response.done", "response": {"id": f"r-{item}", "status": status}})

    def caller_speaks(self, at: float) -> None:
        self.box.time = at
        self.talk.take({"type": "input_audio_buffer.speech_started", "item_id": "u"})

    def truncated(self) -> list[tuple[str, int]]:
        return [(event["item_id"], event["audio_end_ms"]) for event in self.sent]


@pytest.fixture
async def agent() -> Agent:
    return Agent()


@pytest.mark.parametrize(
    ("received", "elapsed", "truncate"),
    [
        (2_650, 9_100, 2_650),  # all that came was heard long ago, and the reply is not complete
        (10_000, 3_000, 3_000),
        (3_000, 3_000, 3_000),
    ],
)
async def test_a_reply_is_truncated_at_what_was_played_of_what_came(
    agent: Agent, received: int, elapsed: int, truncate: int
) -> None:
    agent.box.time = 1.0
    agent.sound(received)
    agent.caller_speaks(1.0 + elapsed / 1000)
    assert agent.sent == [
        {"type": "conversation.item.truncate", "item_id": "i1", "content_index": 0, "audio_end_ms": truncate}
    ]


async def test_nothing_played_is_not_truncated(agent: Agent) -> None:
    agent.sound(5_000)
    agent.sound(2_000, item="i2")  # waits behind the first
    agent.caller_speaks(1.0)
    assert agent.truncated() == [("i1", 1_000)]
    agent.caller_speaks(2.0)
    assert agent.truncated() == [("i1", 1_000)]
    assert agent.box.flushed == [1.0]


async def test_a_reply_heard_to_its_end_is_not_interrupted_by_the_next_line(agent: Agent) -> None:
    agent.sound(2_000)
    agent.done()
    agent.caller_speaks(2.5)
    assert agent.sent == []
    assert agent.box.flushed == []


async def test_the_wait_for_a_slow_sender_is_no_sound_that_was_heard(agent: Agent) -> None:
    agent.sound(1_000)
    agent.box.time = 4.0  # three seconds of nothing, then the rest
    agent.sound(3_000)
    agent.caller_speaks(4.5)
    assert agent.truncated() == [("i1", 1_500)]


async def test_a_cancelled_response_is_cut_where_it_was_heard(agent: Agent) -> None:
    agent.sound(5_000)
    agent.box.time = 2.0
    agent.done(status="cancelled")
    assert agent.truncated() == [("i1", 2_000)]
    assert agent.box.flushed == [2.0]


async def test_a_cancelled_response_without_sound_stops_no_other(agent: Agent) -> None:
    agent.sound(5_000)
    agent.done()
    agent.box.time = 2.0
    agent.done(item="i2", status="cancelled")
    assert agent.sent == []
    assert agent.box.flushed == []


async def test_an_agent_that_is_not_interrupted_by_speech_talks_on(agent: Agent) -> None:
    detection = {"type": "server_vad", "interrupt_response": False}
    session = {"audio": {"input": {"turn_detection": detection}}}
    agent.talk.take({"type": "session.updated", "session": session})
    agent.sound(5_000)
    agent.caller_speaks(2.0)
    assert agent.sent == []
    agent.talk.take({"type": "session.updated", "session": {"audio": {"input": {"turn_detection": None}}}})
    agent.caller_speaks(2.5)
    assert agent.sent == []
    agent.talk.take({"type": "session.updated", "session": {}})
    agent.caller_speaks(3.0)
    assert agent.truncated() == [("i1", 3_000)]


async def test_ten_words_cut_in_the_middle_are_five_heard_and_five_not(agent: Agent) -> None:
    agent.sound(3_000)
    agent.caller_speaks(1.5)
    assert [event for event in agent.box.events if isinstance(event, Unheard)] == []  # its words are not known yet
    agent.said("aa bb cc dd ee ff gg hh ii jj")
    agent.done()
    unheard = [event for event in agent.box.events if isinstance(event, Unheard)]
    assert unheard == [Unheard(t=1.5, text="ff gg hh ii jj", seconds=1.5, response_id="r-i1")]


async def test_what_was_not_heard_is_told_even_when_the_agent_vanishes(agent: Agent) -> None:
    agent.talk.take({"type": "response.output_audio_transcript.delta", "item_id": "i1", "delta": "one two"})
    agent.sound(2_000)
    agent.caller_speaks(1.0)
    agent.sound(4_000, item="i2")
    agent.box.time = 3.0  # two of its four seconds were heard
    agent.talk.lose()
    unheard = [(one.text, one.seconds) for one in agent.box.events if isinstance(one, Unheard)]
    assert unheard == [("two", 1.0), ("", 2.0)]


async def test_sound_that_is_no_base64_is_told_and_passed_over(agent: Agent) -> None:
    agent.talk.take({"type": "response.output_audio.delta", "item_id": "i1", "delta": "?"})
    assert [event.type for event in agent.box.events] == ["warning"]
    assert agent.box.over == []


def test_words_are_as_long_as_their_letters() -> None:
    assert words_after("a considerable b", 0.5) == "b"
    assert words_after("one two", 0.0) == "one two"
    assert words_after("one two", 1.0) == ""
    assert words_after("", 0.5) == ""


def test_a_sample_cut_in_two_by_the_sender_is_whole_again() -> None:
    pcm = np.arange(-500, 500, dtype=np.int16)
    data, decoder = pcm.tobytes(), PcmDecoder()
    parts = [decoder.feed(data[at : at + 7]) for at in range(0, len(data), 7)]
    assert np.array_equal(np.concatenate(parts), pcm)
    assert decoder.received == 1000


@pytest.mark.parametrize("size", [160, 800, 8000, 37])
def test_mulaw_keeps_pitch_level_place_and_length_whatever_its_pieces(size: int) -> None:
    t = np.arange(8000) / 8000
    codes = encode(np.rint(8000 * np.sin(2 * np.pi * 440 * t)).astype(np.int16)).tobytes()
    decoder = MuLawDecoder()
    parts = [decoder.feed(codes[at : at + size]) for at in range(0, len(codes), size)]
    out = np.concatenate(parts)
    assert decoder.received == len(out) == 24_000
    # Late by the converter's delay: 43 samples, 1.8 ms.
    wanted = 8000 * np.sin(2 * np.pi * 440 * (np.arange(24_000) - 43) / 24_000)
    middle = slice(600, -600)
    error = out[middle] - wanted[middle]
    # Mu-law's own noise lies some 38 dB under a sine.
    assert 10 * np.log10(np.mean(wanted[middle] ** 2) / np.mean(error**2)) > 35


def test_the_caller_goes_out_as_mulaw_160_bytes_a_tick() -> None:
    tone = np.rint(8000 * np.sin(2 * np.pi * 440 * np.arange(24_000) / 24_000)).astype(np.int16)
    encoder = MuLawEncoder()
    ticks = [encoder.feed(block) for block in blocks(tone)]
    assert {len(tick) for tick in ticks} == {TICK // 3}
    decoder = MuLawDecoder()
    back = np.concatenate([decoder.feed(tick) for tick in ticks])
    # 43 samples late on each of two ways.
    error = back[1200:].astype(float) - tone[1200 - 86 : len(back) - 86]
    assert 10 * np.log10(np.mean(tone.astype(float) ** 2) / np.mean(error**2)) > 35


async def test_pcm_sent_as_mulaw_ends_the_line_and_is_not_heard_as_noise() -> None:
    box = Playing()
    talk = Talk(BoundedInbox(box), "audio/pcmu", lambda event: None)
    tone = np.rint(3000 * np.sin(2 * np.pi * 440 * np.arange(24_000) / 24_000)).astype("<i2")
    data = b64encode(tone.tobytes()).decode()
    talk.take({"type": "response.output_audio.delta", "item_id": "i1", "delta": data})
    told = "the agent's sound is not what was agreed: these bytes are 16-bit PCM, not mu-law"
    assert [detail for _, detail in box.over] == [told]
    assert box.end == 0
