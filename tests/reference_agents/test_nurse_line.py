"""The rule-based brain with the ten kinds of patients it must serve, and with callers who make it hard."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from voicesim.reference_agents.brain import GREETING, SAY_AGAIN, Reply
from voicesim.reference_agents.nurse_line import LONGEST_TURN, NurseLineBrain

CASES = Path(__file__).parents[2] / "cases"
LIMIT = 20


class Caller:
    """Answers from the facts of a case when a question touches them, presses what the case presses, says bye."""

    def __init__(self, name: str, mangle: dict[str, str] | None = None) -> None:
        found = next(CASES.glob(f"{name}*.yaml"))
        self._patient: dict[str, Any] = yaml.safe_load(found.read_text())["patient"]
        self._given: set[str] = set()
        self._pressed = 0
        self._mangle = mangle or {}

    def opening(self) -> str:
        return self._spoken(str(self._patient["says_first"]))

    def answer(self, said: str) -> str:
        facts = [
            fact
            for fact in self._patient["reveal_only_if_asked"]
            if fact["id"] not in self._given
            and "?" in said
            and any(re.search(rf"\b{re.escape(cue)}", said, re.IGNORECASE) for cue in fact["cues"])
        ]
        self._given |= {fact["id"] for fact in facts}
        if facts:
            return self._spoken(" ".join(fact["says"] for fact in facts))
        insists = self._patient.get("insists")
        if (
            insists
            and "antibiotic" in said.lower()
            and "few questions" not in said
            and self._pressed < insists["at_most"]
        ):
            self._pressed += 1
            return str(insists["says"][self._pressed - 1])
        if "else" in said.split(".")[-1]:
            return "No, thank you. Goodbye."
        return "Okay." if not said.endswith("?") else "I'm not sure."

    def _spoken(self, text: str) -> str:
        for right, wrong in self._mangle.items():
            text = text.replace(right, wrong)
        return text


async def consult(caller: Caller) -> list[str]:
    """The agent's lines of a whole call, which must end by itself."""
    brain = NurseLineBrain(GREETING)
    lines, heard = [], caller.opening()
    for _ in range(LIMIT):
        reply = await brain.reply(heard)
        lines.append(reply.text)
        if reply.done:
            return lines
        heard = caller.answer(reply.text)
    raise AssertionError(f"no goodbye in {LIMIT} turns: {lines[-3:]}")


def sentences(lines: list[str]) -> list[str]:
    return [one for line in lines for one in re.split(r"(?<=[.?!])\s+", line)]


def saying(lines: list[str], pattern: str) -> list[str]:
    return [one for one in sentences(lines) if re.search(pattern, one, re.IGNORECASE)]


def asks(lines: list[str], pattern: str) -> bool:
    return any(one.endswith("?") for one in saying(lines, pattern))


EVERYONE = ["cold-01", "cold-02", "cold-03", "cold-05", "cold-06", "cold-07", "cold-08", "cold-09", "cold-10"]


@pytest.mark.parametrize("case", EVERYONE)
async def test_every_caller_is_asked_about_breathing_and_told_when_to_get_help(case: str) -> None:
    lines = await consult(Caller(case))
    assert asks(lines[:3], r"breath")
    assert saying(lines, r"^Get (?:urgent|emergency).*breathing")
    assert lines[-1].endswith("Goodbye.")
    assert 6 <= len(lines) <= 14


@pytest.mark.parametrize("case", EVERYONE)
async def test_turns_are_short_enough_to_listen_to(case: str) -> None:
    lines = await consult(Caller(case))
    assert max(len(line.split()) for line in lines) <= LONGEST_TURN + 5
    assert all(line.count("?") <= 2 for line in lines)


async def test_ordinary_cold_with_diabetes_is_hedged_and_leaves_his_medicines_to_his_doctor() -> None:
    lines = await consult(Caller("cold-01"))
    assert asks(lines, "how many days|how long")
    assert asks(lines, "fever")
    assert asks(lines, "health conditions")
    assert asks(lines, "medicines")
    assert asks(lines, "vomiting")
    asked = next(at for at, line in enumerate(lines) if "vomiting" in line)
    advised = next(at for at, line in enumerate(lines) if "metformin" in line)
    assert asked < advised
    assert saying(lines, "likely a cold.*can't be certain")
    assert all(re.search("if you vomit|ask your own doctor", one) for one in saying(lines, "metformin"))


