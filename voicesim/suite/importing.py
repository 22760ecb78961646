"""A folder of calls from outside, imported in parallel; what goes wrong with one stays with it."""

import multiprocessing
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from voicesim.errors import UsageError, VoicesimError
from voicesim.recording.import_call import ImportOrder, import_call
from voicesim.recording.sound_file import SUFFIXES

PATIENT_NAMES = ("caller", "patient", "customer", "user", "inbound")
AGENT_NAMES = ("agent", "assistant", "bot", "outbound")
EVENT_SUFFIXES = (".json", ".jsonl")


@dataclass(frozen=True)
class FoundCall:
    """A call in a folder: its name, its sound (the patient's file first where there are two), and its events."""

    name: str
    sound: tuple[Path, ...]
    events: Path | None = None


@dataclass(frozen=True)
class Outcome:
    """What became of a call: its notes, or why it was not imported."""

    order: ImportOrder
    duration: float | None = None
    notes: tuple[str, ...] = ()
    error: str = ""


def calls_in(folder: Path) -> tuple[FoundCall, ...]:
    """The calls in a folder and below, by name. Two files `NAME-caller` and `NAME-agent` are one call.

    A file `NAME.json` or `NAME.jsonl` beside a sound holds its events. Raises UsageError where there is no sound.
    """
    sounds = sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())
    if not sounds:
        raise UsageError(f"{folder}: no sound files here or below")
    sides: dict[Path, dict[str, Path]] = defaultdict(dict)
    calls: list[FoundCall] = []
    for path in sounds:
        stem, side = _side(path.stem)
        if side:
            sides[path.with_name(stem)][side] = path
        else:
            calls.append(FoundCall(_name(path.with_suffix(""), folder), (path,), _events(path.with_suffix(""))))
    for base, pair in sides.items():
        if len(pair) == 2:
            calls.append(FoundCall(_name(base, folder), (pair["patient"], pair["agent"]), _events(base)))
        else:
            path = next(iter(pair.values()))
            calls.append(FoundCall(_name(path.with_suffix(""), folder), (path,), _events(path.with_suffix(""))))
    return tuple(sorted(calls, key=lambda call: call.name))


def import_all(orders: Sequence[ImportOrder], jobs: int) -> Iterator[Outcome]:
    """Import calls, `jobs` at a time, and tell of each as it is done."""
    if len(orders) == 1 or jobs == 1:
        yield from map(_imported, orders)
        return
    with ProcessPoolExecutor(min(jobs, len(orders)), multiprocessing.get_context("spawn")) as pool:
        for future in as_completed([pool.submit(_imported, order) for order in orders]):
            yield future.result()


def _imported(order: ImportOrder) -> Outcome:
    try:
        manifest = import_call(order)
    except (VoicesimError, OSError) as error:
        return Outcome(order, error=str(error))
    return Outcome(order, manifest.duration, manifest.imported.notes if manifest.imported else ())


def _side(stem: str) -> tuple[str, str]:
    """A file's name without the side it ends in, and that side; "" for none."""
    lower = stem.lower()
    for side, names in (("patient", PATIENT_NAMES), ("agent", AGENT_NAMES)):
        for name in names:
            if lower.endswith(name) and lower[: -len(name)].endswith(("-", "_", ".", " ")):
                return stem[: -len(name) - 1], side
    return stem, ""


def _name(path: Path, folder: Path) -> str:
    """A path below a folder as the name of a recording."""
    return "-".join(path.relative_to(folder).parts).replace(" ", "-").strip(".") or "call"


def _events(base: Path) -> Path | None:
    return next((path for end in EVENT_SUFFIXES if (path := base.with_name(base.name + end)).is_file()), None)
