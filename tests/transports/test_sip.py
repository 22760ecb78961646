"""Calls over SIP: to a telephone that is written out here, and to Debian's baresip where it is installed."""

import asyncio
import shutil
import socket
import sys
import wave
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inboxes import Heard, tone

from voicesim.audio.samples import RATE, TICK, Pcm
from voicesim.errors import TransportError, UsageError
from voicesim.recording.events import AgentMetric
from voicesim.selftest.agent import TimedAgent
from voicesim.selftest.sip_server import served_over_sip
from voicesim.transports import sip
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.sip import Sip, listening
from voicesim.transports.sip_account import SipAccount, SipAgentFile

ANSWERS = pytest.mark.skipif(shutil.which("baresip") is None, reason="needs Debian's baresip-core")


class Echo(TimedAgent):
    """Says what it hears."""

    def __init__(self) -> None:
        super().__init__([])

    def tick(self, caller: Pcm) -> Pcm:
        return caller.copy()


def to(target: str, **account: Any) -> Sip:
    return Sip(target, SipAgentFile(agent=f"sip:{target}", sip=SipAccount(**account)))


@asynccontextmanager
async def opened(transport: Sip) -> AsyncIterator[Heard]:
    inbox = Heard()
    await transport.open(BoundedInbox(inbox))
    try:
        yield inbox
    finally:
        await transport.close()


async def talk(transport: Sip, pcm: Pcm) -> None:
    for at in range(0, len(pcm) - TICK + 1, TICK):
        transport.send(pcm[at : at + TICK])
        await asyncio.sleep(0.02)


def pitch(pcm: Pcm) -> int:
    """Hz of the loudest tone of a second of sound."""
    return int(np.argmax(np.abs(np.fft.rfft(pcm[:RATE].astype(float)))))


@pytest.mark.parametrize("target", ["", "100", "@host", "100@", "a b@host", "100@host:99999", "100@host;x", "1@h>;q"])
def test_what_is_no_number_at_a_host_is_refused(target: str) -> None:
    with pytest.raises(UsageError, match="is not of the form sip:NUMBER@HOST"):
        Sip(target)


def test_an_extra_and_a_password_that_are_missing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="needs the environment variable SIP_SECRET"):
        to("100@host", password_env="SIP_SECRET")
    monkeypatch.setitem(sys.modules, "baresip", None)
    with pytest.raises(UsageError, match=r"pip install 'voicesim\[sip\]'"):
        Sip("100@host")


def test_only_agents_of_this_wire_can_call_us() -> None:
    assert listening("sip:1@127.0.0.1:5060") == "sip:1@127.0.0.1:5060;listen"
    with pytest.raises(UsageError, match="--listen is for agents of the form"):
        listening("realtime")


@pytest.mark.parametrize(
    ("statuses", "problem"),
    [
        (("180 Ringing", "486 Busy Here"), "the line is busy"),
        (("603 Decline",), "declined the call"),
        (("404 Not Found",), "404 Not Found"),
        (("180 Ringing",), "nobody answered within 1 s"),
    ],
)
async def test_a_call_that_does_not_come_about_says_why(statuses: tuple[str, ...], problem: str) -> None:
    async with served_over_sip(Echo(), statuses) as (place, _, _):
        with pytest.raises(TransportError, match=problem):
            await to(f"100@{place}", ring=1).open(BoundedInbox(Heard()))


async def test_sound_goes_both_ways_keys_are_pressed_and_the_agent_hangs_up() -> None:
    statuses = ("180 Ringing", "183 Session Progress", "200 OK")
    async with served_over_sip(Echo(), statuses) as (place, answerer, speaker):
        transport = to(f"100@{place}", press=[{"key": "5", "at": 0.1}])
        async with opened(transport) as inbox:
            await talk(transport, tone(RATE, 1.6))
            assert (await transport.stats()).wire_rate == 8000
            assert speaker.digits > 0
            answerer.hang_up()
            assert (await inbox.ended_within(3.0))[0] == "agent"
    assert pitch(inbox.track()[-RATE:]) == pytest.approx(440, abs=5)
    told = {event.name for event in inbox.events if isinstance(event, AgentMetric)}
    assert {"ring_time", "answered_after", "early_media"} <= told