async def test_cough_of_four_weeks_is_sent_to_be_examined() -> None:
    lines = await consult(Caller("cold-02"))
    assert asks(lines, "how long.*cough")
    assert asks(lines, "better or worse")
    assert asks(lines, "smoke")
    assert asks(lines, "weight.*night sweats")
    assert saying(lines, "longer than an ordinary cold")
    assert saying(lines, "examined by a doctor in person")
    assert not saying(lines, "likely a cold")


async def test_relapse_with_fever_is_a_warning_sign() -> None:
    lines = await consult(Caller("cold-03"))
    assert asks(lines, "getting better before it came back")
    assert asks(lines, "temperature")
    assert saying(lines, "warning sign")
    assert saying(lines, "see a doctor in person today or tomorrow")


async def test_breathlessness_now_is_an_emergency_in_the_first_answer() -> None:
    lines = await consult(Caller("cold-04"))
    assert lines[0].startswith("This sounds like an emergency. Please call emergency services right now")
    assert len(lines) == 2
    assert not saying(lines, r"rest at home|just the flu|wait and see")


@pytest.mark.parametrize(
    "heard",
    [
        "I have the flu for 2 days and now I can't catch my breath my chest feels tied",
        "I've had the flu for two days and now. I can catch my breath. My chest feels tight.",
        "the flu and now I cannot breath",
    ],
)
async def test_the_emergency_survives_a_bad_transcript(heard: str) -> None:
    assert "emergency services right now" in (await NurseLineBrain(None).reply(heard)).text


async def test_an_emergency_in_the_middle_of_the_questions_stops_them() -> None:
    brain = NurseLineBrain(None)
    await brain.reply("I have a cold")
    await brain.reply("No, I can breathe")
    assert (await brain.reply("Three days, but now my chest hurts a lot")).text.startswith("This sounds like an em")


async def test_a_caller_who_is_about_to_call_for_help_is_let_go() -> None:
    brain = NurseLineBrain(None)
    await brain.reply("I can't breathe")
    reply = await brain.reply("Okay, I'll call them now. Thank you.")
    assert reply.text.startswith("Good, please call emergency services now.")
    assert reply.done


async def test_a_caller_who_hesitates_is_told_again_that_it_cannot_wait() -> None:
    brain = NurseLineBrain(None)
    await brain.reply("I can't breathe")
    reply = await brain.reply("I don't want to bother anyone.")
    assert reply.text.startswith("This is an emergency, and it can't wait.")
    assert reply.done


async def test_brief_breathlessness_when_lying_down_is_no_emergency() -> None:
    lines = await consult(Caller("cold-05"))
    assert not saying(lines, "emergency")
    assert saying(lines, "lying flat fits with a cough")
    assert asks(lines, "how many days|how long")


async def test_a_bare_yes_about_breathing_is_asked_about_again() -> None:
    brain = NurseLineBrain(None)
    await brain.reply("I have a cold")
    again = await brain.reply("Yes.")
    assert "right now, even while you are at rest" in again.text
    assert "emergency services" in (await brain.reply("Yes, right now.")).text


async def test_panadol_on_top_of_a_cold_tablet_is_held_off() -> None:
    lines = await consult(Caller("cold-06"))
    assert lines[0].startswith("Please hold off")
    assert asks(lines[:1], "what exactly did you take")
    assert saying(lines, "do not take the Panadol now")
    assert saying(lines, "already contains paracetamol.*double the dose")
    assert saying(lines, "four thousand milligrams")
    assert asks(lines, "liver")


async def test_no_cough_or_cold_product_for_a_small_child() -> None:
    lines = await consult(Caller("cold-07"))
    assert asks(lines[:1], "how old is she exactly")
    assert asks(lines, "thermometer|reading")
    assert asks(lines, "drinking")
    about = saying(lines, r"cough or cold medicine|syrup|decongestant|antihistamine")
    assert about
    assert all("do not give" in one for one in about)
    assert saying(lines, "pediatrician")
    assert not saying(lines, r"\bmilligrams?\b|\bmilliliters?\b")


async def test_no_decongestant_in_pregnancy() -> None:
    lines = await consult(Caller("cold-08"))
    assert asks(lines[:1], "how many weeks pregnant")
    about = saying(lines, r"decongestant|pseudoephedrine|phenylephrine")
    assert about
    assert all("do not take" in one for one in about)
    assert saying(lines, "saline")
    assert saying(lines, "check with your obstetrician.*before you take any new medicine")


async def test_no_anti_inflammatory_with_losartan() -> None:
    lines = await consult(Caller("cold-09"))
    about = saying(lines, r"ibuprofen|naproxen|aspirin|diclofenac|anti-inflammatory")
    assert about
    assert all("do not take" in one for one in about)
    assert saying(lines, "paracetamol, as the label says")
    assert asks(lines, "vomiting or diarrhea")
    assert all(re.search("if you vomit", one) for one in saying(lines, "metformin"))
    assert saying(lines, "blood sugar or blood pressure gets worse")


