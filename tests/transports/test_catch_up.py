"""An agent that sends its silence: a hiccup delays what is said during it, and nothing after the next silence."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from inboxes import Playing

from voicesim.audio.samples import samples
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.catch_up import KEPT, CatchUp
from voicesim.transports.playout import PlayOut

CHUNK = 0.1
QUIET, LOUD = np.full(samples(CHUNK), 3, np.int16), np.full(samples(CHUNK), 5000, np.int16)


@given(st.lists(st.floats(0.0, 0.4), min_size=20, max_size=40), st.integers(1, 5))
def test_speech_after_a_silence_is_never_late_by_an_earlier_hiccup(delays: list[float], words: int) -> None:
    """Chunks are due every 100 ms, come late by what is drawn, in order; at the end the network is quick again."""
    inbox, catch_up = Playing(), CatchUp()
    play = PlayOut(BoundedInbox(inbox))
    loud = [n % 10 < words for n in range(len(delays))] + [False] * 12 + [True]
    arrival = 0.0
    for n, (late, speaks) in enumerate(zip([*delays, *[0.0] * 13], loud, strict=True)):
        arrival = max(arrival, n * CHUNK + late)
        inbox.time = arrival
        pcm = catch_up.shorten(LOUD if speaks else QUIET, arrival, play.ahead)
        assert len(pcm) == len(LOUD) or not speaks  # speech stays whole
        if len(pcm):
            play.add(pcm)
    start = inbox.end / 24_000 - CHUNK
    assert arrival - 1e-6 <= start <= arrival + KEPT + 0.001


def test_a_reply_that_comes_at_once_keeps_its_pauses() -> None:
    inbox, catch_up = Playing(1.0), CatchUp()
    play = PlayOut(BoundedInbox(inbox))
    for pcm in (LOUD, QUIET, QUIET, QUIET, LOUD):
        kept = catch_up.shorten(pcm, inbox.time, play.ahead)
        assert len(kept) == len(pcm)
        play.add(kept)
        inbox.time += 0.001
    assert inbox.end == samples(1.0) + 5 * samples(CHUNK)
