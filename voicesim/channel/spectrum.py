"""How speech is spread over frequency, for levels behind a filter."""

import numpy as np

# Long-term average spectrum of speech, men and women in twelve languages: dB in third-octave bands from
# 63 Hz to 10 kHz at 70 dB overall. Byrne et al., J. Acoust. Soc. Am. 96, 2108 (1994), table II.
_CENTRES = (63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150, 4000,
            5000, 6300, 8000, 10000)  # fmt: skip
_LEVELS = (38.6, 43.5, 54.4, 57.7, 56.8, 60.2, 60.3, 59.0, 62.1, 62.1, 60.5, 56.8, 53.7, 53.0, 52.0, 48.7, 48.1,
           46.8, 45.6, 44.5, 44.3, 43.7, 43.4)  # fmt: skip


def speech_share(band: tuple[float, float] | None) -> float:
    """The share of speech power that lies within a band (low, high in Hz); 1.0 without a band."""
    if band is None:
        return 1.0
    centres, powers = np.array(_CENTRES, float), 10 ** (np.array(_LEVELS) / 10)
    low, high = centres * 2 ** (-1 / 6), centres * 2 ** (1 / 6)
    # Within a third of an octave the power is taken as even over the logarithm of frequency.
    inside = np.log2(np.clip(band[1], low, high) / np.clip(band[0], low, high)) * 3
    return float(np.sum(powers * np.clip(inside, 0.0, 1.0)) / np.sum(powers))
