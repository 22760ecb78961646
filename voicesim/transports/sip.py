"""A call over SIP, as from a telephone: G.711, G.722 or Opus in RTP, by baresip in this process.

baresip (baresip-python 0.5.2a3, BSD) does signalling, RTP and the jitter buffer on threads of its own. Its player is
read in the ticks of the call: an unbroken stream, whose samples are the agent's media time.
"""

import asyncio
import os
import re
import ssl
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from voicesim.audio.samples import TICK_SECONDS, Pcm
from voicesim.catalog.agent_file import AgentFile
from voicesim.errors import TransportError, UsageError
from voicesim.recording.events import AgentMetric
from voicesim.transports.base import ConnectionStats
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.endpoint import secrets_of
from voicesim.transports.sip_account import SipAccount, SipAgentFile
from voicesim.transports.sip_wire import Wire
from voicesim.transports.spec import SelfTest, TransportSpec

if TYPE_CHECKING:
    from baresip import Call, CallStats, Runtime, StackEvent, UserAgent

INSTALL = "calls over SIP need baresip-python: pip install 'voicesim[sip]'"
LISTEN = ";listen"
"""After an address of this machine: voicesim waits there for the agent's call."""
JITTER_BUFFER = 0.06
"""Seconds for which baresip's jitter buffer holds every packet; asked for as fixed, and told by its statistics."""
PLAYER = 0.02
"""Seconds between the jitter buffer and our reading: the player's own block."""
LOST_AFTER = 8
"""Seconds without RTP after which an agent is gone."""
_CODECS = {"pcmu": "pcmu", "pcma": "pcma", "g722": "g722/16000/1", "opus": "opus/48000/2"}
_TARGET = re.compile(
    r"(?P<number>[^@;<>\"\s]+)@(?P<host>\[[0-9a-fA-F:]+\]|[^@:;<>\"\s]+)(?::(?P<port>\d{1,5}))?(?P<listen>;listen)?"
)


