"""Every route of the studio as every role, as nobody, and from elsewhere."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from studio_server import PASSWORD, Studio, running

from voicesim.studio.access import ROLES, Role, anybody, role_of
from voicesim.studio.routes import ROUTERS

ROUTES = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
METHODS = {route.path + route.name: sorted(route.methods or ())[0] for route in ROUTES}
NAMES = [f"{METHODS[route.path + route.name]} {route.path}" for route in ROUTES]


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """One studio with a person of every role."""
    with running(tmp_path_factory.mktemp("access")) as server:
        yield server


def needed(route: APIRoute) -> Role | None:
    """The role that a route asks for; None for one that anybody may use."""
    roles = [role_of(part.call) for part in route.dependant.dependencies]
    wanted = [role for role in roles if role is not None]
    assert wanted or any(part.call is anybody for part in route.dependant.dependencies), route.path
    return wanted[0] if wanted else None


def asked(client: TestClient, route: APIRoute, **headers: str) -> int:
    """The status of a request to a route, with parts of its path that stand for nothing."""
    path = re.sub(r"{\w+_id}|{number}|{run_id}", "987654", route.path)
    path = re.sub(r"{\w+}", "nothing", path)
    if path.endswith("/feed"):
        return client.get(path, headers=headers, follow_redirects=False).status_code
    return client.request(METHODS[route.path + route.name], path, headers=headers, follow_redirects=False).status_code


@pytest.mark.parametrize("route", ROUTES, ids=NAMES)
def test_a_route_says_who_may_use_it_and_holds_to_it(studio: Studio, route: APIRoute) -> None:
    role = needed(route)
    nobody = asked(studio.client(None), route)
    if role is None:
        assert nobody != 403
        return
    assert nobody in (303, 401)
    for name in ROLES:
        status = asked(studio.client(name), route, **{"x-csrf-token": studio.csrf(name)})
        assert (status == 403) == (Role[name] < role), (name, status)
    if route.path == "/sign-out":
        studio.clients.clear()


CHANGING = [route for route in ROUTES if METHODS[route.path + route.name] != "GET" and needed(route)]


@pytest.mark.parametrize("route", CHANGING, ids=lambda route: route.path)
def test_a_form_from_elsewhere_changes_nothing(studio: Studio, route: APIRoute) -> None:
    admin = studio.client("admin")
    assert asked(admin, route) == 403
    assert asked(admin, route, **{"x-csrf-token": studio.csrf("viewer")}) == 403


def test_a_program_with_a_token_may_do_what_its_person_may_and_needs_no_form(studio: Studio) -> None:
    client = studio.client("viewer")
    made = client.post("/me/tokens", data={"name": "ci", "csrf": studio.csrf("viewer")})
    found = re.search(r"vs_[\w-]+", made.text)
    assert found
    program = studio.client(None)
    headers = {"Authorization": f"Bearer {found[0]}"}
    assert program.get("/api/visits", headers=headers).json()["total"] == 0
    refused = program.post("/api/runs", headers=headers, json={"case": "x", "agent": "y"})
    assert (refused.status_code, "operator" in refused.json()["error"]) == (403, True)
    assert program.get("/api/visits", headers={"Authorization": "Bearer vs_guessed"}).status_code == 401
    # Only its hash is kept.
    kept = b"".join(path.read_bytes() for path in studio.data.glob("studio.sqlite3*"))
    assert found[0].encode() not in kept


def test_a_name_is_tried_with_a_few_wrong_passwords_only(studio: Studio) -> None:
    guest = studio.client(None)
    answers = [
        guest.post("/sign-in", data={"name": "reviewer", "password": f"wrong {n}"}).status_code for n in range(10)
    ]
    assert answers[0] == 401
    assert answers[-1] == 429
    right = guest.post("/sign-in", data={"name": "reviewer", "password": PASSWORD}, follow_redirects=False)
    assert right.status_code == 429


def test_a_page_that_renames_itself_to_our_address_is_refused(studio: Studio) -> None:
    answer = studio.client("admin").get("/", headers={"Host": "evil.example.com"})
    assert answer.status_code == 421


def test_a_huge_body_is_refused_before_it_is_read(studio: Studio) -> None:
    answer = studio.client("admin").post(
        "/visits", content=b"x" * 5_000_000, headers={"x-csrf-token": studio.csrf("admin")}
    )
    assert answer.status_code == 413


def test_every_page_forbids_scripts_of_others(studio: Studio) -> None:
    for path in ("/", "/cases", "/sign-in", "/nothing-here"):
        headers = studio.client("admin").get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    assert "unsafe" not in headers["content-security-policy"]


@pytest.mark.parametrize(
    "path", ["/visits/../x", "/visits/..%2f..%2fetc/passwd", "/suites/%2e%2e/page", "/cases/..%2f..%2fsecret"]
)
def test_a_path_leads_nowhere_else(studio: Studio, path: str) -> None:
    assert studio.client("admin").get(path).status_code == 404


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(tmp_path: Path) -> None:
    with running(tmp_path, public_url="https://studio.example.com") as server:
        answer = server.client(None).post(
            "/sign-in", data={"name": "admin", "password": PASSWORD}, follow_redirects=False
        )
        cookie = answer.headers["set-cookie"]
    assert all(part in cookie for part in ("HttpOnly", "Secure", "SameSite=lax"))
