"""A recording in other forms: sound, captions, a page to read, tables."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, TypeVar

import numpy as np
from pydantic import BaseModel

from voicesim.audio.samples import RATE
from voicesim.errors import UsageError
from voicesim.judge.kept import load_verdicts
from voicesim.metrics.model import Metrics
from voicesim.recording import files
from voicesim.recording.read import open_recording
from voicesim.report.captions import CAPTIONS, markdown
from voicesim.report.dataset import Row, call_row, turn_rows, verdict_rows, write_tables
from voicesim.transcript.model import Transcript

Form = Literal["wav", "srt", "vtt", "rttm", "md", "jsonl", "parquet"]
Model = TypeVar("Model", bound=BaseModel)


def export(folders: Sequence[Path], form: Form, out: Path) -> list[Path]:
    """Write recordings into `out`: a file for each, or three tables over all; returns the paths.

    Raises UsageError for a recording that is not transcribed yet, where its words are needed.
    """
    if form in ("jsonl", "parquet"):
        return write_tables(out, _tables(folders), form)
    names = _names(folders)
    out.mkdir(parents=True, exist_ok=True)
    return [_one(folder, form, out / f"{name}.{form}") for folder, name in zip(folders, names, strict=True)]


def _one(folder: Path, form: Form, path: Path) -> Path:
    recording = open_recording(folder)
    if form == "wav":
        import soundfile

        soundfile.write(path, np.stack([recording.caller, recording.agent], axis=1), RATE, subtype="PCM_16")
        return path
    transcript = _kept(folder, files.TRANSCRIPT, Transcript)
    if transcript is None:
        raise UsageError(f"{folder}: no {files.TRANSCRIPT} yet; transcribe it first")
    if form == "md":
        verdicts = load_verdicts(folder, None) if (folder / files.VERDICTS).is_dir() else None
        files.write_text(path, markdown(recording.manifest, transcript, verdicts))
    else:
        files.write_text(path, CAPTIONS[form](transcript))
    return path


def _tables(folders: Iterable[Path]) -> dict[str, list[Row]]:
    tables: dict[str, list[Row]] = {"calls": [], "turns": [], "verdicts": []}
    for folder in folders:
        manifest = open_recording(folder).manifest
        transcript, metrics = (
            _kept(folder, files.TRANSCRIPT, Transcript),
            _kept(folder, files.METRICS, Metrics),
        )
        verdicts = load_verdicts(folder, None) if (folder / files.VERDICTS).is_dir() else None
        tables["calls"].append(call_row(manifest, transcript, metrics, verdicts) | {"recording": str(folder)})
        tables["turns"] += turn_rows(manifest, transcript, metrics) if transcript else ()
        tables["verdicts"] += verdict_rows(manifest, verdicts) if verdicts else ()
    return tables


def _kept(folder: Path, name: str, model: type[Model]) -> Model | None:
    return files.load(folder, name, model) if (folder / name).is_file() else None


def _names(folders: Sequence[Path]) -> list[str]:
    """The folders' names; with those of the folders above, as far as it takes to tell them apart."""
    paths = [folder.resolve() for folder in folders]
    depth = 1
    while depth < max(len(path.parts) for path in paths) and len({path.parts[-depth:] for path in paths}) < len(paths):
        depth += 1
    plain = [path.name for path in paths]
    return [
        path.name if plain.count(path.name) == 1 else "-".join(part.strip("/") for part in path.parts[-depth:])
        for path in paths
    ]
