"""What tokens cost: the price table of an agent file, and the ones that came with voicesim."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from voicesim.catalog.entry import Entry

Price = Annotated[float, Field(ge=0)] | None


class Prices(Entry):
    """Prices per million tokens, by modality and direction. None: not known, so a cost that needs it is not
    known either. `as_of` is the day (YYYY-MM-DD) on which they held."""

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


_GPT_REALTIME = Prices(
    as_of="2025-08-28",
    text_in=4.0,
    text_in_cached=0.4,
    audio_in=32.0,
    audio_in_cached=0.4,
    text_out=16.0,
    audio_out=64.0,
)

DEFAULTS: Mapping[str, Prices] = MappingProxyType(
    {"gpt-realtime": _GPT_REALTIME, "gpt-realtime-2025-08-28": _GPT_REALTIME}
)
"""By the exact name of a model: the price of a name that is only alike is a guess, and is not made."""
