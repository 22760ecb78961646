"""Names of minds, and the guard that stands between any mind and the voice."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol, runtime_checkable

from voicesim.caller import phrases
from voicesim.caller.cleaning import first_line, speakable
from voicesim.caller.delivery import slipped
from voicesim.caller.divergence import told_facts
from voicesim.caller.ear import Vad
from voicesim.caller.guard import LineProblem, problem
from voicesim.caller.mind import Begins, Memory, Mind, MindError, PatientLine
from voicesim.caller.opening import check_opening
from voicesim.caller.speaking_person import SpeakingPerson
from voicesim.catalog.model import Case
from voicesim.llm.server import ModelServer
from voicesim.recording.events import Event
from voicesim.registry import MINDS


@runtime_checkable
class Rewords(Protocol):
    """A mind that can word a line anew when it is told what was wrong with it."""

    async def again(self, heard: str, memory: Memory, line: PatientLine, why: str) -> PatientLine: ...


@runtime_checkable
class Unhurried(Protocol):
    """A mind whose thinking has a time limit, which can be lifted."""

    def take_time(self) -> None: ...


@runtime_checkable
class Connected(Protocol):
    """A mind with connections that can stay open between two replies."""

    async def open(self) -> None: ...

    async def aclose(self) -> None: ...


Person = Callable[[Vad, Callable[[Event], None]], SpeakingPerson]
"""What gives whoever speaks in a call, by a voice activity detector and the call's log."""


class GuardedMind:
    """Checks every line of a mind before it is spoken; asks once more, then gives up on the call.

    What a person types (`by_hand`) is said as it is.
    """

    def __init__(self, mind: Mind, case: Case) -> None:
        """`server` is where the mind's language model is; None for a mind without one."""
        self.name = mind.name
        self.server: ModelServer | None = getattr(mind, "server", None)
        self._mind, self._case = mind, case
        self.by_hand: bool = getattr(mind, "by_hand", False)
        self.exact: bool = getattr(mind, "exact", False)
        self.person: Person | None = getattr(mind, "person", None)

    def take_time(self) -> None:
        """Lift the mind's time limit, if it has one: the call is on virtual time."""
        if isinstance(self._mind, Unhurried):
            self._mind.take_time()

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        """See Mind. Raises MindError with the reason of the guard when the second line is no better."""
        if self.by_hand:
            return await self._mind.reply(heard, memory)
        return await self._accepted(await self._mind.reply(heard, memory), heard, memory)

    async def begin(self, heard: str, memory: Memory, started: Callable[[PatientLine], None]) -> PatientLine:
        """See Begins. A first sentence that may not be said is not begun with.

        Once it is said there is no way back: of a line that turns out to be wrong, the rest is left away.
        """
        if not isinstance(self._mind, Begins):
            return await self.reply(heard, memory)
        begun: list[PatientLine] = []

        def check(line: PatientLine) -> None:
            line = self._cleaned(line)
            if self._problem(line, heard, memory) is None and self._with_slips(line, memory) == line:
                begun.append(line)
                started(line)

        line = await self._mind.begin(heard, memory, check)
        if not begun:
            return await self._accepted(line, heard, memory)
        line = self._cleaned(line)
        if line.text.startswith(begun[0].text) and self._problem(line, heard, memory) is None:
            return line
        given = (fact for fact in self._case.patient.reveal_only_if_asked if fact.id in line.facts)
        return replace(begun[0], facts=told_facts(begun[0].text, tuple(given), self._case.language))

    async def _accepted(self, line: PatientLine, heard: str, memory: Memory) -> PatientLine:
        """A line that may be said, after one more try where it may not."""
        line = self._cleaned(line)
        wrong = self._problem(line, heard, memory)
        if wrong is None:
            return self._with_slips(line, memory)
        if isinstance(self._mind, Rewords):
            line = self._cleaned(await self._mind.again(heard, memory, line, wrong.detail))
        else:
            line = self._cleaned(await self._mind.reply(heard, memory))
        wrong = self._problem(line, heard, memory)
        if wrong is not None:
            raise MindError(wrong.reason, f"{wrong.detail} (line: {line.text!r})")
        return self._with_slips(line, memory)

    def _with_slips(self, line: PatientLine, memory: Memory) -> PatientLine:
        """The line with the slips of the tongue of the facts that it tells for the first time."""
        repairs = phrases.phrases_of(self._case.language)["corrections"]
        for fact in self._case.patient.reveal_only_if_asked:
            if fact.slip is not None and fact.id in line.facts and fact.id not in memory.released:
                repair = phrases.pick(repairs, memory)
                line = replace(line, text=slipped(line.text, fact.slip.wrong, fact.slip.right, repair))
        return line

    def warm(self) -> None:
        """Load what the mind's first thought needs, where it has something to load."""
        load = getattr(self._mind, "warm", None)
        if load is not None:
            load()

    async def open(self) -> None:
        """Keep the mind's connections open from now on, until `aclose` on the same loop; where it has some."""
        if isinstance(self._mind, Connected):
            await self._mind.open()

    async def aclose(self) -> None:
        """Close them."""
        if isinstance(self._mind, Connected):
            await self._mind.aclose()

    def close(self) -> None:
        """The call is over: let go of what the mind holds, where it holds something."""
        end = getattr(self._mind, "close", None)
        if end is not None:
            end()

    def _cleaned(self, line: PatientLine) -> PatientLine:
        return replace(line, text=speakable(first_line(line.text), self._case.patient.name, self._case.language))

    def _problem(self, line: PatientLine, heard: str, memory: Memory) -> LineProblem | None:
        return problem(line.text, self._case, memory, heard, line.facts)


def make_mind(spec: str, case: Case) -> GuardedMind:
    """The guarded mind that `--mind` names, from the table of minds.

    Raises UsageError for a name that is not there or a missing key, and CatalogueError for a model file that is
    wrong and when the case's opening line gives away what is only told when asked.
    """
    check_opening(case)
    name, target = MINDS.split(spec)
    mind: Mind = MINDS.load(name)(case, target)
    return GuardedMind(mind, case)


def cues(case: Case, _: str) -> Mind:
    """The mind that goes by the cues of a case."""
    from voicesim.caller.mind_cues import CuesMind

    return CuesMind(case)
