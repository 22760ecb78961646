"""A browser's microphone reaches the process of a call, and its person hears the agent: over real WebRTC."""

import asyncio
import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import Queue
from threading import Event
from typing import Any

import numpy as np
import pytest
import soundfile
from playwright.sync_api import Browser
from studio_browser import chromium, reader, served

from voicesim.audio.samples import RATE, TICK, TICK_SECONDS, Pcm, samples, to_pcm
from voicesim.caller.ear import Ear
from voicesim.caller.speaking_person import SpeakingPerson
from voicesim.caller.typed import Keyboard
from voicesim.errors import UsageError
from voicesim.studio.settings import Settings
from voicesim.testing import PeakVad, ToneWorkers

OFFER = """async () => {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: false } });
  window.peer = new RTCPeerConnection();
  stream.getTracks().forEach((track) => window.peer.addTrack(track, stream));
  window.heard = new Promise((done) => window.peer.addEventListener("track", (event) => done(event.streams[0])));
  await window.peer.setLocalDescription(await window.peer.createOffer());
  await new Promise((done) => {
    if (window.peer.iceGatheringState === "complete") done();
    window.peer.addEventListener("icegatheringstatechange",
      () => { if (window.peer.iceGatheringState === "complete") done(); });
  });
  return window.peer.localDescription.sdp;
}"""
LOUDEST = """async (sdp) => {
  await window.peer.setRemoteDescription({ sdp, type: "answer" });
  const stream = await window.heard;
  // Chromium decodes a remote track only while an element plays it.
  const element = new Audio(); element.srcObject = stream; element.muted = true; element.play();
  const context = new AudioContext(); const ear = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(ear);
  const data = new Float32Array(ear.fftSize); const end = Date.now() + 15000; let loudest = 0;
  while (loudest < 0.05 && Date.now() < end) {
    await new Promise((done) => setTimeout(done, 20));
    ear.getFloatTimeDomainData(data);
    loudest = Math.max(loudest, ...data.map(Math.abs));
  }
  return loudest;
}"""


def tone(length: float) -> Pcm:
    """440 Hz at a quarter of full scale."""
    return to_pcm(0.25 * np.sin(2 * np.pi * 440 * np.arange(samples(length)) / RATE).astype(np.float32))


AGENT = np.concatenate([tone(1.0), np.zeros(samples(1.0), np.int16)])
LONGEST = 1500
"""Ticks that a call of these tests lasts at most."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser whose microphone hears a tone."""
    wav = tmp_path_factory.mktemp("microphone") / "tone.wav"
    soundfile.write(wav, tone(2.0), RATE)
    media = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
    flags = (*media, f"--use-file-for-fake-audio-capture={wav}", "--autoplay-policy=no-user-gesture-required")
    with chromium(*flags) as chrome:
        yield chrome


def call_by_microphone(source: int, told: "Queue[dict[str, Any]]", heard: Event) -> tuple[list[Pcm], str]:
    """What a call does with a microphone until that is gone; the person's sound, and why they are gone.

    `heard` is set once there is a second of it.
    """

    async def run() -> tuple[list[Pcm], str]:
        person = SpeakingPerson(
            Keyboard(source),
            lambda line: told.put(json.loads(line)),
            ear=Ear(PeakVad()),
            own_ear=Ear(PeakVad()),
            hear=ToneWorkers(["Hello."]).hear,
            log=lambda event: told.put(event.model_dump()),
        )
        await person.prepare()
        blocks, loop = list[Pcm](), asyncio.get_running_loop()
        begun = loop.time()
        while person.ending is None and len(blocks) < LONGEST:
            at = len(blocks) * TICK % len(AGENT)
            blocks.append(to_pcm(person.tick(AGENT[at : at + TICK])))
            if sum(bool(block.any()) for block in blocks) > 50:
                heard.set()
            await asyncio.sleep(max(0.0, begun + len(blocks) * TICK_SECONDS - loop.time()))
        await person.close()
        return blocks, person.ending.detail if person.ending else ""

    return asyncio.run(run())


@pytest.mark.page
def test_both_hear_each_other_until_the_person_hangs_up(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    source, sink = os.pipe()
    told, heard = Queue[dict[str, Any]](), Event()
    settings = Settings(data=tmp_path_factory.mktemp("studio"), sign_in=False, sample=False)
    with served(settings) as url, reader(browser, url) as person, ThreadPoolExecutor(1) as pool:
        person.open("/runs")
        call = pool.submit(call_by_microphone, source, told, heard)
        os.write(sink, b'{"offer": "v=0 nonsense", "id": 1}\nnor is this JSON\n')
        assert told.get(timeout=20) == {"answer": "", "id": 1}
        assert "cannot be used" in told.get(timeout=20)["message"]
        assert "microphone" in told.get(timeout=20)["message"]
        os.write(sink, json.dumps({"offer": person.page.evaluate(OFFER)}).encode() + b"\n")
        answer = told.get(timeout=20)["answer"]
        assert person.page.evaluate(LOUDEST, answer) > 0.05
        assert heard.wait(20)
        assert told.get(timeout=20)["text"] == "Hello."
        os.write(sink, b'{"hangup": true}\n')
        blocks, gone = call.result(timeout=40)
        assert person.complaints == []
    os.close(sink)
    os.close(source)
    assert gone == "the person hung up"
    sound = np.concatenate(blocks).astype(np.float64)
    spectrum = np.abs(np.fft.rfft(sound))
    assert abs(np.argmax(spectrum) * RATE / len(sound) - 440) < 5
    assert np.abs(sound).max() > 2000


def test_nobody_is_called_when_the_person_leaves_before_they_came() -> None:
    source, sink = os.pipe()
    os.close(sink)
    # In a thread: the loop of Playwright runs in this one.
    with ThreadPoolExecutor(1) as pool, pytest.raises(UsageError, match="before the agent"):
        pool.submit(call_by_microphone, source, Queue(), Event()).result(timeout=20)
    os.close(source)
