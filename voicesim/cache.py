"""Where voicesim keeps what it would have to make, fetch or buy again."""

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """VOICESIM_CACHE, or `voicesim` in the user's cache folder of the platform."""
    if chosen := os.environ.get("VOICESIM_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "voicesim"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "voicesim"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "voicesim"
