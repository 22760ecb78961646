"""Keys never pass: known values of the environment, and everything that has the shape of one."""

import pytest

from voicesim.redact import REMOVED, looks_like_key, looks_random, redact


def test_values_of_secret_variables_are_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SERVICE_TOKEN", "plain-words-as-a-secret")
    monkeypatch.setenv("MY_KEY", "any")  # too short to be one, and part of many words
    assert redact("sent plain-words-as-a-secret, to anybody") == f"sent {REMOVED}, to anybody"


@pytest.mark.parametrize(
    "text",
    [
        "key sk-proj-abcdefghijklmnop refused",
        "Authorization: Bearer abcdef0123456789",
        "https://me:hunter2@example.org/x",
        "ek_0123456789abcdef",
        "AKIAABCDEFGHIJKLMNOP",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    ],
)
def test_shapes_of_keys_are_removed(text: str) -> None:
    assert REMOVED in redact(text)
    assert looks_like_key(text)


@pytest.mark.parametrize(
    "text",
    ["I take amlodipine and metformin.", "https://example.org:8080/v1", "stun:stun.example.org:3478", "p-101", ""],
)
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert redact(text) == text


def test_long_words_of_letters_and_digits_look_random() -> None:
    assert looks_random("AbC123dEf456GhI789jKl")
    assert not looks_random("a-team-in-building-7")
