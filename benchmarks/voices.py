"""The table of docs/voices.md: what Whisper makes of each voice and accent, how fast it is, how far personas lie apart.

`python benchmarks/voices.py` takes ten minutes on two quiet cores; `--only accents|voices|personas` and
`--sentences N` make it shorter. `--write` puts the tables into docs/voices.md.
"""

import argparse
import re
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from limits import Limits

from voicesim.audio.samples import RATE, Wave
from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import Accent, Persona, Voice
from voicesim.language.wer import word_error_rate
from voicesim.stt.whisper import Whisper, load_whisper
from voicesim.tts.accents import AMERICAN, accent_names
from voicesim.tts.engines import engine
from voicesim.tts.likeness import distances, print_of, told_apart
from voicesim.tts.synthesize import synthesize

SENTENCES = (
    "I have had a sore throat and a mild fever since Monday.",
    "No, I am not allergic to any medicine that I know of.",
    "I take one small white tablet for my blood pressure every morning.",
    "My daughter is two years old and she has been coughing all night.",
    "It started about three days ago, after dinner with my family.",
    "The pain is worse when I breathe in deeply or walk up the stairs.",
    "Can you book me an appointment for tomorrow at ten?",
    "I already took something for the fever, but it did not help.",
    "My nose is blocked and my head feels heavy.",
    "I am pregnant, and I would rather not take anything strong.",
    "Do I need to see a doctor, or can I wait until next week?",
    "My chest feels tight, and I get tired very quickly.",
    "I work in a warehouse, so I cannot stay at home for long.",
    "There was a little blood when I coughed this morning.",
    "My father had diabetes, and so does my older brother.",
    "I drink a lot of water, and I still feel thirsty.",
    "The cough is dry during the day and wet at night.",
    "My neighbor gave me some herbal tea, which tasted awful.",
    "I would like to know how many of these pills are safe.",
    "Thank you, that was very clear, and I will do what you said.",
)
KOKORO = ("af_heart", "am_michael", "bf_emma", "bm_george", "zf_xiaoxiao", "jm_kumo", "em_alex", "hf_alpha", "ff_siwis")
STRENGTHS = (0.0, 0.5, 1.0)
DOCS = Path(__file__).parents[1] / "docs/voices.md"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", choices=("voices", "accents", "personas"))
    parser.add_argument("--sentences", type=int, default=len(SENTENCES))
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    limits, whisper = Limits(), load_whisper("base", threads=2)
    sentences = SENTENCES[: options.sentences]
    tables = {"voices": voices, "accents": accents, "personas": personas}
    for name, make in tables.items():
        if options.only in (None, name):
            table = make(whisper, sentences, limits)
            print(table, end="\n\n")
            if options.write:
                _put(name, table)
    return 1 if limits.missed else 0


