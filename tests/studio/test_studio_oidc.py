"""Signing in with an OpenID Connect provider, and all the answers of a provider that are not to be believed."""

import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx2
import pytest
from fastapi.testclient import TestClient
from joserfc.jwk import RSAKey
from oidc_provider import CLIENT, SECRET, Change, OidcProvider, oidc_provider
from sqlalchemy import select
from studio_server import Studio, running

from voicesim.errors import UsageError
from voicesim.studio.settings import Provider, provider_from
from voicesim.studio.tables.people import Person


@pytest.fixture(scope="module")
def server() -> Iterator[OidcProvider]:
    """A real provider on this machine."""
    with oidc_provider() as running_provider:
        yield running_provider


@pytest.fixture(scope="module")
def studio(server: OidcProvider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A studio that trusts it."""
    provider = Provider(server.issuer, CLIENT, SECRET, "operator")
    with running(tmp_path_factory.mktemp("oidc"), provider=provider) as made:
        yield made


@pytest.fixture
def provider(server: OidcProvider) -> Iterator[OidcProvider]:
    """The provider, honest before and after the test."""
    server.reset()
    yield server
    server.reset()


def begun(guest: TestClient, path: str = "/") -> str:
    """Where the studio sends a browser, after the provider has said yes: the way back."""
    away = guest.get("/sign-in/provider", params={"next": path}, follow_redirects=False)
    assert away.status_code == 303
    back = httpx2.get(away.headers["location"], follow_redirects=False).headers["location"]
    parts = urlsplit(back)
    return f"{parts.path}?{parts.query}"


def people(studio: Studio) -> dict[str, str]:
    """Everybody who came by the provider: name and role."""
    with studio.app.state.studio.database.session() as session:
        return {p.name: p.role for p in session.scalars(select(Person).where(Person.subject.is_not(None)))}


def test_somebody_whom_the_provider_knows_is_signed_in_and_is_the_same_person_the_next_time(
    studio: Studio, provider: OidcProvider
) -> None:
    assert "/sign-in/provider" in studio.client(None).get("/sign-in").text
    for _ in range(2):
        guest = studio.client(None)
        arrived = guest.get(begun(guest, "/cases"), follow_redirects=False)
        assert (arrived.status_code, arrived.headers["location"]) == (303, "/cases")
        assert "ann" in guest.get("/me").text
    assert people(studio) == {"ann": "operator"}
    assert SECRET not in guest.get("/sign-in").text


def test_an_answer_is_taken_from_the_browser_that_asked_and_once(studio: Studio, provider: OidcProvider) -> None:
    guest, other = studio.client(None), studio.client(None)
    back = begun(guest)
    assert other.get(back, follow_redirects=False).status_code == 403
    begun(other)  # the other browser has begun a sign-in of its own
    assert other.get(back, follow_redirects=False).status_code == 403
    assert guest.get(back, follow_redirects=False).status_code == 303
    assert guest.get(back, follow_redirects=False).status_code == 403
    query = dict(parse_qsl(urlsplit(begun(guest)).query))
    wrong = guest.get("/sign-in/back", params=query | {"code": "guessed"}, follow_redirects=False)
    assert wrong.status_code == 502


def without(name: str) -> Change:
    """Tokens that lack a claim."""
    return lambda claims: {key: value for key, value in claims.items() if key != name}


def having(**other: Any) -> Change:
    """Tokens that say something else."""
    return lambda claims: claims | other


@pytest.mark.parametrize(
    "change",
    [
        having(nonce="another"),
        having(aud="another-client"),
        having(iss="https://accounts.example.com"),
        having(exp=int(time.time()) - 3600),
        having(iat=int(time.time()) + 3600),
        without("nonce"),
        without("exp"),
        without("sub"),
        without("aud"),
    ],
    ids=["nonce", "audience", "issuer", "expired", "not yet", "no nonce", "no end", "nobody", "no audience"],
)
def test_a_token_that_is_not_for_this_sign_in_is_refused(
    studio: Studio, provider: OidcProvider, change: Change
) -> None:
    provider.change = change
    before, guest = people(studio), studio.client(None)
    assert guest.get(begun(guest), follow_redirects=False).status_code == 403
    assert people(studio) == before
    assert guest.get("/", follow_redirects=False).status_code == 303


def test_a_token_that_another_key_signed_is_refused(studio: Studio, provider: OidcProvider) -> None:
    provider.key = RSAKey.generate_key(2048, {"kid": "1"})
    guest = studio.client(None)
    assert guest.get(begun(guest), follow_redirects=False).status_code == 403


def test_a_provider_of_another_name_is_not_trusted(studio: Studio, provider: OidcProvider) -> None:
    provider.calls_itself = "https://accounts.example.com"
    assert studio.client(None).get("/sign-in/provider", follow_redirects=False).status_code == 502


def test_a_name_that_somebody_has_here_is_never_taken_over(studio: Studio, provider: OidcProvider) -> None:
    provider.change = having(sub="mallory", preferred_username="admin")
    guest = studio.client(None)
    assert guest.get(begun(guest), follow_redirects=False).status_code == 303
    assert people(studio)["admin (mallory)"] == "operator"
    assert guest.get("/people").status_code == 403


def test_who_lost_access_stays_out(studio: Studio, provider: OidcProvider) -> None:
    provider.change = having(sub="leaver", preferred_username="leaver")
    guest = studio.client(None)
    assert guest.get(begun(guest), follow_redirects=False).status_code == 303
    with studio.app.state.studio.database.session() as session:
        person = session.scalar(select(Person).where(Person.name == "leaver"))
        assert person
        person.active = False
    assert guest.get(begun(guest), follow_redirects=False).status_code == 403


def test_half_a_provider_in_the_environment_is_told() -> None:
    with pytest.raises(UsageError, match="CLIENT_SECRET"):
        provider_from(
            {"VOICESIM_STUDIO_OIDC_ISSUER": "https://id.example.com", "VOICESIM_STUDIO_OIDC_CLIENT_ID": "voicesim"}
        )
    keys = {f"VOICESIM_STUDIO_OIDC_{name}": "x" for name in ("ISSUER", "CLIENT_ID", "CLIENT_SECRET")}
    with pytest.raises(UsageError, match="role is one of"):
        provider_from(keys | {"VOICESIM_STUDIO_OIDC_ROLE": "king"})
