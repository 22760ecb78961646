"""`voicesim import`: calls from outside become recordings."""

import json
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from voicesim.cli import options
from voicesim.cli.telling import echo

if TYPE_CHECKING:
    from voicesim.recording.import_call import ImportOrder
    from voicesim.suite.importing import Outcome


class Channel(StrEnum):
    """Where the patient is heard in a stereo file."""

    left = "left"
    right = "right"


def import_(
    audio: Annotated[
        list[Path],
        typer.Argument(help="A stereo file; the patient's file and the agent's; or a folder of calls."),
    ],
    case: Annotated[str, typer.Option(help="The case that the calls are judged by: an id or a file.")],
    caller_channel: Annotated[Channel, typer.Option(help="Where the patient is heard.")] = Channel.left,
    events: Annotated[
        Path | None, typer.Option(help="Turns and tool calls as Twilio, Retell, Vapi or LiveKit export them (JSON).")
    ] = None,
    start: Annotated[
        str, typer.Option(help="When the recording began, such as 2026-03-01T10:15:00+00:00; for exports by the clock.")
    ] = "",
    offset: Annotated[
        float,
        typer.Option(
            min=-7200, max=7200, help="Of two files: seconds by which the agent's begins later (negative: earlier)."
        ),
    ] = 0.0,
    agent: Annotated[str, typer.Option(help="What the agent is called in reports.")] = "imported",
    out: options.Out = Path("recordings"),
    suite: options.Suite = None,
    split_speakers: Annotated[
        bool, typer.Option(help="Take a mono mix, and tell the speakers apart by their voices. Uncertain.")
    ] = False,
    repair: Annotated[bool, typer.Option(help="Import a file that was cut off, as far as it goes.")] = False,
    jobs: Annotated[int, typer.Option(min=1, max=64, help="How many calls are imported at once.")] = 2,
    as_json: options.AsJson = False,
) -> None:
    """Make recordings of calls that voicesim did not make: WAV, FLAC, MP3, Ogg, Opus, M4A and others.

    Each side is in a channel or a file of its own. What is odd about the sound is told.
    Ends with 2 when a call could not be imported; of such a call nothing is left.
    """
    from voicesim.suite.importing import import_all

    orders = _orders(audio, case, caller_channel, events, start, offset, agent, out, suite, split_speakers, repair)
    outcomes = []
    for outcome in import_all(orders, jobs):
        outcomes.append(outcome)
        if not as_json:
            echo(_line(outcome), err=bool(outcome.error))
    failed = [outcome for outcome in outcomes if outcome.error]
    if as_json:
        rows = sorted((_row(outcome) for outcome in outcomes), key=lambda row: row["recording"])
        echo(json.dumps({"recordings": rows}, indent=2, ensure_ascii=False), is_json=True)
    elif len(outcomes) > len(failed):
        _tell_what_next(orders, outcomes, len(failed))
    if failed:
        raise typer.Exit(2)


def _orders(
    audio: list[Path],
    case: str,
    caller_channel: Channel,
    events: Path | None,
    start: str,
    offset: float,
    agent: str,
    out: Path,
    suite: str | None,
    split: bool,
    repair: bool,
) -> "list[ImportOrder]":
    from voicesim.catalog.find import Catalogue
    from voicesim.errors import UsageError
    from voicesim.recording.import_call import ImportOrder
    from voicesim.suite.importing import FoundCall, calls_in

    if start:
        try:
            datetime.fromisoformat(start)
        except ValueError as error:
            raise UsageError(f"--start {start!r} is no date and time, such as 2026-03-01T10:15:00+00:00") from error
    chosen = Catalogue.here().case(case)
    if len(audio) == 1 and audio[0].is_dir():
        if events:
            raise UsageError("--events is for one call; in a folder, NAME.json beside NAME.wav holds a call's events")
        calls = calls_in(audio[0])
    elif len(audio) <= 2:
        calls = (FoundCall(audio[0].stem, tuple(audio), events),)
    else:
        raise UsageError(f"{len(audio)} files: give one call (a stereo file or two mono files) or a folder")
    place = out / (suite or f"{datetime.now():%Y%m%d-%H%M%S}-imported")
    return [
        ImportOrder(
            sound=call.sound,
            case=chosen,
            folder=place / call.name,
            caller=caller_channel.value,
            events=call.events,
            started=start,
            agent=agent,
            later=(max(0.0, -offset), max(0.0, offset)),
            split=split,
            repair=repair,
        )
        for call in calls
    ]


def _row(outcome: "Outcome") -> dict[str, Any]:
    return {
        "recording": str(outcome.order.folder),
        "sound": [str(path) for path in outcome.order.sound],
        "duration": outcome.duration,
        "notes": list(outcome.notes),
        "error": outcome.error or None,
    }


def _line(outcome: "Outcome") -> str:
    if outcome.error:
        return f"not imported: {outcome.error}"
    notes = "".join(f"\n  note: {note}" for note in outcome.notes)
    return f"{outcome.order.folder}: {outcome.duration:.1f} s{notes}"


def _tell_what_next(orders: "list[ImportOrder]", outcomes: "list[Outcome]", failed: int) -> None:
    place = orders[0].folder if len(orders) == 1 else orders[0].folder.parent
    if len(orders) > 1:
        odd = sum(bool(outcome.notes) for outcome in outcomes)
        echo(f"{len(outcomes) - failed} of {len(outcomes)} imported, {odd} with something odd, {failed} refused")
    echo(f"next: voicesim transcribe {place} && voicesim score {place} && voicesim report {place}")
