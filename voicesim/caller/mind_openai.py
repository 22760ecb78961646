"""A language model plays the patient: one request decides what is asked for, another words the reply."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from voicesim.caller import phrases
from voicesim.caller.cleaning import first_line, first_sentence, line_is_whole
from voicesim.caller.facts import current
from voicesim.caller.mind import Memory, MindError, PatientLine
from voicesim.caller.moves import read, says_goodbye
from voicesim.caller.prompts import MOST_FACTS, deciding, decision_schema, refused, wording
from voicesim.caller.reflexes import next_press, reflex
from voicesim.catalog.model import Case, Fact
from voicesim.catalog.model_names import resolve_model
from voicesim.frozen import Frozen
from voicesim.language.farewells import wishes_well
from voicesim.llm.client import ChatModel
from voicesim.llm.errors import ModelError
from voicesim.llm.reading import without_reasoning
from voicesim.llm.server import ModelServer

TIMEOUT = 20.0
"""Seconds; a patient that thinks longer than this in a live call has lost its thread."""
ROOMS = (400, 2000)
"""Tokens for an answer, and for the second try when the first cannot be used."""


class _Answer(Frozen):
    """The first step's answer, as the model writes it."""

    asked: tuple[str, ...]
    declines: bool
    over: bool


@dataclass(frozen=True)
class Decision:
    """Facts to be told now, the line that presses for what was declined, and whether the call is over."""

    facts: tuple[Fact, ...]
    press: str
    over: bool


class _Watch:
    """Watches a line while it is written; `started` is told its first sentence once more follows.

    What a model writes below the line is never spoken, so it is not waited for, unless `whole` is asked for.
    """

    def __init__(self, line: PatientLine, started: Callable[[PatientLine], None] | None = None, *, whole: bool) -> None:
        self._line, self._started, self._whole, self._text = line, started, whole, ""

    def grows(self, text: str) -> bool:
        """See Grows."""
        self._text = text
        sentence = first_sentence(text) if self._started is not None else ""
        if sentence and self._started is not None:
            started, self._started = self._started, None
            started(replace(self._line, text=sentence))
        return not self._whole and line_is_whole(text)

    @property
    def speaks_at_once(self) -> bool:
        """Whether what was written came word by word, and was speech from its beginning."""
        return bool(self._text) and without_reasoning(self._text) == self._text


class OpenAIMind:
    """Any OpenAI-compatible server. The wording step never sees a fact that was not asked for.

    Between `open` and `aclose` its connections stay open; else none outlives its answer.
    """

    def __init__(self, case: Case, server: ModelServer) -> None:
        """Raises UsageError when the server's key is missing."""
        self.name, self.server = server.label, server
        self._patient, self._language = case.patient, case.language
        self._speaks_at_once = False
        """Whether the last line was speech from its start. Some servers swallow the mark before a model's reasoning."""
        self._model = ChatModel(server, "mind", TIMEOUT, retries=1, rooms=ROOMS)

    def take_time(self) -> None:
        """Wait for answers however long they take: for calls on virtual time, in which thinking takes none."""
        self._model = ChatModel(replace(self.server, timeout=None), "mind", math.inf, retries=1, rooms=ROOMS)

    async def open(self) -> None:
        """Keep connections open for the next questions, on this loop."""
        await self._model.__aenter__()

    async def aclose(self) -> None:
        """Close them."""
        await self._model.__aexit__()

    def warm(self) -> None:
        """Load the client: it takes a second, which the first answer should not wait for."""
        self._model.warm()

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        """See Mind. Raises MindError with reason mind_failed when the model gives nothing that can be used."""
        return await self.begin(heard, memory, None)

    async def begin(self, heard: str, memory: Memory, started: Callable[[PatientLine], None] | None) -> PatientLine:
        """See Begins; a server that streams the line tells its first sentence early."""
        voiced = phrases.voiced(self._language)
        line = reflex(read(heard, voiced), memory, voiced)
        if line is not None:
            return line
        return await self._word(await self.decide(heard, memory), heard, memory, started=started)

    async def again(self, heard: str, memory: Memory, line: PatientLine, why: str) -> PatientLine:
        """Another wording of a line that may not be spoken; what it tells stays as it was decided."""
        press = next_press(self._patient, memory)
        decision = Decision(
            facts=tuple(fact for fact in self._patient.reveal_only_if_asked if fact.id in line.facts),
            press=press if press and press in line.text else "",
            over=line.hang_up,
        )
        return await self._word(decision, heard, memory, refusal=(line.text, why))

    async def decide(self, heard: str, memory: Memory) -> Decision:
        """Asks the model; an answer outside its schema gets one more chance."""
        facts = current(self._patient, memory)
        try:
            _, answer = await self._model.answer(
                deciding(self._patient, heard, memory), partial(_read, facts), decision_schema(facts)
            )
        except ModelError as error:
            raise MindError("mind_failed", f"{self.name} gave no usable decision: {error}") from None
        return self._decision(answer, facts, heard, memory)

    def _decision(self, answer: _Answer, facts: Sequence[Fact], heard: str, memory: Memory) -> Decision:
        by_id = {fact.id: fact for fact in facts}
        press = next_press(self._patient, memory) if answer.declines else ""
        asked = tuple(by_id[fact] for fact in dict.fromkeys(answer.asked))
        # A wish ("get well soon") is no goodbye, whatever a model makes of it: the agent may go on.
        over = answer.over and not press and not wishes_well(heard, phrases.voiced(self._language))
        return Decision(asked, press, over)

    async def _word(
        self,
        decision: Decision,
        heard: str,
        memory: Memory,
        refusal: tuple[str, str] | None = None,
        started: Callable[[PatientLine], None] | None = None,
    ) -> PatientLine:
        line = PatientLine("", facts=tuple(fact.id for fact in decision.facts), hang_up=decision.over)
        if decision.press and not decision.facts:
            return replace(line, text=decision.press)
        messages = wording(self._patient, heard, memory, decision.facts, over=decision.over, language=self._language)
        if refusal is not None:
            messages += refused(*refusal)
        watch = _Watch(line, started if self._speaks_at_once else None, whole=not self._speaks_at_once)
        try:
            _, text = await self._model.answer(messages, first_line, heard=watch.grows)
        except ModelError as error:
            raise MindError("mind_failed", f"{self.name} gave no line: {error}") from None
        self._speaks_at_once = watch.speaks_at_once
        if decision.over and not says_goodbye(text, phrases.voiced(self._language)):
            text = f"{text} {phrases.phrase('farewell_word', self._language)}"
        return replace(line, text=f"{text} {decision.press}".strip())


def _read(facts: Sequence[Fact], text: str) -> _Answer:
    """The decision in an answer's JSON. Raises ValueError for anything else than some of these facts."""
    answer = _Answer.model_validate_json(text)
    unknown = set(answer.asked) - {fact.id for fact in facts}
    if unknown:
        raise ValueError(f"no such fact: {', '.join(sorted(unknown))}")
    if len(answer.asked) > MOST_FACTS:
        raise ValueError(f"more than {MOST_FACTS} facts asked for")
    return answer


def make(case: Case, target: str) -> OpenAIMind:
    """The mind of a model's name or file. Raises UsageError and CatalogueError as `resolve_model` does."""
    return OpenAIMind(case, resolve_model(target))
