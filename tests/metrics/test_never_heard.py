import pytest
from handmade import agent, call, caller
from hypothesis import given
from hypothesis import strategies as st

from voicesim.metrics.own_words import never_heard, split_at_the_cut
from voicesim.recording.events import AgentSaid

TEN = "one tablet every morning with water and never after midnight"


def test_a_reply_of_ten_words_cut_after_five_leaves_five_unheard() -> None:
    cut = agent((1.0, 2.5), cut=True).model_copy(update={"text": "One tablet every morning with"})
    stop = caller((2.3, 3.0), intent="stop")
    (one,) = never_heard(call(cut, stop), [AgentSaid(t=1.2, text=TEN)])
    assert (one.utterance, one.heard_words) == ("A1", 5)
    assert one.text == "water and never after midnight"


@pytest.mark.parametrize(
    ("heard", "rest"),
    [
        ("One tablet every morning with wat", "and never after midnight"),  # the word it was cut in
        ("One tabloid every morning", "with water and never after midnight"),  # misheard on the way
        ("", TEN),
        ("Something else altogether", TEN),
        (TEN, ""),
    ],
)
def test_misheard_words_do_not_move_the_cut(heard: str, rest: str) -> None:
    assert split_at_the_cut(TEN, heard)[1] == rest


def test_a_reply_that_ran_to_its_end_has_nothing_unheard() -> None:
    whole = agent((1.0, 4.0)).model_copy(update={"text": "One tablet every"})
    assert never_heard(call(whole), [AgentSaid(t=1.2, text=TEN)]) == ()


def test_an_agent_that_tells_no_words_of_its_own_has_none_unheard() -> None:
    assert never_heard(call(agent((1.0, 2.5), cut=True)), []) == ()


@given(st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta", "zeta"]), max_size=20), st.integers(0, 20))
def test_heard_and_unheard_together_are_all_that_was_said(words: list[str], count: int) -> None:
    said = " ".join(words)
    heard, rest = split_at_the_cut(said, " ".join(words[:count]))
    assert " ".join(f"{heard} {rest}".split()) == said
    assert len(heard.split()) >= min(count, len(words))
