"""What tokens and seconds cost: the price table of an agent file, and the ones that came with voicesim."""

from typing import Annotated

from pydantic import Field

from voicesim.catalog.entry import Entry
from voicesim.llm.known_models import known_models

Price = Annotated[float, Field(ge=0)] | None


class Prices(Entry):
    """Prices per million tokens, by modality and direction, and per minute of sessions that are billed by the second.

    None: not known, so a cost that needs it is not known either. `as_of` is the day (YYYY-MM-DD) on which they held.
    """

    currency: str = Field(default="USD", pattern=r"^[A-Z]{3}$")
    as_of: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}$")
    text_in: Price = None
    text_in_cached: Price = None
    audio_in: Price = None
    audio_in_cached: Price = None
    image_in: Price = None
    image_in_cached: Price = None
    text_out: Price = None
    audio_out: Price = None
    minute_active: Price = None
    minute_standby: Price = None


def known_prices(model: str) -> Prices | None:
    """By the exact name of a model: the price of a name that is only alike is a guess, and is not made."""
    known = known_models().models.get(model)
    return Prices(as_of=known_models().as_of, **known.prices) if known and known.prices else None
