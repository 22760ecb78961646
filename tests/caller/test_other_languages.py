"""A patient speaks the language of its case: what it understands, what it says by itself, and with which voice."""

import asyncio
import json
from pathlib import Path

import numpy as np
import pytest
from model_server import FakeServer, Says, model_server
from patients import begun

from voicesim.audio.samples import TICK, Pcm, Wave, samples, to_pcm
from voicesim.call.assembly import Order, dial
from voicesim.call.virtual import run_virtual
from voicesim.call.worker_pool import worker_processes
from voicesim.caller.end_of_turn import turn_end
from voicesim.caller.mind import Memory, PatientLine
from voicesim.caller.mind_openai import OpenAIMind
from voicesim.caller.minds import make_mind
from voicesim.caller.moves import read
from voicesim.catalog.load import load_case
from voicesim.catalog.model import AudioProfile, Case, Persona, Voice
from voicesim.errors import UsageError
from voicesim.language.data import load
from voicesim.recording.events import CallerLine, Event, Heard
from voicesim.recording.manifest import Manifest
from voicesim.recording.read import open_recording
from voicesim.suite.audit import line_findings
from voicesim.transports.inprocess import InProcess
from voicesim.tts.engines import language_of
from voicesim.tts.synthesize import synthesize

INPUTS = Path(__file__).parent / "inputs"
GERMAN, SPANISH = load_case(INPUTS / "husten.yaml"), load_case(INPUTS / "tos.yaml")
DEUTSCH = Persona(id="deutsch", title="Deutsch", voice=Voice(engine="pico", name="de"))
LANGUAGES = ("de", "es")


def says(case: Case, heard: str, memory: Memory | None = None) -> PatientLine:
    return asyncio.run(make_mind("cues", case).reply(heard, memory or begun(case)))


@pytest.mark.parametrize(
    ("heard", "line", "facts"),
    [
        ("Seit wann haben Sie den Husten?", "Seit drei Wochen, seit dem Flug.", ("seit",)),
        ("Haben Sie Fieber gemessen? Und nehmen Sie Medikamente?",
         "Fieber hatte ich nicht. Ich nehme Ramipril gegen den Blutdruck.", ("fieber", "medikamente")),
        ("Wie heißen Sie?", "Mein Name ist Jonas Weber.", ()),
        ("Und wie alt sind Sie?", "Ich bin 51.", ()),
        ("Haben Sie Haustiere?", "Nicht dass mir aufgefallen wäre.", ()),
        ("Welche Farbe hat der Auswurf?", "", ()),
        ("", "Entschuldigung, können Sie das noch einmal sagen?", ()),
        ("Ein Antibiotikum hilft hier leider nicht.", "Können Sie mir nicht doch ein Antibiotikum geben?", ()),
        ("Rufen Sie bitte sofort den Notruf 112 an.", "Gut, ich rufe dort jetzt an. Danke.", ()),
        ("Gute Besserung und auf Wiederhören.", "Vielen Dank. Auf Wiederhören.", ()),
        ("Dann gute Besserung, Herr Weber.", "Danke schön.", ()),
        ("Kann ich sonst noch etwas für Sie tun?", "Nein, das war alles. Danke.", ()),
    ],
)  # fmt: skip
def test_the_cues_mind_in_german(heard: str, line: str, facts: tuple[str, ...]) -> None:
    said = says(GERMAN, heard)
    phrases = load("phrases", "de")
    expected = {"": phrases["unknown"], "Nicht dass mir aufgefallen wäre.": phrases["not_known_of"]}.get(line, [line])
    if not heard:
        expected = phrases["unheard"]
    assert said.text in expected
    assert said.facts == facts


