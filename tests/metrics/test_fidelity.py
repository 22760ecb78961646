"""Speech fidelity: what an agent says it said, against what is heard of it."""

import handmade

from voicesim.metrics.base import MeasuredCall
from voicesim.metrics.fidelity import speech_fidelity
from voicesim.metrics.model import Share, SpeechFidelity
from voicesim.recording.events import AgentSaid, Event, Unheard


def fidelity(heard: str, *events: Event, cut: bool = False) -> SpeechFidelity | None:
    transcript = handmade.call(handmade.agent((1.0, 4.0), text=heard, cut=cut), handmade.caller((5.0, 6.0)))
    return speech_fidelity(MeasuredCall(transcript, events))


def test_a_dose_that_is_said_otherwise_stands_first() -> None:
    said = AgentSaid(t=1.0, text="No fever is good. Take five hundred milligrams of paracetamol.")
    measured = fidelity("Low fever is good. Take five hundred micrograms of paracetamol.", said)
    assert measured is not None
    # Said: no, fever, 500 mg, paracetamol; the dose and the negation are lost.
    assert measured.entities == Share(n=4, count=2, share=0.5)
    assert [(entry.kind, entry.understood, entry.utterance) for entry in measured.misheard] == [
        ("dose", "five hundred micrograms", "A1"),
        ("negation", "", "A1"),
    ]
    # Two of nine words (no fever is good take 500 mg of paracetamol) are others.
    assert measured.wer == round(2 / 9, 4)


def test_the_same_in_other_writing_is_faithful() -> None:
    said = AgentSaid(t=1.0, text="Take 500 mg of Paracetamol at 8:00, twice a day.")
    measured = fidelity("take five hundred milligrams of paracetamol at eight o'clock, two times a day", said)
    assert measured is not None
    assert measured.misheard == ()
    assert measured.entities.share == 1.0


def test_of_an_utterance_that_was_cut_only_what_was_heard_counts() -> None:
    said = AgentSaid(t=1.0, text="You can take paracetamol, but no ibuprofen and no aspirin.", response_id="r")
    measured = fidelity("You can take paracetamol", said, cut=True)
    assert measured is not None
    assert measured.misheard == ()
    assert measured.entities.n == 1
    taken_back = Unheard(t=3.0, text="but no ibuprofen and no aspirin.", seconds=2.0, response_id="r")
    measured = fidelity("You can take paracetamol", said, taken_back)
    assert measured is not None
    assert measured.entities.n == 1


def test_an_agent_that_tells_nothing_has_no_fidelity() -> None:
    assert fidelity("You can take paracetamol") is None
    # Nor does one whose transcript is about nothing that was heard.
    assert fidelity("Hello", AgentSaid(t=1.0, text="Paracetamol twice daily")) is None
