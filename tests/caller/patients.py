"""The shipped cases, and a conversation that has just begun."""

from pathlib import Path

import yaml

from voicesim.caller.mind import Memory, Said
from voicesim.catalog.model import Case

CASES = Path(__file__).parents[2] / "cases"


def shipped(start: str) -> Case:
    """The shipped case whose file name begins so, such as `cold-01`."""
    (path,) = CASES.glob(f"{start}*.yaml")
    return Case.model_validate(yaml.safe_load(path.read_text()))


def all_shipped() -> list[Case]:
    return [shipped(path.stem) for path in sorted(CASES.glob("*.yaml"))]


def begun(case: Case, *turns: str, released: tuple[str, ...] = ()) -> Memory:
    """After a greeting and the opening line; `turns` go on with the agent's side."""
    said = [Said("agent", "Hello, how can I help?"), Said("caller", case.patient.says_first)]
    said += [Said("caller" if n % 2 else "agent", text) for n, text in enumerate(turns)]
    return Memory(said, set(released))
