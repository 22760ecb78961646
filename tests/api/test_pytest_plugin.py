"""The pytest plugin, as a project of somebody else's uses it."""

from pathlib import Path

import pytest

pytest_plugins = ("pytester",)

AGENT = '''
"""An agent that says one thing 0.8 s after each stretch of the caller's, and hangs up."""
import numpy as np
from hibari import Hibari


class Agent:
    ticks = quiet = 0

    def __init__(self):
        sound = np.round(Hibari()("How can I help you today?", seed=1) * 20000).astype(np.int16)
        self.line, self.out = sound[np.flatnonzero(np.abs(sound) > 300)[0]:], np.zeros(0, np.int16)

    def tick(self, caller):
        self.ticks += 1
        loud = np.abs(caller.astype(int)).max() > 300
        self.quiet = 0 if loud else self.quiet + 1
        self.out = self.line if self.quiet == 40 else self.out
        block, self.out = self.out[:480], self.out[480:]
        return None if self.ticks > 700 else np.pad(block, (0, 480 - len(block)))
'''
TESTS = """
import pytest

CALL = {"clock": "virtual", "ear": "tiny.en", "whisper": "tiny.en"}


@pytest.mark.voicesim("cold-01-andi", "python:agents:Agent", **CALL)
def test_that_every_call_passes(voicesim_calls):
    assert len(voicesim_calls.calls) == 1
    voicesim_calls.assert_passed()


@pytest.mark.voicesim("cold-01-andi", "python:agents:Agent", passes=0, **CALL,
                      thresholds=[{"figure": "response_latency_longest", "at_most": 0.1, "source": "our own"}])
def test_that_it_is_quick(voicesim_calls):
    voicesim_calls.assert_passed()


@pytest.mark.voicesim("cold-01-andi", "python:agents:Agent", passes=0, **CALL)
def test_that_a_call_was_made(voicesim_calls):
    voicesim_calls.assert_passed()


def test_without_a_marker(voicesim_calls):
    pass
"""


def test_calls_are_made_and_a_failure_names_the_scorecard(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(agents=AGENT, test_calls=TESTS)
    done = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-q", "--tb=short")
    done.assert_outcomes(failed=2, passed=1, errors=1)
    told = done.stdout.str()
    assert "0 of 1 valid calls passed, wanted are 1" in told
    assert "response_latency_longest <= 0.1: it is 0." in told
    assert "our own" in told
    assert "needs @pytest.mark.voicesim(case, agent)" in told
    # pytest on a CI machine tells each failure once more, whole, in its summary: hence a set.
    scorecards = {Path(line.split("scorecard: ")[1]) for line in told.splitlines() if "scorecard: " in line}
    assert len(scorecards) == 2
    assert all(path.is_file() for path in scorecards)


def test_the_marker_and_its_options_are_told(pytester: pytest.Pytester) -> None:
    done = pytester.runpytest_subprocess("--markers")
    assert "@pytest.mark.voicesim(case, agent," in done.stdout.str()
