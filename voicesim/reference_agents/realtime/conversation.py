"""The items of a call in their order, and the tokens they would cost."""

from typing import Any

from voicesim.reference_agents.realtime.outbox import Outbox

# The provider's own units: one token for 100 ms of the caller, one for 50 ms of the model, about four letters a token.
HEARD_TOKENS = 10
SPOKEN_TOKENS = 20
_LETTERS = 4


class Conversation:
    """Names items and responses, keeps their order, and counts what they hold."""

    def __init__(self, call: str, outbox: Outbox) -> None:
        """`call` makes the ids of one call differ from those of another."""
        self.id = f"conv_{call}"
        self._call = call
        self._outbox = outbox
        self._count = 0
        self._last: str | None = None
        self._before: dict[str, str | None] = {}
        self._fresh_audio = self._cached_audio = 0
        self._fresh_text = self._cached_text = 0

    @property
    def last(self) -> str | None:
        """The id of the latest item."""
        return self._last

    def new_id(self, kind: str) -> str:
        self._count += 1
        return f"{kind}_{self._call}_{self._count:04d}"

    def added(self, item: dict[str, Any]) -> None:
        """An item joins the conversation, behind the latest."""
        self._before[item["id"]] = self._last
        self._outbox.send("conversation.item.added", previous_item_id=self._last, item=item)
        self._last = item["id"]

    def done(self, item: dict[str, Any]) -> None:
        """An item that was added is complete."""
        self._outbox.send("conversation.item.done", previous_item_id=self._before.get(item["id"]), item=item)

    def user(self, item_id: str, content: list[dict[str, Any]]) -> None:
        """A whole message of the caller."""
        item = {
            "id": item_id,
            "object": "realtime.item",
            "type": "message",
            "status": "completed",
            "role": "user",
            "content": content,
        }
        self.added(item)
        self.done(item)

    def count_heard(self, seconds: float, text: str = "") -> None:
        """Sound (seconds) or typed text of the caller that the next response reads."""
        self._fresh_audio += round(seconds * HEARD_TOKENS)
        self._fresh_text += -(-len(text) // _LETTERS)

    def count_response(self, text: str, seconds: float) -> dict[str, Any]:
        """The usage of a response with this transcript and length; what was read before counts as cached."""
        audio, words = round(seconds * SPOKEN_TOKENS), -(-len(text) // _LETTERS)
        cached = {"text_tokens": self._cached_text, "audio_tokens": self._cached_audio, "image_tokens": 0}
        read_text, read_audio = self._cached_text + self._fresh_text, self._cached_audio + self._fresh_audio
        usage = {
            "total_tokens": read_text + read_audio + words + audio,
            "input_tokens": read_text + read_audio,
            "output_tokens": words + audio,
            "input_token_details": {
                "text_tokens": read_text,
                "audio_tokens": read_audio,
                "image_tokens": 0,
                "cached_tokens": self._cached_text + self._cached_audio,
                "cached_tokens_details": cached,
            },
            "output_token_details": {"text_tokens": words, "audio_tokens": audio},
        }
        self._cached_text, self._cached_audio = read_text + words, read_audio + audio
        self._fresh_text = self._fresh_audio = 0
        return usage
