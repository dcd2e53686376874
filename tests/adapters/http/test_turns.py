"""Agents' tools and the API take the same turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from serving import BASE, SHARED, answer, bearer, tool

from project_memory.hosting import Host
from project_memory.mcp_server.turns import Turns
from project_memory.web import address
from project_memory.web.application import application

pytestmark = pytest.mark.anyio
SHOP = {"project": "shop"}


class Told(Turns):
    """Turns that know who has taken them."""

    def __init__(self) -> None:
        super().__init__()
        self.taken: list[str] = []

    async def read(self, answer: Callable[[], Any]) -> Any:
        self.taken.append("read")
        return await super().read(answer)

    async def write(self, answer: Callable[[], Any]) -> Any:
        self.taken.append("write")
        return await super().write(answer)


async def test_what_reads_or_writes_takes_a_turn_wherever_it_is_asked(host: Host) -> None:
    turns = Told()
    app = application(host, address.gates(address.parsed("127.0.0.1:8931")), turns=turns)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url=BASE) as client,
    ):
        client.headers.update(bearer(SHARED))
        asked = [
            await client.post("/mcp", params=SHOP, json=tool("recall", query="locked")),
            await client.get("/api/v1/recall", params={**SHOP, "query": "locked"}),
            await client.post("/mcp", params=SHOP, json=tool("create_memory", note="a thought")),
            await client.post("/api/v1/notes", params=SHOP, json={"text": "another thought"}),
            await client.get("/api/v1/session"),
        ]
    assert [each.status_code for each in asked] == [200] * 5
    assert not answer(asked[2])["result"]["isError"]
    assert turns.taken == ["read", "read", "write", "write"]
