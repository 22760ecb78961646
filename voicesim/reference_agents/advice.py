"""What the brain tells a caller at the end: an assessment, care at home, and when to come back.

Advice is given in a few turns of short sentences, so that a caller can follow and answer. It is hedged,
names no dose beyond the label's, and ends with the signs that need help at once.
"""

from voicesim.reference_agents import drugs
from voicesim.reference_agents.caller_state import CallerState

Turn = tuple[str, ...]

EMERGENCY: Turn = (
    "This sounds like an emergency.",
    "Please call emergency services right now, or have someone take you to an emergency room at once.",
    "Do not wait, and do not drive yourself.",
    "Is anyone with you?",
)
EMERGENCY_CHILD: Turn = (
    "This sounds like an emergency.",
    "Please call emergency services right now, or go to the nearest emergency room at once.",
    "Do not wait to see if it passes.",
    "Is anyone with you who can help?",
)
EMERGENCY_AGAIN: Turn = (
    "This is an emergency, and it can't wait.",
    "Sit upright, unlock the door, and call emergency services now.",
    "Ask someone near you to come until the ambulance is there.",
    "Please hang up and make that call now. Goodbye.",
)
EMERGENCY_AGREED: Turn = (
    "Good, please call emergency services now.",
    "Sit upright, unlock the door, and ask someone near you to come until help is there.",
    "I will let you go so that you can call. Goodbye.",
)
_HEDGE = "This is likely a cold, which is a virus, but I can't be certain over the phone."


def advice(caller: CallerState) -> list[Turn]:
    """The turns of advice for what is known of this caller; the last ends with "anything else?"."""
    if caller.child:
        turns = _child(caller)
    elif caller.pregnant:
        turns = _pregnant()
    elif caller.took_cold_tablet:
        turns = _double_dose(caller)
    elif caller.blood:
        turns = _blood()
    elif caller.long_cough:
        turns = _long_cough(caller)
    elif caller.relapse:
        turns = _relapse(caller)
    else:
        turns = _ordinary(caller)
    return [*turns[:-1], (*turns[-1], *_come_back(caller))]


def safety_net(caller: CallerState) -> str:
    """The one sentence no caller should leave without."""
    if caller.child:
        whose = {"she": "her", "he": "his"}.get(caller.pronoun, "their")
        return (
            f"Get emergency care if {whose} breathing gets hard or fast, if a high fever does not come down "
            "with medicine, or if there is no drinking and far fewer wet diapers."
        )
    return (
        "Get urgent help right away if breathing becomes hard and stays so, even at rest, "
        "if you get chest pain, or if a high fever does not come down."
    )


def refuse_antibiotic(times: int) -> Turn:
    """Declines an antibiotic, in other words each time it is pressed for; the last is about leftovers."""
    ways: tuple[Turn, ...] = (
        (
            "A chest cold like this is most likely viral, though I can't be certain over the phone.",
            "Antibiotics don't help against a virus and can cause side effects, so I can't recommend them.",
        ),
        (
            "I understand that you want to get well fast.",
            "But antibiotics do not work on a virus. Most people would have got better without them.",
        ),
        (
            "I hear you, and I know work matters.",
            "Still, you do not need antibiotics for this. They would not get you back any sooner.",
        ),
        (
            "No, not for a viral cough.",
            "If a doctor examines you and finds a bacterial infection, that is another matter.",
        ),
        (
            "Please do not take antibiotics that you have at home.",
            "They won't help a virus, and they may be the wrong kind or harm you.",
        ),
    )
    return ways[min(times, len(ways) - 1)]


def _ordinary(caller: CallerState) -> list[Turn]:
    start: Turn = refuse_antibiotic(0) if caller.wants_antibiotic else (_HEDGE,)
    if caller.passing_breathlessness:
        start = (*start, "Losing your breath for a moment while you cough lying flat fits with a cough.")
    relief = _pain_relief(caller)
    if len(relief) == 1 and not caller.diabetic:
        return [("Thank you.", *start, _comfort(caller)), (*relief, *_work(caller))]
    return [("Thank you.", *start, _comfort(caller)), relief, *_chronic(caller), _work(caller)]


def _comfort(caller: CallerState) -> str:
    if caller.cough:
        return "Rest, drink plenty of fluids, and try honey or a warm drink for the cough."
    return "Rest, drink plenty of fluids, and try a saline spray for the nose."


def _pain_relief(caller: CallerState) -> Turn:
    if "liver" in caller.conditions:
        return ("For fever or aches, ask your doctor before you take anything.",)
    lines = ["For fever or aches you can use paracetamol, as the label says."]
    if caller.no_anti_inflammatory:
        reason = (
            "because with your blood pressure medicine they can harm your kidneys"
            if drugs.KIDNEY in caller.classes
            else "because of your other conditions"
        )
        lines.append(f"Please do not take ibuprofen or other anti-inflammatory painkillers, {reason}.")
    if caller.pressure:
        lines.append("Avoid cold tablets with a decongestant too, since they can raise your blood pressure.")
    return tuple(lines)


