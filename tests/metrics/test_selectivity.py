"""What the agent stopped for, by kind, and what it said after an interruption."""

from handmade import agent, call, caller

from voicesim.metrics.after_interruption import after_interruptions
from voicesim.metrics.interruptions import interruptions
from voicesim.metrics.model import AfterInterruption, NeverHeard, Selectivity, Share
from voicesim.metrics.selectivity import selectivity
from voicesim.transcript.model import Transcript


def measured(transcript: Transcript) -> Selectivity:
    return selectivity(transcript, interruptions(transcript)[0])


def after(transcript: Transcript, *lost: NeverHeard) -> AfterInterruption:
    (entry,) = after_interruptions(transcript, interruptions(transcript)[0], lost)
    return entry


def test_each_kind_of_sound_is_counted_apart() -> None:
    found = measured(
        call(
            agent((1.0, 8.0)),
            caller((2.0, 2.3), intent="ignore", kind="backchannel"),
            caller((4.0, 4.3), intent="ignore", kind="backchannel"),
            caller((6.0, 7.0), intent="ignore", kind="side_talk"),
            # Cut off 0.8 s after the cough began.
            agent((10.0, 12.0), cut=True),
            caller((11.2, 11.5), intent="ignore", kind="cough"),
            agent((20.0, 22.4)),
            caller((22.0, 23.0), intent="stop", kind="interruption"),
        )
    )
    assert found == Selectivity(
        yielded=Share(n=1, count=1, share=1.0),
        backchannels=Share(n=2, count=2, share=1.0),
        side_talk=Share(n=1, count=1, share=1.0),
        coughs=Share(n=1, count=0, share=0.0),
    )


def test_a_sound_in_the_agents_silence_counts_nowhere_and_nothing_is_no_share() -> None:
    found = measured(call(agent((1.0, 2.0)), caller((3.0, 3.3), intent="ignore", kind="cough")))
    assert found.coughs == Share(n=0, count=0, share=None)


def test_an_older_recording_knows_only_backchannels() -> None:
    found = measured(call(agent((1.0, 2.4), cut=True), caller((2.0, 2.2), intent="ignore")))
    assert found.backchannels == Share(n=1, count=0, share=0.0)


HEARD = "So you have had the cough for three weeks now and"


def test_the_answer_to_a_correction_holds_its_value_and_does_not_say_the_same_again() -> None:
    stop = caller((3.0, 4.0), intent="stop", kind="interruption", text="No, I said two weeks.")
    entry = after(call(agent((1.0, 3.4), text=HEARD), stop, agent((5.0, 7.0), text="Sorry, 14 days. Any fever?")))
    assert (entry.answered, entry.repeated, entry.resumed) == (True, False, None)
    # 11 words were heard; the reply has all 11 of them in a row.
    entry = after(call(agent((1.0, 3.4), text=HEARD), stop, agent((5.0, 7.0), text=f"{HEARD} you are well.")))
    assert (entry.answered, entry.repeated) == (False, True)


def test_what_was_left_is_taken_up_or_not() -> None:
    stop = caller((3.0, 4.0), intent="stop", kind="interruption", text="Sorry, wait a moment.")
    lost = NeverHeard(utterance="A1", heard_words=11, text="you should see a doctor today")
    later = "Of course. As I said, you should see a doctor."
    entry = after(call(agent((1.0, 3.4), text=HEARD), stop, agent((5.0, 7.0), text=later)), lost)
    # Five of the six words that were left: you, should, see, a, doctor.
    assert (entry.answered, entry.resumed) == (None, True)
    entry = after(call(agent((1.0, 3.4), text=HEARD), stop, agent((5.0, 7.0), text="Yes?")), lost)
    assert entry.resumed is False


def test_an_agent_that_talked_on_has_no_entry() -> None:
    transcript = call(agent((1.0, 9.0)), caller((3.0, 4.0), intent="stop", kind="interruption"), agent((12.0, 13.0)))
    assert after_interruptions(transcript, interruptions(transcript)[0], ()) == ()
