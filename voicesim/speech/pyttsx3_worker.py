"""One synthesis by pyttsx3 over eSpeak NG, in a process of its own: `python -m voicesim.speech.pyttsx3_worker`.

Reads {"text", "voice", "words_per_minute", "file"} as JSON from stdin and writes a WAV file. eSpeak keeps
its state for the whole process and pyttsx3 runs one queue per process, so nothing is shared between two texts.
"""

import contextlib
import ctypes
import io
import json
import os
import sys


def main() -> None:
    """Exit code 1 and the reason on stderr when no file could be made."""
    order = json.load(sys.stdin)
    import espeakng_loader

    os.environ["ESPEAK_DATA_PATH"] = espeakng_loader.get_data_path()
    # Once loaded, the library answers to its soname, and pyttsx3 finds it without a system package.
    ctypes.CDLL(espeakng_loader.get_library_path(), mode=ctypes.RTLD_GLOBAL)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            _speak(order)
    except (RuntimeError, ValueError, OSError) as error:
        sys.exit(f"{type(error).__name__}: {error}")


def _speak(order: dict[str, str]) -> None:
    import pyttsx3

    engine = pyttsx3.init("espeak")
    engine.setProperty("voice", order["voice"])
    engine.setProperty("rate", int(order["words_per_minute"]))
    engine.save_to_file(order["text"], order["file"])
    engine.runAndWait()


if __name__ == "__main__":
    main()
