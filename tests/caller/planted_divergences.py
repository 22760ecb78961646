"""What a new agent says where the recorded patient has its next line: thirty places at which the line no longer fits.

Each row: the case; the recorded agent's words; the recorded line and the facts it tells; which facts the patient had
told before and tells later; the new agent's words; and what is wrong (None: the line still fits).
"""

from typing import Literal, NamedTuple

Kind = Literal["never_answered", "does_not_fit"]


class Place(NamedTuple):
    case: str
    answers: str
    says: str
    facts: tuple[str, ...]
    before: tuple[str, ...]
    later: tuple[str, ...]
    hears: str
    planted: Kind | None


A, E = "cold-01-andi", "cold-04-emergency-dyspnea"
K, D = "cold-07-pediatric-parent", "cold-09-diabetic-htn-poor-appetite"
FEVER = ("Do you have any fever?", "I felt a bit hot on the first night, but I didn't measure it. Not now.", ("fever",))
BREATH = ("Are you short of breath?", "No, my breathing is fine, and no chest pain.", ("breathing",))
MEDS = ("Do you take any medicines?", "Amlodipine for the blood pressure, and metformin.", ("medicines",))
BYE = ("Take care now, goodbye.", "Thank you. Goodbye.", ())
REST = ("Drink plenty of water and rest.", "Okay.", ())
ALONE = ("Is anyone with you?", "I'm alone. My daughter lives nearby.", ("alone",))
CALL = ("This is an emergency. Call an ambulance right now.", "Okay, I'm calling them now.", ())
WEIGHT = ("How much does she weigh?", "She's about twelve kilos.", ("weight",))
TEMP = ("What was her temperature?", "She felt warm. This morning it was thirty eight point zero.", ("temperature",))
SUGAR = ("What was your blood sugar today?", "My sugar was a hundred and eighty this morning.", ("sugar",))
ELSE = ("Is there anything else I can help you with?", "No, that's all.", ())


def place(
    case: str,
    line: tuple[str, str, tuple[str, ...]],
    hears: str,
    planted: Kind | None = None,
    *,
    before: tuple[str, ...] = (),
    later: tuple[str, ...] = (),
) -> Place:
    return Place(case, *line, before, later, hears, planted)


PLACES: tuple[Place, ...] = (
    # Asked for what the recorded patient never told.
    place(A, FEVER, "Do you have any allergies?", "never_answered"),
    place(A, FEVER, "Are you able to drink, and are you vomiting?", "never_answered"),
    place(A, BREATH, "Have you missed a dose of your metformin?", "never_answered"),
    place(A, MEDS, "Do you have any allergies that I should know about?", "never_answered"),
    place(A, MEDS, "Have you had any diarrhea?", "never_answered", before=("fever",)),
    place(A, REST, "Drink plenty of water and rest. Do you have any allergies?", "never_answered"),
    place(A, BYE, "Before you go, do you have a fever?", "never_answered"),
    place(E, ALONE, "Have you had a fever?", "never_answered"),
    place(E, ALONE, "Do you have any heart conditions?", "never_answered"),
    place(K, WEIGHT, "Is she drinking and playing?", "never_answered"),
    place(K, WEIGHT, "Have you already given her anything?", "never_answered"),
    place(K, TEMP, "How is her breathing?", "never_answered"),
    place(D, SUGAR, "How old are you?", "never_answered"),
    place(D, SUGAR, "Have you been vomiting?", "never_answered"),
    place(A, FEVER, "Do you have any fever, and do you have any allergies?", "never_answered"),
    # The recorded line answers something else.
    place(A, FEVER, "Are you short of breath?", "does_not_fit", later=("breathing",)),
    place(A, BREATH, "Do you take any medicine?", "does_not_fit", later=("medicines",)),
    place(A, MEDS, "Do you have any fever?", "does_not_fit", before=("fever",)),
    place(A, MEDS, "Please drink plenty of fluids and stay at home.", "does_not_fit"),
    place(A, FEVER, "It's probably just a cold. Rest for a few days.", "does_not_fit"),
    place(A, FEVER, "Take care now, goodbye.", "does_not_fit"),
    place(A, REST, "Take care, goodbye.", "does_not_fit"),
    place(A, BYE, "Drink plenty of water and rest.", "does_not_fit"),
    place(A, REST, "This is an emergency. Call an ambulance now.", "does_not_fit"),
    place(E, CALL, "Drink some tea and rest.", "does_not_fit"),
    place(E, CALL, "Is anyone with you?", "does_not_fit", before=("alone",)),
    place(E, ALONE, "This is an emergency. Call an ambulance right now.", "does_not_fit"),
    place(K, WEIGHT, "What was her temperature?", "does_not_fit", later=("temperature",)),
    place(A, ELSE, "Do you take any medicine?", "does_not_fit", later=("medicines",)),
    place(D, SUGAR, "Is there anything else I can help you with?", "does_not_fit"),
    # The same in other words, or more around it: the line fits.
    place(A, FEVER, "Do you have any fever?"),
    place(A, FEVER, "Have you had a fever at all?"),
    place(A, FEVER, "I see. And did you have a temperature?"),
    place(A, FEVER, "Have you been feeling hot or feverish?"),
    place(A, FEVER, "Thanks for telling me that. I'd like to ask about fever. Do you have one?"),
    place(A, BREATH, "Any trouble breathing right now?"),
    place(A, BREATH, "Is your breathing okay, and do you have chest pain?"),
    place(A, BREATH, "Do you feel any pain in your chest?"),
    place(A, MEDS, "What tablets are you taking?"),
    place(A, MEDS, "Are you on any medication at the moment?"),
    place(A, MEDS, "Could you tell me which drugs you take?"),
    place(A, BYE, "Goodbye, and get well soon."),
    place(A, BYE, "Alright then. Bye for now."),
    place(A, REST, "Make sure you get some sleep and keep warm."),
    place(A, REST, "You most likely have a cold. It gets better by itself."),
    place(A, REST, "Antibiotics do not help against a virus."),
    place(A, ELSE, "Do you have any other questions?"),
    place(A, ELSE, "Anything else today?"),
    place(E, ALONE, "Are you alone at the moment?"),
    place(E, ALONE, "Is there anyone with you in the house?"),
    place(E, CALL, "You need an ambulance right now. Please call emergency services."),
    place(E, CALL, "Hang up and call an ambulance immediately."),
    place(K, WEIGHT, "What is her weight?"),
    place(K, WEIGHT, "Do you know how many kilos she weighs?"),
    place(K, TEMP, "Did you measure it? What did the thermometer say?"),
    place(K, TEMP, "How high was her temperature?"),
    place(D, SUGAR, "Have you checked your sugar today?"),
    place(D, SUGAR, "What was your glucose this morning?"),
    place(A, MEDS, "Do you have any fever, and do you take any medicine?", before=("fever",)),
    place(A, FEVER, "Do you have any fever? It would be good to know."),
)
