"""`voicesim list`: what there is to call with."""

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from voicesim.catalog.find import Kind


class What(StrEnum):
    """What can be listed."""

    CASES = "cases"
    PERSONAS = "personas"
    PROFILES = "profiles"
    VOICES = "voices"
    ACCENTS = "accents"


def listing(
    what: Annotated[What | None, typer.Argument(help="One of these only; none: all of them.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show cases, personas, audio profiles, voices and accents.

    An entry of ./cases, ./personas or ./audio_profiles wins over a shipped one with the same id.
    """
    from voicesim.catalog.problems import Problem, ProblemsError

    broken: list[Problem] = []
    found = {one.value: _rows(one, broken) for one in ([what] if what else What)}
    if as_json:
        typer.echo(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        from voicesim.cli.terminal import Terminal

        console = Terminal()
        for name, rows in found.items():
            console.print(_table(name, rows))
    if broken:
        raise ProblemsError(broken)


def _rows(what: What, broken: list[Any]) -> list[dict[str, Any]]:
    if what is What.CASES:
        return _entries("case", broken)
    if what is What.PERSONAS:
        return _entries("persona", broken)
    if what is What.PROFILES:
        return _entries("profile", broken)
    from voicesim.tts.engines import accents, voices

    names = voices() if what is What.VOICES else accents()
    return [{"engine": engine, "names": list(listed)} for engine, listed in names.items()]


def _entries(kind: "Kind", broken: list[Any]) -> list[dict[str, Any]]:
    from voicesim.catalog.find import READERS, Catalogue
    from voicesim.catalog.problems import problems_of
    from voicesim.errors import CatalogueError

    rows = []
    for path in Catalogue.here().files(kind).values():
        try:
            rows.append(_row(READERS[kind](path, None).entry) | {"file": str(path)})
        except CatalogueError as error:
            broken.extend(problems_of(error))
    return rows


def _row(entry: Any) -> dict[str, Any]:
    from voicesim.catalog.model import Case, Persona

    row: dict[str, Any] = {"id": entry.id, "title": entry.title}
    if isinstance(entry, Case):
        critical = sum(check.group == "critical" for check in entry.rubric)
        return row | {
            "persona": entry.patient.persona,
            "checks": len(entry.rubric),
            "critical": critical,
        }
    if isinstance(entry, Persona):
        voice = f"{entry.voice.engine}:{entry.voice.name}"
        return row | {"voice": voice, "accent": entry.accent, "rate": entry.rate}
    noise, loss = entry.noise, entry.loss
    return row | {
        "band_hz": list(entry.band_hz) if entry.band_hz else None,
        "codec": entry.codec,
        "noise": f"{noise.kind} at {noise.snr_db:g} dB" if noise else None,
        "loss": f"{loss.rate:.1%}, bursts of {loss.burst:g}" if loss else None,
    }


def _table(name: str, rows: list[dict[str, Any]]) -> "Table":
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=name, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    columns = [column for column in (rows[0] if rows else {"none": ""}) if column not in ("title", "file")]
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=column not in ("id", "names"))
    for row in rows:
        cells = {column: escape(_cell(row[column])) for column in columns}
        if "title" in row:
            cells["id"] += f"\n[dim]{escape(row['title'])}[/dim]"
        table.add_row(*cells.values())
    return table


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_cell(one) for one in value)
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None else str(value)
