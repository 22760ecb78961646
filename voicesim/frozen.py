"""The base of everything that is read from a file or a wire."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """Immutable. A key that is not known, and a number that is not finite, are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
