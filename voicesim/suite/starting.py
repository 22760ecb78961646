"""A small project of one's own that runs as it is: case, persona, profile, agent, suite and CI workflow."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from voicesim.errors import UsageError
from voicesim.recording.files import write_text

_TEMPLATES = Path(__file__).parent / "starter"
FILES: Mapping[str, str] = MappingProxyType(
    {
        "cases/sore-throat.yaml": "case.yaml",
        "personas/calm-caller.yaml": "persona.yaml",
        "audio_profiles/my-line.yaml": "profile.yaml",
        "agents/my-agent.yaml": "agent.yaml",
        "my_agent.py": "my_agent.py",
        "suites/first.yaml": "suite.yaml",
        ".github/workflows/voicesim.yml": "workflow.yml",
    }
)
"""Each file of the project, and the template that it is a copy of."""


def start_project(folder: Path) -> tuple[Path, ...]:
    """Write the files of a new project below a folder and return their paths; nothing that is there is touched.

    Raises UsageError, before anything is written, that names the files that are there already.
    """
    there = [name for name in FILES if (folder / name).exists()]
    if there:
        raise UsageError(f"{folder}: there already: {', '.join(there)}; name another folder")
    for name, template in FILES.items():
        write_text(folder / name, (_TEMPLATES / template).read_text(encoding="utf-8"))
    return tuple(folder / name for name in FILES)
