"""Word onsets against a synthesizer that knows them: `python benchmarks/word_times.py`.

The same sentences, each in its own file, through plain faster-whisper (base, int8, its defaults) and through
voicesim's transcript. Errors in milliseconds over the words that both understood rightly; a positive median is
late. `developed on` are the sentences that were listened to while this was built, `held out` those that were not.
"""

import difflib
import statistics
import sys
import time
from collections.abc import Sequence

import numpy as np
from espeak_words import Espeak, Spoken
from limits import Limits

from voicesim.audio.resampling import resample
from voicesim.audio.samples import RATE, samples
from voicesim.stt.short_windows import WHISPER_RATE
from voicesim.stt.vad import speech_spans
from voicesim.stt.whisper import load_whisper
from voicesim.transcript.grouping import group
from voicesim.transcript.hearing import hear, placed
from voicesim.transcript.packing import pieces_of
from voicesim.transcript.words import fit, without_loops

DEVELOPED_ON = (
    "Hello, this is the clinic's nurse line. What can I help you with today?",
    "I'm sorry to hear that. Have you had a fever, or felt hot?",
    "How long have you had the cough, and is it getting worse?",
    "Do you have any other health conditions, and which medicines are you taking?",
    "This is probably a cold or another viral infection of the airways. Please rest and drink plenty.",
    "Are you short of breath right now, or do you have chest pain?",
    "If breathing becomes hard or your chest hurts, get urgent help at once.",
    "Take one tablet of paracetamol every six hours, but never more than four grams in a day.",
    "Thank you for telling me. I would like to ask a few more questions before I give advice.",
    "Is anyone else in your home ill with the same symptoms?",
    "You should see a doctor today because your symptoms have lasted more than three weeks.",
    "Please don't stop your blood pressure tablets without talking to your doctor first.",
    "Ibuprofen and naproxen are not safe for you, since you take losartan.",
    "Keep drinking water, and measure your sugar more often than usual while you feel unwell.",
    "I can't prescribe antibiotics on the phone, and they do not help against a virus.",
    "Goodbye, and get well soon. Call us again if anything changes.",
    "Does the baby drink normally, and does she have wet nappies?",
    "Are you coughing up blood, or has your voice become hoarse?",
    "Have you travelled recently, or been near somebody with tuberculosis?",
    "Did the pain start suddenly, and does it spread into your arm or jaw?",
    "Honey in warm water may ease the throat, but give none to a child under one year.",
    "Your nose may stay blocked for about ten days, which is quite normal.",
    "Let me repeat that back to you so that I have understood it correctly.",
    "Are you pregnant, or could you be?",
)
HELD_OUT = (
    "Good morning, you have reached the after hours service. Who am I speaking with?",
    "When did your throat begin to hurt, and can you swallow without trouble?",
    "It sounds like a common virus, though I cannot examine you over the telephone.",
    "Please go to the nearest emergency department now, or ask someone to drive you there.",
    "What is your temperature, and when did you last measure it?",
    "You may use salt water drops in your nose as often as you like.",
    "Do you smoke, and if so, how many cigarettes a day?",
    "I understand that you are worried. Let us go through this step by step.",
    "Never take two products that both contain the same painkiller.",
    "A cough that wakes you every night deserves a proper check by your own doctor.",
    "Have your lips or fingers turned blue at any moment?",
    "Most people feel better within one week, and the cough goes last.",
    "Could you tell me which tablets you took this morning, and how many?",
    "If the fever comes back after it had gone, please call again the same day.",
    "Has your child been drowsy, floppy, or difficult to wake?",
    "I will write a note for your doctor and send it this afternoon.",
    "Eat small meals, rest in the evening, and avoid heavy work until Friday.",
    "Are there any allergies that I should know about before we go on?",
    "You said the pain gets worse when you lie down, is that right?",
    "Dial the emergency number immediately and unlock your front door.",
    "Your insurance card is not needed for this conversation.",
    "We have seen many patients with these complaints during the past month.",
    "Try to sleep with your head raised on a second pillow.",
    "That is everything from my side. Do you have another question?",
)
VOICES = ("en-us", "en-gb", "en-us+f2", "en-us+m3")
PACES = (150, 165, 175, 190)
BETWEEN = 2.0
MEDIAN, P95, OF_PLAIN = 25.0, 90.0, 0.7
"""Limits of the error's size in ms, and of its 95th percentile against that of plain faster-whisper."""

