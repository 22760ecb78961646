"""Temporary folders: gone at the end, gone at the next start after a kill, and nobody else's is touched."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from voicesim.scratch import scratch_folder

HOLDER = """
import time
from voicesim.scratch import scratch_folder
with scratch_folder() as folder:
    (folder / "case.json").write_text("{}")
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def own_temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_a_folder_is_gone_at_the_end(own_temp: Path) -> None:
    with scratch_folder() as folder:
        (folder / "sub").mkdir()
        assert folder.parent == own_temp
    assert list(own_temp.iterdir()) == []


def test_what_a_killed_process_left_is_gone_at_the_next_start_and_a_living_ones_stays(own_temp: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDER], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip())
        with scratch_folder():
            assert (folder / "case.json").exists()
        process.kill()
    assert folder.exists()
    with scratch_folder():
        assert not folder.exists()


def test_other_folders_and_links_stay(own_temp: Path) -> None:
    (own_temp / "voicesim-mine").mkdir()
    (own_temp / "voicesim-mine" / "notes.txt").write_text("mine")
    (own_temp / "voicesim-link").symlink_to(own_temp / "voicesim-mine")
    (own_temp / "voicesim-file").write_text("")
    with scratch_folder():
        pass
    assert sorted(path.name for path in own_temp.iterdir()) == ["voicesim-file", "voicesim-link", "voicesim-mine"]
