"""The base of everything that is read from a file or a wire."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

DAY = 86_400.0

Seconds = Annotated[float, Field(ge=-DAY, le=DAY)]
"""An instant on the call clock, or a duration: never so long that its samples cannot be counted."""


Seed = Annotated[int, Field(ge=0, lt=2**63)]
"""From which every random choice of a call follows; any table can hold it."""


class Frozen(BaseModel):
    """Immutable. A key that is not known, and a number that is not finite, are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
