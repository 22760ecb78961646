"""Whether an agent utterance ran to its end.

It was cut when
- the recording ends within 100 ms of it, or
- a `stop` utterance of the patient began inside it and it ended before the patient did, or within 1.5 s of
  the patient's start, or
- an `ignore` utterance began inside it, it ended within 1.5 s of that start, and it broke off: the last
  5 ms are less than 25 dB under the loud parts of its last second, and less than 0.6 of the way down to
  what is heard right after. Speech that comes to its own end fades by more than that.
"""

from collections.abc import Sequence

import numpy as np

from voicesim.audio.edges import HOP, HOPS_PER_SECOND, Levels
from voicesim.audio.samples import RATE
from voicesim.recording.events import Intent

YIELD_LIMIT = 1.5
AT_THE_END = 0.1
FADES_BY = 25.0
FADES_SHARE = 0.6
_SETTLED = HOPS_PER_SECOND // 20

Span = tuple[float, float]


def is_cut(span: Span, patient: Sequence[tuple[Intent, Span]], duration: float, *, broke_off: bool) -> bool:
    """The rule above, for an agent utterance (start, end) in a recording of `duration` seconds."""
    if duration - span[1] < AT_THE_END:
        return True
    for intent, (start, end) in patient:
        if not span[0] <= start < span[1]:
            continue
        if intent == "stop" and span[1] <= max(end, start + YIELD_LIMIT):
            return True
        if intent == "ignore" and broke_off and span[1] <= start + YIELD_LIMIT:
            return True
    return False


def breaks_off(levels: Levels, end: float) -> bool:
    """Whether the sound that ends at `end` seconds stops at full voice (see `levels_db`)."""
    last = min(len(levels), round(end * RATE) // HOP - 4)
    second = levels[max(0, last - HOPS_PER_SECOND) : last]
    if not len(second):
        return False
    loud = float(np.percentile(second, 95))
    after = levels[last + _SETTLED : last + 3 * _SETTLED]
    room = loud - float(np.median(after)) if len(after) else FADES_BY / FADES_SHARE
    return bool(loud - np.mean(second[-5:]) < min(FADES_BY, FADES_SHARE * room))
