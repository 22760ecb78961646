"""How soon a persona's voice has the first sound of a new line of 12 words ready: at most 300 ms.

`python benchmarks/first_sound.py` takes half a minute. Each line was never spoken before (another seed, and an
empty cache); the voice is loaded and warm, as in a call. What a persona says is made sentence by
sentence, and a sentence is ready as a whole.
"""

import os
import tempfile
import time
from statistics import median

from limits import Limits

from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import Persona
from voicesim.tts.synthesize import sentence_by_sentence

LINE = "I take one small white tablet for my blood pressure every morning."
TIMES = 5
LIMIT = 0.3


def main() -> int:
    limits, catalogue = Limits(), Catalogue.here()
    assert len(LINE.split()) == 12
    for name in catalogue.ids("persona"):
        persona = catalogue.persona(name)
        first(LINE, persona, TIMES)
        times = [first(LINE, persona, seed) for seed in range(TIMES)]
        voice = f"{persona.voice.engine}:{persona.voice.name}"
        limits.at_most(f"first sound of {name} ({voice}), median", median(times), LIMIT, "s")
    return 1 if limits.missed else 0


def first(line: str, persona: Persona, seed: int) -> float:
    """Seconds until the first sentence of a line can be played."""
    begun = time.perf_counter()
    next(iter(sentence_by_sentence(line, persona, seed)))
    return time.perf_counter() - begun


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["VOICESIM_CACHE"] = folder
        raise SystemExit(main())
