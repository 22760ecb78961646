"""What a check of kind `code` is decided by: the tool log, the clock and the sound, never a model.

Times are in seconds. `docs/cases.md` says when each rule is a hit, a miss, not applicable or undecidable.
"""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from voicesim.catalog.entry import Entry, Words

Plain = str | bool | int | float
Side = Literal["agent", "caller"]
Seconds = Annotated[float, Field(ge=0)]
Name = Annotated[str, Field(min_length=1)]


class FromState(Entry):
    """Values in the backend's state before the call: `key` of each item of the list `of` that fits `where`."""

    of: Name
    key: Name = "id"
    where: dict[str, Plain] = Field(default_factory=dict)


class ToolOrder(Entry):
    """Every call of a tool in `then` comes after a successful call of `first`.

    `same` ties the two together: an argument of the later call must equal that value of the result.
    """

    type: Literal["tool_order"] = "tool_order"
    first: Name
    then: Words = Field(min_length=1)
    same: dict[str, str] = Field(default_factory=dict)


class ToolOutcome(Entry):
    """How many calls of a tool (with these arguments, if given) succeeded."""

    type: Literal["tool_outcome"] = "tool_outcome"
    tool: Name
    arguments: dict[str, Plain] = Field(default_factory=dict)
    at_least: int = Field(default=1, ge=0)
    at_most: int | None = Field(default=None, ge=0)


class ToolArguments(Entry):
    """Every successful call of a tool names, in each of these arguments, something of the state."""

    type: Literal["tool_arguments"] = "tool_arguments"
    tool: Name
    arguments: dict[str, FromState] = Field(min_length=1)


class ToolForbidden(Entry):
    """None of these tools is called, successfully or not."""

    type: Literal["tool_forbidden"] = "tool_forbidden"
    tools: Words = Field(min_length=1)


class Anchor(Entry):
    """A moment of the call: a successful call of a tool, words that a side says, or the end of the call."""

    tool: str = ""
    said: Words = ()
    by: Side = "caller"
    hangup: bool = False

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        if bool(self.tool) + bool(self.said) + self.hangup != 1:
            raise ValueError("`of` needs exactly one of tool, said and hangup")
        return self


class WordsNear(Entry):
    """A side says one of these words within so many seconds of each moment of a kind."""

    type: Literal["words_near"] = "words_near"
    words: Words = Field(min_length=1)
    side: Side = "agent"
    within: Seconds
    when: Literal["before", "after", "around"] = "after"
    of: Anchor


class SaidTimes(Entry):
    """Every time of day that the agent names is one of the state's, or of `also` ("08:00").

    A weekday that stands in one sentence with a single time must belong to it. A time that the patient named
    first may be repeated.
    """

    type: Literal["said_times"] = "said_times"
    of: Name
    time: Name = "time"
    day: Name = "day"
    where: dict[str, Plain] = Field(default_factory=dict)
    also: Words = ()


class Latency(Entry):
    """A statistic of the response latencies is at most so many seconds."""

    type: Literal["latency"] = "latency"
    statistic: Literal["median", "p90", "p95", "max"] = "max"
    at_most: Seconds


class Yield(Entry):
    """Each time the patient interrupts, the agent stops within so many seconds."""

    type: Literal["yield"] = "yield"
    at_most: Seconds


class TalkOver(Entry):
    """The agent never sounds for more than so many seconds while the patient says one line."""

    type: Literal["talk_over"] = "talk_over"
    at_most: Seconds


Rule = Annotated[
    ToolOrder | ToolOutcome | ToolArguments | ToolForbidden | WordsNear | SaidTimes | Latency | Yield | TalkOver,
    Field(discriminator="type"),
]


def lists_of(rule: Rule) -> tuple[str, ...]:
    """The lists of the backend's state that a rule looks into."""
    match rule:
        case ToolArguments():
            return tuple(argument.of for argument in rule.arguments.values())
        case SaidTimes():
            return (rule.of,)
        case _:
            return ()
