"""OpenAI Realtime over WebRTC: SDP to `/v1/realtime/calls`, events on the `oai-events` data channel."""

import json
from typing import Any

from voicesim.catalog.agent_file import AgentFile
from voicesim.errors import TransportError
from voicesim.redact import redact
from voicesim.tools.dispatcher import ToolDispatcher
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.function_calls import FunctionCalls
from voicesim.transports.openai_events import ServerEvents, reason
from voicesim.transports.openai_session import CLIENT_SECRET, key_for, new_session
from voicesim.transports.openai_socket import SHOWN
from voicesim.transports.spec import SelfTest, TransportSpec
from voicesim.transports.tool_reports import read_tool_report
from voicesim.transports.webrtc_base import Say, Take, WebRTCTransport


class OpenAIWebRTC(WebRTCTransport):
    """A realtime model, at OpenAI or at any server that speaks its WebRTC protocol."""

    channel = "oai-events"

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        key: str | None = None,
        settings: AgentFile | None = None,
        dispatcher: ToolDispatcher | None = None,
    ) -> None:
        """`base_url` ends in /v1. Key and base URL are those of the agent file or the environment if not given.

        The tools of `dispatcher` are offered, and their calls answered by it. The key may be a client secret; its
        session is used as it was configured.
        """
        super().__init__(f"openai:{model}", settings)
        self._model = model
        self._base_url = base_url or self._settings.base_url or None
        self._key = key_for(self.name, key, self._settings)
        self._secrets = (self._key, *self._secrets)
        self._dispatcher = dispatcher

    async def _signal(self, offer: str) -> str:
        from openai import APIConnectionError, APIStatusError, AsyncOpenAI, omit

        client = AsyncOpenAI(
            api_key=self._key,
            base_url=self._base_url,
            max_retries=0,
            timeout=self._settings.limits.connect,
            default_headers=self._headers,
        )
        tools = self._dispatcher.tools if self._dispatcher else ()
        configured = self._key.startswith(CLIENT_SECRET)
        session: Any = omit if configured else new_session(self._model, self._settings, tools)
        try:
            response = await client.realtime.calls.create(sdp=offer, session=session)
            return response.text
        except APIConnectionError as error:
            told = redact(str(error.__cause__ or error), *self._secrets)
            raise TransportError(f"no agent answers at {client.base_url}: {told}") from error
        except APIStatusError as error:
            told = redact(reason(error.body), *self._secrets)[:SHOWN]
            status = f"HTTP {error.status_code}{f': {told}' if told else ''}"
            raise TransportError(f"the agent at {client.base_url} refused the call: {status}") from None
        finally:
            await client.close()

    def _taker(self, inbox: BoundedInbox, say: Say) -> Take:
        events, calls = ServerEvents(inbox), FunctionCalls(self._dispatcher)

        def take(message: str | bytes) -> None:
            if (event := events.parse(message)) is None:
                return
            if (told := read_tool_report(event, inbox.now())) is not None:
                inbox.event(told)
                return
            events.read(event, inbox.now())
            reaction = calls.take(event, inbox.now())
            for one in reaction.events:
                inbox.event(one)
            for answer in reaction.messages:
                say(json.dumps(answer))

        return take


SPEC = TransportSpec(
    make=lambda destination: OpenAIWebRTC(
        destination.target, settings=destination.settings, dispatcher=destination.dispatcher()
    ),
    selftest=SelfTest(
        lambda place: AgentFile(agent="openai:selftest", base_url=f"http://{place}/v1"), limit=0.010, calibrated=True
    ),
)
