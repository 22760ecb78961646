"""When media that stops is a lost line, and when it is an agent with nothing to say."""

import numpy as np
import pytest

from voicesim.audio.samples import TICK
from voicesim.transports.media_watch import MediaWatch

QUIET = np.zeros(TICK, np.int16)
LOUD = np.full(TICK, 8000, np.int16)


def ticks_until_lost(watch: MediaWatch, at_most: int) -> int | None:
    return next((tick for tick in range(1, at_most + 1) if watch.tick()), None)


def stream(watch: MediaWatch, *, quiet: int = 0, loud: int = 0) -> None:
    """A frame with every tick."""
    for frame in [LOUD] * loud + [QUIET] * quiet:
        watch.frame(frame)
        assert not watch.tick()


def test_a_stream_that_stops_is_lost_after_five_seconds() -> None:
    watch = MediaWatch()
    stream(watch, loud=50, quiet=150)
    # The tick beside the last frame counts as the first without one: 250 in all.
    assert ticks_until_lost(watch, 1_000) == 249


def test_frames_in_bursts_are_an_unbroken_stream() -> None:
    watch = MediaWatch()
    for _ in range(20):
        for _ in range(10):
            watch.frame(QUIET)
        assert ticks_until_lost(watch, 10) is None
    assert ticks_until_lost(watch, 1_000) == 240


@pytest.mark.parametrize(("quiet", "loud"), [(0, 0), (1, 0), (74, 0), (0, 50), (0, 5_000), (50, 5_000)])
def test_an_agent_that_was_never_long_silent_may_send_only_while_it_speaks(quiet: int, loud: int) -> None:
    watch = MediaWatch()
    stream(watch, quiet=quiet, loud=loud)
    assert ticks_until_lost(watch, 10_000) is None


def test_an_agent_that_makes_breaks_may_be_silent() -> None:
    watch = MediaWatch()
    stream(watch, quiet=100)
    assert ticks_until_lost(watch, 60) is None  # 1.2 s of nothing between two replies
    stream(watch, loud=100)
    assert ticks_until_lost(watch, 10_000) is None


def test_an_agent_that_no_longer_reports_is_gone_whatever_it_sent() -> None:
    watch = MediaWatch()
    stream(watch, loud=100)
    for _ in range(20):  # a report every 7 s, as the slowest send them
        watch.report()
        assert ticks_until_lost(watch, 350) is None
    # 350 ticks have passed since the last report; 12 s are 600.
    assert ticks_until_lost(watch, 1_000) == 250
    assert "RTCP" in watch.tick()
