"""One synthesis by pyttsx3 over eSpeak NG, in a process of its own: `python -m voicesim.tts.pyttsx3_worker`.

Reads {"text", "voice", "words_per_minute", "file"} as JSON from stdin and writes a WAV file. eSpeak keeps
its state for the whole process and pyttsx3 runs one queue per process, so nothing is shared between two texts.
"""

import contextlib
import ctypes
import io
import json
import os
import sys
import threading


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
    """eSpeak takes commands on a thread of its own, and pyttsx3 does not wait for it.

    Left alone, runAndWait comes back before a longer text is spoken; and as every run ends with a stop,
    which throws away what eSpeak has not done yet, now and then the pace is lost. So each step begins
    when eSpeak has finished the one before. The empty first run makes pyttsx3 act at once on what follows.
    """
    import pyttsx3
    from pyttsx3.drivers import _espeak

    engine = pyttsx3.init("espeak")
    failures: list[Exception] = []
    finished = threading.Event()

    def failed(exception: Exception, **_: object) -> None:
        failures.append(exception)
        finished.set()

    engine.connect("error", failed)
    engine.connect("finished-utterance", lambda **_: finished.set())
    _espeak.Synchronize()
    engine.runAndWait()
    engine.setProperty("voice", order["voice"])
    engine.setProperty("rate", int(order["words_per_minute"]))
    _espeak.Synchronize()
    if failures or engine.getProperty("rate") != int(order["words_per_minute"]):
        raise RuntimeError(f"eSpeak did not take the voice {order['voice']} or its pace: {failures}")
    engine.save_to_file(order["text"], order["file"])
    engine.runAndWait()
    finished.wait()
    if failures:
        raise RuntimeError(str(failures[0]))


if __name__ == "__main__":
    main()
