"""A judge over a call: verdicts in the order of the rubric, the score, and the file they are kept in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from voicesim.catalog.model import Case, Check
from voicesim.errors import UsageError
from voicesim.judge.base import Call, Finding, Judge, Model, NamesFailures
from voicesim.judge.deciding import by_code, by_judge, of_the_call
from voicesim.judge.families import kinship
from voicesim.judge.fitness import Fitness, fitness
from voicesim.judge.kept import verdicts_file
from voicesim.judge.model import REASON_LENGTH, By, Failure, Verdict, Verdicts, Vote
from voicesim.judge.panel import convene, failures, of_repeats
from voicesim.judge.score import score
from voicesim.llm.errors import UnusableAnswerError
from voicesim.metrics.cost import chat_cost
from voicesim.metrics.measure import measure
from voicesim.metrics.model import Cost, Metrics
from voicesim.recording import files
from voicesim.recording.case import case_of
from voicesim.recording.events import Event
from voicesim.recording.manifest import ModelAt
from voicesim.recording.read import Recording, open_recording
from voicesim.transcript.model import Transcript


def judge_call(
    judge: Judge,
    case: Case,
    transcript: Transcript,
    fit: Fitness,
    events: Sequence[Event] = (),
    metrics: Metrics | None = None,
    repeats: int = 1,
) -> Verdicts:
    """One verdict a check, and the score. May raise UsageError when the judge cannot work at all.

    What code decides needs the events and the measures; without them it is undecided. With several repeats
    the majority of each check counts, and where there is none the check is `disputed`.
    """
    call = Call(case, transcript, tuple(events), metrics)
    coded = by_code(case.rubric, call, fit)
    asked = [check for check in case.rubric if check.id not in coded]
    rounds = [by_judge(judge, asked, replace(call, repeat=repeat), fit) for repeat in range(repeats)]
    judged = {check.id: of_repeats(judge.name, [answers[check.id] for answers in rounds]) for check in asked}
    findings = coded | {name: finding for name, (finding, _) in judged.items()}
    verdicts = tuple(
        _verdict(
            check, findings[check.id], "code" if check.id in coded else "judge", judged.get(check.id, (None, ()))[1]
        )
        for check in case.rubric
    )
    return Verdicts(
        call_id=transcript.call_id,
        judge=judge.name,
        judge_version=judge.version,
        verdicts=verdicts,
        score=score(verdicts, fit.unscored),
        tags=failures(verdicts, findings),
        model=ModelAt(model=judge.server.model, host=judge.server.host) if isinstance(judge, Model) else None,
        models=judge.models if isinstance(judge, Model) else (),
    )


@dataclass(frozen=True)
class Judged:
    """A recording with the verdicts of each judge, and those that count: the panel's where there are several."""

    recording: Recording
    own: tuple[Verdicts, ...]
    verdicts: Verdicts


def score_together(folder: Path, judges: Sequence[Judge], repeats: int = 1) -> Judged:
    """Let each judge decide a recording, `repeats` times over; several judges are a panel.

    Each judge's verdicts are kept as soon as they are there, those of a panel in verdicts/panel.json.
    Raises RecordingError when the recording cannot be read, UsageError when it has no transcript yet.
    """
    recording = open_recording(folder)
    if not (folder / files.TRANSCRIPT).is_file():
        raise UsageError(f"{folder}: no {files.TRANSCRIPT} yet; run `voicesim transcribe {folder}` first")
    transcript = files.load(folder, files.TRANSCRIPT, Transcript)
    measured = (folder / files.METRICS).is_file()
    metrics = files.load(folder, files.METRICS, Metrics) if measured else measure(recording, transcript)
    fit = fitness(recording.manifest, transcript, recording.events)
    case = case_of(recording.manifest)
    own: list[Verdicts] = []
    for judge in judges:
        answered = len(judge.usages) if isinstance(judge, Model) else 0
        judged = judge_call(judge, case, transcript, fit, recording.events, metrics, repeats)
        asked_for = (judged.model.model,) if judged.model else ()
        warnings = kinship(judge.name, (*asked_for, *judged.models), recording.manifest)
        call = Call(case, transcript, recording.events, metrics)
        tags = (*judged.tags, *of_the_call(recording.manifest, metrics, judged.tags))
        more, problem = _of_no_check(judge, call, tags, fit)
        details = {"warnings": (*warnings, *problem), "tags": (*tags, *more), "cost": _cost(judge, answered)}
        own.append(judged.model_copy(update=details))
        files.save(folder, verdicts_file(judge.name), own[-1])
    if len(own) == 1:
        return Judged(recording, tuple(own), own[0])
    panel = convene(own, fit.unscored)
    files.save(folder, verdicts_file(panel.judge), panel)
    return Judged(recording, tuple(own), panel)


def _of_no_check(
    judge: Judge, call: Call, named: Sequence[Failure], fit: Fitness
) -> tuple[tuple[Failure, ...], tuple[str, ...]]:
    """The failures that a judge names beside all checks, and a warning when it could not be asked for them."""
    if not isinstance(judge, NamesFailures) or fit.unscored:
        return (), ()
    try:
        return judge.failures(call, {failure.tag for failure in named}), ()
    except UnusableAnswerError as error:
        return (), (f"judge {judge.name} could not be asked about failures of the whole call: {error}",)


def _cost(judge: Judge, answered: int) -> Cost | None:
    """What a model's answers cost since it had given so many; None without a model or its prices."""
    if not isinstance(judge, Model) or judge.server.prices is None:
        return None
    return chat_cost(judge.usages[answered:], judge.server.prices)


def _verdict(check: Check, finding: Finding, by: By, votes: tuple[Vote, ...]) -> Verdict:
    return Verdict(
        check=check.id,
        group=check.group,
        weight=check.weight,
        outcome=finding.outcome,
        evidence=finding.evidence,
        seen=finding.seen,
        reason=finding.reason if len(finding.reason) <= REASON_LENGTH else f"{finding.reason[: REASON_LENGTH - 2]} …",
        by=by,
        votes=votes,
    )