@pytest.mark.parametrize(
    ("heard", "line", "facts"),
    [
        ("¿Desde cuándo tiene la tos?", "Desde hace tres semanas.", ("desde",)),
        ("¿Ha tenido fiebre?", "Fiebre no he tenido.", ("fiebre",)),
        ("¿Tiene alergias a algún medicamento?", "Soy alérgica a la penicilina.", ("alergia",)),
        ("¿Cómo se llama usted?", "Me llamo Lucía Romero.", ()),
        ("Cuídese mucho.", "Muchas gracias.", ()),
        ("Que se mejore. Adiós.", "Muchas gracias. Adiós.", ()),
    ],
)
def test_the_cues_mind_in_spanish(heard: str, line: str, facts: tuple[str, ...]) -> None:
    said = says(SPANISH, heard)
    assert (said.text, said.facts) == (line, facts)
    assert said.hang_up == ("Adiós" in heard)


def test_a_fact_is_reminded_of_and_said_again_in_its_language() -> None:
    memory = begun(GERMAN, "Haben Sie Fieber?", "Fieber hatte ich nicht.", released=("fieber",))
    again = says(GERMAN, "Haben Sie wirklich kein Fieber?", memory)
    assert again.text in ("Wie gesagt, fieber hatte ich nicht.", "Ich sagte ja schon, fieber hatte ich nicht.")
    repeated = says(GERMAN, "Können Sie das bitte wiederholen?", memory)
    assert repeated.text == "Ich sagte, fieber hatte ich nicht."


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_phrase_that_english_has(language: str) -> None:
    english, other = load("phrases"), load("phrases", language)
    assert set(other) == set(english)
    assert [name for name in english if type(english[name]) is not type(other[name])] == []
    known = {pattern["name"] for pattern in load("moves", language)["patterns"]}
    assert {pattern["name"] for pattern in load("moves")["patterns"]} <= known


@pytest.mark.parametrize(
    ("language", "question", "statement", "broken"),
    [
        ("de", "Haben Sie Fieber?", "Das ist eine Erkältung.", "Haben Sie Fieber oder"),
        ("es", "¿Tiene fiebre?", "Es un resfriado.", "¿Tiene fiebre o"),
    ],
)
def test_the_end_of_a_turn_goes_by_the_words_of_the_language(
    language: str, question: str, statement: str, broken: str
) -> None:
    assert turn_end(question, 1.0, 2.8, language).silence == 0.6
    assert turn_end(statement, 1.0, 2.8, language).silence == 2.8
    assert turn_end(broken, 1.0, 2.8, language).silence == 2.8


def test_a_patient_of_a_language_without_phrases_has_the_english_ones() -> None:
    case = GERMAN.model_copy(update={"language": "cs"})
    assert says(case, "").text in load("phrases")["unheard"]
    assert read("Hello, how can I help?")[0].moves >= {"help"}


def test_a_model_is_told_the_language_and_its_small_words_are_in_it_too() -> None:
    def answer(body: dict[str, object]) -> Says:
        if "response_format" in body:
            return Says(json.dumps({"asked": [], "declines": False, "over": True}))
        return Says("Danke, dann versuche ich das.")

    with model_server(answer) as server:
        line = asyncio.run(OpenAIMind(GERMAN, server.model()).reply("Gute Besserung, tschüss.", begun(GERMAN)))
        unheard = asyncio.run(OpenAIMind(GERMAN, server.model()).reply("", begun(GERMAN)))
    assert "plain spoken German" in _system(server, 1)
    assert line.text == "Danke, dann versuche ich das. Auf Wiederhören."
    assert unheard.text in load("phrases", "de")["unheard"]


def _system(server: FakeServer, request: int) -> str:
    return str(server.requests[request]["messages"][0]["content"])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Wie kann ich Ihnen helfen?", "caller_role_flip"),
        ("Meine linke Wade ist auch geschwollen.", "caller_leaked_fact"),
        ("Praxis: Guten Tag.", "caller_markup"),
        ("Guten Tag, ich habe einen trockenen Husten, der mich nachts nicht schlafen lässt.", "caller_repeats"),
    ],
)
def test_the_guard_reads_the_language(text: str, reason: str) -> None:
    from voicesim.caller.guard import problem

    found = problem(text, GERMAN, begun(GERMAN), "Was führt Sie zu mir?", ())
    assert found is not None
    assert found.reason == reason


