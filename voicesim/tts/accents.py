"""Accents as rules over phonemes: from an accent's file to the phonemes of a speaker who has it.

The rules rewrite the phonemes of an American voice before they are spoken, in the order in which they
stand. The alphabet is the voice's own (misaki's: IPA, with A I O W Y for the diphthongs of day, my, go,
now, boy, T for the flap of butter, and ᵊ for a barely spoken schwa). A rule writes English phonemes only,
so an accent here is a choice among English sounds; rhythm, aspiration and the quality of r stay American.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from voicesim.catalog.accent_file import AccentFile
from voicesim.catalog.find import FOLDERS, Catalogue
from voicesim.catalog.fingerprint import fingerprint
from voicesim.catalog.load import read_accent
from voicesim.catalog.model import Accent
from voicesim.errors import CatalogueError, UsageError, near
from voicesim.registry import ACCENTS

GROWS = 4
"""Times the sounds of a sentence that an accent may make of it."""
AMERICAN = "american"
"""The accent that changes nothing: the phonemes are American to begin with."""


def accent_names() -> tuple[str, ...]:
    """`american`, the files in ./accents and those that came with voicesim, and those of other packages."""
    return (AMERICAN, *dict.fromkeys([*_files(), *ACCENTS]))


def accent_file(name: str) -> AccentFile:
    """The accent of that name; a file in ./accents wins over a shipped one, and that over another package's.

    Raises UsageError for an unknown name, with the near ones, and CatalogueError for a file that is wrong.
    """
    path = _files().get(name)
    if path is not None:
        return _read(path.resolve(), path.stat().st_mtime_ns)
    if name in ACCENTS:
        made: AccentFile = ACCENTS.load(name)
        return made
    raise UsageError(f"there is no accent {name!r}.{near(name, accent_names())}")


def _files() -> Mapping[str, Path]:
    catalogue = Catalogue.here()
    folders = [(root / FOLDERS["accent"]).resolve() for root in catalogue.roots]
    return _files_of(catalogue, tuple((folder, folder.stat().st_mtime_ns) for folder in folders if folder.is_dir()))


@lru_cache(maxsize=4)
def _files_of(catalogue: Catalogue, folders: tuple[tuple[Path, int], ...]) -> Mapping[str, Path]:
    """Reading all ids takes longer than speaking a line: only done again when a folder has changed."""
    return catalogue.files("accent") if folders else {}


@lru_cache(maxsize=64)
def _read(path: Path, changed: int) -> AccentFile:
    return read_accent(path).entry


def accent_key(accent: Accent) -> str:
    """What the sound of an accent depends on, for a cache: its name, strength and the content of its file."""
    if accent.strength == 0 or accent.name == AMERICAN:
        return AMERICAN
    known = accent.name in accent_names()
    return f"{accent.name} {accent.strength:g} {fingerprint(accent_file(accent.name)) if known else ''}"


def accented(phonemes: str, accent: Accent, seed: int) -> str:
    """The phonemes of a sentence as a speaker with this accent says them; unchanged at strength 0.

    A rule is applied to a share of its places (AccentRule.share). Which ones is drawn from the seed and the
    word, so that a caller says a word the same way each time, and what is changed at one strength is changed
    at every higher one. Raises what accent_file raises.
    """
    if accent.name == AMERICAN or accent.strength == 0:
        return phonemes
    words, longest = phonemes.split(" "), GROWS * len(phonemes) + 100
    for number, rule in enumerate(accent_file(accent.name).rules):
        share = rule.share(accent.strength)
        seen: Counter[int] = Counter()
        pieces, end = [], 0
        for match in rule.pattern.finditer(phonemes):
            word = min(phonemes.count(" ", 0, match.start()), len(words) - 1)
            seen[word] += 1
            if _draw(f"{seed} {accent.name} {number} {words[word]} {seen[word]}") < share:
                pieces += [phonemes[end : match.start()], match.expand(rule.say)]
                end = match.end()
        phonemes = "".join([*pieces, phonemes[end:]])
        if len(phonemes) > longest:
            raise CatalogueError(f"the rules of the accent {accent.name} make far more sounds than there are words for")
    return phonemes


def _draw(place: str) -> float:
    """A number in [0, 1) that is always the same for the same text."""
    return int.from_bytes(hashlib.blake2b(place.encode(), digest_size=7).digest()) / 2**56


def in_words(accent: Accent) -> str:
    """The accent in words, for a voice that is told how to speak: `a slight Indian English accent`."""
    spoken = accent_file(accent.name).spoken_as
    degree = "slight" if accent.strength < 0.4 else "clear" if accent.strength < 0.8 else "strong"
    return re.sub(r"\bclear\b", degree, spoken)
