"""Is what a case puts behind the agent's tools right? Looked at apart, as it depends on the backend's kind."""

from collections.abc import Iterator

from pydantic import ValidationError

from voicesim.catalog.explain import faults_of
from voicesim.catalog.model import Case
from voicesim.catalog.yaml_tree import Fault, Loc
from voicesim.errors import near
from voicesim.tools.clinic_state import TOOLS, ClinicState


def backend_faults(case: Case) -> Iterator[Fault]:
    """What is wrong with the state of a case's backend and with the tools it names, each with its place."""
    if case.backend is None:
        return
    known = [tool.name for tool in TOOLS]
    for index, tool in enumerate(case.tools):
        if tool.name not in known:
            yield ("tools", index, "name"), f"{case.backend.kind} has no tool {tool.name!r}.{near(tool.name, known)}"
    state: Loc = ("backend", "state")
    try:
        clinic = ClinicState.model_validate(case.backend.state)
    except ValidationError as error:
        yield from ((state + loc, told) for loc, told in faults_of(error, ClinicState, case.backend.state))
        return
    for name, ids in (
        ("patients", [one.id for one in clinic.patients]),
        ("slots", [one.id for one in clinic.slots]),
    ):
        twice = sorted({one for one in ids if ids.count(one) > 1})
        if twice:
            yield (*state, name), f"id used twice: {', '.join(twice)}"
