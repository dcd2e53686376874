"""What every request must be, whatever it asks: name, page, path, length, form, token."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest
from serving import SHARED, answer, bearer, rpc, tool

from project_memory.web.application import ROUTES

pytestmark = pytest.mark.anyio
SHOP, UNDO = "/mcp?project=shop", "/api/v1/undo?project=shop"
LIST = rpc("tools/list")
NO_TOKEN = (
    "no token came with the request; send `Authorization: Bearer TOKEN`; an administrator of this "
    "server gives tokens"
)
WRONG = (
    "the token is not accepted: it is wrong, has expired or was revoked; ask an administrator for "
    "another"
)


def unfilled(text: str) -> str:
    return (
        f"the token is '{text}', the name of a variable and not its value; set that variable in "
        "the environment that starts the client, and start the client again"
    )


def error(response: httpx2.Response) -> tuple[int, str, str]:
    told = response.json()["error"]
    assert sorted(told) == ["code", "message"]
    return response.status_code, told["code"], told["message"]


async def test_the_shared_token_reads_and_writes(asked: httpx2.AsyncClient) -> None:
    headers = bearer(SHARED)
    made = await asked.post(SHOP, json=tool("create_memory", note="a thought"), headers=headers)
    assert not answer(made)["result"]["isError"]
    found = await asked.post(SHOP, json=tool("recall", query="database locked"), headers=headers)
    answers = answer(found)["result"]["structuredContent"]["answers"]
    assert [each["id"] for each in answers] == ["first"]


@pytest.mark.parametrize(
    ("token", "message"),
    [
        (None, NO_TOKEN),
        ("", None),
        ("${PROJECT_MEMORY_TOKEN}", unfilled("${PROJECT_MEMORY_TOKEN}")),
        ("$PROJECT_MEMORY_TOKEN", unfilled("$PROJECT_MEMORY_TOKEN")),
        ("%PROJECT_MEMORY_TOKEN%", unfilled("%PROJECT_MEMORY_TOKEN%")),
        ("${env:PROJECT_MEMORY_TOKEN}", unfilled("${env:PROJECT_MEMORY_TOKEN}")),
        (SHARED[:-1], WRONG),
        (SHARED + "0", WRONG),
        ("pässwörd-mit-umlauten", WRONG),
        (b"\xff\xfe\x80", WRONG),
    ],
)
@pytest.mark.parametrize("path", [SHOP, "/metrics", "/mcp", UNDO, "/api/v1/session"])
async def test_whoever_shows_no_token_hears_what_is_wrong_with_it(
    asked: httpx2.AsyncClient, path: str, token: Any, message: str | None
) -> None:
    method = "GET" if path in {"/metrics", "/api/v1/session"} else "POST"
    headers = {} if token is None else bearer(token)
    response = await asked.request(method, path, json=LIST, headers=headers)
    wanted = message or (
        "the token is empty, so that the variable it comes from is not set for the client; set it "
        "in the environment that starts the client, and start the client again"
    )
    assert error(response) == (401, "unidentified", wanted)
    assert response.headers["www-authenticate"] == 'Bearer realm="project-memory"'


async def test_a_second_token_and_another_scheme_are_no_token(asked: httpx2.AsyncClient) -> None:
    twice = [("authorization", f"Bearer {SHARED}"), ("authorization", "Bearer x")]
    for headers in (twice, [("authorization", f"Basic {SHARED}")]):
        response = await asked.post(SHOP, json=LIST, headers=headers)
        assert error(response) == (401, "unidentified", NO_TOKEN)


@pytest.mark.parametrize("path", [*ROUTES, "/api/v1/session", "/nowhere"])
@pytest.mark.parametrize("name", ["evil.example", "127.0.0.1.evil.example", "127.0.0.1:1:2", ""])
async def test_another_name_is_not_this_server(
    asked: httpx2.AsyncClient, path: str, name: str
) -> None:
    response = await asked.get(path, headers=bearer(SHARED, host=name))
    assert error(response) == (
        421,
        "misdirected",
        f"'{name}' is no name of this server; use the address it was given to clients by, or let "
        "its administrator add the name with --allow-host",
    )


@pytest.mark.parametrize("path", [*ROUTES, "/api/v1/session", "/nowhere"])
@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:8932"])
async def test_pages_of_others_may_not_ask(
    asked: httpx2.AsyncClient, path: str, origin: str
) -> None:
    response = await asked.get(path, headers=bearer(SHARED, origin=origin))
    assert error(response) == (
        403,
        "foreign-origin",
        f"pages of '{origin}' may not ask this server; its administrator can let them with "
        "--allow-origin",
    )


async def test_its_own_pages_may_ask_under_each_of_its_names(asked: httpx2.AsyncClient) -> None:
    for name in ("127.0.0.1:8931", "localhost:9", "[::1]:8931", "LOCALHOST"):
        headers = {"host": name, "origin": f"http://{name}"}
        assert (await asked.get("/healthz", headers=headers)).json() == {"status": "alive"}


@pytest.mark.parametrize(
    "path",
    [
        "/mcp/%2e%2e/%2E%2E/etc/passwd",
        "/%2e%2e/mcp",
        "/..%2f..%2fmcp",
        "/..%5Cmcp",
        "/%2e/x",
        "/api/v1/memories/..%2F..%2Fetc%2Fpasswd",
    ],
)
async def test_a_path_that_leads_upwards_is_refused(asked: httpx2.AsyncClient, path: str) -> None:
    request = asked.build_request("GET", "/x", headers=bearer(SHARED))
    request.url = request.url.copy_with(raw_path=path.encode())
    response = await asked.send(request)
    assert error(response) == (
        400, "invalid-path", "the path leads upwards; name what you mean itself",
    )  # fmt: skip


@pytest.mark.parametrize("name", ["../../etc", "a/../b", "..", "", "a\\..\\b", "a\nb", "x" * 301])
@pytest.mark.parametrize("path", ["/mcp", "/api/v1/undo"])
async def test_a_project_has_a_name(asked: httpx2.AsyncClient, path: str, name: str) -> None:
    response = await asked.post(path, params={"project": name}, json=LIST, headers=bearer(SHARED))
    assert error(response) == (
        400,
        "invalid-input",
        f"{name[:60]!r} cannot be the name of a project; add ?project=NAME to the address, or the "
        "header Project-Memory-Project".replace("\\\\", "\\").replace("\\n", "\n"),
    )


async def test_a_project_is_named_in_the_query_or_in_a_header(asked: httpx2.AsyncClient) -> None:
    named = bearer(SHARED, **{"project-memory-project": "shop"})
    assert (await asked.post("/mcp", json=LIST, headers=named)).status_code == 200
    assert (await asked.post(SHOP, json=LIST, headers=named)).status_code == 200
    ask = "add ?project=NAME to the address, or the header Project-Memory-Project"
    assert error(await asked.post("/mcp?project=hidden", json=LIST, headers=named)) == (
        400, "invalid-input", f"the request names several projects; {ask}, once",
    )  # fmt: skip
    assert error(await asked.post("/mcp", json=LIST, headers=bearer(SHARED))) == (
        400,
        "invalid-input",
        f"the request names no project (projects: 'hidden', 'shop'); {ask}",
    )


@pytest.mark.parametrize("path", ["/mcp", "/api/v1/undo"])
async def test_an_unknown_project_is_not_found(asked: httpx2.AsyncClient, path: str) -> None:
    response = await asked.post(f"{path}?project=nope", json=LIST, headers=bearer(SHARED))
    assert error(response) == (
        404, "not-found",
        "no project 'nope' here (projects: 'hidden', 'shop'); name one of them",
    )  # fmt: skip


@pytest.mark.parametrize("path", [SHOP, UNDO])
async def test_a_large_body_is_refused_declared_or_not(
    asked: httpx2.AsyncClient, path: str
) -> None:
    async def parts() -> Any:
        for _ in range(5):
            yield b"x" * 1_048_576

    message = "the body is larger than 4194304 bytes; send less in one request"
    for body in (b"x" * 5_242_880, parts()):
        headers = bearer(SHARED, **{"content-type": "application/json"})
        response = await asked.post(path, content=body, headers=headers)
        assert error(response) == (413, "too-large", message)


@pytest.mark.parametrize("length", ["-1", "abc", "1e3", "+5", "5, 6", ""])
@pytest.mark.parametrize("path", [SHOP, UNDO])
async def test_a_length_that_is_no_number_is_answered(
    asked: httpx2.AsyncClient, path: str, length: str
) -> None:
    headers = bearer(SHARED, **{"content-length": length})
    response = await asked.post(path, content=b"{}", headers=headers)
    assert error(response) == (
        400, "invalid-length", "Content-Length is no number of bytes; send one, or none",
    )  # fmt: skip


async def test_a_batch_is_answered(asked: httpx2.AsyncClient) -> None:
    response = await asked.post(SHOP, json=[LIST, LIST], headers=bearer(SHARED))
    assert error(response) == (
        400, "invalid-input",
        "the body is a JSON array; send one JSON-RPC message at a time",
    )  # fmt: skip


@pytest.mark.parametrize("body", [b"{", b"7", b"null", b'{"method": 7}', b"\xff", b""])
async def test_what_is_no_message_is_answered(asked: httpx2.AsyncClient, body: bytes) -> None:
    headers = bearer(SHARED, **{"content-type": "application/json"})
    response = await asked.post(SHOP, content=body, headers=headers)
    assert response.status_code == 400
    assert response.json()["error"]["code"] in {-32700, -32600, -32602}


async def test_what_is_not_there_says_what_is(asked: httpx2.AsyncClient) -> None:
    assert error(await asked.get("/nowhere")) == (
        404,
        "no-route",
        "there is nothing here; routes: /mcp, /enroll, /healthz, /readyz, /metrics, "
        "/api/v1/openapi.json",
    )
    status, code, message = error(await asked.delete("/healthz"))
    assert (status, code) == (405, "no-method")
    assert message in {
        "this method is not for this route; use GET, HEAD",
        "this method is not for this route; use HEAD, GET",
    }
