"""The realtime agent's HTTP side: keys, offers in both forms, client secrets; and refusals with a reason."""

import json
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from aiohttp import FormData
from aiohttp.test_utils import TestClient, TestServer
from aiortc import RTCConfiguration, RTCPeerConnection
from openai.types.realtime import ClientSecretCreateResponse

from voicesim.reference_agents.brains import brains
from voicesim.reference_agents.realtime.dialogue import Parts
from voicesim.reference_agents.realtime.server import RealtimeServer

KEY = {"Authorization": "Bearer anything"}
SDP = {**KEY, "Content-Type": "application/sdp"}


@pytest.fixture
async def client() -> AsyncIterator[TestClient[Any, Any]]:
    with ThreadPoolExecutor(1) as workers:
        async with brains("rules") as make:
            server = RealtimeServer(Parts(make, lambda _: "", lambda _: np.ones(960, np.int16), workers, workers))
            async with TestClient(TestServer(server.app())) as http:
                yield http
            await server.close()


@pytest.fixture
async def offer() -> AsyncIterator[str]:
    peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    peer.addTransceiver("audio")
    peer.createDataChannel("oai-events")
    await peer.setLocalDescription(await peer.createOffer())
    yield str(peer.localDescription.sdp)
    await peer.close()


def offer_form(offer: str, session: dict[str, str]) -> FormData:
    form = FormData()
    form.add_field("sdp", offer, content_type="application/sdp")
    form.add_field("session", json.dumps(session), content_type="application/json")
    return form


async def refusal(client: TestClient[Any, Any], path: str, **request: Any) -> tuple[int, str]:
    async with client.post(path, **request) as response:
        return response.status, (await response.json())["error"]["code"]


async def test_an_offer_is_answered_with_created_an_sdp_and_a_place(client: TestClient[Any, Any], offer: str) -> None:
    async with client.post("/v1/realtime/calls", data=offer, headers=SDP) as response:
        assert response.status == 201
        assert response.headers["Location"].startswith("/v1/realtime/calls/rtc_")
        assert response.content_type == "application/sdp"
        answer = await response.text()
    assert "m=audio" in answer
    assert "m=application" in answer


async def test_an_offer_may_come_in_a_form_with_its_session(client: TestClient[Any, Any], offer: str) -> None:
    form = offer_form(offer, {"type": "realtime", "model": "gpt-realtime"})
    async with client.post("/v1/realtime/calls", data=form, headers=KEY) as response:
        assert response.status == 201


async def test_a_call_can_be_hung_up_over_http(client: TestClient[Any, Any], offer: str) -> None:
    async with client.post("/v1/realtime/calls", data=offer, headers=SDP) as response:
        place = response.headers["Location"]
    async with client.post(f"{place}/hangup", headers=KEY) as response:
        assert response.status == 200
    async with client.post(f"{place}/hangup", headers=KEY) as response:
        assert response.status == 404


@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer "}, {"Authorization": "Basic abc"}])
@pytest.mark.parametrize("path", ["/v1/realtime/calls", "/v1/realtime/client_secrets"])
async def test_nothing_is_given_without_a_key(client: TestClient[Any, Any], path: str, header: dict[str, str]) -> None:
    assert await refusal(client, path, data="x", headers=header) == (401, "invalid_api_key")


async def test_the_retired_beta_header_is_refused(client: TestClient[Any, Any], offer: str) -> None:
    headers = {**SDP, "OpenAI-Beta": "realtime=v1"}
    assert await refusal(client, "/v1/realtime/calls", data=offer, headers=headers) == (400, "beta_api_shape_disabled")


async def test_flat_session_fields_are_refused_before_the_call_begins(client: TestClient[Any, Any], offer: str) -> None:
    form = offer_form(offer, {"type": "realtime", "voice": "alloy"})
    assert await refusal(client, "/v1/realtime/calls", data=form, headers=KEY) == (400, "unknown_parameter")


@pytest.mark.parametrize("sdp", ["", "v=0", "hello", "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n"])
async def test_an_offer_that_is_none_is_refused(client: TestClient[Any, Any], sdp: str) -> None:
    assert await refusal(client, "/v1/realtime/calls", data=sdp, headers=SDP) == (400, "invalid_offer")


async def test_another_content_type_is_refused(client: TestClient[Any, Any]) -> None:
    assert await refusal(client, "/v1/realtime/calls", json={"sdp": "x"}, headers=KEY) == (400, "invalid_type")


async def test_a_client_secret_carries_its_session(client: TestClient[Any, Any], offer: str) -> None:
    wanted = {"session": {"type": "realtime", "instructions": "be kind"}}
    async with client.post("/v1/realtime/client_secrets", json=wanted, headers=KEY) as response:
        body = await response.json()
    secret = ClientSecretCreateResponse.model_validate(body)
    assert secret.value.startswith("ek_")
    assert body["session"]["instructions"] == "be kind"
    headers = {**SDP, "Authorization": f"Bearer {secret.value}"}
    async with client.post("/v1/realtime/calls", data=offer, headers=headers) as response:
        assert response.status == 201


async def test_an_expired_client_secret_opens_nothing(
    client: TestClient[Any, Any], offer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("voicesim.reference_agents.realtime.server.SECRET_LIFE", -1)
    async with client.post("/v1/realtime/client_secrets", headers=KEY) as response:
        value = (await response.json())["value"]
    headers = {**SDP, "Authorization": f"Bearer {value}"}
    assert await refusal(client, "/v1/realtime/calls", data=offer, headers=headers) == (401, "invalid_api_key")


async def test_bound_to_this_machine_it_answers_to_no_other_name() -> None:
    with ThreadPoolExecutor(1) as workers:
        async with brains("rules") as make:
            parts = Parts(make, lambda _: "", lambda _: np.ones(960, np.int16), workers, workers)
            server = RealtimeServer(parts, "127.0.0.1")
            async with TestClient(TestServer(server.app())) as http:
                rebound = {**KEY, "Host": "rebound.example"}
                for path in ("/v1/realtime/client_secrets", "/v1/realtime/calls", "/v1/realtime/calls/x/hangup"):
                    assert (await http.post(path, headers=rebound)).status == 400
                assert (await http.get("/v1/realtime", headers=rebound)).status == 400
                assert (await http.post("/v1/realtime/client_secrets", headers=KEY)).status == 200
            await server.close()


@pytest.mark.parametrize(
    ("content_type", "body"),
    [("application/sdp; charset=klingon", b"v=0"), ("application/sdp", b"\xff\xfe"), ("multipart/form-data", b"x")],
)
async def test_a_request_that_cannot_be_read_is_refused_with_400(
    client: TestClient[Any, Any], content_type: str, body: bytes
) -> None:
    answer = await client.post("/v1/realtime/calls", data=body, headers={**KEY, "Content-Type": content_type})
    assert answer.status == 400
    assert (await answer.json())["error"]["message"]
