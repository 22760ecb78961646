"""Keys out of texts: whatever is stored, printed or passed on from the wire goes through here.

Three things count as a secret: the value of an environment variable whose name says that it is one, text of a shape
that only keys have, and what a caller names as one.
"""

import os
import re

REMOVED = "[removed]"
_SHORTEST = 8
"""Characters; a shorter value is a placeholder such as `any` or `local`, and would tear holes into plain text."""
_SECRET_NAME = re.compile(r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$", re.IGNORECASE)
_SHAPES = re.compile(
    r"\b(?:sk|pk|rk|ek|ghp|gho|hf|xai|gsk)[-_][A-Za-z0-9_-]{12,}"
    r"|\bAKIA[A-Z0-9]{16}\b"
    r"|\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*)?"
    r"|(?<=Bearer )[A-Za-z0-9._~+/=-]{8,}"
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)",
    re.IGNORECASE,
)


class Alone(str):
    """A secret of any length, which is taken out where it stands alone: not inside a longer word."""

    __slots__ = ()


class Redactor:
    """Takes keys out of texts: those of the environment as it is now, and `own` ones that came from elsewhere."""

    def __init__(self, *own: str) -> None:
        held = {value for name, value in os.environ.items() if _SECRET_NAME.search(name)}
        # The longest first, so that none is left of another's inside.
        self._secrets = sorted((secret for secret in held | {*own} if len(secret) >= _SHORTEST), key=len, reverse=True)
        short = sorted(
            {secret for secret in own if isinstance(secret, Alone) and len(secret) < _SHORTEST}, key=len, reverse=True
        )
        words = "|".join(re.escape(secret) for secret in short)
        self._words = re.compile(rf"(?<!\w)(?:{words})(?!\w)") if words else None

    def clean(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, REMOVED)
        if self._words is not None:
            text = self._words.sub(REMOVED, text)
        return _SHAPES.sub(REMOVED, text)


def redact(text: str, *own: str) -> str:
    """The text without keys, nor the `own` ones.

    >>> redact("Incorrect key: sk-abcdefghijklmnop.")
    'Incorrect key: [removed].'
    """
    return Redactor(*own).clean(text)


def looks_like_key(text: str) -> bool:
    """True for text that has the shape of a key, or holds the value of a secret environment variable.

    >>> looks_like_key("Bearer 0123456789abcdef"), looks_like_key("application/json")
    (True, False)
    """
    return redact(text) != text


def looks_random(text: str) -> bool:
    """True for one long word of letters and digits, as tokens without any prefix are.

    >>> looks_random("9f86d081884c7d659a2feaa0c55ad015"), looks_random("my-voice-team-in-rotterdam")
    (True, False)
    """
    whole = re.fullmatch(r"[A-Za-z0-9+/=_.-]{20,}", text) is not None
    return whole and sum(letter.isdigit() for letter in text) >= 4 and sum(letter.isalpha() for letter in text) >= 4
