"""The model judge with all checks of a call in one question: to measure what one question a check is worth."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from voicesim.catalog.model import Check
from voicesim.judge.base import Call, Finding
from voicesim.judge.evidence import can_prove
from voicesim.judge.llm import prompt
from voicesim.judge.llm.answer import Reading, judge, parse
from voicesim.judge.llm.openai_judge import ROOM, OpenAIJudge, rooms
from voicesim.llm.errors import UnusableAnswerError

_MOST_ROOM = 8000


@dataclass(frozen=True)
class BatchJudge(OpenAIJudge):
    """Asked once a call, with one turn to repair all quotes that do not hold; judges as OpenAIJudge does."""

    @property
    def name(self) -> str:
        return f"{self.chat.name}+batch"

    def find(self, check: Check, call: Call) -> Finding:
        """As `find_all` of a single check."""
        return self.find_all([check], call)[0]

    def find_all(self, checks: Sequence[Check], call: Call) -> list[Finding]:
        """One finding a check. An answer that misses a check is no answer, and no check is then decided."""
        able = [utterance.id for utterance in can_prove(call.transcript)]
        if not able:
            return [Finding("cannot_assess", reason="the agent said nothing") for _ in checks]
        numbered = {f"q{number}": check for number, check in enumerate(checks, start=1)}
        schema = prompt.batch_schema(numbered, able)
        lists = [name for check in checks for name in prompt.lists_for(check)]
        messages = prompt.messages(call, prompt.batch_question(numbered), lists)
        self.chat.rooms = rooms(min(ROOM * len(numbered), _MOST_ROOM))

        def read(text: str) -> dict[str, Reading]:
            return {name: judge(call, parse(check, part)) for (name, check), part in _parts(numbered, text)}

        try:
            text, readings = self.chat.ask(messages, read, schema, call.repeat)
            refused = {name: reading.refused for name, reading in readings.items() if reading.refused is not None}
            if refused:
                messages += prompt.repair(text, [quote for quotes in refused.values() for quote in quotes])
                _, repaired = self.chat.ask(messages, read, schema, call.repeat)
                readings |= {name: repaired[name] for name in refused}
        except UnusableAnswerError as error:
            return [Finding("error", reason=str(error)) for _ in checks]
        return [readings[name].finding for name in numbered]


def _parts(numbered: dict[str, Check], text: str) -> list[tuple[tuple[str, Check], str]]:
    """Each question's own part of an answer as JSON. Raises ValueError when one is missing."""
    answers = json.loads(text)
    missing = [name for name in numbered if not isinstance(answers, dict) or name not in answers]
    if missing:
        raise ValueError(f"no answer to {', '.join(missing)}")
    return [((name, check), json.dumps(answers[name])) for name, check in numbered.items()]
