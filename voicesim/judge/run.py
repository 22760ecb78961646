"""A judge over a call: verdicts in the order of the rubric, the score, and the file they are kept in."""

import re
from pathlib import Path

from pydantic import ValidationError

from voicesim.catalog.model import Case, Check
from voicesim.errors import CatalogueError, UsageError, near
from voicesim.judge.base import Call, Finding, Judge
from voicesim.judge.fitness import Fitness, fitness
from voicesim.judge.model import Verdict, Verdicts
from voicesim.judge.score import score
from voicesim.recording import files
from voicesim.recording.manifest import Manifest
from voicesim.recording.read import Recording, open_recording
from voicesim.transcript.model import Transcript

JUDGES = ("cues", "openai:MODEL")


def make_judge(name: str) -> Judge:
    """The judge of a name: `cues`, or `openai:MODEL` on any server that speaks OpenAI's API.

    Raises UsageError for another name, and for `openai` without OPENAI_API_KEY in the environment.
    """
    kind, _, model = name.partition(":")
    if name == "cues":
        from voicesim.judge.cues import CuesJudge

        return CuesJudge()
    if kind == "openai" and model:
        from voicesim.judge.openai_judge import OpenAIJudge

        return OpenAIJudge.from_environment(model)
    raise UsageError(f"unknown judge {name!r}.{near(kind if model else name, JUDGES)}")


def case_of(manifest: Manifest) -> Case:
    """The case as it was when the call was made. Raises CatalogueError when the manifest's copy is none."""
    try:
        return Case.model_validate(manifest.case.content)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise CatalogueError(first["msg"], file=f"{files.MANIFEST} of {manifest.call_id}", key=key) from error


def judge_call(judge: Judge, case: Case, transcript: Transcript, fit: Fitness) -> Verdicts:
    """One verdict a check, and the score. May raise UsageError when the judge cannot work at all."""
    call = Call(case, transcript)
    verdicts = tuple(_verdict(check, judge, call, fit) for check in case.rubric)
    return Verdicts(
        call_id=transcript.call_id,
        judge=judge.name,
        judge_version=judge.version,
        verdicts=verdicts,
        score=score(verdicts, fit.unscored),
    )


def score_recording(folder: Path, judge: Judge) -> tuple[Recording, Verdicts]:
    """Judge a recording by its transcript and keep the verdicts in its folder.

    Raises RecordingError when the recording cannot be read, UsageError when it has no transcript yet.
    """
    recording = open_recording(folder)
    if not (folder / files.TRANSCRIPT).is_file():
        raise UsageError(f"{folder}: no {files.TRANSCRIPT} yet; run `voicesim transcribe {folder}` first")
    transcript = files.load(folder, files.TRANSCRIPT, Transcript)
    fit = fitness(recording.manifest, transcript, recording.events)
    verdicts = judge_call(judge, case_of(recording.manifest), transcript, fit)
    files.save(folder, verdicts_file(judge.name), verdicts)
    return recording, verdicts


def verdicts_file(judge: str) -> str:
    """Where a judge's verdicts are kept, below the recording's folder.

    >>> verdicts_file("openai:org/some-model")
    'verdicts/openai_org_some-model.json'
    """
    return f"{files.VERDICTS}/{re.sub(r'[^A-Za-z0-9._-]+', '_', judge)}.json"


def _verdict(check: Check, judge: Judge, call: Call, fit: Fitness) -> Verdict:
    finding = judge.find(check, call) if call.transcript.utterances else Finding("cannot_assess")
    if not fit.whole and not finding.evidence and finding.outcome != "error":
        # Nothing that did not happen counts when the end of the call is missing.
        finding = Finding("cannot_assess", reason=fit.unscored)
    return Verdict(
        check=check.id,
        group=check.group,
        weight=check.weight,
        outcome=finding.outcome,
        evidence=finding.evidence,
        reason=finding.reason,
    )
