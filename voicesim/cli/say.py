"""`voicesim say`: hear a line before a patient says it in a call."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voicesim.cli.telling import echo

if TYPE_CHECKING:
    from voicesim.channel.effect import Happened


def say(
    text: Annotated[str, typer.Argument(help="What the patient says.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="The sound file to write: .wav, .flac or .ogg.")] = Path(
        "say.wav"
    ),
    persona: Annotated[str, typer.Option(help="A persona or a persona file.")] = "calm-professional",
    profile: Annotated[str, typer.Option(help="An audio profile or a profile file.")] = "clean",
    voice: Annotated[
        str | None, typer.Option(help="Another voice than the persona's, as ENGINE:NAME, e.g. kokoro:bf_emma.")
    ] = None,
    accent: Annotated[
        str | None, typer.Option(help="Another accent, as NAME or NAME:STRENGTH, e.g. indian:0.6.")
    ] = None,
    rate: Annotated[float | None, typer.Option(min=0.5, max=2.0, help="Another pace; 1 is the voice's own.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other noise and loss.")] = 0,
) -> None:
    """Speak TEXT in a persona's voice, send it through an audio profile, and write what comes out.

    Half a second of the line before the words and one after them are written too, so that its noise is heard.
    """
    import time

    import numpy as np

    from voicesim.audio.samples import RATE, TICK, samples, to_pcm
    from voicesim.catalog.find import Catalogue
    from voicesim.catalog.persona_changes import changed
    from voicesim.channel.channel import Channel, caller_leg
    from voicesim.tts.synthesize import synthesize

    _check_file(out)
    catalogue = Catalogue.here()
    speaker = changed(catalogue.persona(persona), voice=voice, accent=accent, rate=rate)
    leg = caller_leg(catalogue.profile(profile))
    begun = time.perf_counter()
    speech = synthesize(text, speaker, seed)
    took = time.perf_counter() - begun
    channel = Channel(leg, seed, speech.wave)
    around = np.zeros(samples(0.5), np.float32), np.zeros(samples(1.0) + channel.delay, np.float32)
    clean = np.concatenate([around[0], speech.wave, around[1]])
    passed = channel.process(np.pad(clean, (0, -len(clean) % TICK)))
    _write(out, to_pcm(passed.wave), RATE)
    spoken = f'"{speech.spoken}"' if speech.spoken != text else "the words as written"
    length = len(speech.wave) / RATE
    echo(f"{out}: {length:.1f} s of speech, made in {took:.2f} s ({took / length:.2f} x real time); {spoken}")
    for line in _told(passed.happened):
        echo(line)


def _check_file(out: Path) -> None:
    from voicesim.errors import UsageError

    if out.suffix.lower() not in (".wav", ".flac", ".ogg"):
        raise UsageError(f"{out} must end in .wav, .flac or .ogg")
    if not out.absolute().parent.is_dir():
        raise UsageError(f"there is no folder {out.absolute().parent} to write {out.name} into")


def _write(out: Path, pcm: object, rate: int) -> None:
    """The file appears whole or not at all."""
    import soundfile

    part = out.with_name(f".{out.stem}.part{out.suffix}")
    try:
        soundfile.write(part, pcm, rate)
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)


def _told(happened: "tuple[Happened, ...]") -> list[str]:
    from collections import Counter

    counts = Counter(event.kind for event in happened)
    return [f"  {kind}: {count} time{'s' * (count > 1)}" for kind, count in counts.items()]
