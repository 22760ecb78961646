"""The voice engines by name, and what each one has."""

from functools import cache

from voicesim.catalog.model import Accent, Voice
from voicesim.errors import UsageError
from voicesim.registry import VOICES
from voicesim.tts.base import Synthesizer


@cache
def engine(name: str) -> Synthesizer:
    """The engine of that name; the same one each time in a process, since a model is loaded once.

    Raises UsageError for an unknown name, and with the package to install when it is not there.
    """
    made: Synthesizer = VOICES.load(name)()
    return made


def language_of(voice: Voice, accent: Accent) -> str:
    """The code of the language that a voice speaks with an accent; "" for one that speaks any it is given."""
    if voice.engine == "openai":
        return ""
    speaks = getattr(engine(voice.engine), "language", None)
    return "en" if speaks is None else str(speaks(voice, accent))


def voices() -> dict[str, tuple[str, ...]]:
    """Names that a persona's `voice.name` may take, by engine. Engines that are not installed are left out."""
    return {name: engine.voices() for name, engine in _installed().items()}


def accents() -> dict[str, tuple[str, ...]]:
    """Names that a persona's `accent` may take, by engine. Engines that are not installed are left out."""
    return {name: engine.accents() for name, engine in _installed().items()}


def _installed() -> dict[str, Synthesizer]:
    installed = {}
    for name in VOICES:
        try:
            installed[name] = engine(name)
        except UsageError:
            continue
    return installed