@pytest.mark.parametrize("name", ["de", "es", "fr", "it"])
def test_a_voice_of_another_language_reads_figures_by_itself(name: str) -> None:
    persona = DEUTSCH.model_copy(update={"voice": Voice(engine="pico", name=name)})
    speech = synthesize("1, 2, 3: **38,5**.", persona, 0)
    assert speech.spoken == "1, 2, 3: 38,5."
    assert len(speech.wave) > samples(1.0)
    assert language_of(persona.voice, persona.accent) == name


class GermanAgent:
    """Asks in German, aloud, whenever the patient has been silent for a second; hangs up after the last line."""

    def __init__(self, lines: list[str]) -> None:
        silence = np.zeros(samples(0.3), np.float32)
        waves = [np.concatenate([silence, synthesize(line, DEUTSCH, 0).wave, silence]) for line in lines]
        self._waves: list[Wave] = waves
        self._out, self._quiet, self._spoken = np.zeros(0, np.int16), 0, False

    def tick(self, caller: Pcm) -> Pcm:
        loud = np.abs(caller.astype(np.int32)).max(initial=0) > 300
        self._quiet, self._spoken = (0, True) if loud else (self._quiet + TICK, self._spoken)
        if self._spoken and self._quiet >= samples(1.0) and not len(self._out) and self._waves:
            self._out, self._spoken = to_pcm(self._waves.pop(0)), False
        block, self._out = self._out[:TICK], self._out[TICK:]
        return np.pad(block, (0, TICK - len(block)))


def make(folder: Path, case: Case, persona: Persona, agent: GermanAgent, ear: str = "base") -> Manifest:
    order = Order(case, persona, AudioProfile(id="clean", title="Clean"), "python:GermanAgent", folder, "t", ear=ear,
                  clock="virtual", max_duration=60)  # fmt: skip

    async def main() -> Manifest:
        with worker_processes() as processes:
            return await dial(order, InProcess(agent), processes, lambda event: None)

    return run_virtual(main())


def test_a_whole_call_in_german_with_real_ears_and_voices(tmp_path: Path) -> None:
    lines = ["Seit wann haben Sie den Husten?", "Haben Sie Fieber?", "Vielen Dank für Ihren Anruf. Tschüss!"]
    manifest = make(tmp_path / "c", GERMAN, DEUTSCH, GermanAgent(lines))
    events = open_recording(tmp_path / "c").events
    heard = [event.text.lower() for event in events if isinstance(event, Heard)]
    told = [fact for event in events if isinstance(event, CallerLine) for fact in event.facts]
    assert "husten" in heard[0]
    assert "fieber" in heard[1]
    assert told == ["seit", "fieber"]
    assert (manifest.end_reason, manifest.validity and manifest.validity.valid) == ("completed", True)
    assert list(line_findings(events, GERMAN)) == []


def test_a_voice_of_another_language_and_an_ear_that_knows_english_only_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="speaks English"):
        make(tmp_path / "c", GERMAN, Persona(id="p", title="P"), GermanAgent([]))
    assert not (tmp_path / "c").exists()


def test_an_unreleased_fact_in_german_is_found_by_the_audit() -> None:
    events: list[Event] = [
        Heard(t=1.0, text="Aha.", start=0.0, end=1.0),
        CallerLine(t=2.0, text="Fieber hatte ich nicht.", spoken="", intent="respond", kind="line", start=2, end=3,
                   facts=("fieber",)),
    ]  # fmt: skip
    assert [finding.reason for finding in line_findings(events, GERMAN)] == ["caller_leaked_fact"]
