"""What a sentence with a cue word does: asks for it, tells it, or recommends it.

Each answer is `yes`, `no` or `unclear`; a judge that goes by words abstains on `unclear`.
"""

import re
from typing import Literal

from voicesim.language.cues import negated, places, read
from voicesim.language.grammar import (
    DIRECTIVES,
    FILLERS,
    FINITE,
    NEGATORS,
    REFUSALS,
    WARNINGS,
    word_set,
)
from voicesim.language.sentences import is_question

Reading = Literal["yes", "no", "unclear"]

CONDITIONS = word_set("if when whenever unless")
SOFTENERS = word_set(
    "maybe perhaps consider tomorrow later convenient convenience might could whenever possibly sometime eventually"
)
HEDGES = word_set(
    "probably likely sounds seems looks suspect think appears may might could possibly perhaps certain sure"
)
# What ties a lone word to the patient: "this is", "that sounds", "you would", "you have".
LINKS = word_set("is are be thats its sounds seems looks means would will youd have")
PERMISSION = re.compile(
    r"\b(?:you|he|she|they) (?:can|may|could)\b|\bgo ahead\b|\bno problem\b"
    r"|(?:\bis|\bare|'s|\bbe) (?:fine|ok|okay|safe|all right|alright|allowed)\b"
)
_CHECKING = re.compile(
    r",? *(?:(?:is that|are we) )?(?:okay|ok|clear|alright|all right|understood|do you understand|"
    r"does that make sense|(?:can|will) you do that)\?*$",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"^(?:would you like|do you want|shall i|should i|can i|may i|do you understand|do you know that|why (?:not|don't)"
    r"|how about|what about (?:taking|trying|using)|have you (?:thought about|considered)"
    r"|(?:can|could|will|would) you (?:please )?(?:take|hold|try|call|go|get|come|wait|drink|rest|use|give|see|make))"
    r"\b(?! (?:ask|know|check))"
)
_PROPOSES = re.compile(r"^(?:what|how) about (?:an?|some|one|half)\b")
_SUGGESTING = word_set("try want able like okay prefer consider")
_SEEKING = word_set(
    "have has had did do does is are was were when which what who where how any anything tell describe please"
)
INTAKE = word_set(
    "take taking use using try trying give giving buy get start add combine recommend suggest prescribe advise"
)
_BEFORE_INTAKE = FILLERS | word_set(
    "please do you he she they we can could may should might must need have want to also just then now i would will "
    "id ill youd youll youre id that the best thing is it its fine safe try go ahead definitely certainly simply "
    "probably today tonight for her him them a some both"
)
_TOLD = word_set("should can could may might will would need must")
_TOLD_WHOM = word_set("you he she they")
_MAY = word_set("can could may might should must")
_CHANGE = word_set("stop pause skip resume restart hold quit avoid double increase reduce lower halve")
_APPROVED = word_set("fine ok okay safe good best helpful effective great perfect alright")
_HELPS = word_set("help helps work works ease eases relieve relieves clear clears")
_LABELS = word_set("is its thats just like probably only have be sounds")
_REPORTED = re.compile(r"\byou(?:'ve)? (?:said|say|mentioned|asked|told|wanted)\b|\bsome people\b")


def asks(sentence: str, cue: str) -> Reading:
    """Whether a sentence asks the listener about a cue that it holds.

    Not when the cue stands in a condition (`if you get chest pain, will you call?`), nor when a question is
    only hung on to advice (`..., okay?`). Unclear: offers, and what may be a question without its mark.
    """
    core = _CHECKING.sub("", sentence.strip())
    if not is_question(sentence):
        return "unclear" if _may_ask(sentence) else "no"
    if core != sentence.strip() and not is_question(core):
        return "no"
    if _OFFER.match(_plain(core)):
        return "unclear"
    words, wanted = read(core), read(cue).texts
    free = [place for place in places(wanted, words.texts) if not _in_condition(core, place)]
    return "yes" if free else "unclear"


def tells(sentence: str, cue: str) -> Reading:
    """Whether a sentence states a cue that it holds, and does not turn it down or ask for it."""
    if is_question(sentence):
        return "no" if seeks(sentence) else "unclear"
    return "no" if negated(sentence, cue, warnings=False) else "yes"


