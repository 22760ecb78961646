"""What the brain asks: each question with the callers it is for, in the order of asking."""

from collections.abc import Callable
from dataclasses import dataclass

from voicesim.reference_agents.caller_state import CallerState


@dataclass(frozen=True)
class Question:
    """One turn of asking. `words` makes the spoken text; `needed` says for whom it is asked."""

    id: str
    words: Callable[[CallerState], str]
    needed: Callable[[CallerState], bool]


def _always(_: CallerState) -> bool:
    return True


def _adult(caller: CallerState) -> bool:
    return not caller.child


def _child(caller: CallerState) -> bool:
    return caller.child


def _taken(caller: CallerState) -> bool:
    return caller.took_cold_tablet and not caller.child


def _intake(caller: CallerState) -> bool:
    frail = caller.diabetic or caller.pressure or caller.poor_appetite or caller.losing_water
    return frail and not caller.child


def _cough(caller: CallerState) -> bool:
    lasting = (caller.days or 0) >= 7 or caller.relapse or caller.wants_antibiotic
    return caller.cough and lasting and not caller.child


def _whose(caller: CallerState) -> tuple[str, str, str]:
    """Pronoun, possessive and verb of the child."""
    return {"she": ("she", "her", "is"), "he": ("he", "his", "is")}.get(caller.pronoun, ("they", "their", "are"))


def _breathing(caller: CallerState) -> str:
    if caller.child:
        return f"How is {_whose(caller)[1]} breathing right now? Is it fast or hard in any way?"
    return "Are you short of breath, or do you have any chest pain, right now?"


def _duration(caller: CallerState) -> str:
    if caller.long_cough:
        return "How long have you been coughing in all, and is the cough getting better or worse?"
    if caller.days is not None:
        return "How many days ago exactly did it start, and is it getting better or worse?"
    return "How long have you had this, and is it getting better or worse?"


def _fever(caller: CallerState) -> str:
    if caller.child:
        whose = _whose(caller)[1]
        return f"Did you measure {whose} temperature with a thermometer? What was the reading?"
    if caller.fever:
        return "How high is the fever now? What temperature did you measure?"
    return "Have you had a fever? If you measured your temperature, what was it?"


def _thriving(caller: CallerState) -> str:
    she, _, verb = _whose(caller)
    verb = verb.capitalize()
    return f"{verb} {she} drinking well and playing as usual? How about wet diapers?"


def _given(caller: CallerState) -> str:
    she, _, _ = _whose(caller)
    has = "do they" if she == "they" else f"does {she}"
    him = {"she": "her", "he": "him"}.get(she, "them")
    return f"Have you given {him} any medicine already? And {has} have any other health conditions or allergies?"


def _age(caller: CallerState) -> str:
    she, _, verb = _whose(caller)
    weigh = "do they weigh" if she == "they" else f"does {she} weigh"
    return f"How old {verb} {she} exactly, in years and months? And how much {weigh}?"


def _eating(caller: CallerState) -> str:
    missed = " And have you missed any doses?" if caller.medicines else ""
    return f"How much are you eating and drinking, and have you had any vomiting or diarrhea?{missed}"


def _pregnancy(_: CallerState) -> str:
    return "How many weeks pregnant are you, and has a scan confirmed it?"


def _right_now(caller: CallerState) -> str:
    if caller.child:
        whose = _whose(caller)[1]
        return f"Is {whose} breathing hard or fast right now, or are {whose} lips bluish?"
    return "Is that there right now, even while you are at rest, or does it pass quickly?"


RIGHT_NOW = Question("breathing_now", _right_now, _always)
"""Asked when the answer about breathing left it open."""

QUESTIONS: tuple[Question, ...] = (
    Question("age", _age, _child),
    Question("pregnancy", _pregnancy, lambda caller: caller.pregnant),
    Question(
        "taken",
        lambda _: "What exactly did you take, how many, and when? Please read me the ingredients on the box.",
        _taken,
    ),
    Question("breathing", _breathing, _always),
    Question(
        "pattern",
        lambda _: "Were you really getting better before it came back? How long were you well in between?",
        lambda caller: caller.relapse and not caller.long_cough,
    ),
    Question(
        "duration",
        _duration,
        lambda caller: (
            not (caller.relapse and not caller.long_cough)
            and not ((caller.pregnant or caller.took_cold_tablet or caller.child) and caller.days is not None)
        ),
    ),
    Question("fever", _fever, lambda caller: not caller.pregnant and not caller.took_cold_tablet),
    Question(
        "symptoms",
        lambda _: "Which symptoms bother you most: the nose, the throat, aches? And have you had any fever?",
        lambda caller: caller.pregnant or caller.took_cold_tablet,
    ),
    Question("thriving", _thriving, _child),
    Question("given", _given, _child),
    Question(
        "cough",
        lambda _: "Do you smoke? And have you coughed up any phlegm or blood?",
        _cough,
    ),
    Question(
        "weight",
        lambda _: "Have you lost any weight without trying, or had night sweats?",
        lambda caller: caller.long_cough,
    ),
    Question(
        "history",
        lambda caller: (
            "Do you have any liver or kidney problems or other health conditions, and do you drink alcohol?"
            if _taken(caller)
            else "Do you have any other health conditions or allergies, and what medicines do you take?"
        ),
        _adult,
    ),
    Question(
        "other",
        lambda _: "Have you taken any other medicine today, or anything else with paracetamol in it?",
        _taken,
    ),
    Question("intake", _eating, _intake),
    Question(
        "midwife",
        lambda _: "When do you next see your obstetrician or midwife?",
        lambda caller: caller.pregnant,
    ),
)


def next_question(caller: CallerState, asked: set[str]) -> Question | None:
    """The first question this caller still has to be asked."""
    return next((question for question in QUESTIONS if question.id not in asked and question.needed(caller)), None)
