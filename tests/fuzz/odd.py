"""What strangers put in the place of something right: values, and files with one place changed."""

import copy
import json
import os
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "40"))
"""Of each test: a minute in all, as `make test` runs them; `make fuzz` tries as many new ones as you like."""
FUZZ = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))

FEW = settings(FUZZ, max_examples=max(10, EXAMPLES // 3))
"""The same for what takes several times as long."""

TEXTS = st.one_of(
    st.sampled_from(["", " ", "\x00", "\u202e", "</script>", "../../x", "é" * 5_000, "{{ 7 * 7 }}", "NaN", "P1", "A1"]),
    st.text(max_size=30),
)
NUMBERS = st.one_of(
    st.sampled_from([0, -1, 10**12, 10**400, -(10**400), 1e308, -1e308, 1e-308, float("nan"), float("inf")]),
    st.integers(-10, 10),
    st.floats(-100, 100),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=4)),
    max_leaves=8,
)
PLACES = st.integers(0, 10_000)
CHANGES = st.sampled_from(["value", "drop", "add", "twice"])


def changed(content: Any, place: int, change: str, value: Any) -> Any:
    """The content with one place in it replaced, dropped, doubled, or given a key that nobody knows."""
    content = copy.deepcopy(content)
    within = list(places(content))
    if not within:
        return value
    parent, key = within[place % len(within)]
    if change == "value":
        parent[key] = value
    elif change == "drop":
        del parent[key]
    elif change == "twice" and isinstance(parent, list):
        parent.append(parent[key])
    elif isinstance(parent, dict):
        parent["nobody_knows"] = value
    return content


def places(content: Any) -> Any:
    """Each place in a file's content, as its parent and the key or index there."""
    pairs = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, value in list(pairs):
        yield content, key
        yield from places(value)


def as_json(content: Any) -> str:
    """As JSON, with the numbers that JSON does not have."""
    return json.dumps(content, ensure_ascii=False)
