"""`voicesim selftest`: how exact this machine measures."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from voicesim.selftest.timing import Result

app = typer.Typer(help="Measure voicesim itself.", no_args_is_help=True)


@app.callback()
def _selftest() -> None:
    """Measure voicesim itself."""


@app.command()
def timing(
    line: Annotated[list[str] | None, typer.Option(help="Only this line. Repeatable; none: every line.")] = None,
    turns: Annotated[int, typer.Option(min=4, max=200, help="Lines of the patient in each call.")] = 8,
    each: Annotated[bool, typer.Option("--each", help="Print every instant, not only the summary.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, and nothing else.")] = False,
) -> None:
    """Call an agent whose delays are known to the sample, over every line, and print truth, measured and error.

    Lines other than `virtual` take real time. Ends with 0 within the limits, 1 above one, 3 when the machine was
    too busy to tell.
    """
    from voicesim.selftest.timing import chosen, examine

    results = []
    for one in chosen(line or []):
        if not as_json:
            typer.echo(f"calling over {one.name} ...", err=True)
        results.append(examine(one, turns))
    if as_json:
        typer.echo(json.dumps({"lines": [_told(one) for one in results]}, indent=2, allow_nan=False))
    else:
        _print(results, each)
    if any(not one.passed and not one.spoiled for one in results):
        raise typer.Exit(1)
    raise typer.Exit(3 if any(one.spoiled for one in results) else 0)


def _told(result: "Result") -> dict[str, Any]:
    from voicesim.selftest.timing import p99

    errors = result.errors()
    return {
        "line": result.line,
        "passed": result.passed,
        "spoiled": result.spoiled or None,
        "limit": result.limit,
        "fixed_delay": {"onset": result.delay.onset, "end": result.delay.end},
        "n": len(errors),
        "missed": result.missed,
        "harness_late": result.harness_late,
        "p99": round(p99(errors), 5) if errors else None,
        "samples": [{"kind": one.kind, "truth": one.truth, "measured": one.measured} for one in result.samples],
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
            console.print(f"{result.line}: not to be judged, {result.spoiled}", markup=False)


def _summary(results: "Sequence[Result]") -> "Table":
    from rich.table import Table

    from voicesim.selftest.timing import p99

    table = Table("line", "what", "n", "median", "p99", "max", "limit", "fixed delay", "", title="error, ms")
    for result in results:
        for kind in ("latency", "yield", "cut_in"):
            errors = result.errors(kind)
            sizes = [abs(one) for one in errors]
            figures = [_ms(_median(errors)), _ms(p99(errors)), _ms(max(sizes))] if errors else ["-"] * 3
            table.add_row(result.line, kind.replace("_", "-"), str(len(errors)), *figures, "", "", "")
        errors = result.errors()
        verdict = "spoiled" if result.spoiled else "ok" if result.passed else "FAILED"
        missed = "".join(
            f", {n} {what}" for n, what in ((result.missed, "missed"), (result.harness_late, "held up")) if n
        )
        figures = [_ms(_median(errors)), _ms(p99(errors)), _ms(max(map(abs, errors)))] if errors else ["-"] * 3
        limit, delay = _ms(result.limit), f"{_ms(result.delay.onset)}, ends {_ms(result.delay.end)}"
        table.add_row(result.line, "all", str(len(errors)), *figures, limit, delay, verdict + missed, end_section=True)
    return table


def _every(result: "Result") -> "Table":
    from rich.table import Table

    table = Table("what", "truth", "measured", "error", title=f"{result.line}, ms")
    for one in result.samples:
        missed = "held up" if one.harness_late else "missed"
        measured = missed if one.measured is None else _ms(one.measured)
        error = "" if one.measured is None else f"{(one.measured - one.truth) * 1000:+.1f}"
        table.add_row(one.kind.replace("_", "-"), _ms(one.truth), measured, error)
    return table


def _median(values: "Sequence[float]") -> float:
    from statistics import median

    return median(values)


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f}"