async def test_an_agent_that_vanishes_is_a_lost_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sip, "LOST_AFTER", 1)
    async with served_over_sip(Echo()) as (place, _, speaker):
        transport = to(f"100@{place}")
        async with opened(transport) as inbox:
            await talk(transport, tone(RATE, 0.5))
            speaker.vanish()
            assert (await inbox.ended_within(6.0))[0] == "line"


async def test_datagrams_that_are_no_sound_do_not_end_the_call() -> None:
    random = np.random.default_rng(7)
    async with served_over_sip(Echo()) as (place, _, speaker):
        transport = to(f"100@{place}")
        async with opened(transport) as inbox:
            await talk(transport, tone(RATE, 0.2))
            for length in (0, 1, 11, 12, 13, 40, 172, 1400, 9000) * 5:
                speaker.send(random.bytes(length))
                speaker.send(b"\x80\x00" + random.bytes(length))
            await talk(transport, tone(RATE, 1.5))
        assert inbox.over == []
    assert len(inbox.track()) <= 2.5 * RATE
    assert np.abs(inbox.track().astype(int)).max() > 5_000


@asynccontextmanager
async def telephone(folder: Path, account: str, *commands: str) -> AsyncIterator[int]:
    """Debian's baresip with a tone to say; gives the port on which it answers."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    with wave.open(str(folder / "tone.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(np.rint(8000 * np.sin(2 * np.pi * 440 * np.arange(80_000) / 8000)).astype("<i2").tobytes())
    modules = "".join(f"module {name}.so\n" for name in ("g711", "aufile", "srtp"))
    (folder / "config").write_text(
        f"module_path /usr/lib/baresip/modules\n{modules}module_tmp account.so\nmodule_app menu.so\n"
        f"sip_listen 127.0.0.1:{port}\nnet_interface 127.0.0.1\naudio_source aufile,{folder}/tone.wav\n"
        f"audio_player aufile,{folder}/heard.wav\n"
    )
    (folder / "accounts").write_text(f"<sip:100@127.0.0.1>;regint=0;answermode=auto;audio_codecs=pcmu{account}\n")
    (folder / "contacts").write_text("")
    arguments = [part for command in commands for part in ("-e", command)]
    process = await asyncio.create_subprocess_exec(
        "baresip", "-f", str(folder), "-t", "20", *arguments,
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        await asyncio.sleep(1.0)
        yield port
    finally:
        process.kill()
        await process.wait()


@ANSWERS
@pytest.mark.parametrize("encryption", ["none", "srtp"])
async def test_a_real_telephone_is_heard(encryption: str, tmp_path: Path) -> None:
    async with telephone(tmp_path, ";mediaenc=srtp-mand" if encryption == "srtp" else "") as port:
        transport = to(f"100@127.0.0.1:{port}", encryption=encryption)
        async with opened(transport) as inbox:
            await talk(transport, tone(RATE, 1.5))
    assert pitch(inbox.track()[-RATE:]) == pytest.approx(440, abs=5)


@ANSWERS
async def test_a_real_telephone_calls_us(tmp_path: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        own = int(free.getsockname()[1])
    transport, inbox = to(listening(f"sip:patient@127.0.0.1:{own}")[4:], ring=10), Heard()
    opening = asyncio.create_task(transport.open(BoundedInbox(inbox)))
    await asyncio.sleep(0.5)
    async with telephone(tmp_path, "", f"/dial sip:patient@127.0.0.1:{own}"):
        await opening
        await talk(transport, tone(RATE, 1.5))
        await transport.close()
    assert pitch(inbox.track()[-RATE:]) == pytest.approx(440, abs=5)
