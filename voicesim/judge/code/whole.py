"""Failures of the whole call that need no check: code saw them happen."""

from collections.abc import Iterable

from voicesim.judge.model import Failure
from voicesim.metrics.model import Metrics
from voicesim.recording.manifest import Manifest


def of_the_call(manifest: Manifest, metrics: Metrics, known: Iterable[Failure] = ()) -> tuple[Failure, ...]:
    """That the agent fell silent, or did not stop when interrupted; not what code has named by a check already."""
    named = {failure.tag for failure in known if failure.by == "code"}
    found: list[Failure] = []
    if manifest.end_reason == "agent_silent":
        found.append(Failure(tag="fell_silent", by="code", note=manifest.end_detail))
    ignored = [interruption for interruption in metrics.interruptions if not interruption.yielded]
    if ignored:
        told = ", ".join(f"{interruption.caller} at {interruption.start:.1f} s" for interruption in ignored)
        found.append(Failure(tag="did_not_yield", by="code", note=told))
    return tuple(failure for failure in found if failure.tag not in named)
