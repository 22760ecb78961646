"""The SNR measured from what a line delivers, against the one its profile asks for: at most 0.5 dB apart.

Every background at four ratios and three seeds, with and without a telephone behind it. A patient speaks for a minute,
with pauses as long as an agent's turns.
"""

import itertools

import numpy as np
from limits import Limits

from voicesim.audio.samples import RATE, TICK, Wave, to_pcm
from voicesim.catalog.model import AudioProfile, Persona
from voicesim.channel.channel import Channel, caller_leg
from voicesim.metrics.line import line_quality
from voicesim.registry import BACKGROUNDS
from voicesim.tts.synthesize import synthesize

LINES = (
    "I have had a sore throat and a mild fever since Monday.",
    "No, I am not allergic to any medicine that I know of.",
    "I take one small white tablet for my blood pressure every morning.",
    "The pain is worse when I breathe in deeply or walk up the stairs.",
    "My neighbor gave me some herbal tea, which tasted awful.",
    "Thank you, that was very clear, and I will do what you said.",
)
PAUSE = 6.0
RATIOS = (0, 5, 10, 20)
SEEDS = (1, 2, 3)
BEHIND: dict[str, list[dict[str, object]]] = {"nothing": [], "telephone": [{"band": {}}, {"codec": "mulaw"}]}


def main() -> int:
    limits, persona = Limits(), Persona(id="p", title="p")
    clean, voice = patient(persona), synthesize(LINES[0], persona, 1).wave
    for kind in sorted(BACKGROUNDS.rows):
        apart: dict[str, list[float]] = {}
        for (place, links), ratio, seed in itertools.product(BEHIND.items(), RATIOS, SEEDS):
            chain: list[dict[str, object]] = [{"background": {"kind": kind, "snr_db": ratio}}, *links]
            apart.setdefault(place, []).append(measured(clean, voice, chain, seed) - ratio)
        for place, off in apart.items():
            worst = max(off, key=abs)
            print(f"{kind:12} {place:10} mean {np.mean(off):+.2f} dB, worst {worst:+.2f} dB")
            limits.at_most(f"{kind}, {place}: SNR off by", abs(worst), 0.5, "dB")
    return 1 if limits.missed else 0


def patient(persona: Persona) -> Wave:
    """What the patient says, in whole ticks."""
    pause = np.zeros(round(PAUSE * RATE), np.float32)
    sound = np.concatenate([part for text in LINES for part in (pause, synthesize(text, persona, 1).wave)])
    return np.concatenate([sound, np.zeros(-len(sound) % TICK, np.float32)])


def measured(clean: Wave, voice: Wave, chain: list[dict[str, object]], seed: int) -> float:
    """The SNR in dB that the report would show."""
    content = {"id": "p", "title": "p", "chain": chain}
    channel = Channel(caller_leg(AudioProfile.model_validate(content)), seed, voice)
    heard = np.concatenate([channel.process(clean[at : at + TICK]).wave for at in range(0, len(clean), TICK)])
    # A recording has both on one clock.
    heard = heard[channel.delay :]
    quality = line_quality(to_pcm(clean), to_pcm(heard), (), content)
    assert quality is not None
    assert quality.snr_db is not None
    return quality.snr_db


if __name__ == "__main__":
    raise SystemExit(main())
