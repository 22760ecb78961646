"""`voicesim selftest`: how exact this machine measures."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from voicesim.cli import options
from voicesim.cli.telling import echo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from voicesim.selftest.faults import Examined
    from voicesim.selftest.timing import Result

app = typer.Typer(help="Measure voicesim itself.", no_args_is_help=True)


@app.callback()
def _selftest() -> None:
    """Measure voicesim itself."""


@app.command()
def timing(
    transport: Annotated[
        list[str] | None, typer.Option(help="Only this transport. Repeatable; none: every transport.")
    ] = None,
    turns: Annotated[int, typer.Option(min=4, max=200, help="Lines of the patient in each call.")] = 8,
    each: Annotated[bool, typer.Option("--each", help="Print every instant, not only the summary.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Call an agent whose delays are known to the sample, over every transport, and print truth, measured and error.

    All but `virtual` take real time. Ends with 0 within the limits, 1 above one, 3 when the machine was
    too busy to tell.
    """
    from voicesim.selftest.timing import chosen, examine

    results = []
    for under_test in chosen(transport or []):
        if not as_json:
            echo(f"calling over {under_test.name} ...", err=True)
        results.append(examine(under_test, turns))
    if as_json:
        echo(
            json.dumps({"transports": [_as_json(result) for result in results]}, indent=2, allow_nan=False),
            is_json=True,
        )
    else:
        _print(results, each)
    if any(not result.passed and not result.spoiled for result in results):
        raise typer.Exit(1)
    raise typer.Exit(3 if any(result.spoiled for result in results) else 0)


@app.command()
def faults(
    fault: Annotated[list[str] | None, typer.Option(help="Only this fault. Repeatable; none: every fault.")] = None,
    seeds: Annotated[int, typer.Option(min=1, max=100, help="Calls with each fault, each with its own seed.")] = 3,
    out: options.Out = Path("recordings"),
    at_once: options.AtOnce = None,
    as_json: options.AsJson = False,
) -> None:
    """Call an agent with one fault planted at a time, on virtual time, and print what found it and who was blamed.

    Ends with 0 when every fault was found and no clean agent was blamed, else with 1.
    """
    from dataclasses import asdict, replace

    from voicesim.cli.calling import carried_out
    from voicesim.errors import UsageError, near
    from voicesim.reference_agents.planted import PLANTED
    from voicesim.results.read import open_suite
    from voicesim.selftest.faults import examined, fault_plan

    for name in fault or ():
        if name not in PLANTED:
            raise UsageError(f"there is no planted fault {name!r}.{near(name, PLANTED)}")
    plan = fault_plan(out / "selftest-faults", range(seeds), fault or ())
    carried_out(replace(plan, at_once=at_once), as_json=as_json, table=False)
    result = examined(open_suite(plan.folder))
    if as_json:
        rows = [asdict(row) | {"precision": row.precision, "recall": row.recall, "f1": row.f1} for row in result.rows]
        blamed = asdict(result.blamed) if result.blamed else None
        echo(json.dumps({"faults": rows, "macro_f1": result.macro_f1, "blamed": blamed}, indent=2), is_json=True)
    else:
        _print_faults(result)
    raise typer.Exit(0 if result.passed else 1)


def _print_faults(result: "Examined") -> None:
    from rich.table import Table

    from voicesim.cli.terminal import Terminal
    from voicesim.report.wording import number, percent, spaced

    table = Table("fault", "kind", "found", "precision", "false alarms", "invalid", "found by", box=None)
    for row in result.rows:
        cells = [spaced(row.fault), spaced(row.tag), f"{row.found} of {row.n}", percent(row.precision)]
        table.add_row(*cells, f"{row.false} of {row.clean}", str(row.invalid), ", ".join(row.by))
    console = Terminal()
    console.print(table)
    blamed = result.blamed
    share = "no clean call" if blamed is None else f"{percent(blamed.value)} of {blamed.n} clean calls"
    upper = f" (at most {percent(blamed.high)} with 95 % confidence)" if blamed else ""
    console.print(f"macro-F1 {number(result.macro_f1)}; blamed on a clean agent: {share}{upper}", markup=False)


def _as_json(result: "Result") -> dict[str, Any]:
    from voicesim.selftest.timing import p99

    errors = result.errors()
    return {
        "transport": result.transport,
        "passed": result.passed,
        "spoiled": result.spoiled or None,
        "broken_off": result.broken_off or None,
        "limit": result.limit,
        "fixed_delay": {"onset": result.delay.onset, "end": result.delay.end},
        "n": len(errors),
        "missed": result.missed,
        "harness_late": result.harness_late,
        "p99": round(p99(errors), 5) if errors else None,
        "instants": [
            {"kind": instant.kind, "truth": instant.truth, "measured": instant.measured} for instant in result.instants
        ],
    }


def _print(results: "Sequence[Result]", each: bool) -> None:
    from voicesim.cli.terminal import Terminal

    console = Terminal()
    if each:
        for result in results:
            console.print(_every(result))
    console.print(_summary(results))
    for result in results:
        if result.spoiled:
            console.print(f"{result.transport}: not to be judged, {result.spoiled}", markup=False)
        elif result.broken_off and not result.passed:
            console.print(f"{result.transport}: the call broke off, {result.broken_off}", markup=False)


def _summary(results: "Sequence[Result]") -> "Table":
    from rich.table import Table

    from voicesim.selftest.timing import p99

    table = Table("transport", "what", "n", "median", "p99", "max", "limit", "fixed delay", "", title="error, ms")
    for result in results:
        for kind in ("latency", "yield", "cut_in"):
            errors = result.errors(kind)
            sizes = [abs(error) for error in errors]
            figures = [_ms(_median(errors)), _ms(p99(errors)), _ms(max(sizes))] if errors else ["-"] * 3
            table.add_row(result.transport, kind.replace("_", "-"), str(len(errors)), *figures, "", "", "")
        errors = result.errors()
        verdict = "spoiled" if result.spoiled else "ok" if result.passed else "FAILED"
        missed = "".join(
            f", {n} {what}" for n, what in ((result.missed, "missed"), (result.harness_late, "held up")) if n
        )
        figures = [_ms(_median(errors)), _ms(p99(errors)), _ms(max(map(abs, errors)))] if errors else ["-"] * 3
        limit, delay = _ms(result.limit), f"{_ms(result.delay.onset)}, ends {_ms(result.delay.end)}"
        table.add_row(
            result.transport, "all", str(len(errors)), *figures, limit, delay, verdict + missed, end_section=True
        )
    return table


def _every(result: "Result") -> "Table":
    from rich.table import Table

    table = Table("what", "truth", "measured", "error", title=f"{result.transport}, ms")
    for instant in result.instants:
        missed = "held up" if instant.harness_late else "missed"
        measured = missed if instant.measured is None else _ms(instant.measured)
        error = "" if instant.measured is None else f"{(instant.measured - instant.truth) * 1000:+.1f}"
        table.add_row(instant.kind.replace("_", "-"), _ms(instant.truth), measured, error)
    return table


def _median(values: "Sequence[float]") -> float:
    from statistics import median

    return median(values)


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f}"
