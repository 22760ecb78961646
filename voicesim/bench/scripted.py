"""A conversation written down as lines, and the transcript and the tool log it stands for.

`A: Any fever?` is the agent's, `P: No.` the patient's, and `T: book {"slot_id": "s-02"} -> {"ok": true}` is a tool that
the agent used between them.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from voicesim.errors import UsageError
from voicesim.recording.events import Event, ToolCall, ToolResult
from voicesim.transcript.model import Side, Transcript, Utterance, Word

TOOL = "T"
_SIDES: dict[str, Side] = {"A": "agent", "P": "caller"}
_PER_WORD = 0.4
_GAP = 0.8
_PER_TOOL = 0.1


@dataclass(frozen=True)
class _ScriptedLine:
    """A line with its time in seconds; tools come right behind what was said before them."""

    name: str
    who: str
    text: str
    start: float
    end: float


def line_of(text: str) -> tuple[str, str]:
    """Who (`A` the agent, `P` the patient, `T` a tool) and what. Raises UsageError for a line of another form."""
    who, mark, said = text.partition(": ")
    if who not in (*_SIDES, TOOL) or not mark or not said.strip():
        raise UsageError(
            f"{text!r} is no line of a conversation: it begins with `A: ` (agent), `P: ` (patient) or `T: ` (tool)"
        )
    return who, said.strip()


def utterance_ids(said: Sequence[str]) -> tuple[str, ...]:
    """The id of each line: A1, P1, A2, ... by side, in order; tools count by themselves."""
    return tuple(line.name for line in _timed(said))


def transcript_of(said: Sequence[str], call_id: str) -> Transcript:
    """The transcript of a call in which exactly this was said.

    Times are made up: 0.4 s a word and 0.8 s between lines. Raises UsageError for a line of another form.
    """
    utterances = tuple(_utterance(line) for line in _timed(said) if line.who != TOOL)
    duration = utterances[-1].end + _GAP if utterances else 0.0
    return Transcript(call_id=call_id, duration=duration, language="en", model="written", utterances=utterances)


def events_of(said: Sequence[str]) -> tuple[Event, ...]:
    """The tool log of a written conversation. Raises UsageError for a tool that is not written as one."""
    return tuple(event for line in _timed(said) if line.who == TOOL for event in _tool(line))


def _timed(said: Sequence[str]) -> Iterator[_ScriptedLine]:
    counts = dict.fromkeys((*_SIDES, TOOL), 0)
    ended, now = 0.0, 0.0
    for who, text in map(line_of, said):
        counts[who] += 1
        name = f"{who}{counts[who]}"
        if who == TOOL:
            ended += _PER_TOOL
            yield _ScriptedLine(name, who, text, ended, ended + _PER_TOOL / 2)
            continue
        end = now + _PER_WORD * len(text.split())
        yield _ScriptedLine(name, who, text, now, end)
        ended, now = end, end + _GAP


def _utterance(line: _ScriptedLine) -> Utterance:
    words = tuple(
        Word(text=word, start=line.start + i * _PER_WORD, end=line.start + (i + 1) * _PER_WORD, probability=1.0)
        for i, word in enumerate(line.text.split())
    )
    return Utterance(
        id=line.name,
        side=_SIDES[line.who],
        start=line.start,
        end=line.end,
        text=line.text,
        voiced=((line.start, line.end),),
        words=words,
        source="line",
    )


def _tool(line: _ScriptedLine) -> tuple[Event, ...]:
    name, _, rest = line.text.partition(" ")
    given, arrow, answer = rest.partition(" -> ")
    try:
        arguments, result = json.loads(given), json.loads(answer) if arrow else None
    except ValueError:
        arguments = result = None
    if not isinstance(arguments, dict):
        raise UsageError(f'`T: {line.text}` is no tool: one is `T: book {{"slot_id": "s-02"}} -> {{"ok": true}}`')
    call = ToolCall(t=line.start, call_id=line.name, name=name, arguments=arguments)
    answered: tuple[Any, ...] = (ToolResult(t=line.end, call_id=line.name, result=result),) if arrow else ()
    return (call, *answered)
