"""The README's commands work as they are written."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def commands() -> list[list[str]]:
    """Every command of the README on the sample call, as words behind `voicesim`."""
    lines = re.findall(r"^ +\.venv/bin/voicesim (.*recordings/sample.*)$", (ROOT / "README.md").read_text(), re.M)
    return [line.split("#")[0].split() for line in lines]


def test_the_commands_on_the_sample_call_work_in_their_order_on_a_fresh_clone(tmp_path: Path) -> None:
    # Only what git has: what earlier commands left beside the sample is not in a clone.
    for name in ("call.json", "events.jsonl", "audio.flac", "caller_clean.flac"):
        for file in (ROOT / "recordings/sample").glob(f"*/{name}"):
            target = tmp_path / file.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
    steps = commands()
    assert [words[0] for words in steps] == ["transcribe", "score", "report"]
    for words in steps:
        done = subprocess.run(
            [sys.executable, "-m", "voicesim", *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode in (0, 1), (words, done.stderr)
    assert len(list(tmp_path.rglob("scorecard.html"))) == 1
