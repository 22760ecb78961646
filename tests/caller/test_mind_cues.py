"""The offline mind: a fact is told when a question asks for it, and only then."""

import pytest
from patients import all_shipped, begun, shipped

from voicesim.caller.mind import Memory, PatientLine, Said
from voicesim.caller.mind_cues import CuesMind
from voicesim.catalog.model import Case, Fact

ASKED = [
    ("cold-01", "Have you had a fever?", ("fever",)),
    ("cold-01", "Any trouble breathing or chest pain?", ("breathing",)),
    ("cold-01", "Do you have diabetes or high blood pressure?", ("conditions",)),
    ("cold-01", "Which medicines are you taking?", ("medicines",)),
    ("cold-01", "Have you missed a dose of anything?", ("skipped_metformin",)),
    ("cold-01", "Are you drinking enough, and do you have any allergies?", ("fluids", "allergies")),
    ("cold-01", "Do you have allergies? Do you have a fever?", ("allergies", "fever")),
    ("cold-01", "Tell me about your medical history.", ("conditions",)),
    ("cold-01", "Fever, allergies, medication, breathing: how are they?", ("fever", "allergies", "medicines")),
    ("cold-02", "Do you smoke?", ("smoking",)),
    ("cold-02", "Any weight loss or night sweats?", ("weight",)),
    ("cold-02", "Do you cough up any blood or mucus?", ("phlegm",)),
    ("cold-02", "Is it getting better or worse?", ("trend",)),
    ("cold-02", "Do you have asthma?", ("history",)),
    ("cold-02", "I'd like to ask about your breathing.", ("breathing",)),
    ("cold-03", "How high was the fever when you measured it?", ("temperature",)),
    ("cold-03", "What colour is the phlegm?", ("phlegm",)),
    ("cold-03", "What was the pattern? Did it improve in between?", ("pattern",)),
    ("cold-03", "What medication have you taken?", ("medicines",)),
    ("cold-03", "Any medical history, or pain in your chest?", ("history", "breathing")),
    ("cold-04", "Is it there at rest?", ("happening_now",)),
    ("cold-04", "Is anyone with you?", ("alone",)),
    ("cold-04", "Do you have heart problems? And a fever?", ("conditions", "fever")),
    ("cold-05", "Do you get short of breath?", ("breathing",)),
    ("cold-05", "Any chest pain?", ("chest_pain",)),
    ("cold-05", "Are you short of breath, or is there chest tightness?", ("breathing", "chest_pain")),
    ("cold-05", "Do you have a temperature? Any allergies?", ("fever", "history")),
    ("cold-06", "What exactly did you take, and when?", ("what_taken",)),
    ("cold-06", "Which symptoms bother you most?", ("symptoms",)),
    ("cold-06", "Any kidney problems? Do you drink alcohol?", ("conditions", "alcohol")),
    ("cold-06", "Have you taken anything else today?", ("other_medicines",)),
    ("cold-07", "How old is she, and how much does she weigh?", ("exact_age", "weight")),
    ("cold-07", "What did the thermometer say?", ("temperature",)),
    ("cold-07", "Is she drinking, and how is her breathing?", ("fluids", "breathing")),
    ("cold-07", "Have you already given her something?", ("given",)),
    ("cold-08", "How many weeks along are you?", ("stage",)),
    ("cold-08", "Could you describe the congestion?", ("symptoms",)),
    ("cold-08", "When do you see your obstetrician?", ("obstetrician",)),
    ("cold-08", "Have you tried any medicine? Any fever?", ("taken", "fever")),
    ("cold-08", "Do you have high blood pressure?", ("conditions",)),
    ("cold-09", "What is your blood sugar today?", ("sugar",)),
    ("cold-09", "How old are you?", ("age",)),
    ("cold-09", "Any vomiting? Any fever? What tablets do you take?", ("fluids", "fever", "medicines")),
    ("cold-09", "Do you have any health problems, or chest pain?", ("conditions", "breathing")),
    ("cold-10", "How many days has it been?", ("trend",)),
    ("cold-10", "Do you smoke cigarettes?", ("smoking",)),
    ("cold-10", "Are you short of breath, or is there any blood?", ("breathing", "red_flags")),
    ("cold-10", "Any other conditions?", ("conditions",)),
]


async def reply(case: Case, heard: str, memory: Memory | None = None) -> PatientLine:
    return await CuesMind(case).reply(heard, memory or begun(case))


