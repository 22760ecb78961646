"""What the channel costs: at most 0.03 of real time a leg on one core, 0.06 with a room."""

import time
from typing import Any

import numpy as np
from limits import Limits

from voicesim.audio.samples import RATE, TICK
from voicesim.catalog.model import AudioProfile
from voicesim.channel.channel import Channel, caller_leg

TELEPHONE: list[dict[str, Any]] = [
    {"background": {"kind": "pink", "snr_db": 15}},
    {"band": {}},
    {"codec": "mulaw"},
    {"loss": 0.03},
]
INTERNET: list[dict[str, Any]] = [
    {"background": {"kind": "pink", "snr_db": 15}},
    {"bursts": {"kind": "door"}},
    {"echo": {}},
    {"microphone": {"agc": True, "clip_db": -3}},
    {"codec": "opus"},
    {"loss": {"rate": 0.03, "burst": 2}},
    {"jitter": {"mean_ms": 15}},
    {"dropouts": {"per_minute": 2}},
    {"delay": 100},
]
MOBILE: list[dict[str, Any]] = [{"background": {"kind": "car", "snr_db": 10}}, {"codec": "amr"}, {"loss": 0.03}]
ROOM = {"room": {"rt60_s": 0.6}}
SECONDS = 30


def main() -> int:
    limits = Limits()
    chains = {"telephone": TELEPHONE, "internet": INTERNET, "mobile": MOBILE}
    for name, chain in chains.items():
        limits.at_most(f"{name}, of real time", cost(chain), 0.03)
        limits.at_most(f"{name} in a room, of real time", cost([ROOM, *chain]), 0.06)
    return 1 if limits.missed else 0


def cost(chain: list[dict[str, Any]]) -> float:
    """Processor seconds for a second of sound, tick by tick as in a call."""
    profile = AudioProfile.model_validate({"id": "p", "title": "p", "chain": chain})
    channel = Channel(caller_leg(profile), 1)
    sound = (0.05 * np.random.default_rng(1).standard_normal(SECONDS * RATE)).astype(np.float32)
    begun = time.process_time()
    for at in range(0, len(sound), TICK):
        channel.process(sound[at : at + TICK], sound[at : at + TICK])
    return (time.process_time() - begun) / SECONDS


if __name__ == "__main__":
    raise SystemExit(main())
