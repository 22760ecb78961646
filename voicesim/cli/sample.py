"""`voicesim sample`: calls for people to label, and how their labels agree with the judge over time."""

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from voicesim.cli import options
from voicesim.cli.telling import echo


def sample(
    recordings: options.Recordings,
    count: Annotated[int, typer.Option("-n", min=1, help="How many calls.")] = 20,
    by: Annotated[
        str, typer.Option(help="Layers that are drawn in turn: tag, agent, case, persona, profile, failed.")
    ] = "tag,agent",
    seed: Annotated[int | None, typer.Option(min=0, help="Seed; by default year and week, such as 202648.")] = None,
    out: Annotated[Path | None, typer.Option(help="Also write the sample here, as JSON lines.")] = None,
    gold: Annotated[
        Path | None, typer.Option(help="Labels given meanwhile; what they say of the judge is kept and shown.")
    ] = None,
    history: Annotated[Path, typer.Option(help="Where the rounds of labels are kept.")] = Path("agreement.jsonl"),
) -> None:
    """Draw calls to be labelled with `voicesim label`: the same for everybody who uses the same seed.

    With --gold, tell how far people agreed with each judge since the last round. Ends with 1 when that has dropped.
    """
    from voicesim.bench.sampling import LAYERS, draw, keep, listed, new_weeks, weeks
    from voicesim.errors import UsageError, near
    from voicesim.judge.gold import load_gold
    from voicesim.recording import files
    from voicesim.recording.read import find_recordings

    names = [name.strip() for name in by.split(",") if name.strip()]
    for name in names:
        if name not in LAYERS:
            raise UsageError(f"--by {name}: no such layer.{near(name, LAYERS)}")
    today = date.today()
    year, week, _ = today.isocalendar()
    chosen = seed if seed is not None else year * 100 + week
    layers = [layer for name in names for layer in LAYERS if layer == name]
    drawn = draw(find_recordings(*recordings), count, layers, chosen)
    if out:
        files.write_text(out, listed(drawn))
    for call in drawn:
        echo(f"{call.folder}  [{', '.join(call.layer)}]")
    echo(f"{len(drawn)} calls, seed {chosen}; next: voicesim label RECORDING --gold gold.jsonl")
    if gold is None:
        return
    rounds = new_weeks(load_gold(gold), weeks(history), today.isoformat())
    keep(history, rounds)
    for new_week in rounds:
        before = "" if new_week.before is None else f"; before: {new_week.before:.0%}"
        spread = f"{new_week.low:.0%} to {new_week.high:.0%}"
        message = f"{new_week.judge}: people agree on {new_week.agreed} of {new_week.n} ({spread}){before}"
        echo(message + (f"  DROPPED (p = {new_week.p:.3f})" if new_week.dropped else ""))
    if not rounds:
        echo("no new labels since the last round")
    if any(new_week.dropped for new_week in rounds):
        raise typer.Exit(1)
