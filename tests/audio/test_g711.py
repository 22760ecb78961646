"""G.711, both laws."""

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from voicesim.audio.g711 import alaw_decode, alaw_encode, decode, encode
from voicesim.audio.samples import Pcm, to_pcm

SECONDS = np.arange(8_000) / 8_000


def tone(level_db: float, hz: float = 1_000.0) -> Pcm:
    """A sine whose RMS is level_db (dBFS), at 8,000 Hz."""
    return to_pcm(10 ** (level_db / 20) * np.sqrt(2) * np.sin(2 * np.pi * hz * SECONDS))


def test_codes_are_those_of_the_standard() -> None:
    # G.711 table 2: zero is 0xFF, full scale 0x80 and 0x00, and the decoder's outermost value is 8031 * 4.
    np.testing.assert_array_equal(encode(np.array([0, 32767, -32768], np.int16)), [0xFF, 0x80, 0x00])
    np.testing.assert_array_equal(decode(np.array([0xFF, 0x7F, 0x80, 0x00], np.uint8)), [0, 0, 32124, -32124])
    # the first value of the second segment: 14-bit 31 is the border of the first (31 * 4 = 124)
    assert encode(np.array([123, 124], np.int16)).tolist() == [0xF0, 0xEF]


def test_every_code_decodes_to_a_value_that_encodes_to_it() -> None:
    codes = np.arange(256, dtype=np.uint8)
    again = encode(decode(codes))
    assert np.flatnonzero(again != codes).tolist() == [0x7F]  # the two zeros share one code


def test_an_error_is_at_most_half_a_step() -> None:
    values = np.arange(-32_768, 32_768, dtype=np.int32).astype(np.int16)
    error = np.abs(decode(encode(values)).astype(np.int32) - values)
    magnitude = np.minimum(np.abs(values.astype(np.int32)), 32_635) + 132
    step = 8 * 2 ** (np.floor(np.log2(magnitude)) - 7)
    inside = np.abs(values.astype(np.int32)) < 32_636
    assert (error[inside] <= step[inside] / 2).all()


@pytest.mark.parametrize("level", [-20.0, -30.0])
def test_a_round_trip_keeps_pitch_and_35_db(level: float) -> None:
    sent = tone(level)
    heard = decode(encode(sent))
    noise = heard.astype(np.float64) - sent
    assert 10 * np.log10(np.mean(np.square(sent, dtype=np.float64)) / np.mean(np.square(noise))) >= 35.0
    assert np.argmax(np.abs(np.fft.rfft(heard))) == 1_000  # bins of 1 Hz


def of_ffmpeg(name: str, pcm: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The codes and the sound of FFmpeg's encoder and decoder."""
    import av

    make: Any = av.CodecContext.create
    encoder, decoder = make(name, "w"), make(name, "r")
    for context in (encoder, decoder):
        context.sample_rate, context.layout = 8_000, "mono"
    encoder.format = "s16"
    frame = av.AudioFrame.from_ndarray(pcm[None, :], format="s16", layout="mono")
    frame.sample_rate = 8_000
    codes = b"".join(bytes(packet) for packet in [*encoder.encode(frame), *encoder.encode(None)])
    sound = [frame.to_ndarray().reshape(-1) for frame in decoder.decode(av.Packet(codes))]
    return np.frombuffer(codes, np.uint8), np.concatenate(sound)


EVERY_VALUE = np.arange(-32_768, 32_768).astype(np.int16)


@pytest.mark.parametrize(
    ("name", "to_codes", "to_pcm"),
    [("pcm_mulaw", encode, decode), ("pcm_alaw", alaw_encode, alaw_decode)],
)
def test_both_laws_equal_another_codec(name: str, to_codes: Callable[..., Any], to_pcm: Callable[..., Any]) -> None:
    """Decoded sample for sample. FFmpeg encodes by a table of rounded values, so one value in sixty, at the edge
    between two codes, may go to the other of the two."""
    codes, sound = of_ffmpeg(name, EVERY_VALUE)
    np.testing.assert_array_equal(to_pcm(codes), sound)
    ours = to_codes(EVERY_VALUE)
    assert np.mean(ours == codes) > 1 - 1 / 60
    assert set(np.unique(ours)) == set(range(256))
    # Where the codes differ, they are neighbours.
    steps = np.unique(to_pcm(np.arange(256).astype(np.uint8)))
    places = [np.searchsorted(steps, to_pcm(made)) for made in (ours, codes)]
    assert np.abs(places[0] - places[1]).max() == 1


@pytest.mark.parametrize(("to_codes", "to_pcm"), [(encode, decode), (alaw_encode, alaw_decode)])
def test_a_code_stays_itself(to_codes: Callable[..., Any], to_pcm: Callable[..., Any]) -> None:
    codes = np.arange(256).astype(np.uint8)
    again = to_codes(to_pcm(codes))
    # mu-law has two codes for zero.
    assert np.mean(again == codes) >= 255 / 256
    np.testing.assert_array_equal(to_pcm(again), to_pcm(codes))


def test_mu_law_equals_libsndfile_sample_for_sample() -> None:
    import soundfile

    with io.BytesIO() as file:
        soundfile.write(file, EVERY_VALUE, 8_000, format="WAV", subtype="ULAW")
        file.seek(0)
        heard, _ = soundfile.read(file, dtype="int16")
    np.testing.assert_array_equal(decode(encode(EVERY_VALUE)), heard)


def test_a_law_equals_the_standard_librarys_sample_for_sample() -> None:
    audioop = pytest.importorskip("audioop", reason="Python 3.13 has no codec of its own")
    codes = audioop.lin2alaw(EVERY_VALUE.tobytes(), 2)
    assert alaw_encode(EVERY_VALUE).tobytes() == codes
    assert alaw_decode(np.frombuffer(codes, np.uint8)).tobytes() == audioop.alaw2lin(codes, 2)
