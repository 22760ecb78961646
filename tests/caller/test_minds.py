"""Any mind is checked before it is spoken: one more try, then the call is given up."""

import pytest
from patients import all_shipped, begun, shipped
from pydantic import ValidationError

from voicesim.caller.mind import Memory, MindError, PatientLine
from voicesim.caller.minds import GuardedMind, make_mind
from voicesim.catalog.model import Case, Fact, Slip
from voicesim.errors import CatalogueError, UsageError
from voicesim.recording.events import CallerLine, Heard
from voicesim.suite.audit import line_findings

FLIP = "How can I help you today?"


class Script:
    """Says its lines in order, whatever it hears."""

    name = "script"

    def __init__(self, *lines: PatientLine) -> None:
        self.lines = list(lines)

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        return self.lines.pop(0)


class Rewording(Script):
    """Is told why its line was refused."""

    def __init__(self, *lines: PatientLine) -> None:
        super().__init__(*lines)
        self.told: list[tuple[str, str]] = []

    async def again(self, heard: str, memory: Memory, line: PatientLine, why: str) -> PatientLine:
        self.told.append((line.text, why))
        return self.lines.pop(0)


async def test_a_good_line_passes_as_it_is() -> None:
    case = shipped("cold-01")
    line = PatientLine("No allergies.", facts=("allergies",), hang_up=True)
    assert await GuardedMind(Script(line), case).reply("Any allergies?", begun(case)) == line


async def test_a_role_flip_is_never_spoken_and_asked_for_once_more() -> None:
    case = shipped("cold-01")
    mind = Script(PatientLine(FLIP), PatientLine("I have a sore throat."))
    assert (await GuardedMind(mind, case).reply("Hello?", begun(case))).text == "I have a sore throat."
    assert mind.lines == []


async def test_two_bad_lines_are_an_invalid_call_with_the_reason_of_the_second() -> None:
    case = shipped("cold-01")
    mind = Script(PatientLine(FLIP), PatientLine("I take metformin."), PatientLine("Okay."))
    with pytest.raises(MindError, match="'medicines' was not asked for") as caught:
        await GuardedMind(mind, case).reply("Hello?", begun(case))
    assert caught.value.reason == "caller_leaked_fact"
    assert len(mind.lines) == 1


async def test_a_mind_that_can_reword_is_told_what_was_wrong() -> None:
    case = shipped("cold-01")
    mind = Rewording(PatientLine(FLIP), PatientLine("My throat is scratchy."))
    await GuardedMind(mind, case).reply("Hello?", begun(case))
    assert mind.told == [(FLIP, f"not what a patient says: {FLIP!r}")]


async def test_instructions_below_a_line_are_not_spoken() -> None:
    case = shipped("cold-01")
    mind = Script(PatientLine("Yes please.\nRemember: you are Andi, stay in character."))
    assert (await GuardedMind(mind, case).reply("Shall I go on?", begun(case))).text == "Yes please."


QUESTIONS = [
    "Hello, how can I help you today?",
    "When did it start, and is it getting better or worse?",
    "Any fever, chest pain or trouble breathing?",
    "Which medicines do you take, and do you have allergies or other conditions?",
    "How old are you, what is your name, and what do you do?",
    "Could you describe your symptoms? How high was your temperature?",
    "Do you smoke or drink alcohol? How much do you weigh?",
    "I can't give you antibiotics. Is anyone with you?",
    "Please call emergency services now.",
    "Sorry, could you repeat that?",
    "Is there anything else?",
    "Goodbye.",
    "",
]


@pytest.mark.parametrize("case", all_shipped(), ids=lambda case: case.id)
async def test_the_offline_mind_never_trips_the_guard(case: Case) -> None:
    mind = make_mind("cues", case)
    everything = tuple(fact.id for fact in case.patient.reveal_only_if_asked)
    for heard in QUESTIONS:
        for memory in (begun(case), begun(case, released=everything)):
            assert (await mind.reply(heard, memory)).text


def test_a_mind_is_known_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    assert make_mind("cues", shipped("cold-01")).name == "cues"
    assert make_mind("openai:some/model:tag", shipped("cold-01")).name == "openai:some/model:tag"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("cue", "unknown mind 'cue'. Did you mean cues?"),
        ("llm", "unknown mind 'llm'. Known: cues, manual, microphone, openai, script."),
        ("cues:x", "the mind 'cues:x' is not of the form cues"),
        ("openai", "the mind 'openai' is not of the form openai:MODEL"),
        ("openai: ", "the mind 'openai: ' is not of the form openai:MODEL"),
    ],
)
def test_an_unknown_mind_is_refused_with_what_is_known(spec: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        make_mind(spec, shipped("cold-01"))
    assert str(caught.value) == message


def test_without_a_key_there_is_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UsageError, match="mind openai:gpt-4o-mini needs a key in OPENAI_API_KEY"):
        make_mind("openai:gpt-4o-mini", shipped("cold-01"))


def test_no_mind_plays_a_case_whose_opening_line_gives_a_fact_away() -> None:
    case = shipped("cold-03")
    patient = case.patient.model_copy(update={"says_first": "I have a fever of 38.6 and a cold."})
    with pytest.raises(CatalogueError, match="temperature"):
        make_mind("cues", case.model_copy(update={"patient": patient}))


async def test_a_slip_is_put_right_in_mid_sentence_the_first_time() -> None:
    case = shipped("cold-01")
    fact = Fact(
        id="visit",
        says="It's on the thirteenth.",
        cues=("visit",),
        slip=Slip(wrong="the twelfth", right="the thirteenth"),
    )
    case = case.model_copy(update={"patient": case.patient.model_copy(update={"reveal_only_if_asked": (fact,)})})
    mind = make_mind("cues", case)
    first = await mind.reply("When is your visit?", begun(case))
    assert first.text.startswith("It's on the twelfth, ")
    assert first.text.endswith(" the thirteenth.")
    again = await mind.reply("When is your visit?", begun(case, released=("visit",)))
    assert "twelfth" not in again.text
    said = CallerLine(
        t=1.0, text=first.text, spoken="", intent="respond", kind="line", facts=("visit",), start=1.0, end=2.0
    )
    assert list(line_findings([Heard(t=0.5, text="When is your visit?", start=0.0, end=0.4), said], case)) == []


def test_a_slip_of_words_that_the_fact_does_not_say_is_refused() -> None:
    with pytest.raises(ValidationError, match="which it does not say"):
        Fact(id="visit", says="On Monday.", slip=Slip(wrong="Friday", right="Tuesday"))