def _chronic(caller: CallerState) -> list[Turn]:
    """Long-term medicines: spoken of only in terms of fluids, and left to the caller's own doctor."""
    if not (caller.diabetic or caller.pressure):
        return []
    if drugs.METFORMIN in caller.classes:
        first = (
            "About the metformin: if you vomit, have diarrhea or can't keep fluids down, pause it and call "
            "your doctor the same day."
        )
    else:
        first = "If you vomit, have diarrhea or can't keep fluids down, call your doctor the same day."
    last = (
        "Check your blood sugar, and see a doctor if your blood sugar or blood pressure gets worse."
        if caller.diabetic
        else "See a doctor if your blood pressure gets worse."
    )
    return [(first, "Otherwise, ask your own doctor before you change any dose.", last)]


def _work(caller: CallerState) -> Turn:
    if "work" in caller.opening and not caller.wants_antibiotic:
        return ("As for work, stay at home while you have a fever or feel weak.",)
    return ()


def _double_dose(caller: CallerState) -> list[Turn]:
    contains = "contains" if caller.tablet_has_paracetamol else "very likely contains"
    which = (
        "Please do not take the Panadol now. Panadol is paracetamol, and"
        if caller.asks_about_paracetamol
        else "Please do not take paracetamol or Panadol on top of that, since"
    )
    return [
        (
            "Thank you.",
            f"{which} your tablet already {contains} paracetamol, so you would double the dose.",
            "Wait until at least six hours after the tablets, and never take both together.",
            "Four thousand milligrams of paracetamol in a day is the maximum, from everything you take.",
        ),
        (
            "Until then, rest and fluids help with the aches, and a saline spray helps a blocked nose.",
            "For the next dose, check the label and choose just one product with paracetamol in it.",
        ),
        (),
    ]


def _blood() -> list[Turn]:
    return [
        (
            "Thank you.",
            "Coughing up blood is a warning sign, so I won't call this just a cold.",
            "Please see a doctor in person today to be examined.",
        ),
        (),
    ]


def _long_cough(caller: CallerState) -> list[Turn]:
    worrying = ("Losing weight without trying makes that more urgent.",) if caller.weight_loss else ()
    smoking = ("It will also help your chest not to smoke.",) if caller.smoker else ()
    return [
        (
            "Thank you.",
            "A cough that goes on for weeks lasts longer than an ordinary cold. It may not be just a cold.",
            "Please make an appointment to be examined by a doctor in person this week.",
            *worrying,
        ),
        ("Until then, honey or warm drinks can ease the cough.", *smoking),
    ]


def _relapse(caller: CallerState) -> list[Turn]:
    return [
        (
            "Thank you.",
            "Getting better and then worse again with a fever is a warning sign of its own.",
            "It can mean a second infection, perhaps a bacterial one, and not the same cold going on.",
            "Please see a doctor in person today or tomorrow to be examined. Rest at home is not enough.",
        ),
        ("Until then, drink plenty of fluids.", *_pain_relief(caller)),
        *_chronic(caller),
    ]


def _child(caller: CallerState) -> list[Turn]:
    her = {"she": "her", "he": "him"}.get(caller.pronoun, "them")
    return [
        (
            "Thank you.",
            _HEDGE,
            f"Please do not give {her} any cough or cold medicine. They are not safe for small children.",
            "Fluids, rest and saline drops for the nose are best.",
        ),
        (
            "If the fever bothers your child, one single ingredient medicine such as paracetamol is enough.",
            "Ask your pediatrician or follow the label for the dose by weight.",
        ),
        (),
    ]


def _pregnant() -> list[Turn]:
    return [
        (
            "Thank you.",
            _HEDGE,
            "Start with a saline nose spray, a humidifier or steam, warm fluids with honey, and rest.",
        ),
        (
            "Please do not take a decongestant such as pseudoephedrine or phenylephrine.",
            "They are best avoided in early pregnancy.",
            "Check with your obstetrician or midwife before you take any new medicine, paracetamol included.",
        ),
        (),
    ]


def _come_back(caller: CallerState) -> Turn:
    lines = [safety_net(caller)]
    if caller.child:
        lines.append("See a doctor if the fever lasts more than a few days, or if your child is unusually sleepy.")
    elif caller.pregnant:
        lines.append("If you get a fever, call your obstetrician the same day.")
    elif caller.smoker and not (caller.long_cough or caller.relapse):
        lines.append("And because you smoke, have a doctor examine you in person if you still cough in two weeks.")
    elif not (caller.long_cough or caller.relapse or caller.blood):
        lines.append("See a doctor if a fever lasts four days, or if you are not well after ten days.")
    lines.append("Is there anything else you would like to ask?")
    return tuple(lines)
