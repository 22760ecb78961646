"""An agent in Python that says one thing after each stretch of the caller's, and hangs up after twelve seconds."""

import numpy as np
from hibari import Hibari

from voicesim.audio.samples import Pcm


class Agent:
    """See above."""

    def __init__(self) -> None:
        sound = np.round(Hibari()("How can I help you today?", seed=1) * 20000).astype(np.int16)
        self.line, self.out = sound[np.flatnonzero(np.abs(sound) > 300)[0] :], np.zeros(0, np.int16)
        self.ticks = self.quiet = 0

    def tick(self, caller: Pcm) -> Pcm | None:
        """20 ms of sound for 20 ms of sound; None hangs up."""
        self.ticks += 1
        self.quiet = 0 if np.abs(caller.astype(int)).max() > 300 else self.quiet + 1
        if self.quiet == 40:
            self.out = self.line
        block, self.out = self.out[:480], self.out[480:]
        return None if self.ticks > 600 else np.pad(block, (0, 480 - len(block)))
