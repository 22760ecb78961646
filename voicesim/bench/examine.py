"""A judge put before gold labels: for each labelled check of each call, what it says of it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from voicesim.bench.scripted import events_of, transcript_of
from voicesim.catalog.model import Case, Check
from voicesim.catalog.tags import Tag
from voicesim.errors import UsageError, near
from voicesim.judge.base import Call, Finding, Judge, Together
from voicesim.judge.fitness import CUT_SHORT, Fitness, fitness
from voicesim.judge.gold import Gold, by_item
from voicesim.judge.model import Verdict
from voicesim.judge.run import judge_call
from voicesim.metrics.model import Metrics
from voicesim.recording import files
from voicesim.recording.case import case_of
from voicesim.recording.events import Event
from voicesim.recording.manifest import Manifest
from voicesim.recording.read import read_events
from voicesim.transcript.model import Transcript


@dataclass(frozen=True)
class Labelled:
    """A call with everything that a judge needs, and the labels it has.

    What was only written down has no measures, and no events but its tools.
    """

    case: Case
    transcript: Transcript
    fitness: Fitness
    labels: tuple[Gold, ...]
    events: tuple[Event, ...] = ()
    metrics: Metrics | None = None

    def layers(self) -> list[tuple[str, str, str]]:
        """Kind and group of the check of each label, and its fault."""
        checks = {check.id: check for check in self.case.rubric}
        return [(checks[label.check].kind, checks[label.check].group, label.fault) for label in self.labels]


@dataclass(frozen=True)
class Answer:
    """What a judge said of one check of one call, beside all labels that it has.

    `tag` is the kind of failure that it named; None where it named none.
    """

    case: str
    check: Check
    verdict: Verdict
    labels: tuple[Gold, ...]
    tag: Tag | None = None


@dataclass(frozen=True)
class _Only:
    """A judge that is asked about some checks; for the others it costs nothing."""

    judge: Judge
    checks: frozenset[str]

    @property
    def name(self) -> str:
        return self.judge.name

    @property
    def version(self) -> str:
        return self.judge.version

    def find(self, check: Check, call: Call) -> Finding:
        return self.judge.find(check, call) if check.id in self.checks else Finding("cannot_assess")


def calls(rows: Sequence[Gold], base: Path, case_named: Callable[[str], Case]) -> Iterator[Labelled]:
    """The labelled calls, in order of first appearance. Recordings are looked for relative to `base`.

    Raises UsageError for a label without a call, or on a check that the case does not have; RecordingError
    and CatalogueError for a recording or a case that cannot be read.
    """
    named = cache(case_named)
    for item, labels in by_item(rows).items():
        first = labels[0]
        if first.said:
            cut = CUT_SHORT.get(first.ended, "")
            fit = Fitness(cut, whole=not cut)
            call = Labelled(named(first.case), transcript_of(first.said, item), fit, labels, events_of(first.said))
        elif first.recording:
            if not (base / first.recording).is_dir():
                raise UsageError(f"{item}: its recording is not at {base / first.recording}")
            call = _recorded(base / first.recording, labels)
        else:
            raise UsageError(f"{item}: the label says neither which `recording` it is of nor what was `said`")
        known = {check.id for check in call.case.rubric}
        for lost in (label.check for label in labels if label.check not in known):
            raise UsageError(f"{item}: {call.case.id} has no check {lost!r}.{near(lost, known)}")
        yield call


def counts(calls: Iterable[Labelled]) -> dict[str, dict[str, int]]:
    """How many labels there are, by fault ("" where none is told) and kind."""
    by_fault: dict[str, dict[str, int]] = {}
    for kind, _, fault in (layer for call in calls for layer in call.layers()):
        row = by_fault.setdefault(fault, {})
        row[kind] = row.get(kind, 0) + 1
    return by_fault


def answers(judge: Judge, call: Labelled, repeats: int = 1) -> tuple[Answer, ...]:
    """The judge's verdicts on the labelled checks of a call, by the majority of its repeats.

    The others are not asked about, but by a judge that is asked about all checks of a call together.
    """
    wanted = frozenset(label.check for label in call.labels)
    only = judge if isinstance(judge, Together) else _Only(judge, wanted)
    given = judge_call(only, call.case, call.transcript, call.fitness, call.events, call.metrics, repeats)
    verdicts = {verdict.check: verdict for verdict in given.verdicts}
    tags = {failure.check: failure.tag for failure in given.tags}
    return tuple(
        Answer(
            call.case.id,
            check,
            verdicts[check.id],
            tuple(label for label in call.labels if label.check == check.id),
            tags.get(check.id),
        )
        for check in call.case.rubric
        if check.id in wanted
    )


def _recorded(folder: Path, labels: tuple[Gold, ...]) -> Labelled:
    manifest = files.load(folder, files.MANIFEST, Manifest)
    transcript = files.load(folder, files.TRANSCRIPT, Transcript)
    events = read_events(folder)
    measured = (folder / files.METRICS).is_file()
    metrics = files.load(folder, files.METRICS, Metrics) if measured else None
    fit = fitness(manifest, transcript, events)
    return Labelled(case_of(manifest), transcript, fit, labels, events, metrics)