Timed = Sequence[tuple[str, float]]


def spoken(sentences: Sequence[str]) -> list[Spoken]:
    """The sentences, voices and paces in turn."""
    engine = Espeak()
    return [engine.speak(text, VOICES[n % 4], PACES[n // 4 % 4]) for n, text in enumerate(sentences)]


def plain(said: Sequence[Spoken]) -> Sequence[Timed]:
    """Words and onsets by faster-whisper as it comes, a file at a time."""
    from faster_whisper import WhisperModel

    from voicesim.stt.weights import find_weights

    engine = WhisperModel(str(find_weights("base").folder), device="cpu", compute_type="int8", cpu_threads=2)
    timed = []
    for spoken in said:
        segments, _ = engine.transcribe(resample(spoken.wave, RATE, WHISPER_RATE), language="en", word_timestamps=True)
        timed.append([(word.word, float(word.start)) for segment in segments for word in segment.words or ()])
    return timed


def ours(said: Sequence[Spoken]) -> Sequence[Timed]:
    """Words and onsets by the steps of a transcript, all files after each other on one channel."""
    silence = np.zeros(samples(BETWEEN), np.float32)
    wave = np.concatenate([part for spoken in said for part in (spoken.wave, silence)])
    starts = np.cumsum([0.0, *(len(spoken.wave) / RATE + BETWEEN for spoken in said)])
    utterances = group(speech_spans(wave), [])
    words = hear(wave, utterances, load_whisper("base", threads=2), "en")
    timed: list[list[tuple[str, float]]] = [[] for _ in said]
    for n, (voiced, heard) in enumerate(zip(utterances, words, strict=True)):
        unlooped, _ = without_loops(heard, voiced[0][0], voiced[-1][1])
        place = int(np.searchsorted(starts, voiced[0][0], side="right")) - 1
        fitted = fit(placed(wave, unlooped, pieces_of(n, voiced), "en"), voiced)
        timed[place] += [(word.text, word.start - float(starts[place])) for word in fitted]
    return timed


def errors(said: Sequence[Spoken], timed: Sequence[Timed]) -> list[float]:
    """Found less true onset in ms, of the words that are the same in both, in order."""
    off = []
    for spoken, words in zip(said, timed, strict=True):
        true, got = [_folded(word) for word, _ in spoken.words], [_folded(word) for word, _ in words]
        for block in difflib.SequenceMatcher(None, true, got, autojunk=False).get_matching_blocks():
            for n in range(block.size):
                off.append(1000 * (words[block.b + n][1] - spoken.words[block.a + n][1]))
    return off


def _folded(word: str) -> str:
    return "".join(filter(str.isalnum, word)).casefold()


def main() -> int:
    """Print the tables; how many limits were missed."""
    limits, median, p95s = Limits(), 0.0, [0.0]
    print(f"{'sentences':14}{'what':24}{'words':>6}{'median':>9}{'of size':>9}{'p95':>7}{'max':>7}{'seconds':>9}")
    for name, sentences in (("developed on", DEVELOPED_ON), ("held out", HELD_OUT)):
        said = spoken(sentences)
        p95s = []
        for what, way in (("plain faster-whisper", plain), ("voicesim", ours)):
            begun = time.perf_counter()
            timed = way(said)
            took = time.perf_counter() - begun
            off = errors(said, timed)
            sizes = np.abs(off)
            p95s.append(float(np.percentile(sizes, 95)))
            median = float(np.median(sizes))
            print(
                f"{name:14}{what:24}{len(off):6}{statistics.median(off):+9.0f}{np.median(sizes):9.0f}"
                f"{p95s[-1]:7.0f}{sizes.max():7.0f}{took:9.1f}"
            )
    # The last are those that were not listened to.
    limits.at_most("held out: median of the size", median, MEDIAN, "ms")
    limits.at_most("held out: p95 of the size", p95s[1], P95, "ms")
    limits.at_most("held out: p95, of that of plain faster-whisper", p95s[1] / p95s[0], OF_PLAIN, "x")
    return limits.missed


if __name__ == "__main__":
    sys.exit(main() > 0)
