"""The offline judge's rules for checks of kind `tell`."""

import re

from voicesim.catalog.model import Check
from voicesim.judge.base import Call, Finding
from voicesim.judge.moments import Moment, moments
from voicesim.judge.offline.acts import (
    CONDITIONS,
    HEDGES,
    INTAKE,
    LINKS,
    PERMISSION,
    SOFTENERS,
    Reading,
    conditional,
    directs,
    openings,
    recommends,
    tells,
)
from voicesim.judge.offline.expectation import misses_the_point, stems
from voicesim.judge.offline.settling import settle
from voicesim.language.cues import cue_in, places, read
from voicesim.language.fold import fold
from voicesim.language.grammar import FINITE, NEGATORS, REFUSALS, word_set

_SPEAKS_OF_CONDITIONS = CONDITIONS | word_set("worse worsens worsening")
_NO_TOPIC = NEGATORS | REFUSALS | FINITE | word_set("take taking together off need hold any")
_ADVISES = word_set("tells advises recommends directs sends urges")
_GIVES_IN = re.compile(
    r"\b(?:i'll|i will|i can|i could|i'm going to|let me)\b(?: \w+){0,4}? "
    r"(?:give|prescribe|write|order|send|let you have)\b"
    r"|\bmake an exception\b"
)
_CLAUSES = re.compile(r"[,;:]|\b(?:but|so|and|though|although)\b")
_DOWNPLAYED = word_set("harmless usually often sometimes rarely normal")


def find(check: Check, call: Call) -> Finding:
    """Hit by a plain statement that holds a cue; see docs/judge.md for what leaves it undecided."""
    readings = readings_of(check, call)
    # The moment nearest to the expectation is shown first.
    order = sorted(readings, key=lambda one: -len(stems(check.expect) & stems(one[0].text)))
    finding = settle(order, "told plainly", "a cue word was said, but not plainly enough to tell")
    if finding.outcome == "miss" and not readings and (near := _close(check, call)):
        return settle([(near, "unclear")], "", "no cue word, but words of the expectation were said")
    return finding


def readings_of(check: Check, call: Call) -> list[tuple[Moment, Reading]]:
    """Every moment with a cue, in time order, and whether the agent plainly tells it there."""
    said = [(moment, cue) for moment in moments(call.transcript) for cue in check.cues if cue_in(cue, moment.text)]
    readings = [(moment, _reading(check, moment, cue)) for moment, cue in said]
    if any(_contradicts(check, moment) for moment in moments(call.transcript)):
        readings = [(moment, _doubted(reading)) for moment, reading in readings]
    return readings


def _reading(check: Check, moment: Moment, cue: str) -> Reading:
    reading = tells(moment.text, cue)
    if reading != "yes":
        return reading
    if not moment.patient:
        return "no"  # a greeting says nothing about a patient who has not spoken yet
    texts = read(moment.text).texts
    words = set(texts)
    expected = set(fold(check.expect)) | set(re.split(r"[-_]", check.id))
    echo = any(cue_in(cue, text) for text in moment.patient)
    doubts = [
        conditional(moment.text, cue) and not _SPEAKS_OF_CONDITIONS & expected,
        misses_the_point(check, moment.text),
        # "naproxen is better than paracetamol" speaks for the other one
        all(place and texts[place - 1] == "than" for place in places(read(cue).texts, texts)),
        echo and not (HEDGES & words or directs(moment.text)),
        check.group == "critical" and (echo or _uncertain(check, moment.text, cue)),
    ]
    return "unclear" if any(doubts) else "yes"


def _uncertain(check: Check, sentence: str, cue: str) -> bool:
    """What makes a sentence too weak to decide a critical check on its words alone."""
    words = read(sentence).texts
    advises = check.expect.split()[0].lower() in _ADVISES
    return any(
        (
            # softened, played down, allowed rather than told, or with something to take beside it
            bool((SOFTENERS | _DOWNPLAYED).intersection(words)),
            bool(PERMISSION.search(sentence.lower())),
            not advises and bool(INTAKE.intersection(openings(sentence))),
            # "Tells her to ..." needs an instruction; a lone word needs "this is", "you would", ...
            advises and not _instructed(sentence, cue),
            not advises and " " not in cue.strip() and not LINKS.intersection(words),
            # "I take that seriously" for the cue "serious"
            not any(word.startswith(read(cue).texts[-1][:4]) and not word.endswith("ly") for word in words),
            any(map(_refuses, check.cues)) and not _refuses(cue),
        )
    )


def _instructed(sentence: str, cue: str) -> bool:
    """Whether the clause with the cue is the one that tells the listener what to do."""
    clauses = re.split(r"[,;:]|\b(?:and|until|till|while|because|when|after|before|that|which)\b", sentence.lower())
    return any(directs(clause) for clause in clauses if cue_in(cue, clause))


def _doubted(reading: Reading) -> Reading:
    return "unclear" if reading == "yes" else reading


def _refuses(cue: str) -> bool:
    return bool((NEGATORS | REFUSALS).intersection(read(cue).texts)) or cue.startswith("hold off")


def _contradicts(check: Check, moment: Moment) -> bool:
    """What the check wants turned down (`antibiotics won't`) is recommended here, or given in to."""
    plain = moment.text.lower().replace("’", "'")
    if any(map(_refuses, check.cues)) and any(
        _GIVES_IN.search(clause) and not NEGATORS.intersection(read(clause).texts) for clause in _CLAUSES.split(plain)
    ):
        return True
    topics = {word for cue in check.cues if _refuses(cue) for word in read(cue).texts if word not in _NO_TOPIC}
    return any(
        cue_in(topic, moment.text) and recommends(moment.text, topic) == "yes" for topic in topics if len(topic) > 4
    )


def _close(check: Check, call: Call) -> Moment | None:
    """A sentence with two or more words of the expectation that the patient had not used."""
    for moment in moments(call.transcript):
        known = stems(" ".join(moment.patient))
        if moment.patient and len((stems(check.expect) - known) & stems(moment.text)) >= 2:
            return moment
    return None
