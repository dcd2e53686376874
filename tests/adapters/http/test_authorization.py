"""Every tool, method and route, asked by everybody: what each may do is written out here."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from factories import draft
from serving import BASE, answer, bearer, rpc

from project_memory.app import ProjectMemory
from project_memory.hosting import Host
from project_memory.mcp_server.caller import NEEDS, need
from project_memory.mcp_server.tools import TOOLS
from project_memory.model import Actor, Authority
from project_memory.roles import Right, Role
from project_memory.web import address
from project_memory.web.api import endpoint, openapi
from project_memory.web.api.route import Route
from project_memory.web.api.routes import ROUTES as API
from project_memory.web.application import ROUTES, application

pytestmark = pytest.mark.anyio

READERS, WRITERS, ADMINS = {"reader", "writer", "admin"}, {"writer", "admin"}, {"admin"}
TOOLS_FOR: dict[str, set[str]] = {
    "recall": READERS,
    "search_memories": READERS,
    "get_memory": READERS,
    "get_memory_neighborhood": READERS,
    "list_labels": READERS,
    "create_memory": WRITERS,
    "update_memory": WRITERS,
    "undo": WRITERS,
    "link_memories": WRITERS,
    "delete_memory": WRITERS,
    "add_label": WRITERS,
    "record_memory_use": WRITERS,
    "a_tool_that_is_not_there": WRITERS,
}
PARAMS: dict[str, dict[str, Any]] = {
    "initialize": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
    "resources/read": {"uri": "memory://shop/first"},
    "prompts/get": {"name": "remember"},
    "completion/complete": {
        "ref": {"type": "ref/prompt", "name": "recall"},
        "argument": {"name": "label", "value": "kind"},
    },
}
METHODS_FOR: dict[str, set[str]] = {
    "initialize": READERS,
    "ping": READERS,
    "server/discover": READERS,
    "tools/list": READERS,
    "resources/list": READERS,
    "resources/templates/list": READERS,
    "resources/read": READERS,
    "prompts/list": READERS,
    "prompts/get": READERS,
    "completion/complete": READERS,
    "notifications/initialized": READERS,
    "notifications/cancelled": READERS,
    "notifications/progress": READERS,
    "notifications/roots/list_changed": READERS,
    "logging/setLevel": ADMINS,
    "a/method/that/is/not/there": ADMINS,
}
API_FOR: dict[str, set[str]] = {
    "GET /project": READERS,
    "GET /recall": READERS,
    "GET /lookup": READERS,
    "GET /memories": READERS,
    "GET /memories/{id}": READERS,
    "GET /memories/{id}/history": READERS,
    "GET /memories/{id}/diff": READERS,
    "GET /memories/{id}/neighborhood": READERS,
    "GET /memories/{id}/usage": READERS,
    "GET /history": READERS,
    "GET /history/{revision}": READERS,
    "GET /labels": READERS,
    "GET /labels/tree": READERS,
    "GET /proposals": READERS,
    "GET /proposals/{number}": READERS,
    "GET /audit": READERS,
    "GET /usage": READERS,
    "GET /stats": READERS,
    "GET /brief": READERS,
    "GET /gaps": READERS,
    "GET /expectations": READERS,
    "GET /expectations/run": READERS,
    "GET /export": ADMINS,
    "PATCH /project": ADMINS,
    "POST /memories": WRITERS,
    "POST /notes": WRITERS,
    "PATCH /memories/{id}": WRITERS,
    "DELETE /memories/{id}": WRITERS,
    "POST /memories/{id}/status": WRITERS,
    "POST /memories/{id}/touch": WRITERS,
    "POST /memories/{id}/archive": WRITERS,
    "POST /memories/{id}/unarchive": WRITERS,
    "POST /memories/{id}/pin": WRITERS,
    "POST /memories/{id}/unpin": WRITERS,
    "POST /memories/{id}/rename": WRITERS,
    "POST /memories/{id}/merge": WRITERS,
    "POST /memories/{id}/revert": WRITERS,
    "PUT /memories/{id}/links/{kind}/{to_id}": WRITERS,
    "DELETE /memories/{id}/links/{kind}/{to_id}": WRITERS,
    "POST /undo": WRITERS,
    "POST /uses": WRITERS,
    "POST /labels": WRITERS,
    "PUT /labels/{label}/description": WRITERS,
    "PUT /labels/{label}/aliases/{alias}": WRITERS,
    "DELETE /labels/{label}/aliases/{alias}": WRITERS,
    "PUT /labels/{label}/broader": WRITERS,
    "POST /labels/{label}/rename": WRITERS,
    "POST /labels/{label}/merge": WRITERS,
    "POST /labels/{label}/deprecate": WRITERS,
    "POST /labels/{label}/restore": WRITERS,
    "DELETE /labels/{label}": WRITERS,
    "PUT /prefixes/{prefix}": WRITERS,
    "POST /proposals/{number}/apply": WRITERS,
    "POST /proposals/{number}/reject": WRITERS,
    "POST /proposals/{number}/skip": WRITERS,
    "POST /audit/apply": WRITERS,
}
"""Who may ask for each route of the API that is of a project."""
OF_THE_SERVER = {
    "POST /session",
    "GET /session",
    "DELETE /session",
    "GET /projects",
    "GET /openapi.json",
}
SCOPES = {"own": ["shop"], "other": ["hidden"], "both": ["hidden", "shop"], "every": None}
WHO = [(role.value, scope) for role in Role for scope in SCOPES]


@pytest.fixture
def token_of(host: Host) -> Callable[[str, str], str]:
    return lambda role, scope: (
        host.add_token(f"{role}-{scope}", role=Role(role), projects=SCOPES[scope], days=1).token
    )


def test_the_tables_here_are_complete() -> None:
    assert {tool.name for tool in TOOLS} == set(TOOLS_FOR) - {"a_tool_that_is_not_there"}
    assert set(NEEDS) == {name for name, who in METHODS_FOR.items() if who == READERS}
    assert set(ROUTES) == {"/mcp", "/enroll", "/healthz", "/readyz", "/metrics"}
    of_projects = {f"{r.method} {r.path}" for r in API if r.of_project}
    assert of_projects == set(API_FOR)
    others = {f"{r.method} {r.path}" for r in (*API, openapi.ROUTE) if not r.of_project}
    assert others == OF_THE_SERVER


def allowed(role: str, scope: str, who: set[str]) -> int:
    """Return the status that a request for the project shop must have."""
    if scope == "other":
        return 404  # as if it did not exist
    return 200 if role in who else 403


@pytest.mark.parametrize(("role", "scope"), WHO)
async def test_every_tool_is_for_those_it_is_for(
    asked: httpx2.AsyncClient, token_of: Callable[[str, str], str], role: str, scope: str
) -> None:
    headers = bearer(token_of(role, scope))
    for name, who in TOOLS_FOR.items():
        # what is refused as an argument was let through
        body = rpc("tools/call", name=name, arguments={"no_such_argument": 1})
        response = await asked.post("/mcp?project=shop", json=body, headers=headers)
        assert response.status_code == allowed(role, scope, who), (name, response.text)
        if response.status_code == 403:
            able = "'writer' or 'admin'"
            assert response.json()["error"] == {
                "code": "forbidden",
                "message": f"'{role}-{scope}' is a {role} and may not write here; ask an "
                f"administrator for a token with the role {able}",
            }
            challenge = 'Bearer realm="project-memory", error="insufficient_scope"'
            assert response.headers["www-authenticate"] == challenge


@pytest.mark.parametrize(("role", "scope"), WHO)
async def test_every_method_is_for_those_it_is_for(
    asked: httpx2.AsyncClient, token_of: Callable[[str, str], str], role: str, scope: str
) -> None:
    headers = bearer(token_of(role, scope))
    for method, who in METHODS_FOR.items():
        body = rpc(method, **PARAMS.get(method, {}))
        if method.startswith("notifications/"):
            del body["id"]
        response = await asked.post("/mcp?project=shop", json=body, headers=headers)
        expected = allowed(role, scope, who)
        passed = {200: {200, 202, 400, 404}}.get(expected, {expected})
        assert response.status_code in passed, (method, response.text)
        if expected == 200:
            assert "forbidden" not in response.text
            assert "not-found" not in response.text


@pytest.mark.parametrize(
    ("role", "scope", "by_cookie"),
    [*((*who, False) for who in WHO), *((role.value, "own", True) for role in Role)],
)
async def test_every_route_is_for_those_it_is_for(
    asked: httpx2.AsyncClient,
    token_of: Callable[[str, str], str],
    role: str,
    scope: str,
    by_cookie: bool,
) -> None:
    token = token_of(role, scope)
    headers: dict[Any, Any] = bearer(token)
    if by_cookie:
        headers = {"origin": BASE}
        begun = await asked.post("/api/v1/session", json={"token": token}, headers=headers)
        assert begun.status_code == 200
    for line, who in API_FOR.items():
        method, path = line.split()
        place = "/api/v1" + re.sub(r"\{\w+\}", "1", path) + "?project=shop"
        # what is refused as an argument was let through
        if method in {"GET", "DELETE"}:
            response = await asked.request(method, place + "&no_such=1", headers=headers)
        else:
            response = await asked.request(method, place, json={"no_such": 1}, headers=headers)
        expected = {200: 400}.get(allowed(role, scope, who), allowed(role, scope, who))
        assert response.status_code == expected, (line, response.text)
        if expected == 400:
            assert response.json()["error"]["code"] == "invalid-arguments"


@pytest.mark.parametrize(("role", "scope"), WHO)
async def test_everybody_may_ask_who_they_are_and_where(
    asked: httpx2.AsyncClient, token_of: Callable[[str, str], str], role: str, scope: str
) -> None:
    headers = bearer(token_of(role, scope))
    seen = SCOPES[scope] or ["hidden", "shop"]
    told = (await asked.get("/api/v1/session", headers=headers)).json()
    rights = {"reader": ["read"], "writer": ["read", "write"]}
    assert told == {
        "actor": f"{role}-{scope}",
        "role": role,
        "asserts": "agent",
        "rights": rights.get(role, ["read", "write", "administer"]),
        "projects": seen,
    }
    listed = (await asked.get("/api/v1/projects", headers=headers)).json()
    assert [each["name"] for each in listed["projects"]] == seen
    ended = await asked.delete("/api/v1/session", headers=headers)
    assert (ended.status_code, ended.json()) == (200, {"ended": False})


@pytest.mark.parametrize(("role", "scope"), WHO)
async def test_a_route_that_says_nothing_else_is_for_writers_of_everything(
    host: Host, token_of: Callable[[str, str], str], role: str, scope: str, monkeypatch
) -> None:
    added = Route("GET", "/added", "Was forgotten", lambda _: {}, of_project=False)
    monkeypatch.setattr(endpoint, "ROUTES", (*API, added))
    app = application(host, address.gates(address.parsed("127.0.0.1:8931")))
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url=BASE) as client:
        headers = bearer(token_of(role, scope))
        status = (await client.get("/api/v1/added", headers=headers)).status_code
    assert status == (200 if role in WRITERS and scope == "every" else 403)


async def test_without_a_token_nothing_is_answered_but_what_anybody_may_know(
    asked: httpx2.AsyncClient,
) -> None:
    for line in (*API_FOR, *(OF_THE_SERVER - {"POST /session", "GET /openapi.json"})):
        method, path = line.split()
        place = "/api/v1" + re.sub(r"\{\w+\}", "1", path) + "?project=shop"
        response = await asked.request(method, place)
        assert response.status_code == 401, line
        assert response.headers["www-authenticate"] == 'Bearer realm="project-memory"'
    assert (await asked.get("/api/v1/openapi.json")).status_code == 200


@pytest.mark.parametrize(("role", "scope"), WHO)
async def test_counters_are_for_administrators_of_everything(
    asked: httpx2.AsyncClient, token_of: Callable[[str, str], str], role: str, scope: str
) -> None:
    headers = bearer(token_of(role, scope))
    status = (await asked.get("/metrics", headers=headers)).status_code
    assert status == (200 if (role, scope) == ("admin", "every") else 403)
    unknown = await asked.post("/enroll", json={"code": "0" * 32}, headers=headers)
    assert unknown.status_code == 401
    for path in ("/healthz", "/readyz"):
        assert (await asked.get(path, headers=headers)).status_code == 200


def test_what_nobody_thought_of_needs_the_most() -> None:
    assert need("tasks/cancel", {}) is Right.ADMINISTER
    assert need("tools/call", None) is Right.WRITE
    assert need("tools/call", {"name": ["recall"]}) is Right.WRITE


async def test_a_project_that_may_not_be_seen_is_as_if_it_did_not_exist(
    asked: httpx2.AsyncClient, token_of: Callable[[str, str], str]
) -> None:
    headers = bearer(token_of("admin", "own"))
    texts = []
    for name in ("hidden", "nothing"):
        response = await asked.post(
            f"/mcp?project={name}", json=rpc("tools/list"), headers=headers
        )
        assert response.status_code == 404
        texts.append(response.json()["error"]["message"].replace(name, "NAME"))
    assert texts == ["no project 'NAME' here (projects: 'shop'); name one of them"] * 2
    response = await asked.post("/mcp", json=rpc("tools/list"), headers=headers)
    assert "hidden" not in response.text


async def test_what_reaches_everywhere_reaches_nobody_who_may_not_see_it(
    asked: httpx2.AsyncClient, host: Host, url: str, token_of: Callable[[str, str], str]
) -> None:
    ada = Actor("ada", Authority.USER)
    with ProjectMemory.open(url, project="hidden", actor=ada) as opened:
        text = "every mirror of the registry wants a proxy"
        opened.create(draft(id="far", description=text, scope={"reach": "everywhere"}))
    for scope, ids in (("own", []), ("both", ["far"]), ("own", [])):
        arguments = {"query": "registry mirror proxy", "all_projects": True}
        response = await asked.post(
            "/mcp?project=shop",
            json=rpc("tools/call", name="recall", arguments=arguments),
            headers=bearer(token_of("reader", scope)),
        )
        found = answer(response)["result"]["structuredContent"]["answers"]
        assert [i for i in (each["id"] for each in found) if "far" in i] == ids
