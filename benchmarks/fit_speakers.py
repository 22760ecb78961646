"""Fit the speakers that hibari's voice is turned into; writes voicesim/tts/data/speakers.npz.

Both voices speak the same phonemes; their frames are aligned by dynamic time warping over normalised mel cepstra, and
a ridge regression gives what is to be added to hibari's envelope. Takes about a minute of one core for each speaker.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import default_rng
from numpy.typing import NDArray

from voicesim.catalog.model import Accent, Voice
from voicesim.tts.kokoro import KokoroEngine
from voicesim.tts.phonemes import reader
from voicesim.tts.speakers import BANDS, FFT, Speaker, envelope, features, mel_bands

SPEAKERS = {
    "michael": "am_michael", "santa": "am_santa", "fenrir": "am_fenrir", "puck": "am_puck", "george": "bm_george",
    "omega": "hm_omega", "bella": "af_bella", "sarah": "af_sarah", "isabella": "bf_isabella", "xiaoxiao": "zf_xiaoxiao",
    "alpha": "hf_alpha", "onyx": "am_onyx", "alex": "em_alex", "kore": "af_kore",
}  # fmt: skip
SENTENCES = (
    "The birch boat slid along the smooth blue planks of the old pier.",
    "I took two small pills after breakfast, but my chest still hurts.",
    "Your father usually measures the garage before he buys a large thing.",
    "She was chewing bread and cheese while the judge was reading the letter.",
    "My throat feels rough, and every cough makes my ribs ache a little.",
    "We should have gone home early, because the weather was getting worse.",
    "Could you tell me whether this medicine is safe for young children?",
    "He thought nothing of it until the third Thursday in July.",
    "Good food, warm soup and a quiet room would help her to sleep.",
    "No, the pain goes from my shoulder down to my elbow and my thumb.",
    "They enjoy playing with the boys by the river near our house.",
    "Why would anyone drive that far to have their blood pressure checked?",
    "Eight years ago I had an operation on my right knee.",
    "The nurse told us to call again if the fever does not go away.",
    "Zebras, wolves and foxes vanish when the big yellow van arrives.",
    "Please hurry up, I have been waiting for more than half an hour.",
)
HIDDEN = 160
HOP = 300
LEVEL = 0.06
RIDGE = 3.0
WIDEST = 0.25
"""Spread of log pitch above which a voice is not turned: some styles act more than a caller does."""
ACTIVE = 11.0
"""Frames within so many nepers (48 dB) of a sentence's loudest take part."""

Array = NDArray[Any]


def main() -> None:
    out: dict[str, Array] = {"hidden": (default_rng(7).standard_normal((3 * BANDS + 1, HIDDEN)) * 0.12)}
    engine = KokoroEngine()
    for name, style in SPEAKERS.items():
        if style not in engine.voices():
            continue
        spoken = [engine.speak(text, Voice(engine="kokoro", name=style), Accent(), 1.0, 0) for text in SENTENCES]
        pitch, weights = fit(spoken, out["hidden"])
        out |= {f"{name}.pitch": np.array(pitch, np.float32), f"{name}.weights": weights.astype(np.float16)}
        print(f"{name}: {np.exp(pitch[0]):.0f} Hz")
    out["hidden"] = out["hidden"].astype(np.float16)
    _save(Path(__file__).parents[1] / "voicesim/tts/data/speakers.npz", out)


def _save(file: Path, arrays: dict[str, Array]) -> None:
    np.savez_compressed(file, allow_pickle=False, **arrays)


def fit(spoken: list[Array], hidden: Array) -> tuple[tuple[float, float, float, float], Array]:
    """Pitch statistics and the linear layer of a speaker, from its SENTENCES as waves."""
    model, rows, wanted = reader(), [], []
    parts = [_parts(model, text) for text in SENTENCES]
    pitch = (*_spread(np.concatenate([pitch_of(wave) for wave in spoken])),
             *_spread(np.concatenate([part[5] for part in parts])))  # fmt: skip
    plain = Speaker(pitch, hidden, np.zeros((HIDDEN + BANDS + 1, BANDS)))
    for part, text, wave in zip(parts, SENTENCES, spoken, strict=True):
        own = log_bands(_level(plain.speak(model, model.phonemize(text)[0], (0, 0))), part[0].shape[1])
        theirs = log_bands(_level(wave))
        path = warp(cepstra(own), cepstra(theirs))
        path = path[own.max(axis=1)[path[:, 0]] > own.max() - ACTIVE]
        rows.append(features(envelope(part[0], part[2], part[3]), hidden)[path[:, 0]])
        wanted.append(theirs[path[:, 1]] - own[path[:, 0]])
    inputs, targets = np.concatenate(rows), np.concatenate(wanted)
    gram = inputs.T @ inputs + RIDGE * np.eye(inputs.shape[1])
    return pitch, np.linalg.solve(gram, inputs.T @ targets)


