"""How many calls are made side by side: as many as are planned, until one of them comes out late."""

from dataclasses import dataclass

from voicesim.recording.manifest import Manifest

LATE = "late_harness"
TIGHT = 0.010
"""Seconds by which one tick in a hundred may be late before fewer calls are made; half of what makes a call invalid."""


@dataclass
class Pace:
    """`allowed` calls at once. It only ever falls, and by one at a time; with `held` it stays."""

    allowed: int
    held: bool = False

    def ended(self, manifest: Manifest, beside: int) -> bool:
        """A call ended that began while `beside` were allowed. Whether it is to be made again, with fewer beside it.

        A call that was late although fewer were allowed meanwhile, or alone, tells nothing new of the number.
        """
        if self.held:
            return False
        late = manifest.validity is not None and manifest.validity.reason == LATE
        tight = manifest.lateness is not None and manifest.lateness.p99 > TIGHT
        if (late or tight) and beside > 1 and beside == self.allowed:
            self.allowed -= 1
        return late and beside > 1
