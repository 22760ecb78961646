"""The options that say who judges, for every command that lets somebody judge."""

from typing import TYPE_CHECKING, Annotated

import typer

from voicesim.llm.server import TIMEOUT

if TYPE_CHECKING:
    from voicesim.judge.judges import Panel

Judges = Annotated[
    list[str] | None,
    typer.Option("--judge", help="Who judges: cues (the default), openai:MODEL or a model file. Several are a panel."),
]
Repeats = Annotated[int, typer.Option("--judge-repeats", min=1, max=99, help="How often each judge decides a call.")]
Batch = Annotated[bool, typer.Option("--batch", help="Ask a model about all checks of a call at once.")]
Timeout = Annotated[
    float,
    typer.Option(
        "--judge-timeout", min=1, envvar="VOICESIM_JUDGE_TIMEOUT", help="Seconds that a model has for one answer."
    ),
]


def panel(judges: list[str] | None, repeats: int = 1, batch: bool = False, timeout: float = TIMEOUT) -> "Panel":
    """Who judges, each of them once; `cues` where nobody is named."""
    from voicesim.judge.judges import Options, Panel

    return Panel(tuple(dict.fromkeys(judges or ["cues"])), repeats, Options(batch, timeout))
