"""A call from outside becomes a recording: written beside its place and moved there when it is whole."""

import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from voicesim import __version__
from voicesim.audio.samples import RATE, Pcm
from voicesim.catalog.fingerprint import fingerprint
from voicesim.catalog.model import Case
from voicesim.errors import RecordingError, UsageError
from voicesim.recording import files, flac
from voicesim.recording.events import Event, Warning_
from voicesim.recording.export_events import Export, read_export
from voicesim.recording.inspection import CROSSTALK
from voicesim.recording.manifest import Imported, Manifest, Resolved, SourceFile, Validity
from voicesim.recording.read import open_recording
from voicesim.recording.sources import Side, Source, stereo_file, two_files
from voicesim.recording.speakers import split_speakers

NO_END = "imported; nobody told how the call ended"


@dataclass(frozen=True)
class ImportOrder:
    """One call to be imported. `sound` is a stereo file, or the patient's file and the agent's.

    `events` is what a platform exported of the call, `started` when it began (ISO 8601), `later` by how many seconds
    each of two files begins after it. With `split`, a mono mix is taken and its speakers are told apart.
    """

    sound: tuple[Path, ...]
    case: Case
    folder: Path
    caller: Side = "left"
    events: Path | None = None
    started: str = ""
    agent: str = "imported"
    later: tuple[float, float] = (0.0, 0.0)
    split: bool = False
    repair: bool = False


def import_call(order: ImportOrder) -> Manifest:
    """Make a recording of a call from outside; returns its manifest, whose `imported.notes` tell what was odd.

    Raises RecordingError for sound or events that cannot be taken, and UsageError where something is in the folder
    already. Whatever goes wrong, nothing of the recording is left.
    """
    files.check_name(order.folder)
    for path in order.sound:
        files.check_name(path)
    if order.folder.exists():
        raise UsageError(f"{order.folder}: there is something already; a recording is never written over")
    source = _source(order)
    export = read_export(order.events, order.started, order.caller) if order.events else Export()
    with _whole_or_not(order.folder) as folder:
        flac.write(folder, files.AUDIO, 2, _not_empty(source.blocks()))
        duration = flac.length(folder, files.AUDIO, 2) / RATE
        imported = Imported(
            files=tuple(_named(path, str(info)) for path, info in zip(order.sound, source.infos, strict=True)),
            caller="first file" if len(order.sound) == 2 else "by voice" if order.split else order.caller,
            uncertain=order.split,
            crosstalk=any(CROSSTALK in note for note in source.notes),
            notes=(*source.notes, *export.notes),
        )
        files.write_text(folder / files.EVENTS, "".join(_lines(export.events, imported.notes, duration)))
        manifest = _manifest(order, imported, export, duration)
        files.save(folder, files.MANIFEST, manifest)
        open_recording(folder)  # what could not be opened again is no recording
    return manifest


def _source(order: ImportOrder) -> Source:
    if len(order.sound) == 2:
        return two_files((order.sound[0], order.sound[1]), order.later, repair=order.repair)
    if order.split:
        return split_speakers(order.sound[0], repair=order.repair)
    return stereo_file(order.sound[0], order.caller, repair=order.repair)


@contextmanager
def _whole_or_not(folder: Path) -> Iterator[Path]:
    """A folder to write into, which takes its place when all went well and is gone otherwise."""
    made = [path for path in folder.parents if not path.exists()]
    scrap = folder.with_name(f".{folder.name}.importing-{os.getpid()}")
    try:
        scrap.mkdir(parents=True)
        yield scrap
        scrap.rename(folder)
    except BaseException:
        shutil.rmtree(scrap, ignore_errors=True)
        for path in made:
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()
        raise


def _not_empty(blocks: Iterator[Pcm]) -> Iterator[Pcm]:
    count = 0
    for block in blocks:
        count += len(block)
        yield block
    if not count:
        raise RecordingError("there is no sound in it")


def _named(path: Path, holds: str) -> SourceFile:
    with path.open("rb") as file:
        return SourceFile(name=path.name, sha256=hashlib.file_digest(file, "sha256").hexdigest(), holds=holds)


def _lines(events: Sequence[Event], notes: Sequence[str], duration: float) -> Iterator[str]:
    """The lines of the events file: what the platform told, within the call, and what was odd as warnings."""
    warnings = [Warning_(t=0.0, message=note) for note in notes]
    for event in sorted((*warnings, *events), key=lambda event: event.t):
        if event.t <= duration + 1.0:
            yield event.model_dump_json() + "\n"


def _manifest(order: ImportOrder, imported: Imported, export: Export, duration: float) -> Manifest:
    unknown = Resolved(id="imported", sha256="", content={})
    case = order.case
    return Manifest(
        call_id=order.folder.name,
        suite=order.folder.parent.name,
        started_at=order.started or export.started,
        case=Resolved(id=case.id, sha256=fingerprint(case), content=case.model_dump(mode="json")),
        persona=unknown,
        profile=unknown,
        agent=Resolved(id=order.agent, sha256="", content={}),
        mind="imported",
        seed=0,
        versions={"voicesim": __version__},
        duration=duration,
        end_reason=export.end or "completed",
        end_detail=export.end_detail or NO_END,
        validity=Validity(valid=True),
        state_before=case.backend.state if case.backend else None,
        imported=imported,
    )
