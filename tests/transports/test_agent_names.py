"""Agent strings: what they name, and what is told when they name nothing."""

import sys
from pathlib import Path

import numpy as np
import pytest

from voicesim.audio.samples import TICK, Pcm
from voicesim.catalog.agent_names import parse_agent
from voicesim.errors import TransportError, UsageError
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.inprocess import InProcess, load_agent
from voicesim.transports.openai_webrtc import OpenAIWebRTC
from voicesim.transports.openai_ws import make_transport
from voicesim.transports.smallwebrtc import SmallWebRTC


def test_an_agent_string_is_a_kind_and_a_target() -> None:
    assert (parse_agent("realtime").transport, parse_agent("realtime").target) == ("realtime", "")
    assert parse_agent("openai+ws:gpt-realtime?audio=pcmu").target == "gpt-realtime?audio=pcmu"
    url = parse_agent("smallwebrtc:http://localhost:7860/api/offer")
    assert (url.transport, url.target) == ("smallwebrtc", "http://localhost:7860/api/offer")
    socket = parse_agent("twilio:wss://agent.example:8765/ws")
    assert (socket.transport, socket.target) == ("twilio", "wss://agent.example:8765/ws")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("realtme", "Did you mean realtime or realtime-ws?"),
        ("openai", "not of the form openai:MODEL"),
        ("openai+ws", "not of the form openai+ws:MODEL"),
        ("realtime:x", "not of the form realtime"),
        ("", "unknown agent"),
    ],
)
def test_a_wrong_agent_string_is_told(text: str, told: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_agent(text)
    assert told in str(error.value)


def test_a_smallwebrtc_url_gets_the_usual_path() -> None:
    assert SmallWebRTC("http://localhost:7860")._url == "http://localhost:7860/api/offer"
    assert SmallWebRTC("http://localhost:7860/call/offer")._url == "http://localhost:7860/call/offer"
    with pytest.raises(UsageError, match="needs a http or https URL"):
        SmallWebRTC("localhost:7860")


def test_openai_without_a_key_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        OpenAIWebRTC("gpt-realtime")
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        make_transport("gpt-realtime")


def test_the_sound_of_a_websocket_may_be_named_and_a_wrong_name_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert make_transport("gpt-realtime")._audio == "audio/pcm"
    line = make_transport("gpt-realtime?audio=pcmu")
    assert (line.name, line._audio) == ("openai+ws:gpt-realtime", "audio/pcmu")
    with pytest.raises(UsageError, match="Did you mean audio=pcm or audio=pcmu"):
        make_transport("gpt-realtime?audio=pcmx")


AGENT = """
import numpy as np

class Parrot:
    def tick(self, caller):
        return caller

class Mute:
    pass

def parrot():
    return Parrot()
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "my_test_agent.py").write_text(AGENT)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "my_test_agent", raising=False)
    return "my_test_agent"


class Box:
    """An inbox that keeps what comes."""

    def __init__(self) -> None:
        self.sound: list[tuple[Pcm, float | None]] = []
        self.over: list[str] = []

    def now(self) -> float:
        return 0.0

    def audio(self, pcm: Pcm, media: float | None = None) -> float | None:
        self.sound.append((pcm, media))
        return None

    def flush(self) -> None:
        self.over.append("flushed")

    def event(self, event: object) -> None:
        self.over.append("event")

    def ended(self, by: str, detail: str) -> None:
        self.over.append(by)


async def test_a_factory_in_a_module_is_an_agent(module: str) -> None:
    line = load_agent(f"{module}:parrot")
    box = Box()
    await line.open(BoundedInbox(box))
    line.send(np.full(TICK, 5, np.int16))
    line.send(np.full(TICK, 6, np.int16))
    await line.close()
    assert [(int(pcm[0]), media) for pcm, media in box.sound] == [(5, 0.0), (6, 0.02)]


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("no_such_module:x", "cannot be imported"),
        ("my_test_agent", "not of the form"),
        ("my_test_agent:parot", "Did you mean parrot"),
        ("my_test_agent:Mute", "has no tick"),
    ],
)
def test_a_factory_that_cannot_be_used_is_told(module: str, spec: str, told: str) -> None:
    with pytest.raises(UsageError) as error:
        load_agent(spec)
    assert told in str(error.value)


class Faulty:
    async def start(self) -> None:
        raise RuntimeError("no model")

    def tick(self, caller: Pcm) -> Pcm:
        return caller


async def test_a_fault_in_the_agents_own_code_is_told_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "factories.py").write_text("def refuse():\n    raise ValueError('never')\n")
    (tmp_path / "broken_syntax.py").write_text("def build(:\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(
        TransportError, match=r"start\(\) failed: RuntimeError: no model \(test_agent_names.py, line \d+\)$"
    ):
        await InProcess(Faulty()).open(BoundedInbox(Box()))
    with pytest.raises(UsageError, match=r"refuse\(\) failed: ValueError: never \(factories.py, line 2\)$"):
        load_agent("factories:refuse")
    with pytest.raises(UsageError, match="cannot be imported: SyntaxError"):
        load_agent("broken_syntax:build")


async def test_an_agent_whose_code_fails_in_a_call_has_lost_the_line() -> None:
    class Failing:
        def tick(self, caller: Pcm) -> Pcm:
            raise KeyError("state")

    line, box = InProcess(Failing()), Box()
    await line.open(BoundedInbox(box))
    for _ in range(2):
        line.send(np.zeros(TICK, np.int16))
    assert box.over == ["line"]
