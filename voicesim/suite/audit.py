"""The audit of a call's own patient, in code: it told only what was asked for and is its own, and could be understood.

- A fact was asked for when the words before it ask for something, or hold one of the fact's cues. One that replaces
  another was told when its moment had come.
- Every line is held once more against the guard: nothing outside the case, no fact that was not released, no line of
  the agent's side.
- The words of all lines are compared with what Whisper hears in the clean voice. What the line does to it is what a
  profile is for, and makes no call invalid.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from voicesim.audio.samples import Pcm, Wave, samples, to_wave
from voicesim.caller.asked import cues_of
from voicesim.caller.facts import current
from voicesim.caller.guard import problem
from voicesim.caller.mind import Memory, Said
from voicesim.caller.moves import read
from voicesim.caller.phrases import voiced
from voicesim.catalog.model import Case, Fact
from voicesim.frozen import Frozen
from voicesim.language.cues import cue_in
from voicesim.language.wer import word_error_rate
from voicesim.llm.errors import ModelError
from voicesim.recording.events import CallerLine, Effect, Event, Heard
from voicesim.recording.manifest import Manifest, Validity
from voicesim.recording.read import Recording
from voicesim.stt.model import Hearing
from voicesim.suite.finding import Finding
from voicesim.suite.model_audit import ModelAuditor

AUDIT = "audit.json"
"""The audit's file in a recording folder."""
UNINTELLIGIBLE = 0.5
"""Word error rate of the clean voice, over all lines, above which the patient cannot be understood."""
LEAST_WORDS = 10
"""Words of the patient under which a word error rate says nothing."""
_GUARDED = ("caller_role_flip", "caller_leaked_fact", "caller_invented_fact")


class Listens(Protocol):
    """A transcriber of whole stretches."""

    def transcribe(self, wave: Wave, language: str) -> Hearing: ...


class Audit(Frozen):
    """What an audit came to. The word error rate is None when too little was said.

    `model` is the model that audited as well, `model_failed` why it did not, "" for neither.
    """

    findings: tuple[Finding, ...] = ()
    wer_clean: float | None = None
    model: str = ""
    model_failed: str = ""

    @property
    def valid(self) -> bool:
        """Whether the patient kept its part."""
        return not self.findings


def audit(recording: Recording, case: Case, whisper: Listens, model: ModelAuditor | None = None) -> Audit:
    """Audit the patient of a recording, in code, and by a model where there is one.

    A model that gives no answer makes no call invalid; that it failed stands in the audit.
    """
    lines = [event for event in recording.events if isinstance(event, CallerLine)]
    findings = list(line_findings(recording.events, case))
    clean = _wer(lines, recording.events, recording.clean, whisper, case.language)
    if clean is not None and clean > UNINTELLIGIBLE:
        detail = f"{clean:.0%} of the patient's words are not understood in its own clean voice"
        findings.append(Finding(t=0.0, text="", reason="caller_unintelligible", detail=detail))
    failed = ""
    if model is not None:
        try:
            findings += model.findings(recording.events, case)
        except ModelError as error:
            failed = str(error)
    return Audit(
        findings=tuple(findings), wer_clean=clean, model=model.name if model is not None else "", model_failed=failed
    )


def audited(manifest: Manifest, result: Audit) -> Manifest:
    """The manifest of a call with the audit's verdict; a call that was invalid before stays so for its own reason."""
    if result.valid or manifest.validity is None or not manifest.validity.valid:
        return manifest
    first = result.findings[0]
    place = f"at {first.t:.2f} s, {first.text!r}: " if first.text else ""
    return manifest.model_copy(
        update={"validity": Validity(valid=False, reason=first.reason, detail=f"{place}{first.detail}")}
    )


def line_findings(events: Iterable[Event], case: Case) -> Iterable[Finding]:
    """What was wrong with the patient's words, line by line; a pure function of the events."""
    facts = {fact.id: fact for fact in case.patient.reveal_only_if_asked}
    memory, heard = Memory(), ""
    for event in events:
        if isinstance(event, Heard):
            heard = event.text
        if not isinstance(event, CallerLine) or event.intent != "respond":
            continue
        if event.kind in ("line", None) and event.text != case.patient.says_first:
            yield from _finding(event, case, memory, heard, facts)
        if heard:
            memory.turns.append(Said("agent", heard))
        memory.turns.append(Said("caller", event.text))
        memory.released.update(event.facts)
        heard = ""


def _finding(line: CallerLine, case: Case, memory: Memory, heard: str, facts: dict[str, Fact]) -> Iterable[Finding]:
    fresh = [facts[name] for name in line.facts if name in facts and name not in memory.released]
    for fact in fresh:
        if not _asked(fact, heard, case.language):
            detail = f"{fact.id!r} was told, and nobody had asked for it"
            yield Finding(t=line.t, text=line.text, reason="caller_leaked_fact", detail=detail)
    early = [
        fact for fact in fresh if fact.replaces and fact.id not in {now.id for now in current(case.patient, memory)}
    ]
    for fact in early:
        detail = f"{fact.id!r} was told before the patient was to change its mind"
        yield Finding(t=line.t, text=line.text, reason="caller_leaked_fact", detail=detail)
    # What a slip of the tongue says first is the case's own, and put right at once.
    slips = [facts[name].slip for name in line.facts if name in facts]
    text = line.text
    for slip in slips:
        text = text.replace(f"{slip.wrong}, ", "").replace(f"{_capital(slip.wrong)}, ", "") if slip else text
    wrong = problem(text, case, memory, heard, line.facts)
    if wrong is not None and wrong.reason in _GUARDED:
        yield Finding(t=line.t, text=line.text, reason=wrong.reason, detail=wrong.detail)


def _capital(text: str) -> str:
    """A text with its first letter large."""
    return text[:1].upper() + text[1:]


def _asked(fact: Fact, heard: str, language: str) -> bool:
    if any(sentence.asks for sentence in read(heard, voiced(language))):
        return True
    return any(cue_in(cue, heard, language) for cue in cues_of(fact, language))


def _wer(
    lines: Sequence[CallerLine], events: Iterable[Event], track: Pcm, whisper: Listens, language: str
) -> float | None:
    """The word error rate over all whole lines of words; lines that were cut are left out."""
    cuts = [event.t for event in events if isinstance(event, Effect) and event.kind == "line_cut"]
    whole = [line for line in lines if line.spoken and not any(line.start <= cut < line.end for cut in cuts)]
    whole = [line for line in whole if samples(line.end) <= len(track)]  # the others were cut by the end of the call
    whole = [line for line in whole if line.kind not in ("side_talk", "cough", "scene")]
    intended = " ".join(line.spoken for line in whole)
    if len(intended.split()) < LEAST_WORDS:
        return None
    heard = [
        whisper.transcribe(_padded(track[samples(line.start) : samples(line.end)]), language).text for line in whole
    ]
    rate = word_error_rate(intended, " ".join(heard))
    return None if rate is None else round(rate, 4)


def _padded(track: Pcm) -> Wave:
    """A stretch with half a second of silence behind it, which keeps the last word."""
    return np.concatenate([to_wave(track), np.zeros(samples(0.5), np.float32)])
