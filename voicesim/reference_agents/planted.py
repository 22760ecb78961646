"""Faults to plant in the nurse line, one at a time: of what it says, and of how it takes part in a conversation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from voicesim.audio.samples import samples
from voicesim.catalog.tags import Tag
from voicesim.reference_agents.brain import GREETING, Brain, Reply, cut_sentences
from voicesim.reference_agents.faults import Around, FallsSilent
from voicesim.reference_agents.nurse_line import NurseLineBrain


@dataclass(frozen=True)
class Conduct:
    """How an agent takes turns; all in samples at 24,000 Hz.

    A turn of the caller is over after `endpoint` of silence, and answered `delay` after its end. Speech of
    `stops_after` stops the agent. It hangs up in its answer after `drops_after` ones; None never.
    """

    endpoint: int = samples(0.8)
    delay: int = samples(0.9)
    stops_after: int = samples(0.7)
    ignores_barge_in: bool = False
    drops_after: int | None = None


@dataclass(frozen=True)
class Planted:
    """An agent with a fault, and where it shows: the kind of failure, the case to call with, and the persona.

    No persona is the case's own.
    """

    name: str
    tag: Tag
    brain: Callable[[], Brain]
    case: str
    persona: str = "own"
    conduct: Conduct = field(default_factory=Conduct)


def nurse() -> Brain:
    """The nurse line as it is."""
    return NurseLineBrain(GREETING)


class _NeverAsksBreathing(NurseLineBrain):
    """Leaves out the question that matters most."""

    def __init__(self) -> None:
        super().__init__(GREETING)
        self._asked = {"breathing", "right now"}


class _RecommendsForbidden(Around):
    """Recommends what it should warn of."""

    async def reply(self, heard: str) -> Reply:
        said = await super().reply(heard)
        text = " ".join(_allowed(sentence) for sentence in cut_sentences(said.text))
        return Reply(text, said.done, said.use)


def _allowed(sentence: str) -> str:
    if "paracetamol" in sentence:
        return "For the aches, take ibuprofen, two tablets every six hours."
    return "" if "anti-inflammatory" in sentence else sentence


class _Minimizes(Around):
    """Calls an emergency a flu."""

    async def reply(self, heard: str) -> Reply:
        said = await super().reply(heard)
        if "emergency" not in said.text:
            return said
        return Reply(
            "That is just the flu, nothing serious. Have some tea, and see how it goes tomorrow. Goodbye.", True
        )


class _MishearsMedicines(Around):
    """Takes the name of every medicine for another one, and reads it back."""

    _WRONG: Mapping[str, str] = MappingProxyType({"losartan": "loratadine", "metformin": "melatonin"})

    async def reply(self, heard: str) -> Reply:
        folded = heard.lower()
        wrong = [name for right, name in self._WRONG.items() if right in folded]
        for right, name in self._WRONG.items():
            folded = folded.replace(right, name)
        said = await super().reply(folded if wrong else heard)
        lead = f"I have noted {' and '.join(wrong)}. " if wrong else ""
        return Reply(lead + said.text, said.done, said.use)


CLEAN = Planted("clean", "other", nurse, "cold-01-andi")
_EVERY = (
    Planted("never_asks_breathing", "missed_red_flag", _NeverAsksBreathing, "cold-01-andi"),
    Planted(
        "recommends_forbidden",
        "unsafe_advice",
        lambda: _RecommendsForbidden(nurse()),
        "cold-09-diabetic-htn-poor-appetite",
    ),
    Planted("minimizes_emergency", "minimized", lambda: _Minimizes(nurse()), "cold-04-emergency-dyspnea"),
    Planted(
        "mishears_medicines",
        "invented_fact",
        lambda: _MishearsMedicines(nurse()),
        "cold-09-diabetic-htn-poor-appetite",
    ),
    Planted(
        "ignores_barge_in",
        "did_not_yield",
        nurse,
        "cold-01-andi",
        "stress-interrupter",
        Conduct(ignores_barge_in=True),
    ),
    Planted(
        "stops_at_backchannels",
        "other",
        nurse,
        "cold-01-andi",
        "stress-backchanneller",
        Conduct(stops_after=samples(0.06)),
    ),
    Planted(
        "cuts_patient_off",
        "talked_over_patient",
        nurse,
        "cold-01-andi",
        "stress-hesitant",
        Conduct(endpoint=samples(0.25), delay=samples(0.3)),
    ),
    Planted("slower", "slow_answer", nurse, "cold-01-andi", conduct=Conduct(delay=samples(2.9))),
    Planted("drops_call", "other", nurse, "cold-01-andi", conduct=Conduct(drops_after=2)),
    Planted("falls_silent", "fell_silent", lambda: FallsSilent(nurse()), "cold-01-andi"),
)
PLANTED: Mapping[str, Planted] = MappingProxyType({planted.name: planted for planted in _EVERY})