def voices(whisper: Whisper, sentences: tuple[str, ...], limits: Limits) -> str:
    """A row a voice; Kokoro and eSpeak speak a third of the sentences."""
    rows = ["| voice | WER | x real time |", "|---|---|---|"]
    few = sentences[: max(3, len(sentences) // 3)]
    chosen = [("hibari", name, AMERICAN, sentences) for name in engine("hibari").voices()]
    chosen += [("pico", "gb", "british", sentences), ("pico", "us", AMERICAN, sentences)]
    chosen += [("pyttsx3", name, AMERICAN, few) for name in ("default", "f2", "m3")]
    chosen += [("kokoro", name, "british" if name.startswith("b") else AMERICAN, few) for name in KOKORO]
    for maker, name, accent, spoken in chosen:
        persona = Persona(id="p", title="p", voice=Voice(engine=maker, name=name), accent=Accent(name=accent))
        rate = error_rate(whisper, persona, spoken)
        pace = real_time(persona, spoken[:3])
        rows.append(f"| {maker}:{name} | {rate:.3f} | {pace:.3f} |")
        limits.at_most(f"WER of {maker}:{name}", rate, 0.15)
    return "\n".join(rows)


def accents(whisper: Whisper, sentences: tuple[str, ...], limits: Limits) -> str:
    """A row an accent, by the voice `heart`; WER rises with strength and stays under 0.5."""
    rows = ["| accent | strength 0 | 0.5 | 1 |", "|---|---|---|---|"]
    plain = error_rate(whisper, Persona(id="p", title="p"), sentences)
    for name in accent_names():
        if name == AMERICAN:
            continue
        rates = [plain]
        for strength in STRENGTHS[1:]:
            persona = Persona(id="p", title="p", accent=Accent(name=name, strength=strength))
            rates.append(error_rate(whisper, persona, sentences))
        rows.append(f"| {name} | " + " | ".join(f"{rate:.3f}" for rate in rates) + " |")
        limits.at_most(f"WER of {name} at strength 1", rates[-1], 0.5)
        limits.at_least(f"WER of {name} from strength 0 to 1", rates[-1] - rates[0], 0.0)
    return "\n".join(rows)


def personas(whisper: Whisper, sentences: tuple[str, ...], limits: Limits) -> str:
    """A row a persona: voice, WER, and how far the nearest other persona lies."""
    catalogue = Catalogue.here()
    # Those for stress differ in one habit each, not in their voice.
    names = [name for name in catalogue.ids("persona") if not name.startswith("stress-")]
    people = {name: catalogue.persona(name) for name in names}
    prints = {
        name: [print_of(synthesize(text, persona, 0).wave) for text in sentences[:8]]
        for name, persona in people.items()
    }
    apart = distances(prints)
    rows = ["| persona | voice | WER | nearest other | distance |", "|---|---|---|---|---|"]
    for name, persona in people.items():
        near = min((pair for pair in apart if name in pair), key=lambda pair: apart[pair])
        other = near[0] if near[1] == name else near[1]
        rate = error_rate(whisper, persona, sentences)
        voice = f"{persona.voice.engine}:{persona.voice.name}"
        rows.append(f"| {name} | {voice} | {rate:.3f} | {other} | {apart[near]:.1f} |")
    limits.at_least("share of sentences told to be their own persona's", told_apart(prints), 1.0)
    limits.at_least("distance of the nearest two personas", min(apart.values()), 1.5)
    return "\n".join(rows)


def error_rate(whisper: Whisper, persona: Persona, sentences: tuple[str, ...]) -> float:
    """Whisper's word errors over all words, in a clean room. It hears half a minute at a time, as it decodes it."""
    wrong, words = 0.0, 0
    for texts, wave in _stretches(persona, sentences):
        count = len(texts.split())
        wrong += count * (word_error_rate(texts, whisper.transcribe(wave, "en").text) or 0.0)
        words += count
    return wrong / words


def _stretches(persona: Persona, sentences: tuple[str, ...]) -> Iterator[tuple[str, Wave]]:
    """Sentences with a second between them, as many together as fit into 28 s: their text and their sound."""
    gap = np.zeros(RATE, np.float32)
    texts: list[str] = []
    parts: list[Wave] = []
    for text in sentences:
        wave = synthesize(text, persona, 0).wave
        if parts and sum(map(len, parts)) + len(wave) > 28 * RATE:
            yield " ".join(texts), np.concatenate(parts)
            texts, parts = [], []
        texts.append(text)
        parts += [wave, gap]
    yield " ".join(texts), np.concatenate(parts)


def real_time(persona: Persona, sentences: tuple[str, ...]) -> float:
    """Seconds the engine takes for a second of speech, once it is loaded."""
    maker = engine(persona.voice.engine)
    maker.speak("Warm.", persona.voice, persona.accent, 1.0, 0)
    begun = time.perf_counter()
    length = sum(len(maker.speak(text, persona.voice, persona.accent, 1.0, 0)) for text in sentences)
    return (time.perf_counter() - begun) / (length / RATE)


def _put(name: str, table: str) -> None:
    text = DOCS.read_text("utf-8")
    marks = f"<!-- {name} -->", f"<!-- /{name} -->"
    filled = re.sub(f"{marks[0]}.*?{marks[1]}", f"{marks[0]}\n{table}\n{marks[1]}", text, flags=re.DOTALL)
    DOCS.write_text(filled, "utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