@pytest.mark.parametrize(("start", "heard", "facts"), ASKED)
async def test_a_question_releases_the_facts_it_asks_for_in_its_order(
    start: str, heard: str, facts: tuple[str, ...]
) -> None:
    case = shipped(start)
    line = await reply(case, heard)
    assert line.facts == facts
    says = {fact.id: fact.says for fact in case.patient.reveal_only_if_asked}
    assert line.text.endswith(" ".join(says[one] for one in facts))
    assert not line.hang_up


@pytest.mark.parametrize("case", all_shipped(), ids=lambda case: case.id)
@pytest.mark.parametrize(
    "heard",
    [
        "Your blood pressure is important. A fever, chest pain or trouble breathing would worry me.",
        "Please take your medicines with water, and rest. If you get a fever, see a doctor.",
        "I'm sorry to hear that.",
        "Take paracetamol as the label says, and drink enough. Does that make sense?",
        "Would you like me to tell you which medicines are safe?",
        "See a doctor if your breathing, your weight or your temperature changes. Is there anything else I can do?",
        "Will you call us if the fever comes back?",
    ],
)
async def test_no_statement_advice_or_courtesy_releases_a_fact(case: Case, heard: str) -> None:
    assert (await reply(case, heard)).facts == ()


@pytest.mark.parametrize(
    ("start", "heard", "facts"),
    [
        ("cold-06", "When did it start?", ()),  # `when` is a cue of what was taken
        ("cold-06", "When did your symptoms start?", ("symptoms",)),
        ("cold-10", "Do you have high blood pressure?", ()),  # `blood` is a cue of coughing it up
        ("cold-10", "Any problem with blood pressure, or blood when you cough?", ("red_flags",)),
        ("cold-08", "Is that obvious to you, probably?", ()),  # `ob` is a cue of the obstetrician
    ],
)
async def test_a_cue_word_meant_otherwise_asks_for_nothing(start: str, heard: str, facts: tuple[str, ...]) -> None:
    assert (await reply(shipped(start), heard)).facts == facts


async def test_a_fact_given_before_comes_as_a_reminder_and_after_what_is_new() -> None:
    case = shipped("cold-01")
    again = await reply(case, "Do you have any allergies?", begun(case, released=("allergies",)))
    assert again.facts == ("allergies",)
    assert again.text == "Like I said, no allergies."
    mixed = await reply(case, "Any allergies? Any fever?", begun(case, released=("allergies",)))
    assert mixed.facts == ("fever",)


async def test_a_reminder_drops_the_yes_or_no_before_it() -> None:
    case = shipped("cold-02")
    line = await reply(case, "Do you smoke?", begun(case, released=("smoking",)))
    assert line.text == "Like I said, I've never smoked."


async def test_a_fact_without_cues_is_asked_for_by_its_own_words() -> None:
    case = shipped("cold-05")
    fact = Fact(id="pets", says="We have two cats at home.")
    case = case.model_copy(update={"patient": case.patient.model_copy(update={"reveal_only_if_asked": (fact,)})})
    assert (await reply(case, "Do you keep a cat?")).facts == ("pets",)
    assert (await reply(case, "Do you keep a dog?")).facts == ()


async def test_long_facts_are_told_in_more_than_one_turn() -> None:
    case = shipped("cold-05")
    long = " ".join(["word"] * 30) + "."
    facts = tuple(Fact(id=f"f{n}", says=f"Fact {n}, {long}", cues=(cue,)) for n, cue in enumerate(("tea", "milk")))
    case = case.model_copy(update={"patient": case.patient.model_copy(update={"reveal_only_if_asked": facts})})
    first = await reply(case, "Do you take tea and milk?")
    assert first.facts == ("f0",)
    rest = await reply(case, "Do you take tea and milk?", begun(case, released=("f0",)))
    assert rest.facts == ("f1",)


