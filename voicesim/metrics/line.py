"""What the line did to the patient's voice: level, noise, SNR and loss as recorded, beside what was asked for."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voicesim.audio.levels import active_milliseconds
from voicesim.audio.samples import RATE, TICK, Pcm, to_wave
from voicesim.metrics.model import LineQuality, Share
from voicesim.recording.events import Effect, Event

LEAST_SPEECH, LEAST_QUIET = 1.0, 1.0
"""Seconds of speech, and of time away from it, below which there is no level and no noise to tell."""
MARGIN = 0.3
"""Seconds around speech that count as neither: a room rings on."""
_STEP = RATE // 1000
_SILENT_DB = -90.0


def line_quality(
    clean: Pcm, caller: Pcm, events: Sequence[Event], profile: Mapping[str, Any] | None = None
) -> LineQuality | None:
    """The caller's channel against the clean stem (both int16 at 24,000 Hz, on one clock); None without speech.

    The speech is active where the clean stem is, by ITU-T P.56. Noise is the mean power away from it, and is taken out
    of the power of the active time, which leaves that of the speech: SNR is their ratio.
    """
    active = active_milliseconds(to_wave(clean))
    powers = _powers(caller)[: len(active)]
    active = active[: len(powers)]
    if np.count_nonzero(active) < LEAST_SPEECH * 1000:
        return None
    around = round(MARGIN * 1000)
    near = np.convolve(active, np.ones(2 * around + 1), mode="same") > 0.5
    away = powers[~near]
    noise = float(np.mean(away)) if len(away) >= LEAST_QUIET * 1000 else None
    speech = float(np.mean(powers[active])) - (noise or 0.0)
    content = profile or {}
    snr = None
    if noise is not None and speech > 0 and _db(noise) > _SILENT_DB:
        snr = round(_db(speech) - _db(noise), 2)
    return LineQuality(
        level_db=round(_db(speech), 2) if speech > 0 else None,
        noise_db=None if noise is None or _db(noise) <= _SILENT_DB else round(_db(noise), 2),
        snr_db=snr,
        asked_snr_db=_asked_snr(content),
        lost=_lost(events, len(caller) // TICK),
        asked_loss=_asked_loss(content),
    )


def _powers(pcm: Pcm) -> NDArray[np.float64]:
    """Mean square of each whole millisecond."""
    whole = to_wave(pcm[: len(pcm) // _STEP * _STEP]).astype(np.float64)
    return np.asarray(np.square(whole).reshape(-1, _STEP).mean(axis=1))


def _lost(events: Sequence[Event], packets: int) -> Share:
    kinds = ("lost", "late_packet")
    count = sum(isinstance(event, Effect) and event.kind in kinds and event.leg == "caller" for event in events)
    return Share(n=packets, count=count, share=count / packets if packets else None)


def _asked_snr(profile: Mapping[str, Any]) -> float | None:
    """What the backgrounds of a profile come to together."""
    ratios = [settings["snr_db"] for settings in _settings(profile, "noise", "background")]
    return round(-_db(sum(10 ** (-ratio / 10) for ratio in ratios)), 2) if ratios else None


def _asked_loss(profile: Mapping[str, Any]) -> float | None:
    rates = [settings["rate"] for settings in _settings(profile, "loss", "loss")]
    return round(1.0 - float(np.prod([1.0 - rate for rate in rates])), 4) if rates else None


def _settings(profile: Mapping[str, Any], short: str, name: str) -> Iterator[Mapping[str, Any]]:
    if profile.get(short):
        yield profile[short]
    for link in profile.get("chain") or ():
        if name in link:
            yield link[name]


def _db(power: float) -> float:
    return 10.0 * float(np.log10(power)) if power > 0 else float("-inf")
