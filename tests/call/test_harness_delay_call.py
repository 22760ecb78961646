"""A loop that stands still in the middle of a call: what is measured then is right, or it is not told."""

import asyncio
from pathlib import Path

import pytest
from rig import PeakVad, PeakWindow, call, spans
from scripted_realtime import ScriptedServer, tone

from voicesim.audio.samples import Pcm, seconds
from voicesim.call.virtual import VirtualLoop
from voicesim.caller.mind import PatientLine
from voicesim.metrics.measure import measure_transcript
from voicesim.metrics.model import Metrics
from voicesim.recording.read import Recording
from voicesim.transcript.model import Side, Transcript, Utterance

LATENCY = 0.7


async def answers(server: ScriptedServer) -> None:
    """0.7 s after the patient's last sample, by the agent's own clock, 2 s of sound as fast as it goes."""
    for turn in range(20):
        await server.at(await server.speech_end() + LATENCY)
        server.delta(tone(2.0), item=f"i{turn}", response=f"r{turn}")
        server.done(f"r{turn}")


class StandsStill(PeakVad):
    """Holds the loop up for `length` seconds when it has heard up to second `at`."""

    at = 0.0
    length = 0.0

    def feed(self, block: Pcm) -> list[PeakWindow]:
        found = super().feed(block)
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        if found and found[-1].end - len(block) < round(self.at * 24_000) <= found[-1].end:
            loop.skip(self.length)
        return found


def measures(recording: Recording) -> Metrics:
    """By the spans of both tones; nothing is understood."""
    sides: tuple[tuple[Side, str, Pcm], ...] = (("caller", "P", recording.caller), ("agent", "A", recording.agent))
    found = [
        Utterance(id=f"{name}{n}", side=side, start=a, end=b, text="", voiced=((a, b),), intent=intent, source=source)
        for side, name, pcm in sides
        for n, (a, b) in enumerate(spans(pcm), 1)
        for intent, source in [("respond" if side == "caller" else None, "line" if side == "caller" else "whisper")]
    ]
    ordered = tuple(sorted(found, key=lambda one: one.start))
    length = seconds(len(recording.agent))
    transcript = Transcript(call_id="c", duration=length, language="en", model="", utterances=ordered)
    return measure_transcript(transcript, recording.events)


@pytest.mark.parametrize("length", [0.015, 0.021, 0.03, 0.4])
@pytest.mark.parametrize("at", [2.5, 2.8, 2.86, 2.88])
def test_a_latency_is_right_or_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: float, length: float
) -> None:
    monkeypatch.setattr("rig.PeakVad", StandsStill)
    monkeypatch.setattr(StandsStill, "at", at)
    monkeypatch.setattr(StandsStill, "length", length)
    rig = call(
        tmp_path / "c",
        ScriptedServer(answers).line(),
        lines=[PatientLine("One two.")] * 2,
        heard=["Yes?"],
        max_duration=9.0,
    )
    # Opened at 1.0 s with four words: the patient ends at 2.2 s, the agent is due at 2.9 s, the ear is 40 ms behind.
    metrics = measures(rig.recording)
    assert rig.manifest.lateness is not None
    assert len(metrics.turns) >= 2
    told = [turn.latency for turn in metrics.turns if turn.outcome == "answered"]
    assert all(one is None or abs(one - LATENCY) <= 0.0201 for one in told)
    assert sum(one is None for one in told) <= 1
    if length < 0.02:
        assert None not in told