@pytest.mark.parametrize(
    ("start", "heard", "text"),
    [
        ("cold-01", "What is your member number?", "I don't know, sorry."),
        ("cold-06", "Are you short of breath?", "Not that I've noticed."),
        ("cold-01", "When did it start?", "Three days ago."),
        ("cold-02", "How long has this been going on?", "About four weeks. "),
        ("cold-01", "What is your name, and how old are you?", "My name is Andi. I'm 54."),
        ("cold-01", "May I have your full name?", "My name is Andi."),
        ("cold-01", "How does that sound?", "Yes, I understand."),
        ("cold-01", "What other symptoms do you have?", "Not that I've noticed."),
        ("cold-04", "What's been going on?", "Like I said, I can't catch my breath. My chest feels tight."),
        ("cold-01", "Are you pregnant?", "No."),
        ("cold-01", "Is your cough dry?", "Like I said, a dry cough that gets worse at night."),
        ("cold-01", "Does that make sense?", "Yes, I understand."),
        ("cold-01", "Okay so far?", "Yes, I understand."),
        ("cold-01", "Is that okay with you?", "Yes, I understand."),
        ("cold-01", "You have had this for three days, is that right?", "Yes, exactly."),
        ("cold-01", "Shall I book you an appointment?", "Yes, please do."),
        ("cold-01", "Could you rest at home for two days?", "Yes, okay, I will."),
        ("cold-01", "May I ask you a few questions?", "Yes, I understand."),
        ("cold-01", "Are you still there?", "Yes, I'm here."),
        ("cold-01", "Is there anything else I can help with?", "No, that's all. Thank you."),
        ("cold-01", "Do you have any other questions?", "No, that's all. Thank you."),
        ("cold-01", "Rest well and drink enough water.", "I see."),
    ],
)
async def test_what_is_no_fact_gets_a_natural_answer(start: str, heard: str, text: str) -> None:
    line = await reply(shipped(start), heard)
    assert line.text.strip() == text.strip()
    assert line.facts == ()
    assert not line.hang_up


async def test_two_unknown_things_in_a_row_get_different_words() -> None:
    case = shipped("cold-01")
    first = await reply(case, "What is your zip code?")
    second = await reply(case, "What is your zip code?", begun(case, "What is your zip code?", first.text))
    assert first.text != second.text


@pytest.mark.parametrize("case", all_shipped(), ids=lambda case: case.id)
async def test_a_late_how_can_i_help_gets_the_complaint_and_not_the_opening_line(case: Case) -> None:
    line = await reply(case, "Hello, this is the nurse line. How can I help you today?")
    assert line.text.startswith("Like I said, ")
    assert case.patient.says_first not in line.text
    assert line.text[13:].lower() in case.patient.says_first.lower() + "."


async def test_asked_to_repeat_the_patient_repeats_its_last_answer() -> None:
    case = shipped("cold-01")
    memory = begun(case, "Any allergies?", "No allergies.", released=("allergies",))
    line = await reply(case, "Sorry, I didn't catch that.", memory)
    assert line == PatientLine("I said, no allergies.", facts=("allergies",))


@pytest.mark.parametrize("heard", ["", "   ", "..."])
async def test_a_turn_without_words_is_asked_again(heard: str) -> None:
    assert (await reply(shipped("cold-01"), heard)).text == "Sorry, I didn't catch that. Could you repeat it?"


EMERGENCY = "This is an emergency. Please call emergency services right now."


async def test_sent_to_emergency_care_the_patient_goes_but_hangs_up_only_when_told_twice() -> None:
    case = shipped("cold-04")
    first = await reply(case, f"{EMERGENCY} Is anyone with you?")
    assert first.text == "I'm alone. My daughter lives nearby. Okay, I'll call them now. Thank you."
    assert (first.facts, first.hang_up) == (("alone",), False)
    second = await reply(case, EMERGENCY, begun(case, EMERGENCY, first.text))
    assert second == PatientLine("Yes, I'm calling them now. Thank you. Goodbye.", hang_up=True)


async def test_sent_to_emergency_care_with_a_goodbye_the_patient_leaves_at_once() -> None:
    assert (await reply(shipped("cold-04"), f"{EMERGENCY} Goodbye.")).hang_up


@pytest.mark.parametrize(
    "heard",
    [
        "If you can't breathe, call an ambulance.",
        "Call 911 at once if your chest hurts.",
        "If it gets worse, don't wait. Call emergency services.",
        "You do not need to go to the emergency room.",
    ],
)
async def test_a_safety_net_is_no_emergency(heard: str) -> None:
    assert (await reply(shipped("cold-01"), heard)).text == "I see."


@pytest.mark.parametrize(
    "heard",
    [
        "Take care, and get well soon. Goodbye.",
        "You're welcome. Have a nice evening!",
        "All right then, bye-bye.",
        "I wish you a speedy recovery. Speak to you on Monday.",
    ],
)
async def test_a_goodbye_is_answered_and_the_patient_hangs_up(heard: str) -> None:
    assert await reply(shipped("cold-01"), heard) == PatientLine("Thank you. Goodbye.", hang_up=True)


@pytest.mark.parametrize(
    "heard", ["Take care to drink enough.", "Get a good night's sleep.", "Take care of your throat."]
)
async def test_words_of_care_are_no_goodbye(heard: str) -> None:
    assert not (await reply(shipped("cold-01"), heard)).hang_up


