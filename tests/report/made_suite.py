"""Finished calls in folders, silent and quickly made, with verdicts as a test wants them."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from quiet_call import measured
from sample_call import CASE, spoken_call, transcript_of, write_recording

from voicesim.judge.kept import verdicts_file
from voicesim.judge.model import Evidence, Verdict, Verdicts
from voicesim.judge.score import score
from voicesim.metrics.model import Metrics, Summary
from voicesim.metrics.summary import summarize
from voicesim.recording import files


def write_call(
    folder: Path,
    quotes: Mapping[str, Sequence[Evidence]],
    missed: Sequence[str] = (),
    judge: str = "cues",
    latencies: Sequence[float] = (),
    newest: bool = True,
    **manifest: Any,
) -> None:
    """A call of the first case in which all checks but `missed` were hit, or another judge's verdicts on one."""
    _, _, utterances = spoken_call()
    if not folder.exists():
        silence = np.zeros(48_000, dtype=np.int16)
        write_recording(folder, silence, silence, **manifest)
        files.save(folder, files.TRANSCRIPT, transcript_of(utterances, 2.0))
        files.save(folder, files.METRICS, _metrics(latencies))
    verdicts = tuple(
        Verdict(
            check=check["id"],
            group=check["group"],
            weight=check["weight"],
            outcome="miss" if check["id"] in missed else "hit",
            evidence=tuple(quotes.get(check["id"], ())),
        )
        for check in CASE["rubric"]
    )
    judged = Verdicts(
        call_id="cold-01-andi-0007", judge=judge, judge_version="1", verdicts=verdicts, score=score(verdicts)
    )
    path = files.save(folder, verdicts_file(judge), judged)
    if not newest:
        os.utime(path, (0, 0))


def _metrics(latencies: Sequence[float]) -> Metrics:
    return measured(2.0, response_latency=summarize(latencies) if latencies else Summary(n=0))
