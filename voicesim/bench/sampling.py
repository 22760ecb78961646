"""Samples of calls for people to label, and what their labels say of a judge as the weeks go by."""

import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Literal, get_args

from pydantic import ValidationError

from voicesim.bench.figures import agreement, wilson
from voicesim.errors import RecordingError, UsageError
from voicesim.frozen import Frozen
from voicesim.judge.gold import Gold, label_of
from voicesim.judge.kept import load_verdicts
from voicesim.recording import files
from voicesim.recording.manifest import Manifest

Layer = Literal["tag", "agent", "case", "persona", "profile", "failed"]
LAYERS: tuple[Layer, ...] = get_args(Layer)
LIKELY = 0.05
"""Probability of a difference by chance from which a drop is called one."""


@dataclass(frozen=True)
class Drawn:
    """A call of a sample and the layer that it stands for."""

    folder: Path
    layer: tuple[str, ...]


class Week(Frozen):
    """What one round of labels said of a judge: on how many of `n` the people agreed with it.

    `labels` is how many labels of this judge the file held then; the next round begins after them. `dropped`: fewer
    agree than in all rounds before, and chance does so in less than 1 of 20 cases (Fisher's exact test, one-sided).
    """

    date: str
    judge: str
    n: int
    agreed: int
    share: float
    low: float
    high: float
    before: float | None = None
    p: float | None = None
    dropped: bool = False
    labels: int


def draw(folders: Sequence[Path], count: int, by: Sequence[Layer], seed: int) -> list[Drawn]:
    """So many calls, every layer in turn, so that rare ones are in it; the same seed draws the same calls.

    Calls without a transcript or verdicts cannot be labelled and are left out. Raises UsageError when none is left.
    """
    layers: dict[tuple[str, ...], list[Path]] = defaultdict(list)
    for folder in sorted(folders, key=str):
        if (folder / files.TRANSCRIPT).is_file() and (folder / files.VERDICTS).is_dir():
            layers[_layer(folder, by)].append(folder)
    if not layers:
        raise UsageError("none of these calls is transcribed and judged yet, so that there is nothing to label")
    chance = random.Random(seed)
    names = sorted(layers)
    chance.shuffle(names)
    for name in names:
        chance.shuffle(layers[name])
    rounds = zip_longest(*([Drawn(folder, name) for folder in layers[name]] for name in names))
    return [call for turn in rounds for call in turn if call is not None][:count]


def weeks(path: Path) -> tuple[Week, ...]:
    """The rounds of labels that were looked at before. Raises UsageError, with the line, for what is none."""
    if not path.is_file():
        return ()
    rounds = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            try:
                rounds.append(Week.model_validate_json(line))
            except ValidationError as error:
                raise UsageError(f"{path}:{number}: {error.errors()[0]['msg']}") from error
    return tuple(rounds)


def new_weeks(gold: Sequence[Gold], before: Sequence[Week], date: str) -> tuple[Week, ...]:
    """For each judge, what the labels say that came since its last round."""
    rounds = []
    for judge in sorted({row.judge for row in gold if row.judge and row.outcome is not None}):
        own = [row for row in gold if row.judge == judge and row.outcome is not None]
        past = [week for week in before if week.judge == judge]
        fresh = own[past[-1].labels if past else 0 :]
        if fresh:
            rounds.append(_week(judge, fresh, past, date, len(own)))
    return tuple(rounds)


def keep(path: Path, rounds: Iterable[Week]) -> None:
    """Add rounds at the end of the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        for week in rounds:
            file.write(week.model_dump_json() + "\n")


def _week(judge: str, fresh: Sequence[Gold], past: Sequence[Week], date: str, labels: int) -> Week:
    pairs = Counter[tuple[str, str]]((row.label, label_of(row.outcome)) for row in fresh if row.outcome is not None)
    agreed = sum(count for (label, said), count in pairs.items() if label == said)
    interval, share = wilson(agreed, len(fresh)), agreement(pairs)
    assert interval is not None
    assert share is not None
    seen, right = sum(week.n for week in past), sum(week.agreed for week in past)
    p = _by_chance(agreed, len(fresh), right, seen) if seen else None
    return Week(
        date=date,
        judge=judge,
        n=len(fresh),
        agreed=agreed,
        share=round(share, 4),
        low=round(interval.low, 4),
        high=round(interval.high, 4),
        before=round(right / seen, 4) if seen else None,
        p=p,
        dropped=p is not None and p < LIKELY,
        labels=labels,
    )


def _by_chance(agreed: int, n: int, right: int, seen: int) -> float:
    """The probability that chance alone lets so few agree now."""
    from scipy.stats import fisher_exact

    result = fisher_exact([[agreed, n - agreed], [right, seen - right]], alternative="less")
    return round(float(result.pvalue), 6)


def _layer(folder: Path, by: Sequence[Layer]) -> tuple[str, ...]:
    manifest = files.load(folder, files.MANIFEST, Manifest)
    try:
        verdicts = load_verdicts(folder, None)
    except (UsageError, RecordingError) as error:
        raise UsageError(f"{folder}: {error}") from error
    tags = ",".join(sorted({str(failure.tag) for failure in verdicts.tags})) or "none"
    failed = ",".join(verdicts.score.failed_critical) or "none"
    values = {
        "tag": tags,
        "agent": manifest.agent.id,
        "case": manifest.case.id,
        "persona": manifest.persona.id,
        "profile": manifest.profile.id,
        "failed": failed,
    }
    return tuple(values[name] for name in by)


def listed(drawn: Iterable[Drawn]) -> str:
    """A sample as JSON lines: the folder and its layer."""
    rows = ({"recording": str(call.folder), "layer": list(call.layer)} for call in drawn)
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
