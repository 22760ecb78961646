"""G.711: 16-bit sound in 8 bits, nearly logarithmic; mu-law (America, Japan) and A-law (everywhere else).

Source: ITU-T G.711 (11/88). mu-law, table 2a/2b: eight segments, each twice as coarse as the one below it; 14-bit
values with a bias of 33, here in 16 bits (bias 132, clipped at 32,635); all bits of a code are inverted. A-law,
table 1a/1b: 13-bit values; two segments of the finest step, then each twice as coarse; even bits are inverted.
"""

import numpy as np
from numpy.typing import NDArray

from voicesim.audio.samples import Pcm

Codes = NDArray[np.uint8]

_BIAS = 132
_CLIP = 32_635


def encode(pcm: Pcm) -> Codes:
    """Int16 samples to one code each, of the same shape."""
    wide = pcm.astype(np.int32)
    magnitude = np.minimum(np.abs(wide), _CLIP) + _BIAS
    # The exponent of the float is the place of the highest bit; 7 is where segment 0 begins.
    segment = np.frexp(magnitude.astype(np.float32))[1].astype(np.int32) - 8
    step = (magnitude >> (segment + 3)) & 0x0F
    sign = np.where(wide < 0, 0x80, 0x00)
    codes: Codes = (~(sign | (segment << 4) | step) & 0xFF).astype(np.uint8)
    return codes


def decode(codes: Codes) -> Pcm:
    """Codes to int16 samples of the same shape."""
    plain = ~codes.astype(np.int32) & 0xFF
    magnitude = ((((plain & 0x0F) << 3) + _BIAS) << ((plain >> 4) & 0x07)) - _BIAS
    return np.where(plain & 0x80, -magnitude, magnitude).astype(np.int16)


def alaw_encode(pcm: Pcm) -> Codes:
    """Int16 samples to one A-law code each, of the same shape."""
    wide = pcm.astype(np.int32) >> 3
    magnitude = np.where(wide < 0, ~wide, wide)
    segment = np.maximum(np.frexp(magnitude.astype(np.float32))[1].astype(np.int32) - 5, 0)
    step = (magnitude >> np.maximum(segment, 1)) & 0x0F
    sign = np.where(wide < 0, 0x00, 0x80)
    codes: Codes = ((sign | (segment << 4) | step) ^ 0x55).astype(np.uint8)
    return codes


def alaw_decode(codes: Codes) -> Pcm:
    """A-law codes to int16 samples of the same shape."""
    plain = codes.astype(np.int32) ^ 0x55
    segment = (plain >> 4) & 0x07
    fine = ((plain & 0x0F) << 4) + 8
    magnitude = np.where(segment == 0, fine, (fine + 0x100) << np.maximum(segment - 1, 0))
    return np.where(plain & 0x80, magnitude, -magnitude).astype(np.int16)
