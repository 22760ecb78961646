"""Interruptions over WebSocket, to the millisecond: how much the agent is told was heard of it."""

from base64 import b64encode
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from inboxes import Playing

from voicesim.audio.g711 import encode
from voicesim.audio.samples import TICK, Pcm, blocks
from voicesim.recording.events import Unheard
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.openai_audio import MuLawDecoder, MuLawEncoder, PcmDecoder
from voicesim.transports.openai_items import words_after
from voicesim.transports.openai_playback import Playback


class Agent:
    """Sends the events of an agent to a talk, and keeps what comes back."""

    def __init__(self) -> None:
        self.box = Playing()
        self.sent: list[Mapping[str, Any]] = []
        self.playback = Playback(BoundedInbox(self.box), "audio/pcm", self.sent.append)

    def sound(self, ms: int, item: str = "i1") -> None:
        data = b64encode(bytes(ms * 48)).decode()
        where = {"item_id": item, "response_id": f"r-{item}", "content_index": 0}
        self.playback.take({"type": "response.output_audio.delta", **where, "delta": data})

    def said(self, text: str, item: str = "i1") -> None:
        where = {"item_id": item, "response_id": f"r-{item}"}
        self.playback.take({"type": "response.output_audio_transcript.done", **where, "transcript": text})

    def done(self, item: str = "i1", status: str = "completed") -> None:
        self.playback.take({"type": "response.done", "response": {"id": f"r-{item}", "status": status}})

    def caller_speaks(self, at: float) -> None:
        self.box.time = at
        self.playback.take({"type": "input_audio_buffer.speech_started", "item_id": "u"})

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
    agent.playback.take({"type": "session.updated", "session": session})
    agent.sound(5_000)
    agent.caller_speaks(2.0)
    assert agent.sent == []
    agent.playback.take({"type": "session.updated", "session": {"audio": {"input": {"turn_detection": None}}}})
    agent.caller_speaks(2.5)
    assert agent.sent == []
    agent.playback.take({"type": "session.updated", "session": {}})
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
    agent.playback.take({"type": "response.output_audio_transcript.delta", "item_id": "i1", "delta": "one two"})
    agent.sound(2_000)
    agent.caller_speaks(1.0)
    agent.sound(4_000, item="i2")
    agent.box.time = 3.0  # two of its four seconds were heard
    agent.playback.lose()
    unheard = [(one.text, one.seconds) for one in agent.box.events if isinstance(one, Unheard)]
    assert unheard == [("two", 1.0), ("", 2.0)]


async def test_sound_that_is_no_base64_is_told_and_passed_over(agent: Agent) -> None:
    agent.playback.take({"type": "response.output_audio.delta", "item_id": "i1", "delta": "?"})
    assert [event.type for event in agent.box.events] == ["warning"]
    assert agent.box.over == []


def test_words_are_as_long_as_their_letters() -> None:
    assert words_after("a considerable b", 0.5) == ["b"]
    assert words_after("one two", 0.0) == ["one", "two"]
    assert words_after("one two", 1.0) == words_after("", 0.5) == []


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
    playback = Playback(BoundedInbox(box), "audio/pcmu", lambda event: None)
    tone = np.rint(3000 * np.sin(2 * np.pi * 440 * np.arange(24_000) / 24_000)).astype("<i2")
    data = b64encode(tone.tobytes()).decode()
    playback.take({"type": "response.output_audio.delta", "item_id": "i1", "delta": data})
    (told,) = [detail for _, detail in box.over]
    assert told.startswith("the agent's sound is not what was agreed: G.711 mu-law was agreed on")
    assert told.endswith("it looks like 16-bit PCM")
    assert box.end == 0


class Watched(Playing):
    """Keeps where sound was placed: begin and end of each piece, in call seconds."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[float, float]] = []

    def audio(self, pcm: Pcm, media: float | None = None) -> float | None:
        start = super().audio(pcm, media) or 0.0
        self.heard.append((round(start, 3), round(start + len(pcm) / 24_000, 3)))
        return start


class Scene:
    """A scripted server on a clock set by hand: what is heard of it lies in `heard`, by item."""

    def __init__(self) -> None:
        self.box = Watched()
        self.heard = self.box.heard
        self.sent: list[Mapping[str, Any]] = []
        self.playback = Playback(BoundedInbox(self.box), "audio/pcm", self.sent.append)

    def at(self, time: float, kind: str, **fields: Any) -> None:
        self.box.time = time
        self.playback.take({"type": kind, **fields})

    def sound(self, time: float, ms: int, item: str, response: str = "") -> None:
        where = {"item_id": item} | ({"response_id": response} if response else {})
        self.at(time, "response.output_audio.delta", **where, delta=b64encode(bytes(ms * 48)).decode())

    def created(self, time: float, response: str) -> None:
        self.at(time, "response.created", response={"id": response})

    def done(self, time: float, response: str, status: str = "cancelled") -> None:
        self.at(time, "response.done", response={"id": response, "status": status})

    def unheard(self) -> tuple[str, float]:
        """All words and seconds that were told to be unheard, at the call's end at the latest."""
        self.playback.lose()
        events = [event for event in self.box.events if isinstance(event, Unheard)]
        return " ".join(event.text for event in events if event.text), round(sum(event.seconds for event in events), 3)


