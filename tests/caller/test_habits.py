"""Habits of difficult patients: each does one thing, by its chance, and the same in the same turn."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from patients import begun, shipped

from voicesim.caller.habits import HabitualMind
from voicesim.caller.mind import Memory, PatientLine, Said
from voicesim.caller.mind_cues import CuesMind
from voicesim.caller.minds import make_mind
from voicesim.caller.out_of_role import is_markup, is_role_flip
from voicesim.catalog.load import load_case
from voicesim.catalog.model import Habits
from voicesim.language.data import load
from voicesim.language.sentences import split

PHRASES = load("phrases")
INPUTS = Path(__file__).parent / "inputs"


def mind(**chances: float) -> HabitualMind:
    return HabitualMind(CuesMind(shipped("cold-01")), Habits(**chances), seed=1)


async def said(habitual: HabitualMind, *turns: str) -> list[PatientLine]:
    """The lines of a conversation in which the agent says these turns."""
    memory, lines = begun(shipped("cold-01")), []
    for heard in turns:
        line = await habitual.reply(heard, memory)
        lines.append(line)
        memory.turns += [Said("agent", heard), Said("caller", line.text)]
    return lines


async def test_without_habits_the_mind_is_as_it_is() -> None:
    case = shipped("cold-01")
    plain = await CuesMind(case).reply("Any allergies?", begun(case))
    assert await mind().reply("Any allergies?", begun(case)) == plain


async def test_one_that_mishears_asks_again_but_not_twice_in_a_row() -> None:
    first, second = await said(mind(mishears=1.0), "Any allergies?", "Any allergies?")
    assert first.text in PHRASES["unheard"]
    assert second.text == "No allergies."


async def test_a_goodbye_is_never_misheard() -> None:
    (line,) = await said(mind(mishears=1.0), "Goodbye.")
    assert line.hang_up


async def test_a_rambler_answers_first_and_never_tells_the_same_story_twice() -> None:
    lines = await said(mind(rambles=1.0), *["Any allergies?"] * 6)
    assert lines[0].text.startswith("No allergies. ")
    assert lines[0].facts == ("allergies",)
    stories = [line.text.split(". ", 1)[1] for line in lines[:4]]
    assert len(set(stories)) == 4


async def test_an_agreement_is_taken_back_twice_at_most() -> None:
    lines = await said(mind(changes_mind=1.0), *["Shall I book it?"] * 4)
    assert [line.text in PHRASES["changes_mind"] for line in lines] == [True, True, False, False]


async def test_no_other_answer_is_taken_back() -> None:
    (line,) = await said(mind(changes_mind=1.0), "Any allergies?")
    assert line.text == "No allergies."


async def test_limits_are_tested_where_nothing_is_asked_and_one_after_the_other() -> None:
    advice = "It is best to rest and to drink plenty of water."
    lines = await said(mind(tests_limits=1.0), "Any allergies?", *[advice] * 5)
    assert lines[0].text == "No allergies."
    assert [line.text for line in lines[1:5]] == PHRASES["tests_limits"]
    assert lines[5].text not in PHRASES["tests_limits"]


@pytest.mark.parametrize(
    "text", [text for name in ("rambles", "changes_mind", "tests_limits") for text in PHRASES[name]]
)
def test_what_habits_add_could_be_said_by_any_patient(text: str) -> None:
    assert not any(is_markup(sentence, "Andi") or is_role_flip(sentence) for sentence in split(text))


async def test_the_same_turn_is_drawn_alike_however_often_it_is_made() -> None:
    habitual, memory = mind(mishears=0.5, rambles=0.5), begun(shipped("cold-01"))
    lines = [await habitual.reply("Any allergies?", memory) for _ in range(5)]
    assert len(set(lines)) == 1
    assert isinstance(memory, Memory)


def unsure(memory: Memory) -> Memory:
    return replace(memory, unsure=True)


async def test_words_in_doubt_are_asked_for_again_as_often_as_the_persona_does() -> None:
    asking, memory = mind(asks_back=1), begun(shipped("cold-01"))
    again = await asking.reply("Any allergies?", unsure(memory))
    assert again.text in PHRASES["unheard"]
    memory.turns += [Said("agent", "Any allergies?"), Said("caller", again.text)]
    assert (await asking.reply("Any allergies?", unsure(memory))).text == "No allergies."


async def test_where_nothing_is_understood_for_the_third_time_nothing_is_said() -> None:
    lines = await said(mind(), "", "", "")
    assert [line.text in PHRASES["unheard"] for line in lines] == [True, True, False]
    assert lines[2] == PatientLine("")


async def test_a_doubtful_goodbye_is_a_goodbye_and_nothing_is_asked_after_one() -> None:
    memory = begun(shipped("cold-01"))
    assert (await mind().reply("Thank you for calling. Goodbye.", unsure(memory))).hang_up
    memory.turns += [Said("agent", "Goodbye."), Said("caller", "Thank you. Goodbye.")]
    assert (await mind().reply("", unsure(memory))).text not in PHRASES["unheard"]


async def test_exact_lines_are_said_whatever_the_ear_doubts(tmp_path: Path) -> None:
    (tmp_path / "lines.yaml").write_text(
        "lines: [{says: No allergies., when: [allerg], facts: [allergies]}]\notherwise: What?"
    )
    script = make_mind(f"script:{tmp_path / 'lines.yaml'}", shipped("cold-01"))
    memory = unsure(begun(shipped("cold-01")))
    assert (await HabitualMind(script, Habits(), seed=1).reply("Any allergies?", memory)).text == "No allergies."


@pytest.mark.parametrize(("language", "again"), [("de", "noch einmal|wiederholen"), ("es", "repetirlo|otra vez")])
async def test_the_patient_asks_back_in_its_language(language: str, again: str) -> None:
    case = load_case(INPUTS / {"de": "husten.yaml", "es": "tos.yaml"}[language])
    asking = HabitualMind(CuesMind(case), Habits(), seed=1, language=language)
    assert re.search(again, (await asking.reply("Fieber Wetter kaum", unsure(begun(case)))).text)
