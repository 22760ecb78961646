"""When a patient speaks, and its habits on the phone, as the numbers of a persona."""

from typing import Annotated, Any

from pydantic import Field, model_validator

from voicesim.catalog.entry import Entry

Span = tuple[Annotated[float, Field(ge=0)], Annotated[float, Field(ge=0)]]
"""The least and the most, in seconds; drawn evenly between them."""
Chance = Annotated[float, Field(ge=0, le=1)]


class ReplyGap(Entry):
    """The time from the agent's last sound to the patient's first one: log-normal, in seconds.

    The gap that comes most often is `mode`. `spread` is the standard deviation of the gap's logarithm. One call's
    patient is quicker or slower than the persona by a factor that is drawn once, with `speaker` as the standard
    deviation of its logarithm. With a chance of `early` the patient begins as soon as it has understood the
    question, even if the agent speaks on.
    """

    mode: float = Field(default=0.2, gt=0, le=5.0)
    spread: float = Field(default=0.5, ge=0, le=1.5)
    speaker: float = Field(default=0.2, ge=0, le=1.0)
    early: Chance = 0.05
    between: Span | None = Field(default=None, description="instead: drawn evenly between two values, never early")

    @model_validator(mode="before")
    @classmethod
    def _of_two_numbers(cls, value: Any) -> Any:
        """`[0.2, 0.6]` is short for `{between: [0.2, 0.6]}`."""
        written = {"between": value} if isinstance(value, list | tuple) else value
        if isinstance(written, dict) and isinstance(written.get("between"), list):
            # What comes through here is no longer JSON, where strict validation takes a list for a tuple.
            return {**written, "between": tuple(written["between"])}
        return written


class TurnTaking(Entry):
    """When the patient speaks. Times in seconds; chances are per opportunity; all draws are seeded."""

    reply_gap: ReplyGap = ReplyGap()
    end_of_turn: float = Field(
        default=2.8, ge=0.8, le=5.0, description="silence that ends a turn that asked nothing, or broke off"
    )
    patience: float = Field(default=8.0, ge=2.0, description="silence before the patient asks if anyone is there")
    opening_wait: float = Field(default=2.0, ge=0.0, description="how long a greeting is waited for")
    hesitation: Chance = Field(default=0.0, description="chance of a pause inside a line")
    hesitation_pause: Span = (0.3, 0.6)
    filler: Chance = Field(default=0.0, description="chance of an 'um' at the beginning of a line or at its pause")
    breath: Chance = Field(default=0.0, description="chance of a breath that is heard before a line")
    backchannel: Chance = Field(default=0.0, description="chance of an 'mm-hm' behind each phrase of the agent")
    side_talk: Chance = Field(default=0.0, description="chance, per agent turn, of words with somebody in the room")
    cough: Chance = Field(default=0.0, description="chance, per agent turn, of a cough")
    barge_in: Chance = Field(default=0.0, description="chance of interrupting a long agent turn")
    barge_in_after: float = Field(default=8.0, ge=1.0, description="length of agent turn that counts as long")
    barge_in_on_word: Chance = Field(default=0.0, description="chance of interrupting at a medicine's name")
    barge_in_on_mistake: Chance = Field(default=0.0, description="chance of interrupting when a fact is told wrong")
    yields_after: float | None = Field(
        default=0.6, ge=0, description="overlap after which the patient stops; none: never"
    )
    holds_floor: Chance = Field(default=0.0, description="chance, per line, of talking on when talked over")


class Habits(Entry):
    """What makes one patient harder than another; chances are per turn of the agent, all seeded."""

    asks_back: int = Field(
        default=2, ge=0, le=5, description="how often in a call the patient asks again what it could not make out"
    )
    mishears: Chance = Field(default=0.0, description="chance of asking the agent to say it again")
    rambles: Chance = Field(default=0.0, description="chance of going on about something else behind an answer")
    changes_mind: Chance = Field(default=0.0, description="chance of taking an agreement back, at most twice a call")
    tests_limits: Chance = Field(
        default=0.0, description="chance, where nothing is asked, of wanting what the agent must not give"
    )
