"""Read back what many calls came to: every planned call, with all that was made of it or why there is nothing."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from voicesim.catalog.model import Case
from voicesim.errors import RecordingError, UsageError
from voicesim.judge.gate import Gate, State, gate
from voicesim.judge.kept import load_verdicts
from voicesim.judge.model import Verdicts
from voicesim.judge.panel import PANEL
from voicesim.metrics.model import Metrics
from voicesim.recording import files
from voicesim.recording.case import case_of
from voicesim.recording.manifest import Manifest
from voicesim.recording.read import find_recordings
from voicesim.results.model import SUITE, Planned, SuiteRun, planned_of
from voicesim.transcript.model import Transcript

CallState = State | Literal["missing"]


@dataclass(frozen=True)
class SuiteCall:
    """A planned call and what there is of it. Without a recording, `problem` says why.

    `judged` are the verdicts of each judge (a panel's own votes are not among them), `verdicts` those that count.
    What was not made, or cannot be read, is None; `problem` then says so.
    """

    planned: Planned
    folder: Path | None = None
    manifest: Manifest | None = None
    metrics: Metrics | None = None
    verdicts: Verdicts | None = None
    judged: tuple[Verdicts, ...] = ()
    problem: str = ""

    @property
    def gate(self) -> Gate:
        """What the call came to, and the reason; only of a call with a recording."""
        assert self.manifest is not None
        return gate(self.manifest.validity, self.verdicts.score if self.verdicts else None)

    @property
    def state(self) -> CallState:
        """Passed, failed, unscored, invalid, or missing when there is no recording."""
        return self.gate.state if self.manifest else "missing"

    @property
    def reason(self) -> str:
        """Why it is not passed; "" when it is."""
        if self.manifest is None:
            return self.problem or "not made yet"
        return self.gate.reason if self.state == "invalid" else self.problem or self.gate.reason

    @property
    def valid(self) -> bool:
        """Whether it may count: recorded, and not spoiled by voicesim."""
        return self.state not in ("invalid", "missing")

    @property
    def score(self) -> float | None:
        """Weight of hits over weight of hits and misses, of a valid call; None where it has no score."""
        return self.verdicts.score.value if self.valid and self.verdicts else None

    @property
    def draft(self) -> bool:
        """Whether no clinician has looked at its case."""
        return self.manifest is not None and self.manifest.case.content.get("clinical_status", "draft") == "draft"

    @property
    def scorecard(self) -> Path | None:
        """Its page, where it was written."""
        page = self.folder / files.SCORECARD if self.folder else None
        return page if page and page.is_file() else None

    @property
    def case(self) -> Case:
        """The case as it was when the call was made. Raises CatalogueError when the manifest's copy is none."""
        assert self.manifest is not None
        return case_of(self.manifest)

    def transcript(self) -> Transcript | None:
        """Its transcript, read anew; None when there is none. Raises RecordingError when it cannot be read."""
        if self.folder is None or not (self.folder / files.TRANSCRIPT).is_file():
            return None
        return files.load(self.folder, files.TRANSCRIPT, Transcript)


@dataclass(frozen=True)
class SuiteResult:
    """A suite's folder as it stands, every planned call in the order of the plan."""

    folder: Path
    run: SuiteRun
    calls: tuple[SuiteCall, ...]

    @cached_property
    def valid(self) -> tuple[SuiteCall, ...]:
        """The calls that may count."""
        return tuple(call for call in self.calls if call.valid)

    @cached_property
    def cases(self) -> Mapping[str, Case]:
        """The cases that calls were made with, by id, in the order of the plan."""
        return {call.planned.case: call.case for call in reversed(self.calls) if call.manifest}

    def ids(self, kind: Literal["case", "persona", "profile", "agent"]) -> tuple[str, ...]:
        """What the plan names of a kind, each once, in its order."""
        return tuple(dict.fromkeys(getattr(call.planned, kind) for call in self.calls))

    def of(self, **names: str) -> tuple[SuiteCall, ...]:
        """The calls whose plan has these ids, such as `of(agent="realtime", case="cold-01-andi")`."""
        return tuple(
            call for call in self.calls if all(getattr(call.planned, kind) == name for kind, name in names.items())
        )


def open_suite(folder: Path) -> SuiteResult:
    """Read a suite's folder; without suite.json every recording at or below the folder is one of its calls.

    Nothing is written or repaired. Raises RecordingError when there is neither, or suite.json cannot be read.
    """
    run, made = read_run(folder), tuple(recorded(folder))
    if run is None:
        recordings = [(path, _manifest(path)) for path in find_recordings(folder)]
        planned = tuple(planned_of(manifest, path.name) for path, manifest in recordings)
        run = SuiteRun(suite=folder.name, voicesim="", planned=planned)
        pairs = zip(planned, recordings, strict=True)
        return SuiteResult(folder, run, tuple(_call(plan, path, manifest, "") for plan, (path, manifest) in pairs))
    tries = tries_by_key(made)
    return SuiteResult(folder, run, tuple(_made(plan, tries, run) for plan in run.planned))


def read_run(folder: Path) -> SuiteRun | None:
    """suite.json of a folder; None where there is none. Raises RecordingError when it cannot be read."""
    return files.load(folder, SUITE, SuiteRun) if (folder / SUITE).is_file() else None


def recorded(folder: Path) -> Iterator[tuple[Path, Manifest]]:
    """The recordings directly in a folder, by name; what cannot be read is passed over."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if (path / files.MANIFEST).is_file():
            try:
                yield path, _manifest(path)
            except RecordingError:
                continue


def tries_by_key(made: Iterable[tuple[Path, Manifest]]) -> Mapping[str, tuple[Path, Manifest]]:
    """The recording that counts of each key: the valid one, or else the last try."""
    counts: dict[str, tuple[Path, Manifest]] = {}
    for path, manifest in made:
        before = counts.get(manifest.key)
        if manifest.key and (before is None or not _is_valid(before[1])):
            counts[manifest.key] = (path, manifest)
    return counts


def _is_valid(manifest: Manifest) -> bool:
    return manifest.validity is not None and manifest.validity.valid


def _manifest(folder: Path) -> Manifest:
    return files.load(folder, files.MANIFEST, Manifest)


def _made(plan: Planned, tries: Mapping[str, tuple[Path, Manifest]], run: SuiteRun) -> SuiteCall:
    if plan.key not in tries:
        return SuiteCall(plan, problem=run.lost.get(plan.key, ""))
    return _call(plan, *tries[plan.key], run.judge)


def _call(plan: Planned, folder: Path, manifest: Manifest, judge: str) -> SuiteCall:
    """A recorded call with what was made of it."""
    call = SuiteCall(plan, folder, manifest)
    try:
        if (folder / files.METRICS).is_file():
            call = replace(call, metrics=files.load(folder, files.METRICS, Metrics))
        judged = tuple(
            files.load(folder, f"{files.VERDICTS}/{path.name}", Verdicts)
            for path in sorted((folder / files.VERDICTS).glob("*.json"))
        )
        call = replace(call, judged=tuple(verdicts for verdicts in judged if verdicts.judge != PANEL))
        return replace(call, verdicts=load_verdicts(folder, judge or None)) if judged else call
    except (RecordingError, UsageError) as error:
        return replace(call, problem=str(error))
