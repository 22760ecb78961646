"""The cache keeps what was used last."""

import os
from pathlib import Path

import numpy as np
import pytest

from voicesim.cache import cache_folder
from voicesim.tts.synthesize import SpeechCache

pytestmark = pytest.mark.usefixtures("own_cache")

TENTH = np.arange(2_400, dtype=np.int16)  # 4,800 bytes and 32 of digest


def test_the_entries_used_longest_ago_make_room(tmp_path: Path) -> None:
    cache = SpeechCache(tmp_path, limit=3 * 4_832)
    for number in range(3):
        cache.put(("line", number), TENTH + np.int16(number))
    for age, file in enumerate(sorted(tmp_path.glob("*.pcm"))):
        os.utime(file, (1_000 + age, 1_000 + age))
    kept = cache.get(("line", 1))
    assert kept is not None  # reading makes it the youngest
    cache.put(("line", 3), TENTH)
    cache.put(("line", 4), TENTH)
    assert len(list(tmp_path.glob("*.pcm"))) == 3
    again = cache.get(("line", 1))
    assert again is not None
    np.testing.assert_array_equal(again, TENTH + np.int16(1))


def test_the_folder_is_the_users_own_or_the_chosen_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VOICESIM_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("VOICESIM_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setattr("sys.platform", "linux")
    assert cache_folder() == tmp_path / "xdg" / "voicesim"
