"""The offline judge's rules for checks of kind `tell`."""

import re

from voicesim.catalog.model import Check
from voicesim.judge.acts import (
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
from voicesim.judge.base import Call, Finding
from voicesim.judge.moments import Moment, moments, settle
from voicesim.text.cues import cue_in, read
from voicesim.text.fold import fold
from voicesim.text.grammar import FINITE, NEGATORS, REFUSALS, word_set

_SPEAKS_OF_CONDITIONS = CONDITIONS | word_set("worse worsens worsening")
_EXPECTS_A_HEDGE = word_set("probably likely certain possibly")
_NO_TOPIC = NEGATORS | REFUSALS | FINITE | word_set("take taking together off need hold any")
_ADVISES = word_set("tells advises recommends directs sends urges")
_GIVES_IN = re.compile(r"\b(?:i'll|i will|i can|i could|let me) (?:give|prescribe|write|order|send)\b")
_COMMON = word_set(
    "about above after again agent asks because being before could doctor every first gives going other patient "
    "person place recommends rather same says should something still tells their there these thing those today "
    "under until without would"
)


def find(check: Check, call: Call) -> Finding:
    """Hit by a plain statement that holds a cue; see docs/judge.md for what leaves it undecided."""
    readings = readings_of(check, call)
    # The moment nearest to the expectation is shown first.
    order = sorted(readings, key=lambda one: -len(_stems(check.expect) & _stems(one[0].text)))
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
    words = set(read(moment.text).texts)
    expected = set(fold(check.expect)) | set(re.split(r"[-_]", check.id))
    echo = any(cue_in(cue, text) for text in moment.patient)
    doubts = [
        conditional(moment.text, cue) and not _SPEAKS_OF_CONDITIONS & expected,
        # "get help if ..." wants the condition told too; with a premise the `if` is the premise
        "if" in fold(check.expect) and not check.premise and not CONDITIONS & words,
        bool(_EXPECTS_A_HEDGE & expected) and not HEDGES & words,
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
            # softened, allowed rather than told, or with something to take beside it
            bool(SOFTENERS.intersection(words)),
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
    if any(map(_refuses, check.cues)) and _GIVES_IN.search(plain) and not NEGATORS.intersection(read(plain).texts):
        return True
    topics = {word for cue in check.cues if _refuses(cue) for word in read(cue).texts if word not in _NO_TOPIC}
    return any(
        cue_in(topic, moment.text) and recommends(moment.text, topic) == "yes" for topic in topics if len(topic) > 4
    )


def _close(check: Check, call: Call) -> Moment | None:
    """A sentence with two or more words of the expectation that the patient had not used."""
    for moment in moments(call.transcript):
        known = _stems(" ".join(moment.patient))
        if moment.patient and len((_stems(check.expect) - known) & _stems(moment.text)) >= 2:
            return moment
    return None


def _stems(text: str) -> set[str]:
    return {word[:5] for word in fold(text) if len(word) >= 5 and word.isalpha() and word not in _COMMON}