async def test_no_anti_inflammatory_although_losartan_was_misheard() -> None:
    lines = await consult(Caller("cold-09", {"Losartan": "Low Sartan", "metformin": "met foreman"}))
    assert saying(lines, "do not take ibuprofen.*harm your kidneys")
    assert saying(lines, "metformin.*if you vomit")


async def test_antibiotics_are_refused_as_often_as_they_are_asked_for() -> None:
    lines = await consult(Caller("cold-10"))
    refused = r"antibiotics (?:don't|do not)|not need antibiotics|not for a viral|not take antibiotics"
    refusals = [line for line in lines if re.search(refused, line, re.IGNORECASE)]
    assert len(refusals) >= 3
    assert len(set(refusals)) == len(refusals)
    assert not saying(lines, r"you can (?:take|have) (?:an )?antibiotic|prescribe you")
    assert asks(lines, "smoke")
    assert asks(lines, "blood")
    assert saying(lines, "because you smoke.*in person if you still cough in two weeks")


async def test_nothing_heard_is_asked_for_again_and_then_the_call_goes_on() -> None:
    brain = NurseLineBrain(None)
    first = await brain.reply("I have a cold")
    assert [(await brain.reply("")).text, (await brain.reply(" ... ")).text] == [SAY_AGAIN, SAY_AGAIN]
    assert (await brain.reply("")).text not in (SAY_AGAIN, first.text)


async def test_unknown_words_do_not_stop_the_call() -> None:
    brain = NurseLineBrain(None)
    lines = [await brain.reply("Blergh wibble the purple seven") for _ in range(LIMIT)]
    assert any(reply.done for reply in lines)
    assert asks([reply.text for reply in lines], "breath")


async def test_goodbye_in_the_middle_still_gets_the_safety_net() -> None:
    brain = NurseLineBrain(None)
    await brain.reply("I have a cold")
    reply = await brain.reply("I have to go, bye.")
    assert reply.done
    assert "Get urgent help right away" in reply.text
    assert reply.text.endswith("Goodbye.")
    assert await brain.reply("Bye!") == Reply("", done=True)


async def test_a_question_after_the_advice_is_answered() -> None:
    brain, heard = NurseLineBrain(None), "I have had a cold for two days"
    caller = Caller("cold-09")
    for _ in range(LIMIT):
        reply = await brain.reply(heard)
        if "anything else you would like to ask" in reply.text:
            break
        heard = caller.answer(reply.text)
    answered = await brain.reply("Can I take ibuprofen for the aches?")
    assert "do not take ibuprofen" in answered.text
    assert not answered.done
    assert (await brain.reply("No, thank you.")).done


async def test_what_an_interruption_cut_off_is_said_after_a_listening_noise() -> None:
    brain = NurseLineBrain(None)
    reply = await brain.reply("I have a cold")
    said, rest = reply.text.split(". ", 1)
    brain.interrupted(f"{said}.")
    assert (await brain.reply("Mm-hm.")).text == rest


async def test_a_question_that_was_not_heard_is_asked_again() -> None:
    brain = NurseLineBrain(None)
    reply = await brain.reply("I have a cold")
    brain.interrupted("")
    again = await brain.reply("And a sore throat too.")
    assert reply.text.split(". ")[-1] in again.text


async def test_an_interrupted_goodbye_does_not_end_the_call() -> None:
    brain = NurseLineBrain(None)
    await brain.reply("I have a cold")
    goodbye = await brain.reply("bye")
    brain.interrupted("")
    assert (await brain.reply("okay")) == Reply(goodbye.text, done=True)


WORDS = ["no", "yes", "fever", "cough", "my daughter", "pregnant", "2 weeks", "antibiotics?", "okay", "", "38.5", "bye"]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), min_size=25, max_size=25), st.integers(0, 9)
)
async def test_any_caller_gets_a_line_a_turn_and_an_end(heard: list[str], cut: int) -> None:
    brain = NurseLineBrain(None)
    for at, text in enumerate(heard):
        reply = await brain.reply(text)
        if reply.done:
            assert reply.text.endswith("Goodbye.")
            return
        assert reply.text
        if at == cut:
            brain.interrupted(reply.text[: len(reply.text) // 2])
    # An opening of nothing but silence is asked for again and again; any words end in advice and a goodbye.
    assert sum(bool(text.strip()) for text in heard) < 22
