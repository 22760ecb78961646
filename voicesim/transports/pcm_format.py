"""How an agent on a plain WebSocket wants sound, and how it sends its own."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from voicesim.catalog.entry import Entry

SAMPLE_BYTES = {"int16": 2, "float32": 4, "mulaw": 1}
"""Bytes of one sample of one channel; all are little-endian."""

JsonPath = Annotated[str, Field(pattern=r"^(?:[\w-]+(?:\.[\w-]+)*)?$")]
"""Keys of nested objects, with dots between them; an empty one is none."""


class PcmFormat(Entry):
    """Sound both ways: `rate` in Hz, `frame_ms` of it in a message to the agent, channels interleaved.

    With `encoding: base64` a message is a JSON object and `json_path` is where in it the sound lies. The object
    sent also has what is in `send_with`. `heard_path` is where the agent's own sound lies, if elsewhere. A text
    message of the agent that has all of `clear_when` in it takes back what was not heard yet.
    """

    rate: int = Field(default=24_000, ge=8_000, le=48_000)
    sample: Literal["int16", "float32", "mulaw"] = "int16"
    channels: Literal[1, 2] = 1
    frame_ms: int = Field(default=20, ge=10, le=1_000)
    encoding: Literal["binary", "base64"] = "binary"
    json_path: JsonPath = ""
    heard_path: JsonPath = ""
    send_with: dict[str, Any] = Field(default_factory=dict)
    clear_when: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _json_has_a_path(self) -> Self:
        if (self.encoding == "base64") != bool(self.json_path):
            raise ValueError("`json_path` says where the sound lies in a base64 message, and is for those only")
        if self.encoding == "binary" and (self.heard_path or self.send_with):
            raise ValueError("`heard_path` and `send_with` are for base64 messages only")
        return self

    @model_validator(mode="after")
    def _frames_are_whole(self) -> Self:
        if self.rate * self.frame_ms % 1000:
            raise ValueError(f"`frame_ms`: {self.frame_ms} ms at {self.rate} Hz is no whole number of samples")
        return self

    @property
    def frame(self) -> int:
        """Samples of one channel in one message."""
        return self.rate * self.frame_ms // 1000
