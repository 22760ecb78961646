"""`voicesim doctor`: can this agent be called, and what does it tell of itself?"""

import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated

import typer

from voicesim.cli import options
from voicesim.cli.telling import echo

if TYPE_CHECKING:
    from voicesim.suite.doctor import Examination


def doctor(
    agent: Annotated[str, typer.Argument(help="An agent (realtime, openai:MODEL, ...) or an agent file.")],
    brain: options.Brain = None,
    as_json: options.AsJson = False,
) -> None:
    """Connect to AGENT, exchange two seconds of sound, and say what was found and what is missing.

    Ends with 0 when the agent was heard, 2 when it is named wrongly or lacks a key, 3 when it was not heard.
    """
    import asyncio

    from voicesim.catalog.resolve import resolve_agent
    from voicesim.suite.doctor import examine, probe
    from voicesim.suite.reaching import end_of_model, reach
    from voicesim.suite.reference import fitted

    chosen = fitted(resolve_agent(agent), brain=brain)

    async def call() -> "Examination":
        speech = await asyncio.to_thread(probe)
        async with reach(chosen) as new_line:
            examination = await examine(chosen.label, new_line(), chosen.settings, speech)
        end = await end_of_model(chosen)
        return replace(examination, warnings=(*examination.warnings, end)) if end else examination

    examination = asyncio.run(call())
    if as_json:
        echo(json.dumps(asdict(examination) | {"well": examination.well}, indent=2, ensure_ascii=False), is_json=True)
    else:
        _print(examination)
    raise typer.Exit(0 if examination.well else 3)


def _print(examination: "Examination") -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from voicesim.cli.terminal import Terminal
    from voicesim.report.wording import visible

    table = Table(
        box=box.SIMPLE, show_header=False, pad_edge=False, title=Text(examination.agent), title_justify="left"
    )
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in _rows(examination):
        table.add_row(name, Text(visible(value)))
    Terminal().print(table)


def _rows(examination: "Examination") -> list[tuple[str, str]]:
    stats = examination.stats
    rows = [
        (
            "verdict",
            examination.problem or ("answers" if examination.answer is not None else "is heard, but did not answer"),
        )
    ]
    if examination.setup is not None:
        rows += [
            ("set-up", _seconds(examination.setup)),
            ("codec", stats.codec if stats else "not told by this transport"),
            ("rates", f"{stats.wire_rate:,} Hz on the wire, 24,000 Hz in the call" if stats else "not told"),
            ("round trip", _seconds(stats.round_trip if stats else None)),
            ("packets lost", f"{stats.lost} of {stats.packets}" if stats and stats.packets else "not told"),
            ("first sound", _seconds(examination.first_sound)),
            ("answer after", _seconds(examination.answer)),
            ("sound received", _seconds(examination.received)),
            ("events", ", ".join(f"{name} {count}" for name, count in examination.events.items()) or "none"),
        ]
    rows += [("warning", warning) for warning in examination.warnings]
    return rows + [("missing", what) for what in examination.missing]


def _seconds(value: float | None) -> str:
    if value is None:
        return "not measured"
    return f"{value * 1000:,.0f} ms" if value < 1 else f"{value:.2f} s"
