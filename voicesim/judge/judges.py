"""The judges by name, as `--judge` names them."""

from collections.abc import Sequence
from dataclasses import dataclass

from voicesim.errors import UsageError
from voicesim.judge.base import Judge
from voicesim.llm.server import TIMEOUT
from voicesim.registry import JUDGES


@dataclass(frozen=True)
class Options:
    """How models are asked: with `batch` about all checks of a call at once; `timeout` is for one answer (seconds)."""

    batch: bool = False
    timeout: float = TIMEOUT


@dataclass(frozen=True)
class Panel:
    """Who judges, by name or model file, and how often each."""

    judges: tuple[str, ...] = ("cues",)
    repeats: int = 1
    options: Options = Options()

    def seated(self) -> list[Judge]:
        """The judges themselves. Raises UsageError as `make_judge` does, and where two have one name."""
        return seated(self.judges, self.options)


def seated(specs: Sequence[str], options: Options) -> list[Judge]:
    """A judge for each name. Raises UsageError as `make_judge` does, and when two would share a file of verdicts."""
    judges = [make_judge(spec, options) for spec in specs]
    names = [judge.name for judge in judges]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two judges are called {twice}; give their model files an `id` each")
    return judges


def make_judge(spec: str, options: Options = Options()) -> Judge:
    """The judge that `--judge` names, from the table of judges.

    Raises UsageError for a name that is not there or a missing key, CatalogueError for a model file that is wrong.
    """
    name, target = JUDGES.split(spec)
    judge: Judge = JUDGES.load(name)(target, options)
    return judge


def cues(_: str, options: Options) -> Judge:
    """The judge that goes by the cues of a case; it has no options."""
    from voicesim.judge.offline.cues import CuesJudge

    return CuesJudge()
