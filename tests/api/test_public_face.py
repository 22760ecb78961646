"""The names that `import voicesim` offers: guarded, quick to import, and all of them there."""

import subprocess
import sys
from importlib import import_module

import pytest

import voicesim

HEAVY = ("numpy", "pydantic", "aiortc", "av", "faster_whisper", "onnxruntime", "pipecat", "openai", "scipy", "typer")


def test_every_public_name_is_there_and_has_a_home() -> None:
    assert set(voicesim.__all__) == {*voicesim._HOME, "__version__"}
    for name in voicesim.__all__:
        assert getattr(voicesim, name) is not None
    assert dir(voicesim) == sorted(voicesim.__all__)


def test_a_public_name_hides_no_room() -> None:
    for name in voicesim.__all__:
        with pytest.raises(ModuleNotFoundError):
            import_module(f"voicesim.{name}")


def test_public_functions_and_classes_say_what_they_are() -> None:
    bare = [name for name in voicesim.__all__ if name != "__version__" and not getattr(voicesim, name).__doc__]
    assert bare == []


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'simulation'"):
        _ = voicesim.simulation


def test_importing_voicesim_loads_nothing_heavy() -> None:
    script = f"import voicesim, sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
