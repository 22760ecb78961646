import pytest
from handmade import agent, call, caller

from voicesim.metrics.measure import measure_transcript
from voicesim.metrics.waterfall import kind_of
from voicesim.recording.events import AgentMetric, Event


def told(t: float, name: str, value: float, detail: str = "") -> AgentMetric:
    return AgentMetric(t=t, name=name, value=value, detail=detail)


def parts(*events: Event, latency: float = 1.5) -> dict[str, float]:
    """The parts of one reply to a line that ends at 2.0 s."""
    spoken = call(caller((1.0, 2.0)), agent((2.0 + latency, 9.0)), caller((10.0, 11.0)), agent((12.0, 13.0)))
    replies = measure_transcript(spoken, events).replies
    return {one.name: one.seconds for one in replies[0].parts} if replies else {}


def test_parts_and_the_rest_add_up_to_the_latency_that_was_heard() -> None:
    found = parts(
        told(2.5, "endpointing", 0.5),
        told(2.9, "ttfb", 0.31, "SharedWhisper#0"),
        told(3.2, "ttfb", 0.42, "OpenAILLMService#0"),
        told(3.4, "ttfb", 0.15, "OpenAITTSService#0"),
    )
    # 1.5 - (0.5 + 0.31 + 0.42 + 0.15)
    assert found == {
        "endpointing": 0.5, "speech_to_text": 0.31, "model": 0.42, "first_audio": 0.15, "unexplained": 0.12,
    }  # fmt: skip
    assert sum(found.values()) == pytest.approx(1.5)


def test_parts_that_are_more_than_the_latency_leave_a_negative_rest() -> None:
    # 1.5 - 1.9
    assert parts(told(3.0, "model", 1.9)) == {"model": 1.9, "unexplained": -0.4}


def test_a_number_belongs_to_the_wait_it_arrives_in() -> None:
    assert parts(told(1.9, "model", 0.1)) == {}  # the patient is still speaking
    assert parts(told(3.75, "model", 0.1)) == {"model": 0.1, "unexplained": 1.4}  # told a little after the onset
    assert parts(told(4.0, "model", 0.1)) == {}
    # and that of the second reply is not the first one's
    spoken = call(caller((1.0, 2.0)), agent((3.5, 9.0)), caller((10.0, 11.0)), agent((12.0, 13.0)))
    (reply,) = measure_transcript(spoken, [told(11.5, "model", 0.4)]).replies
    assert (reply.caller, reply.agent, reply.latency) == ("P2", "A2", 1.0)


def test_a_model_asked_twice_counts_twice_and_only_the_first_voice_counts() -> None:
    found = parts(
        told(2.4, "ttfb", 0.2, "LLM#0"),
        told(2.8, "ttfb", 0.3, "LLM#0"),
        told(3.0, "ttfb", 0.1, "TTS#0"),
        told(3.3, "ttfb", 0.9, "TTS#0"),
    )
    assert found == {"model": 0.5, "first_audio": 0.1, "unexplained": 0.9}


def test_an_agent_that_tells_nothing_has_no_waterfall() -> None:
    assert parts() == {}
    assert parts(told(3.0, "processing", 0.4, "LLM#0"), told(3.0, "characters", 80)) == {}


def test_a_cut_in_has_no_waterfall() -> None:
    spoken = call(caller((1.0, 2.0)), agent((1.8, 9.0)))
    assert measure_transcript(spoken, [told(1.9, "model", 0.4)]).replies == ()


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        (told(0, "ttfb", 0.1, "DeepgramSTTService#0"), "speech_to_text"),
        (told(0, "ttfb", 0.1, "Thinker#1"), "model"),
        (told(0, "ttfb", 0.1, "HibariTTS#0"), "first_audio"),
        (told(0, "eou", 0.1), "endpointing"),
        (told(0, "first_byte", 3.0), None),
        (told(0, "ttfb", 0.1, "Something#0"), None),
    ],
)
def test_a_number_is_known_by_its_name_or_its_processor(metric: AgentMetric, expected: str | None) -> None:
    assert kind_of(metric) == expected


def test_first_byte_is_when_the_sound_came_and_latency_when_it_was_heard() -> None:
    # the answer's first bytes come 550 ms after the patient, 250 ms of silence at their head
    spoken = call(caller((1.0, 2.0)), agent((2.8, 4.0)), caller((5.0, 6.0)), agent((7.0, 8.0)))
    first, second = measure_transcript(spoken, [told(2.55, "first_byte", 2.55)]).turns
    assert (first.first_byte, first.latency) == (0.55, 0.8)
    assert second.first_byte is None
