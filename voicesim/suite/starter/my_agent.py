"""The agent that is called: a nurse line that runs in voicesim's own process, so that nothing else is needed.

Replace it by your own: `build()` returns an object whose `tick(caller)` takes 480 samples (int16, 24,000 Hz) of the
caller and gives those that the agent says meanwhile; None hangs up. An agent on a wire needs no such file.
"""

from voicesim.reference_agents.in_process import clean as build

__all__ = ["build"]
