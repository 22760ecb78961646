"""What an agent file says of a call over SIP: who is calling, and by which way."""

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from voicesim.catalog.agent_file import AgentFile, Plain, Variable
from voicesim.catalog.entry import Entry
from voicesim.transports.twilio import KeyPress


class SipAccount(Entry):
    """Who is calling, by which way, and what is pressed.

    `register` signs in at the host first, as a telephone does that is to be called. `encryption`: `srtp` has its keys
    in the signalling, which should be TLS then. `ring` is how many seconds it may ring.
    """

    username: Plain = "voicesim"
    password_env: Variable | None = None
    register_first: bool = Field(default=False, alias="register")
    transport: Literal["udp", "tcp", "tls"] = "udp"
    encryption: Literal["none", "srtp", "dtls"] = "none"
    codecs: tuple[Literal["pcmu", "pcma", "g722", "opus"], ...] = Field(default=("pcmu", "pcma"), min_length=1)
    ring: float = Field(default=30.0, ge=1, le=300)
    press: tuple[KeyPress, ...] = ()


class SipAgentFile(AgentFile):
    """An agent file with the account to call from."""

    sip: SipAccount = SipAccount()

    def variables(self) -> Iterator[str]:
        yield from super().variables()
        if self.sip.password_env:
            yield self.sip.password_env
