"""When media that stops is a lost line, and when it is an agent with nothing to say."""

import pytest

from voicesim.transports.flow import Flow


def ticks_until_lost(flow: Flow, at_most: int) -> int | None:
    return next((n for n in range(1, at_most + 1) if flow.tick()), None)


def stream(flow: Flow, frames: int) -> None:
    """A frame with every tick."""
    for _ in range(frames):
        flow.frame()
        assert not flow.tick()


def test_a_stream_that_stops_is_lost_after_five_seconds() -> None:
    flow = Flow()
    stream(flow, 200)
    # The tick beside the last frame counts as the first without one: 250 in all.
    assert ticks_until_lost(flow, 1_000) == 249


def test_frames_in_bursts_are_an_unbroken_stream() -> None:
    flow = Flow()
    for _ in range(20):
        for _ in range(10):
            flow.frame()
        assert ticks_until_lost(flow, 10) is None
    assert ticks_until_lost(flow, 1_000) == 240


@pytest.mark.parametrize("frames", [0, 1, 49])
def test_what_never_was_a_stream_is_not_lost(frames: int) -> None:
    flow = Flow()
    for _ in range(frames):
        flow.frame()
    assert ticks_until_lost(flow, 10_000) is None


def test_an_agent_that_sends_only_while_it_speaks_may_be_silent() -> None:
    flow = Flow()
    stream(flow, 100)
    assert ticks_until_lost(flow, 60) is None  # 1.2 s of nothing between two replies
    stream(flow, 100)
    assert ticks_until_lost(flow, 10_000) is None
