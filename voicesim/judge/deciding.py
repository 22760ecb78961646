"""Code first, then the judge: who decides each check of a call."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from voicesim.catalog.model import Check
from voicesim.judge.base import Call, Finding, Judge, Together
from voicesim.judge.code.decide import decide
from voicesim.judge.fitness import Fitness
from voicesim.judge.model import Failure
from voicesim.metrics.model import Metrics
from voicesim.recording.manifest import Manifest


def by_code(checks: Sequence[Check], call: Call, fit: Fitness) -> dict[str, Finding]:
    """What code decides, by check: all checks of kind `code`, and of the others what a rule fails."""
    ruled = {check.id: (check, decide(check.rule, call)) for check in checks if check.rule}
    return {
        name: _held(replace(finding, tag=check.tag or finding.tag), fit)
        for name, (check, finding) in ruled.items()
        if check.kind == "code" or finding.outcome == "miss"
    }


def by_judge(judge: Judge, checks: Sequence[Check], call: Call, fit: Fitness) -> dict[str, Finding]:
    """What the judge finds for the checks it is asked about.

    A rule whose data is missing lets no hit stand: code can fail a check, never rescue one.
    """
    if not call.transcript.utterances:
        findings = [Finding("cannot_assess") for _ in checks]
    elif isinstance(judge, Together):
        findings = judge.find_all(checks, call) if checks else []
    else:
        findings = [judge.find(check, call) for check in checks]
    return {
        check.id: _held(_guarded(check, call, replace(finding, tag=check.tag or finding.tag)), fit)
        for check, finding in zip(checks, findings, strict=True)
    }


def _guarded(check: Check, call: Call, finding: Finding) -> Finding:
    if check.rule is None or finding.outcome != "hit":
        return finding
    ruled = decide(check.rule, call)
    return finding if ruled.outcome != "cannot_assess" else ruled


def _held(finding: Finding, fit: Fitness) -> Finding:
    """Nothing that did not happen counts when the end of the call is missing."""
    if fit.whole or finding.evidence or finding.happened or finding.outcome == "error":
        return finding
    return Finding("cannot_assess", reason=fit.unscored)


def of_the_call(manifest: Manifest, metrics: Metrics, known: Iterable[Failure] = ()) -> tuple[Failure, ...]:
    """That the agent fell silent, or did not stop when interrupted; not what code has named by a check already."""
    named = {failure.tag for failure in known if failure.by == "code"}
    failures: list[Failure] = []
    if manifest.end_reason == "agent_silent":
        failures.append(Failure(tag="fell_silent", by="code", note=manifest.end_detail))
    ignored = [interruption for interruption in metrics.interruptions if not interruption.yielded]
    if ignored:
        ignored_ones = ", ".join(f"{interruption.caller} at {interruption.start:.1f} s" for interruption in ignored)
        failures.append(Failure(tag="did_not_yield", by="code", note=ignored_ones))
    return tuple(failure for failure in failures if failure.tag not in named)
