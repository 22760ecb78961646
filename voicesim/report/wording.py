"""How values are written for people. A missing value is an em-dash, never 0 and never NaN."""

import json
import math
import re
from datetime import datetime
from typing import Any

MISSING = "—"
MOST = 1e12
"""No number of a call is larger."""
LONGEST = 200
"""Letters of a value of which nothing is known."""

# Characters that reorder or hide their neighbours (directional marks, embeddings, overrides, isolates), that are not
# seen at all (zero-width ones, fillers, tags), control characters, and halves of characters: in a page of evidence they
# are shown, not obeyed. Joiners and marks of direction stay where a script or an emoji needs them, never behind Latin.
_UNSEEN = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b"
    "\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f]"
    "|(?<![^\u0000-\u024f])[\u200c-\u200f]"
)


def known(value: float | None) -> float | None:
    """The value, or None when there is none, or none that a call can have."""
    return value if value is not None and math.isfinite(value) and abs(value) < MOST else None


def amount(number: int, singular: str, plural: str = "") -> str:
    """So many of something.

    >>> amount(1, "call"), amount(0, "call"), amount(2, "pair of calls", "pairs of calls")
    ('1 call', '0 calls', '2 pairs of calls')
    """
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def clock(t: float) -> str:
    """Seconds on the call clock as minutes, seconds and tenths.

    >>> clock(59.96)
    '1:00.0'
    """
    tenths = round(max(0.0, t) * 10)
    return f"{tenths // 600}:{tenths % 600 // 10:02d}.{tenths % 10}"


def span(seconds: float | None) -> str:
    """A length of time: milliseconds up to ten seconds, then seconds.

    >>> span(0.82), span(1.2404), span(12.34), span(None)
    ('820 ms', '1,240 ms', '12.3 s', '—')
    """
    value = known(seconds)
    if value is None:
        return MISSING
    return f"{round(value * 1000):,} ms" if abs(value) < 9.9995 else f"{value:.1f} s"


def whole_seconds(seconds: float | None) -> str:
    """A length of time in seconds and tenths, minutes from one minute on."""
    value = known(seconds)
    if value is None:
        return MISSING
    tenths = round(value * 10)
    return f"{tenths / 10:.1f} s" if tenths < 600 else f"{tenths // 600} min {tenths % 600 / 10:.1f} s"


def percent(share: float | None) -> str:
    """A share of 1 in percent with at most one decimal, never rounded up to 100 or down to 0.

    >>> percent(0.88), percent(0.875), percent(0.9996), percent(1.0)
    ('88%', '87.5%', '99.9%', '100%')
    """
    value = known(share)
    if value is None:
        return MISSING
    tenths = round(value * 1000)
    if 0 < value < 1:
        tenths = min(max(tenths, 1), 999)
    return f"{tenths // 10}%" if tenths % 10 == 0 else f"{tenths / 10:.1f}%"


def number(value: float | None, places: int = 2) -> str:
    """A plain number with a fixed count of decimals."""
    return MISSING if known(value) is None else f"{value:.{places}f}"


def whole_percent(share: float | None) -> str:
    """A share of 1 in whole percent, halves up, never rounded up to 100 or down to 0.

    >>> whole_percent(0.855), whole_percent(0.518), whole_percent(0.999), whole_percent(0.0), whole_percent(None)
    ('86%', '52%', '99%', '0%', '—')
    """
    value = known(share)
    if value is None:
        return MISSING
    hundredths = math.floor(round(value * 100, 6) + 0.5)
    return f"{min(max(hundredths, 1), 99) if 0 < value < 1 else hundredths}%"


def points(share: float | None) -> str:
    """A difference of shares of 1, in hundredths with its sign.

    >>> points(0.084), points(-0.3), points(0.0004), points(None)
    ('+8.4', '−30.0', '0.0', '—')
    """
    value = known(share)
    if value is None:
        return MISSING
    tenths = round(value * 1000)
    return f"{'+' if tenths > 0 else '−' if tenths < 0 else ''}{abs(tenths) / 10:.1f}"


def spaced(name: str) -> str:
    """A name written with underscores, in words.

    >>> spaced("agent_hung_up")
    'agent hung up'
    """
    return name.replace("_", " ")


def plain(value: object) -> str:
    """Any plain data in one line; what is very long is cut.

    >>> plain(0.12345), plain(None), plain(True), plain({"calls": 2, "of": ["a", "b"]}), plain([])
    ('0.1235', '—', 'yes', 'calls 2, of a, b', '—')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return MISSING if known(value) is None else f"{value:.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    if isinstance(value, dict):
        text = ", ".join(f"{spaced(str(name))} {plain(part)}" for name, part in value.items())
    elif isinstance(value, list | tuple):
        text = ", ".join(plain(part) for part in value)
    else:
        text = "" if value is None else str(value)
    return (text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}...") or MISSING


def sentence(text: str) -> str:
    """A text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def date(started_at: str) -> str:
    """An ISO time as date, time and zone; anything else as it is."""
    try:
        moment = datetime.fromisoformat(started_at)
    except ValueError:
        return started_at
    return moment.strftime("%Y-%m-%d %H:%M %Z").strip()


def visible(text: str) -> str:
    """Text in which characters that reorder or hide others are spelled out, as in `[U+202E]`."""
    return _UNSEEN.sub(lambda match: f"[U+{ord(match.group()):04X}]", text)


def inert_json(text: str) -> str:
    """JSON with the same characters as escapes: it says what it said.

    >>> inert_json('{"a": "\x9b2J"}')
    '{"a": "\\\\u009b2J"}'
    """
    return _UNSEEN.sub(lambda match: json.dumps(match.group())[1:-1], text)


def shown(value: Any) -> Any:
    """What a template prints: strings made visible; numbers and ready markup as they are."""
    return visible(value) if type(value) is str else value
