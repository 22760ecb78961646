import pytest
from handmade import agent, call, caller

from voicesim.metrics.measure import measure_transcript
from voicesim.metrics.speaking import monologues, speaking_rate
from voicesim.transcript.model import Utterance, Word


def worded(one: Utterance, count: int) -> Utterance:
    return one.model_copy(update={"words": (Word(text="x", start=one.start, end=one.end, probability=1.0),) * count})


def test_a_monologue_lasts_until_the_patient_takes_the_floor() -> None:
    spoken = call(
        agent((0.0, 4.0)),
        agent((6.0, 10.0)),  # the patient said nothing in between: 0.0 to 10.0
        caller((10.5, 11.0)),
        agent((12.0, 15.0)),
    )
    assert monologues(spoken) == (10.0, 3.0)


def test_an_aside_does_not_end_a_monologue_and_an_interruption_does() -> None:
    aside = caller((4.5, 4.9), intent="ignore")
    assert monologues(call(agent((0.0, 4.0)), aside, agent((6.0, 10.0)))) == (10.0,)
    stop = caller((3.0, 5.0), intent="stop")
    assert monologues(call(agent((0.0, 4.0)), stop, agent((6.0, 10.0)))) == (4.0, 4.0)


def test_longest_and_median_monologue_are_measured() -> None:
    parts = [
        part for n in range(3) for part in (agent((20.0 * n, 20.0 * n + 2 + n)), caller((20.0 * n + 10, 20.0 * n + 11)))
    ]
    summary = measure_transcript(call(*parts)).monologues
    # 2, 3 and 4 seconds
    assert (summary.n, summary.median, summary.max) == (3, 3.0, 4.0)


def test_speaking_rate_counts_words_over_sound_without_pauses() -> None:
    # 12 words in 2.0 + 2.0 s of sound: 60 * 12 / 4
    assert speaking_rate(call(worded(agent((0.0, 2.0), (2.8, 4.8)), 12))) == 180.0
    # a cough without words takes no time
    assert speaking_rate(call(worded(agent((0.0, 4.0)), 12), agent((9.0, 9.3)))) == 180.0


@pytest.mark.parametrize("count", [0, 9])
def test_a_few_words_have_no_rate(count: int) -> None:
    assert speaking_rate(call(worded(agent((0.0, 2.0)), count))) is None


def test_a_call_without_an_agent_has_no_monologue() -> None:
    assert measure_transcript(call(caller((0.0, 1.0)))).monologues.max is None
