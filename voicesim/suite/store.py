"""Where the machines of a cluster leave recordings: a folder that all of them see, or any URL that fsspec opens."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from voicesim.errors import UsageError
from voicesim.recording import files

_LAST = files.MANIFEST
"""Copied after everything else: a folder with it is a recording, so one that is half there is none."""
_SOUND = (files.AUDIO, files.CLEAN)
"""What never changes once it is recorded."""


@dataclass(frozen=True)
class Store:
    """Recordings by name below a `url`; raises UsageError when it cannot be reached, read or written."""

    url: str

    def put(self, folder: Path, *, sound: bool = True) -> None:
        """Copy a recording's folder into the store, over what was there of the name; with or without its sound."""
        names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
        with self._reached():
            for name in _in_order(names, sound):
                self._write(folder / name, f"{folder.name}/{name}")

    def put_files(self, folder: Path) -> None:
        """Copy the files that lie directly in a folder."""
        with self._reached():
            for path in sorted(folder.iterdir()):
                if path.is_file():
                    self._write(path, path.name)

    def get(self, name: str, folder: Path, *, sound: bool = True) -> None:
        """Copy a recording, if it is in the store, to a folder here; with or without its sound."""
        with self._reached():
            self._read(name, _in_order(self._recordings(name).get(name, []), sound), folder)

    def get_missing(self, folder: Path) -> None:
        """Copy every recording that is not below a folder here yet."""
        with self._reached():
            for name, members in self._recordings().items():
                if not (folder / name / _LAST).is_file():
                    self._read(name, _in_order(members), folder / name)

    def holds(self, name: str) -> bool:
        """Whether there is a file, or a recording's manifest, of this name."""
        with self._reached():
            return bool(self._fs.exists(f"{self._root}/{name}"))

    def _recordings(self, name: str = "") -> Mapping[str, list[str]]:
        """Of each whole recording, its files relative to it."""
        self._fs.invalidate_cache()
        below: dict[str, list[str]] = defaultdict(list)
        top = f"{self._root}/{name}" if name else self._root
        for path in self._fs.find(top) if self._fs.exists(top) else ():
            parts = PurePosixPath(path).relative_to(self._root).parts
            if len(parts) > 1 and ".." not in parts:
                below[parts[0]].append("/".join(parts[1:]))
        return {folder: members for folder, members in below.items() if _LAST in members}

    def _read(self, name: str, members: Iterable[str], folder: Path) -> None:
        for member in members:
            (folder / member).parent.mkdir(parents=True, exist_ok=True)
            self._fs.get_file(f"{self._root}/{name}/{member}", str(folder / member))

    def _write(self, path: Path, name: str) -> None:
        target = f"{self._root}/{name}"
        self._fs.makedirs(target.rpartition("/")[0], exist_ok=True)
        self._fs.put_file(str(path), target)

    @cached_property
    def _opened(self) -> tuple[Any, str]:
        from fsspec.core import url_to_fs

        return tuple(url_to_fs(self.url))

    @property
    def _fs(self) -> Any:
        return self._opened[0]

    @property
    def _root(self) -> str:
        return self._opened[1].rstrip("/")

    @contextmanager
    def _reached(self) -> Iterator[None]:
        try:
            yield
        except ImportError as error:
            raise UsageError(f"{self.url}: {error}") from error
        except (OSError, ValueError) as error:
            raise UsageError(f"{self.url}: recordings cannot be kept there: {error}") from error


def _in_order(names: Iterable[str], sound: bool = True) -> list[str]:
    wanted = [name for name in names if sound or name not in _SOUND]
    return sorted(wanted, key=lambda name: (name == _LAST, name))