def _parts(model: Any, text: str) -> list[Array]:
    ids = np.array([model.ids(model.phonemize(text)[0])], np.int64)
    return [part[0] for part in model.sess.run(None, {"ids": ids, "speed": np.array([1.0], np.float32)})]


def _level(wave: Array) -> Array:
    return np.asarray(wave * LEVEL / np.sqrt(np.mean(np.square(wave))))


def _spread(hz: Array) -> tuple[float, float]:
    """Median of log Hz over voiced frames, and half the distance of its 16th and 84th percentile."""
    logs = np.log(hz[hz > 40.0])
    low, middle, high = np.percentile(logs, [16, 50, 84])
    return float(middle), min(float(high - low) / 2, WIDEST)


def _frames(wave: Array) -> Array:
    padded = np.pad(wave, FFT // 2, mode="reflect")
    return np.lib.stride_tricks.sliding_window_view(padded, FFT)[::HOP]


def log_bands(wave: Array, count: int | None = None) -> Array:
    """Log power in mel bands of each 12.5 ms, shape (frames, BANDS)."""
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FFT) / FFT)
    power = np.abs(np.fft.rfft(_frames(wave)[:count] * window, axis=1)) ** 2
    return np.asarray(np.log(power @ mel_bands()[0].T + 1e-7))


def cepstra(bands: Array) -> Array:
    """Fourteen mel cepstra of each frame, each with mean 0 and spread 1 over the sentence."""
    from scipy.fft import dct

    values = dct(bands, axis=1, norm="ortho")[:, :14]
    return np.asarray((values - values.mean(axis=0)) / values.std(axis=0))


def pitch_of(wave: Array) -> Array:
    """Hz of each 12.5 ms by autocorrelation (Boersma 1993), 0 where it is not voiced."""
    window = np.hanning(FFT)
    of_window = np.fft.irfft(np.abs(np.fft.rfft(window, 4096)) ** 2)[:420]
    track = []
    for frame in _frames(wave):
        centred = frame - frame.mean()
        if np.square(centred).mean() < 3e-5:
            track.append(0.0)
            continue
        of_frame = np.fft.irfft(np.abs(np.fft.rfft(centred * window, 4096)) ** 2)[:420]
        ratio = of_frame / of_frame[0] / (of_window / of_window[0])
        lag = 60 + int(np.argmax(ratio[60:400]))
        shorter = (n for n in range(60, lag) if ratio[n] > 0.92 * ratio[lag] and ratio[n] >= max(ratio[n - 1 : n + 2]))
        lag = next(shorter, lag)
        track.append(24_000 / lag if ratio[lag] > 0.55 else 0.0)
    return np.array(track)


def warp(first: Array, second: Array) -> Array:
    """Pairs of frames, in order, with the least sum of squared distances (dynamic time warping)."""
    distance = np.square(first[:, None] - second[None]).sum(axis=2)
    total = np.full((len(first) + 1, len(second) + 1), np.inf)
    total[0, 0] = 0.0
    for row in range(1, len(first) + 1):
        before = np.minimum(total[row - 1, 1:], total[row - 1, :-1])
        for column in range(1, len(second) + 1):
            total[row, column] = distance[row - 1, column - 1] + min(before[column - 1], total[row, column - 1])
    row, column, path = len(first), len(second), []
    while row and column:
        path.append((row - 1, column - 1))
        step = int(np.argmin((total[row - 1, column - 1], total[row - 1, column], total[row, column - 1])))
        row, column = row - (step < 2), column - (step != 1)
    return np.array(path[::-1])


if __name__ == "__main__":
    main()