async def test_two_sides_that_always_say_bye_end_after_two_goodbyes() -> None:
    case = shipped("cold-01")
    memory = begun(case)
    said = []
    for _ in range(3):
        line = await reply(case, "Bye!", memory)
        memory.turns += [Said("agent", "Bye!"), Said("caller", line.text)]
        said.append(line)
    assert [line.text for line in said] == ["Thank you. Goodbye.", "Bye.", "Thank you."]
    assert all(line.hang_up for line in said)


async def test_after_anything_else_the_patient_takes_its_leave_from_an_agent_that_does_not() -> None:
    case = shipped("cold-01")
    closing = ("Is there anything else?", "No, that's all. Thank you.")
    assert (await reply(case, "You're welcome.", begun(case, *closing))).hang_up
    twice = await reply(case, "Is there anything else?", begun(case, *closing))
    assert twice == PatientLine("No, nothing else. Thank you. Goodbye.", hang_up=True)


async def test_two_sides_that_only_nod_do_not_go_on_for_ever() -> None:
    case = shipped("cold-01")
    memory = begun(case)
    advice = "Rest is the best you can do, and it helps to drink plenty of fluids."
    turns = 0
    while turns < 20:
        line = await reply(case, advice, memory)
        if line.hang_up:
            break
        memory.turns += [Said("agent", advice), Said("caller", line.text)]
        turns += 1
    assert turns == 6
    assert line.text == "Thank you. Goodbye."


DECLINES = [
    "Antibiotics don't help against a virus.",
    "I can't prescribe antibiotics for this.",
    "You do not need an antibiotic.",
    "I would recommend rest instead of antibiotics.",
    "I'm unable to give you antibiotics.",
    "I know you'd like antibiotics, but it is a virus, so antibiotics wouldn't help.",
    "Antibiotics are only useful against bacteria.",
]


@pytest.mark.parametrize("heard", DECLINES)
async def test_declined_the_patient_presses_its_point(heard: str) -> None:
    case = shipped("cold-10")
    assert case.patient.insists is not None
    assert (await reply(case, heard)).text == case.patient.insists.says[0]


@pytest.mark.parametrize(
    "heard",
    [
        "Before we talk about antibiotics, a few questions.",
        "Did you take antibiotics before?",
        "I can't say how long it will last.",
        "Antibiotics are medicines against bacteria.",
    ],
)
async def test_no_pressing_where_nothing_was_declined(heard: str) -> None:
    case = shipped("cold-10")
    assert case.patient.insists is not None
    assert (await reply(case, heard)).text not in case.patient.insists.says


async def test_the_patient_presses_in_order_answers_questions_first_and_stops_at_its_limit() -> None:
    case = shipped("cold-10")
    assert case.patient.insists is not None
    memory, said = begun(case), []
    heard = [
        "No antibiotics. Do you smoke?",
        "No, not for a cough.",
        "I can't give you those.",
        DECLINES[0],
        DECLINES[1],
    ]
    for words in heard:
        line = await reply(case, words, memory)
        memory.turns += [Said("agent", words), Said("caller", line.text)]
        said.append(line.text)
    press = case.patient.insists.says
    assert said[0] == f"A pack a day, twenty years now. {press[0]}"
    assert said[1:4] == list(press[1:])
    assert said[4] not in press


async def test_pressing_comes_before_a_goodbye() -> None:
    line = await reply(shipped("cold-10"), "I can't give you antibiotics. Take care, goodbye.")
    assert not line.hang_up


async def test_the_same_words_get_the_same_answer() -> None:
    case = shipped("cold-01")
    assert await reply(case, "Any fever?") == await reply(case, "Any fever?")


async def test_a_wish_is_thanked_for_and_the_second_in_a_row_is_a_goodbye() -> None:
    case = shipped("cold-01")
    thanks = await reply(case, "I hope you feel better soon.")
    assert (thanks.text, thanks.hang_up) == ("Thanks a lot.", False)
    leaving = await reply(case, "Take care.", begun(case, "I hope you feel better soon.", thanks.text))
    assert leaving == PatientLine("Thank you. Goodbye.", hang_up=True)
    asked = await reply(case, "Get well soon. Do you have any allergies?")
    assert asked.facts == ("allergies",)


async def test_a_wish_after_all_was_said_is_a_goodbye() -> None:
    case = shipped("cold-01")
    closed = begun(case, "Anything else?", "No, that's all. Thank you.")
    assert await reply(case, "Take care then.", closed) == PatientLine("Thank you. Goodbye.", hang_up=True)
