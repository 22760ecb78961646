"""The sample call that came with voicesim, so that a new studio has something to look at."""

import logging
import shutil
from pathlib import Path

from voicesim.catalog.find import shipped
from voicesim.errors import VoicesimError
from voicesim.judge.judges import Panel
from voicesim.judge.run import score_together
from voicesim.recording import files
from voicesim.report.write import write_scorecard
from voicesim.studio.database import Database
from voicesim.studio.indexing import index_visit
from voicesim.studio.settings import Settings

SAMPLE = "sample"
_LOG = logging.getLogger("voicesim.studio")


def wanted(settings: Settings) -> bool:
    """Whether there is no call here yet, and a sample that can be put here."""
    return not any(settings.recordings.iterdir()) and shipped_sample() is not None


def shipped_sample() -> Path | None:
    """The folder with the sample call; None where voicesim came without it."""
    root = shipped()
    folder = root / "recordings" / SAMPLE if root else None
    return folder if folder and folder.is_dir() else None


def put(settings: Settings, database: Database) -> None:
    """Copy the sample, and transcribe, judge and report it here; what goes wrong costs no more than the sample."""
    from voicesim.stt.whisper import load_whisper
    from voicesim.suite.after import transcribe

    source = shipped_sample()
    try:
        for call in sorted(source.iterdir()) if source else ():
            target = settings.recordings / SAMPLE / call.name
            shutil.copytree(call, target)
            index_visit(database, settings.recordings, f"{SAMPLE}/{call.name}")  # seen at once, scored in a moment
            if not (target / files.TRANSCRIPT).is_file():
                transcribe(target, load_whisper("base", threads=1))
            write_scorecard(target, score_together(target, Panel(("cues",)).seated()).verdicts.judge)
            index_visit(database, settings.recordings, f"{SAMPLE}/{call.name}")
    except (VoicesimError, OSError) as error:
        _LOG.warning("there is no sample call: %s", error)