class Sip:
    """An agent behind a telephone number, or one that calls us. One such call at a time in a process."""

    receive_delay = JITTER_BUFFER + PLAYER

    def __init__(self, target: str, settings: AgentFile | None = None) -> None:
        """Raises UsageError for what is no NUMBER@HOST, for a missing package and for a password that is not set."""
        parts = _TARGET.fullmatch(target)
        if parts is None or int(parts["port"] or 0) > 65_535:
            raise UsageError(f"sip:{target} is not of the form sip:NUMBER@HOST, such as sip:100@pbx.example.org:5060")
        self.name = f"sip:{target}"
        self._number, self._host, self._port = parts["number"], parts["host"], parts["port"]
        self._listens = parts["listen"] is not None
        self._account = settings.sip if isinstance(settings, SipAgentFile) else SipAccount()
        self._secrets = secrets_of(settings) if settings else ()
        variable = self._account.password_env
        self._password = os.environ.get(variable, "") if variable else ""
        if variable and not self._password:
            raise UsageError(f"the agent {self.name} needs the environment variable {variable}")
        try:
            import baresip  # noqa: F401
        except ImportError as error:
            raise UsageError(INSTALL) from error
        self._runtime: Runtime | None = None
        self._call: Call | None = None
        self._inbox: BoundedInbox | None = None
        self._wire: Wire | None = None
        self._latest: CallStats | None = None
        self._ringing: float | None = None
        self._outcome: asyncio.Future[str | None] | None = None
        self._closing = False
        self._presses = sorted(self._account.press, key=lambda press: press.at)
        self._pressing: set[asyncio.Task[None]] = set()
        self._ticks = 0

    async def open(self, inbox: BoundedInbox) -> None:
        from baresip import BaresipError, Runtime

        inbox.hide(*self._secrets)
        self._inbox, self._runtime = inbox, Runtime()
        try:
            await self._runtime.start(self._config())
            self._call = call = await (self._wait_for_call() if self._listens else self._dial())
            call.on_rtcp(self._reported)
            self._wire = await self._media(call)
        except BaresipError as error:
            await self.close()
            raise TransportError(f"{self.name}: {error}") from error
        except BaseException:
            await self.close()
            raise

    def send(self, pcm: Pcm) -> None:
        if self._wire is None or self._inbox is None:
            return
        with self._inbox.work.measured():
            self._wire.tick(pcm, self._inbox)
        self._ticks += 1
        while self._presses and self._presses[0].at <= self._ticks * TICK_SECONDS:
            self._press(self._presses.pop(0).key)

    async def stats(self) -> ConnectionStats:
        """The codec, and what RTCP has told so far."""
        if self._wire is None:
            raise TransportError(f"{self.name} is not connected")
        rate = self._wire.rate
        offered = {48_000: ("opus",), 16_000: ("g722",)}.get(rate, ("pcmu", "pcma"))
        codec = " or ".join(name for name in self._account.codecs if name in offered)
        report = self._latest
        return ConnectionStats(
            codec=f"{codec}/{rate}",
            wire_rate=rate,
            round_trip=report.rtt_ms / 1000 if report and report.rtt_ms else None,
            packets=report.rx_packets if report else None,
            lost=report.rx_lost if report else None,
        )

    async def close(self) -> None:
        from baresip import BaresipError, CallState

        self._closing, self._wire = True, None
        for task in self._pressing:
            task.cancel()
        runtime, self._runtime = self._runtime, None
        if runtime is None:
            return
        try:
            if self._call is not None and self._call.state is not CallState.CLOSED:
                await self._call.hangup()
        except BaresipError:
            pass  # it is gone already
        finally:
            if runtime._state == "running":
                await runtime.close()

    def _config(self) -> Any:
        from baresip import Config

        buffer = round(JITTER_BUFFER * 1000)
        lines = ["audio_jitter_buffer_type fixed", f"audio_jitter_buffer_ms {buffer}-{buffer}"]
        if self._listens:
            lines.append(f"sip_listen {self._host}:{self._port or 5060}")
        authorities = os.environ.get("SSL_CERT_FILE") or ssl.get_default_verify_paths().cafile
        if self._account.transport == "tls" and authorities:
            lines += [f"sip_cafile {authorities}", "sip_verify_server yes"]
        return Config(
            net_interface="127.0.0.1" if _is_loopback(self._host) else None,
            rtp_timeout=LOST_AFTER,
            native_log_level="error",
            extra_config_text="\n".join(lines),
        )

    def _identity(self) -> Any:
        from baresip import Account

        account = self._account
        place = self._host if self._listens or self._port is None else f"{self._host}:{self._port}"
        encryption = {"none": (), "srtp": ("mediaenc=srtp-mand",), "dtls": ("mediaenc=dtls_srtp",)}
        return Account(
            user=self._number if self._listens else account.username,
            domain=place,
            password=self._password,
            reg_interval=600 if account.register_first and not self._listens else 0,
            transport=account.transport,
            audio_codecs=tuple(_CODECS[name] for name in account.codecs),
            extra_params=encryption[account.encryption],
        )

    async def _dial(self) -> "Call":
        """Call the number. Raises TransportError for a busy line and the like."""
        agent = await self._agent()
        if self._account.register_first:
            await agent.register()
        place = f"{self._host}:{self._port}" if self._port else self._host
        begun = asyncio.get_running_loop().time()
        call = self._call = await agent.dial(f"sip:{self._number}@{place};transport={self._account.transport}")
        await self._answered("nobody answered")
        now = asyncio.get_running_loop().time()
        self._tell("ring_time", now - (self._ringing or now))
        self._tell("answered_after", now - begun)
        return call

    async def _wait_for_call(self) -> "Call":
        """Wait for the agent's call and take it. Raises TransportError when none comes."""
        agent = await self._agent()
        arrived: asyncio.Future[Call] = asyncio.get_running_loop().create_future()
        agent.on_incoming(lambda call: None if arrived.done() else arrived.set_result(call))
        try:
            call = self._call = await asyncio.wait_for(arrived, self._account.ring)
        except TimeoutError as error:
            raise TransportError(f"{self.name}: no call came within {self._account.ring:g} s") from error
        assert call is not None
        await call.answer()
        await self._answered("the agent's call did not come about")
        return call

    async def _agent(self) -> "UserAgent":
        """Our telephone. It is listened to from the start: an agent may answer before `dial` has returned."""
        from baresip import UserAgent

        assert self._runtime is not None
        self._outcome = asyncio.get_running_loop().create_future()
        agent = await UserAgent.create(self._runtime, self._identity(), transfer_policy="reject")
        agent.on(self._happened)
        return agent

    async def _answered(self, silence: str) -> None:
        """Wait until the call stands. Raises TransportError when it does not come about."""
        assert self._outcome is not None
        try:
            refused = await asyncio.wait_for(self._outcome, self._account.ring)
        except TimeoutError as error:
            raise TransportError(f"{self.name}: {silence} within {self._account.ring:g} s") from error
        if refused is not None:
            known = {"486": "the line is busy", "600": "the line is busy", "603": "the agent declined the call"}
            why = known.get(refused[:3], "the call did not come about")
            raise TransportError(f"{self.name}: {why} ({refused or 'no reason given'})")

    async def _media(self, call: "Call") -> "Wire":
        """The sound both ways, as soon as there is both. Raises TransportError when it is not there in 5 s."""
        from baresip import AudioNotActive

        for _ in range(500):
            try:
                info = call.audio.info()
            except AudioNotActive:
                info = None
            if info is not None and info.tx_ready and info.rx_ready:
                return Wire(call.audio, info)
            await asyncio.sleep(0.01)
        raise TransportError(f"{self.name}: the call was answered, and no sound flows; is its encryption the agent's?")

    def _happened(self, event: "StackEvent") -> None:
        """An event of our telephone, which has one call."""
        from baresip import Event

        if self._inbox is None or self._outcome is None or self._closing:
            return
        if event.event in (Event.CALL_RINGING, Event.CALL_PROGRESS) and self._ringing is None:
            self._ringing = asyncio.get_running_loop().time()
        if event.event is Event.CALL_PROGRESS:
            self._tell("early_media", 1.0)
        elif event.event is Event.CALL_DTMF_START and event.text:
            self._inbox.event(AgentMetric(t=self._inbox.now(), name="dtmf", value=1.0, detail=event.text[:1]))
        elif event.event is Event.CALL_ESTABLISHED and not self._outcome.done():
            self._outcome.set_result(None)
        elif event.event is Event.CALL_CLOSED:
            why = event.text or ""
            if not self._outcome.done():
                self._outcome.set_result(why)
                return
            gone = "rtp stream error" in why or "timed out" in why.lower()
            self._inbox.ended("line" if gone else "agent", f"the agent's line ended: {why}" if why else "hung up")

    def _reported(self, report: "CallStats") -> None:
        self._latest = report

    def _tell(self, name: str, value: float) -> None:
        if self._inbox is not None:
            self._inbox.event(AgentMetric(t=self._inbox.now(), name=name, value=round(value, 3)))

    def _press(self, key: str) -> None:
        assert self._call is not None
        task = asyncio.get_running_loop().create_task(self._call.send_dtmf(key))
        self._pressing.add(task)
        task.add_done_callback(self._pressed)

    def _pressed(self, task: "asyncio.Task[None]") -> None:
        self._pressing.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None and self._inbox is not None:
            self._inbox.warn("a key could not be pressed", str(error))


def listening(agent: str) -> str:
    """The agent string with which voicesim waits at an address for the agent's call.

    Raises UsageError for other agents than those of this transport.
    """
    if not agent.startswith("sip:"):
        raise UsageError(f"--listen is for agents of the form sip:NUMBER@HOST, at an address of ours; not {agent!r}")
    return agent if agent.endswith(LISTEN) else agent + LISTEN


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


SPEC = TransportSpec(
    make=lambda destination: Sip(destination.target, destination.settings),
    agent_file=SipAgentFile,
    settings=frozenset(),
    selftest=SelfTest(
        lambda place: SipAgentFile(agent=f"sip:selftest@{place}"), limit=0.020, calibrated=True, signalling="sip"
    ),
)