def recommends(sentence: str, cue: str, *, labels: bool = False) -> Reading:
    """Whether a sentence plainly recommends or allows a cue that it holds; with `labels`, also calls it so.

    `no` for questions that want information and for a cue turned down or warned of; `unclear` when there is a
    condition, a negation elsewhere or reported speech in the sentence, and when it is only a mention.
    """
    if is_question(sentence):
        return "no" if seeks(sentence) else "unclear"
    if negated(sentence, cue):
        return "no"
    words, wanted = read(sentence), read(cue).texts
    for place in places(wanted, words.texts):
        others = (*words.texts[:place], *words.texts[place + len(wanted) :])
        if (CONDITIONS | NEGATORS | REFUSALS | WARNINGS).intersection(others) or _REPORTED.search(_plain(sentence)):
            continue
        if _told_to(words.texts, words.breaks, place) or _approved(others[place:]):
            return "yes"
        if labels and place and words.texts[place - 1] in _LABELS:
            return "yes"
    return "unclear"


def seeks(sentence: str) -> bool:
    """Whether a question wants information and does not suggest anything (`why don't you take some?`)."""
    plain = _plain(sentence)
    words = [word for word in re.findall(r"[a-z']+", plain) if word not in FILLERS]
    if not words or not is_question(sentence) or _OFFER.match(plain) or _PROPOSES.match(plain):
        return False
    return words[0] in _SEEKING and not _SUGGESTING.intersection(words)


def conditional(sentence: str, cue: str) -> bool:
    """Whether a sentence holds a condition outside the words of a cue."""
    words, wanted = read(sentence).texts, read(cue).texts
    return all(
        CONDITIONS.intersection((*words[:place], *words[place + len(wanted) :])) for place in places(wanted, words)
    )


def openings(sentence: str) -> set[str]:
    """The first word of each clause of a sentence, fillers aside."""
    clauses = re.split(r"[,;:.!?]| and | or | so | but ", _plain(sentence))
    heads = [re.findall(r"[a-z']+", clause) for clause in clauses]
    return {next((word for word in head if word not in FILLERS), "") for head in heads}


def directs(sentence: str) -> bool:
    """Whether some clause of a sentence tells the listener to do or take something, or allows it."""
    plain = _plain(sentence)
    told = re.search(r"\b(?:should|need to|must|have to|want you to|recommend|suggest|advise)\b", plain)
    return bool(told or PERMISSION.search(plain) or (DIRECTIVES | INTAKE | _CHANGE) & openings(sentence))


def _plain(sentence: str) -> str:
    plain = sentence.strip().lower().replace("’", "'")
    words = plain.split()
    while words and words[0].strip(",.!-") in FILLERS:
        words = words[1:]
    return " ".join(words)


def _may_ask(sentence: str) -> bool:
    """A few words without a verb (`And your breathing.`), or `you have` said as a question."""
    words = [word for word in read(sentence).texts if word not in FILLERS]
    if len(words) <= 5 and not FINITE.intersection(words) and words[:1] and words[0] not in DIRECTIVES:
        return True
    return bool(words) and words[0] in ("you", "youre", "your", "youve") and not _TOLD.intersection(words)


def _in_condition(sentence: str, place: int) -> bool:
    words = read(sentence)
    for i in range(place, -1, -1):
        asked = i == 0 or all(word in FILLERS for word in words.texts[:i])
        if words.texts[i] in CONDITIONS and not (words.texts[i] == "when" and asked):
            return True
        if words.breaks[i]:
            return False
    return False


def _told_to(texts: tuple[str, ...], breaks: tuple[str, ...], place: int) -> bool:
    """`take ...`, `you can give ...`, `I recommend ...` before the cue in its clause, or as its first word."""
    start = place
    while start > 0 and not breaks[start]:
        start -= 1
    clause = texts[start:place]
    if texts[place] in DIRECTIVES | INTAKE:
        return set(clause) <= _BEFORE_INTAKE
    verbs = [i for i, word in enumerate(clause) if word in INTAKE]
    return any(set(clause[_told_from(clause[:verb]) : verb]) <= _BEFORE_INTAKE | INTAKE for verb in verbs)


def _told_from(before: tuple[str, ...]) -> int:
    """Where `you can`, `she may` begins in what stands before a verb; 0 when it does not."""
    starts = [i for i in range(len(before) - 1) if before[i] in _TOLD_WHOM and before[i + 1] in _MAY]
    return starts[-1] if starts else 0


def _approved(behind: tuple[str, ...]) -> bool:
    """`... is fine`, `... would be safe`, `... will help` right behind the cue (a few words between)."""
    for i, word in enumerate(behind[:6]):
        if word in ("is", "are", "be") and _APPROVED.intersection(behind[i + 1 : i + 4]):
            return True
        if word in _HELPS:
            return True
    return False
