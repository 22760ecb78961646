"""A model tells whether a recorded line still goes with the agent's words."""

import json

import pytest
from model_server import KEY, model_server

from voicesim.caller.divergence import RecordedLine
from voicesim.caller.meaning import FitByMeaning
from voicesim.caller.mind import MindError
from voicesim.catalog.find import Catalogue

LINE = RecordedLine("Any fever?", "No fever.", ("fever",))


async def test_a_models_answer_becomes_a_mark_and_nonsense_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Catalogue.here().case("cold-01-andi")
    with model_server() as server:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        fits = FitByMeaning("openai:m", case)
        for answer, kind in (
            ({"fits": True, "asks_for_more": False, "reason": "same"}, None),
            ({"fits": False, "asks_for_more": False, "reason": "about something else"}, "does_not_fit"),
            ({"fits": True, "asks_for_more": True, "reason": "asks about travel"}, "never_answered"),
        ):
            server.says(json.dumps(answer))
            wrong = await fits(LINE, f"Have you travelled? {kind}")
            assert (wrong.kind if wrong else None) == kind
        sent = json.loads(server.requests[0]["messages"][1]["content"])
        assert (sent["line"], sent["answered"]) == ("No fever.", "Any fever?")
        for _ in range(4):
            server.says("I cannot say.")
        with pytest.raises(MindError, match="no answer about the recorded line"):
            await fits(LINE, "Hm?")
