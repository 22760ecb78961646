"""What a voice gets to say for what stands in the text."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from voicesim.language.data import load
from voicesim.language.spoken import spoken

INPUTS: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "inputs" / "spoken.yaml").read_text("utf-8"))
RULES = [pair for rule in load("spoken")["rules"] for pair in {**rule["holds"], **rule["fails"]}.items()]
_SMALL = "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|[a-z]+ty)"


def plain(said: str) -> str:
    """Without case, marks, the `and` behind hundreds, and spaces (`B P` is `BP`)."""
    words = re.sub(r"[.,;:?!\"'’-]", " ", said.lower().replace("'", ""))
    return re.sub(rf"(hundred|thousand) and (?={_SMALL}\b)", r"\1 ", " ".join(words.split())).replace(" ", "")


@pytest.mark.parametrize("row", INPUTS, ids=lambda row: str(row["text"]))
def test_a_line_reaches_the_voice_as_a_person_reads_it(row: dict[str, Any]) -> None:
    accepted = row["spoken"] if isinstance(row["spoken"], list) else [row["spoken"]]
    said = spoken(row["text"])
    assert plain(said) in map(plain, accepted)
    assert re.fullmatch(r"(?:[^\W\d_]|[ '\-.,;:?!])*", said)


@pytest.mark.parametrize(("text", "said"), RULES)
def test_what_is_written_short_is_said_in_full(text: str, said: str) -> None:
    assert spoken(text) == said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It was $49.95.", "It was forty nine dollars and ninety five cents."),
        ("$1 or €2, £3.01, $0.99", "one dollar or two euros, three pounds and one penny, ninety nine cents"),
        ("$3.2 million", "three point two million dollars"),
        ("at 8:00", "at eight o'clock"),
        ("8:05, 8:30 PM, 20:00, 0:15", "eight oh five, eight thirty PM, eight PM, twelve fifteen AM"),
        ("at 8 a.m. Then at 9am.", "at eight AM. Then at nine AM."),
        ("at 10 a.m. every day", "at ten AM every day"),
        ("250 mg", "two hundred fifty milligrams"),
        ("2 x 500mg", "two times five hundred milligrams"),
        ("1 ml, 180 mg/dL", "one milliliter, one hundred eighty milligrams per deciliter"),
        ("St. John's on Main St. is", "Saint John's on Main Street is"),
        ("38.5°C, 95 %", "thirty eight point five degrees Celsius, ninety five percent"),
        ("150/95 mmHg", "one hundred fifty over ninety five millimeters of mercury"),
        ("1/2 tablet, 24/7", "one half tablet, twenty four seven"),
        ("2-3 days on the 21st", "two to three days on the twenty first"),
        ("since 1998, of 1,200 people", "since nineteen ninety eight, of one thousand two hundred people"),
        ("call 911 or 555-0199", "call nine one one or five five five zero one nine nine"),
        ("-5, COVID-19, B12, 007", "minus five, COVID nineteen, B twelve, zero zero seven"),
        ("Dr. Lee, No. 5, e.g. he/she", "Doctor Lee, number five, for example he or she"),
        ("No. I said no.", "No. I said no."),
        ("I can't... really — no", "I can't... really, no"),
    ],
)
def test_figures_and_short_forms_become_words(text: str, words: str) -> None:
    assert spoken(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[stressed] **order** now https://x.y/z", "order now"),
        ("See [the page](https://a.b/c?d=1), please.", "See the page, please."),
        ("# Title\n- one\n- *two* `three`", "Title. one. two three"),
        ("Fine 😷👍🏽 thanks <break time='1s'/>", "Fine thanks"),
        ("snake_case and __bold__", "snake case and bold"),
        ("“Quoted”, it’s", "Quoted, it's"),
    ],
)
def test_only_speakable_words_are_left(text: str, words: str) -> None:
    assert spoken(text) == words


@pytest.mark.parametrize("text", ["", "  \n", "...", "😀", "[sighs]", "https://only.a/link", "**"])
def test_nothing_to_say_is_empty(text: str) -> None:
    assert spoken(text) == ""


def test_words_are_left_as_they_are_the_second_time() -> None:
    once = spoken("Take 250 mg at 8:00 for $49.95, Dr. Lee.")
    assert spoken(once) == once