@pytest.fixture
async def scene() -> Scene:
    return Scene()


async def test_sound_of_a_response_that_was_cancelled_before_it_is_not_heard(scene: Scene) -> None:
    scene.created(2.0, "r1")
    scene.done(2.1, "r1")
    for chunk in range(15):
        scene.sound(2.15 + chunk * 0.1, 100, "A", "r1")
    assert scene.heard == []
    assert scene.unheard() == ("", 1.5)


async def test_a_cut_response_that_goes_on_under_other_items_is_not_heard_any_more(scene: Scene) -> None:
    scene.created(1.9, "r1")
    scene.sound(2.0, 1_000, "A", "r1")
    scene.at(2.5, "input_audio_buffer.speech_started")
    scene.done(2.6, "r1")
    for number, (item, words) in enumerate((("B", "and take"), ("C", "two tablets"))):
        scene.sound(2.7 + number, 1_000, item, "r1")
        delta = {"item_id": item, "response_id": "r1", "delta": words}
        scene.at(2.8 + number, "response.output_audio_transcript.delta", **delta)
    assert scene.heard == [(2.0, 3.0)]  # flushed from 2.5 on
    assert scene.box.flushed == [2.5]
    assert scene.unheard() == ("and take two tablets", 2.5)
    assert [(event["item_id"], event["audio_end_ms"]) for event in scene.sent] == [("A", 500)]


async def test_late_sound_of_a_cancelled_response_does_not_touch_the_next(scene: Scene) -> None:
    scene.created(2.0, "r1")
    scene.done(2.1, "r1")
    scene.created(3.0, "r2")
    for chunk in range(10):
        scene.sound(3.2 + chunk * 0.1, 100, "C", "r2")
        scene.sound(3.2 + chunk * 0.1, 100, "A", "r1")
    assert (scene.heard[0][0], scene.heard[-1][1]) == (3.2, 4.2)
    assert all(end == start for (_, end), (start, _) in pairwise(scene.heard))
    scene.box.time = 5.0
    assert scene.unheard() == ("", 1.0)


async def test_late_sound_that_names_its_item_only_is_known_by_its_announcement(scene: Scene) -> None:
    scene.created(2.0, "r1")
    scene.at(2.05, "response.output_item.added", response_id="r1", item={"id": "A", "type": "message"})
    scene.done(2.1, "r1")
    scene.sound(2.2, 1_000, "A")
    assert scene.heard == []
    assert scene.unheard() == ("", 1.0)


async def test_sound_between_the_interruption_and_the_servers_own_end_of_it_is_not_heard(scene: Scene) -> None:
    scene.created(1.9, "r1")
    scene.sound(2.0, 1_000, "A", "r1")
    scene.at(3.0, "input_audio_buffer.speech_started")
    scene.sound(3.1, 200, "A", "r1")
    scene.sound(3.3, 200, "B", "r1")
    scene.done(3.4, "r1")
    assert scene.heard == [(2.0, 3.0)]
    assert scene.unheard() == ("", 0.4)


async def test_a_response_that_is_active_and_has_not_sounded_yet_is_interrupted_too(scene: Scene) -> None:
    scene.created(2.0, "r1")
    scene.at(2.5, "input_audio_buffer.speech_started")
    scene.sound(2.6, 500, "A", "r1")
    scene.done(2.8, "r1")
    assert scene.heard == []


async def test_sound_that_comes_after_the_end_of_a_completed_response_is_heard(scene: Scene) -> None:
    scene.created(1.0, "r1")
    scene.done(2.1, "r1", "completed")
    for chunk in range(4):
        scene.sound(2.2 + chunk * 0.1, 500, "A", "r1")
    assert (scene.heard[0][0], scene.heard[-1][1]) == (2.2, 4.2)
    assert scene.unheard()[1] == pytest.approx(1.7)  # the call ends at 2.5


async def test_a_response_that_uses_the_item_of_a_cut_one_again_is_heard(scene: Scene) -> None:
    scene.created(2.0, "r1")
    scene.sound(2.1, 2_000, "item_0", "r1")
    scene.at(3.0, "input_audio_buffer.speech_started")
    scene.done(3.1, "r1")
    scene.created(3.4, "r2")
    scene.sound(3.5, 1_000, "item_0", "r2")
    assert scene.heard[-1] == (3.5, 4.5)
