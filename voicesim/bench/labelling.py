"""From verdicts on a recording to gold labels: what a person is shown, what their answer means, what comes back."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from voicesim.catalog.model import Case, Check
from voicesim.errors import UsageError
from voicesim.judge.gold import Gold, Label, Pointed, label_of, load_gold
from voicesim.judge.model import Verdict, Verdicts
from voicesim.recording import files
from voicesim.recording.case import case_of
from voicesim.recording.manifest import Manifest
from voicesim.transcript.model import Transcript


@dataclass(frozen=True)
class Question:
    """One verdict to be looked at. `spoken` are the utterances behind its quotes, as (id, text), in order."""

    check: Check
    verdict: Verdict
    spoken: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Sheet:
    """The verdicts of one judge on one recording; `folder` is as it was given."""

    folder: Path
    call_id: str
    case: Case
    judge: str
    questions: tuple[Question, ...]


def sheet(folder: Path, verdicts: Verdicts) -> Sheet:
    """What there is to label in a recording, in the order of the rubric.

    Raises RecordingError when the recording's manifest or transcript cannot be read.
    """
    manifest = files.load(folder, files.MANIFEST, Manifest)
    transcript = files.load(folder, files.TRANSCRIPT, Transcript)
    case = case_of(manifest)
    checks = {check.id: check for check in case.rubric}
    texts = {utterance.id: utterance.text for utterance in transcript.utterances}
    questions = tuple(
        Question(checks[verdict.check], verdict, _spoken(verdict, texts))
        for verdict in verdicts.verdicts
        if verdict.check in checks
    )
    return Sheet(folder, manifest.call_id, case, verdicts.judge, questions)


def remaining(sheet: Sheet, given: Iterable[Gold], rater: str) -> tuple[Question, ...]:
    """The questions that a rater has not answered yet."""
    done = {row.check for row in given if row.item == sheet.call_id and row.rater == rater}
    return tuple(question for question in sheet.questions if question.check.id not in done)


def label(sheet: Sheet, question: Question, gold: Path, rater: str, right: Label | None, reason: str) -> Gold:
    """The label of a person's answer; `right` is what they say is right, None when they agree with the verdict.

    A verdict that is agreed with hands its quotes on; one that is not has none to hand on.
    """
    verdict = question.verdict
    agreed = right is None or right == label_of(verdict.outcome)
    return Gold(
        item=sheet.call_id,
        check=question.check.id,
        label=right or label_of(verdict.outcome),
        source="human",
        rater=rater,
        reason=reason,
        evidence=tuple(Pointed(utterance=quote.utterance, quote=quote.quote) for quote in verdict.evidence if agreed),
        recording=_place(sheet.folder, gold),
        case=sheet.case.id,
        judge=sheet.judge,
        outcome=verdict.outcome,
    )


def brought_in(
    sheets: Sequence[Sheet], source: Path, gold: Path, rater: str, given: Sequence[Gold]
) -> tuple[Gold, ...]:
    """The labels of a file that a scorecard page made, for one of these recordings; those given before are left out.

    The page knows neither the rater nor where the recording lies; both are filled in. Raises UsageError when the
    file cannot be read or is of another call.
    """
    rows = load_gold(source)
    folders = {page.call_id: page.folder for page in sheets}
    for row in rows:
        if row.item not in folders:
            raise UsageError(f"{source}: the labels are of call {row.item}, and not of {', '.join(folders)}")
    new = [row.model_copy(update={"rater": rater, "recording": _place(folders[row.item], gold)}) for row in rows]
    before = {(row.item, row.check, row.rater) for row in given}
    return tuple(row for row in new if (row.item, row.check, row.rater) not in before)


def _place(folder: Path, gold: Path) -> str:
    """Where a recording lies, seen from the file of the labels; both can then be moved together."""
    return Path(os.path.relpath(folder.resolve(), gold.resolve().parent)).as_posix()


def _spoken(verdict: Verdict, texts: dict[str, str]) -> tuple[tuple[str, str], ...]:
    ids = dict.fromkeys(quote.utterance for quote in verdict.evidence)
    return tuple((name, texts[name]) for name in ids if name in texts)
