"""The verdicts that are kept beside a recording, one file a judge."""

import re
from pathlib import Path

from voicesim.errors import UsageError, near
from voicesim.judge.model import Verdicts
from voicesim.recording import files


def verdicts_file(judge: str) -> str:
    """Where a judge's verdicts are kept, below the recording's folder.

    >>> verdicts_file("openai:org/some-model")
    'verdicts/openai_org_some-model.json'
    """
    return f"{files.VERDICTS}/{re.sub(r'[^A-Za-z0-9._-]+', '_', judge)}.json"


def load_verdicts(folder: Path, judge: str | None = None) -> Verdicts:
    """The verdicts of a judge, by default of the file that was written last.

    Raises UsageError when there are none, or none of that judge.
    """
    paths = sorted((folder / files.VERDICTS).glob("*.json"), key=lambda path: (path.stat().st_mtime_ns, path.name))
    if judge is None:
        if not paths:
            raise UsageError(f"{folder}: no verdicts yet; run `voicesim score {folder}` first")
        return files.load(folder, f"{files.VERDICTS}/{paths[-1].name}", Verdicts)
    if not (folder / verdicts_file(judge)).is_file():
        known = near(judge, [files.load(folder, f"{files.VERDICTS}/{path.name}", Verdicts).judge for path in paths])
        raise UsageError(
            f"{folder}: no verdicts of judge {judge!r} yet; run `voicesim score {folder} --judge {judge}` first.{known}"
        )
    return files.load(folder, verdicts_file(judge), Verdicts)
