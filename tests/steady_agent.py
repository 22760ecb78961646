"""The text of an agent in Python for whole calls on virtual time, in folders of their own: `python:agents:Steady`."""

STEADY = '''
"""Agents that sound for half a second after each stretch of the caller's, and hang up after some seconds."""
import os, pathlib, signal, time
import numpy as np


class Steady:
    ticks = quiet = 0
    left = 25
    last = {last}

    def tick(self, caller):
        self.ticks += 1
        if self.ticks > self.last:
            return None
        loud = np.abs(caller.astype(int)).max() > 300
        self.quiet = 0 if loud else self.quiet + 1
        self.left = 25 if self.quiet == 40 else self.left - 1
        return np.full(480, 3000 if self.left > 0 else 0, np.int16)
'''


def steady(last: int) -> str:
    """The module with a `Steady` that hangs up after so many ticks of 20 ms."""
    return STEADY.format(last=last)
