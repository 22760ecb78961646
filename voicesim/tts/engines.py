"""The voice engines by name, and what each one has."""

from functools import cache

from voicesim.errors import UsageError, near
from voicesim.tts.base import Synthesizer

ENGINES = ("hibari", "pyttsx3", "openai")


@cache
def engine(name: str) -> Synthesizer:
    """The engine of that name; the same one each time in a process, since a model is loaded once.

    Raises UsageError for an unknown name, and with the package to install when it is not there.
    """
    if name == "hibari":
        from voicesim.tts.hibari import HibariEngine

        return HibariEngine()
    if name == "pyttsx3":
        from voicesim.tts.pyttsx3_engine import Pyttsx3Engine

        return Pyttsx3Engine()
    if name == "openai":
        from voicesim.tts.openai_engine import OpenAIEngine

        return OpenAIEngine()
    raise UsageError(f"there is no voice engine {name!r}.{near(name, ENGINES)}")


def voices() -> dict[str, tuple[str, ...]]:
    """Names that a persona's `voice.name` may take, by engine. Engines that are not installed are left out."""
    return {name: found.voices() for name, found in _installed().items()}


def accents() -> dict[str, tuple[str, ...]]:
    """Names that a persona's `accent` may take, by engine. Engines that are not installed are left out."""
    return {name: found.accents() for name, found in _installed().items()}


def _installed() -> dict[str, Synthesizer]:
    found = {}
    for name in ENGINES:
        try:
            found[name] = engine(name)
        except UsageError:
            continue
    return found
