"""Whose word it is, until when, and what becomes of it when it is taken back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import anyio
import httpx2
import pytest
from factories import draft
from serving import SHARED, answer, bearer, rpc, tool

from project_memory.app import ProjectMemory
from project_memory.hosting import Host
from project_memory.model import Actor, Authority
from project_memory.roles import Role
from project_memory.web import address
from project_memory.web.application import application

pytestmark = pytest.mark.anyio
SHOP = "/mcp?project=shop"
HELLO = rpc(
    "initialize",
    protocolVersion="2025-06-18",
    capabilities={},
    clientInfo={"name": "test", "version": "1"},
)


def given(host: Host, name: str = "ada", role: Role = Role.WRITER) -> str:
    return host.add_token(name, role=role, projects=["shop"], days=1).token


async def test_what_comes_over_the_network_is_an_agents_word(
    asked: httpx2.AsyncClient, host: Host, url: str
) -> None:
    # ada is a person at a terminal too, and asserted 'first'
    headers = bearer(given(host, "ada", Role.WRITER))
    for call in (
        tool("create_memory", memory=draft(id="second", description="a lesson from afar, told")),
        tool("update_memory", id="first", patch={"pitfalls": ["what an agent would like"]}),
        tool("create_memory", memory=draft(id="third", description="a rule that would stand",
                                           standing=True)),
        tool("undo", reason="take back what ada did at her terminal"),
    ):  # fmt: skip
        answer(await asked.post(SHOP, json=call, headers=headers))
    with ProjectMemory.open(url, project="shop", actor=Actor("x", Authority.USER)) as opened:
        first = opened.get("first")
        assert (first.meta.asserted_by, first.memory.get("pitfalls", [])) == ("user", [])
        with opened._storage.read() as reader:
            made = [r for r in reader.revisions(1) if r.number > 2]
    assert {(each.actor.name, each.actor.authority) for each in made} == {("ada", "agent")}


async def test_a_token_is_accepted_until_it_expires(url: str) -> None:
    now = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
    moments = [now]
    with Host.open(url, clock=lambda: moments[-1]) as host:
        token = given(host).encode()
        moments.append(now + timedelta(days=1, seconds=-1))
        assert host.identify(token).name == "ada"
        moments.append(now + timedelta(days=1))
        assert [one.state for one in host.tokens().tokens] == ["expired"]
        with pytest.raises(Exception, match="wrong, has expired or was revoked"):
            host.identify(token)


async def test_a_token_is_nowhere_in_the_store(host: Host, tmp_path) -> None:
    token = given(host)
    secret = token.rpartition("_")[2].encode()
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("memory.db*"))
    assert len(kept) > 10_000
    assert secret not in kept


@pytest.mark.parametrize("change", [lambda t: t[:-1] + "A" * (t[-1] != "A") + "B" * (t[-1] == "A"),
                                    lambda t: t + "A", lambda t: t.upper(),
                                    lambda t: "pmt_00000000" + t[12:]])  # fmt: skip
async def test_a_token_that_is_nearly_right_is_wrong(
    asked: httpx2.AsyncClient, host: Host, change
) -> None:
    response = await asked.post(SHOP, json=HELLO, headers=bearer(change(given(host))))
    assert response.status_code == 401


async def test_a_revoked_token_is_refused_at_the_next_request(
    asked: httpx2.AsyncClient, host: Host, url: str
) -> None:
    headers = bearer(given(host))
    opened = await asked.post(SHOP, json=HELLO, headers=headers)
    session = {**headers, "mcp-session-id": opened.headers["mcp-session-id"]}
    assert (await asked.post(SHOP, json=rpc("ping"), headers=session)).status_code == 200
    with Host.open(url) as elsewhere:  # as the command line does
        assert elsewhere.revoke("ada").actors == ("ada",)
    assert (await asked.post(SHOP, json=rpc("ping"), headers=session)).status_code == 401


async def test_a_session_is_of_one_actor_and_one_project(
    asked: httpx2.AsyncClient, host: Host
) -> None:
    opened = await asked.post(SHOP, json=HELLO, headers=bearer(SHARED))
    session = {"mcp-session-id": opened.headers["mcp-session-id"]}
    for path, token, status in (
        (SHOP, given(host), 404),
        ("/mcp?project=hidden", SHARED, 404),
        (SHOP, SHARED, 200),
    ):
        response = await asked.post(path, json=rpc("ping"), headers=bearer(token) | session)
        assert response.status_code == status


async def test_a_stream_of_a_revoked_actor_ends(host: Host) -> None:
    app = application(host, address.gates(address.parsed("127.0.0.1:8931")), watch=0.01)
    headers = bearer(given(host))
    ended, begun = anyio.Event(), anyio.Event()
    async with app.router.lifespan_context(app):
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            opened = await client.post(SHOP, json=HELLO, headers=headers)
        session = opened.headers["mcp-session-id"].encode()
        raw = [
            (b"host", b"localhost"),
            (b"accept", b"text/event-stream"),
            (b"authorization", headers[b"authorization"]),
            (b"mcp-session-id", session),
        ]
        scope = {"type": "http", "method": "GET", "path": "/mcp", "query_string": b"project=shop",
                 "headers": raw, "http_version": "1.1", "scheme": "http"}  # fmt: skip
        sent = []

        async def receive():
            if not sent and not begun.is_set():
                return {"type": "http.request", "body": b"", "more_body": False}
            await ended.wait()
            return {"type": "http.disconnect"}

        async def send(message) -> None:
            sent.append(message)
            begun.set()

        async def listen() -> None:
            await app(scope, receive, send)
            ended.set()

        with anyio.fail_after(20):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(listen)
                await begun.wait()
                assert not ended.is_set()
                host.revoke("ada")
                await ended.wait()
    assert sent[0]["status"] == 200
    assert sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}
