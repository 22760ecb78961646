"""`voicesim list`: what there is to call with, and to be judged by."""

import json
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from voicesim.cli.telling import echo

if TYPE_CHECKING:
    from rich.table import Table

    from voicesim.catalog.find import Kind
    from voicesim.catalog.profile import Effect
    from voicesim.registry import Registry

Row = dict[str, Any]


class What(StrEnum):
    """What can be listed, most wanted first."""

    CASES = "cases"
    AGENTS = "agents"
    PERSONAS = "personas"
    PROFILES = "profiles"
    MINDS = "minds"
    JUDGES = "judges"
    VOICES = "voices"
    ACCENTS = "accents"
    FAULTS = "faults"
    RULES = "rules"
    TAGS = "tags"


FIRST = (What.CASES, What.AGENTS, What.PERSONAS, What.PROFILES)
"""What a person needs for a first call; everything else is listed when it is asked for."""


def listing(
    what: Annotated[What | None, typer.Argument(help="One of these; left out, what a first call needs.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object, everything where nothing is named.")
    ] = False,
) -> None:
    """Show what there is: cases, agents, personas, profiles, and all that can be named on the command line.

    An entry of ./cases, ./personas or ./audio_profiles wins over a shipped one with the same id.
    """
    from voicesim.catalog.problems import Problem, ProblemsError

    broken: list[Problem] = []
    wanted: Sequence[What] = [what] if what else (tuple(What) if as_json else FIRST)
    listed = {name.value: _rows(name, broken) for name in wanted}
    if as_json:
        echo(json.dumps(listed, indent=2, ensure_ascii=False), is_json=True)
    else:
        from voicesim.cli.terminal import Terminal

        console = Terminal()
        for name, rows in listed.items():
            console.print(_table(name, rows))
        if what is None:
            more = [name.value for name in What if name not in FIRST]
            console.print(f"More: voicesim list {' | '.join(more)}", markup=False)
    if broken:
        raise ProblemsError(broken)


def _rows(what: What, broken: list[Any]) -> list[Row]:
    from voicesim import registry

    kinds: dict[What, Kind] = {What.CASES: "case", What.PERSONAS: "persona", What.PROFILES: "profile"}
    tables = {
        What.AGENTS: registry.TRANSPORTS,
        What.MINDS: registry.MINDS,
        What.JUDGES: registry.JUDGES,
        What.RULES: registry.RULES,
    }
    others: dict[What, Callable[[], list[Row]]] = {
        What.VOICES: _voices,
        What.ACCENTS: _accents,
        What.FAULTS: _faults,
        What.TAGS: _tags,
    }
    if what in kinds:
        return _entries(kinds[what], broken)
    return _parts(tables[what]) if what in tables else others[what]()


def _parts(table: "Registry") -> list[Row]:
    return [{"name": row.form or name, "about": row.about} for name, row in table.rows.items()]


def _voices() -> list[Row]:
    from voicesim.tts.engines import voices

    return [{"engine": engine, "names": list(names)} for engine, names in voices().items()]


def _accents() -> list[Row]:
    from voicesim.tts.engines import accents

    return [{"engine": engine, "names": list(names)} for engine, names in accents().items()]


def _faults() -> list[Row]:
    from voicesim.catalog.tags import MEANINGS
    from voicesim.reference_agents.booking_faults import PLANTED
    from voicesim.reference_agents.brains import FAULTS

    brains = dict.fromkeys(FAULTS, "every brain") | dict.fromkeys(PLANTED, "booking")
    return [{"name": fault, "brain": brain, "about": MEANINGS[fault]} for fault, brain in brains.items()]


def _tags() -> list[Row]:
    from voicesim.catalog.tags import MEANINGS

    return [{"name": tag, "about": meaning} for tag, meaning in MEANINGS.items()]


def _entries(kind: "Kind", broken: list[Any]) -> list[Row]:
    from voicesim.catalog.find import READERS, Catalogue
    from voicesim.catalog.problems import problems_of
    from voicesim.errors import CatalogueError

    rows = []
    for path in Catalogue.here().files(kind).values():
        try:
            rows.append(_entry(READERS[kind](path, None).entry) | {"file": str(path)})
        except CatalogueError as error:
            broken.extend(problems_of(error))
    return rows


def _entry(entry: Any) -> Row:
    from voicesim.catalog.model import Case, Persona

    row: Row = {"id": entry.id, "title": entry.title}
    if isinstance(entry, Case):
        critical = sum(check.group == "critical" for check in entry.rubric)
        return row | {"persona": entry.patient.persona, "checks": len(entry.rubric), "critical": critical}
    if isinstance(entry, Persona):
        voice = f"{entry.voice.engine}:{entry.voice.name}"
        return row | {"voice": voice, "accent": f"{entry.accent.name} {entry.accent.strength:g}", "rate": entry.rate}
    from voicesim.channel.channel import caller_leg

    return row | {"effects": _effects(caller_leg(entry)), "agent_leg": _effects(entry.agent_leg)}


def _effects(leg: "Sequence[Effect]") -> list[str]:
    """Each effect with the settings that are not left as they are: `background kind=cafe snr_db=15`."""
    return [
        " ".join(
            [
                effect.key,
                *(f"{name}={_cell(value)}" for name, value in effect.model_dump(exclude_defaults=True).items()),
            ]
        )
        for effect in leg
    ]


def _table(name: str, rows: list[Row]) -> "Table":
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=name, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    columns = [column for column in (rows[0] if rows else {"none": ""}) if column not in ("title", "file")]
    for column in columns:
        table.add_column(
            column, overflow="fold", no_wrap=column not in ("id", "names", "about", "effects", "agent_leg")
        )
    for row in rows:
        cells = {column: escape(_cell(row[column])) for column in columns}
        if "title" in row:
            cells["id"] += f"\n[dim]{escape(row['title'])}[/dim]"
        table.add_row(*cells.values())
    return table


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_cell(item) for item in value)
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None else str(value)
