"""A server in memory and the SDK's own client, in every protocol era."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from factories import draft
from mcp import Client

from project_memory.app import ProjectMemory
from project_memory.mcp_server.server import build_server
from project_memory.mcp_server.source import LazySource
from project_memory.model import Actor, Authority

Call: TypeAlias = Callable[..., Awaitable[Any]]
REASON = "both fail when two writers meet on one file"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def url(tmp_path: Path) -> str:
    path = str(tmp_path / "memory.db")
    ada = Actor("ada", Authority.USER)
    ProjectMemory.open(path, project="a/b", actor=ada, create=True).close()
    return path


@pytest.fixture
def source(url: str) -> Iterator[LazySource]:
    opening = LazySource(url, "a/b", Actor("bot", Authority.AGENT))
    yield opening
    opening.close()


@pytest.fixture(params=["auto", "legacy", "2026-07-28"])
async def client(request: pytest.FixtureRequest, source: LazySource) -> AsyncIterator[Client]:
    async with Client(build_server(source), mode=request.param) as connected:
        yield connected


@pytest.fixture
def call(client: Client) -> Call:
    """Call a tool that must answer; the client holds the answer to the tool's outputSchema."""

    async def answered(tool: str, **arguments: Any) -> Any:
        result = await client.call_tool(tool, arguments)
        assert not result.is_error, result.content[0].text
        assert json.loads(result.content[0].text) == result.structured_content
        return result.structured_content

    return answered


@pytest.fixture
def refused(client: Client) -> Call:
    """Call a tool that must refuse; returns the text of the refusal."""

    async def text(tool: str, **arguments: Any) -> str:
        result = await client.call_tool(tool, arguments)
        assert result.is_error
        assert result.structured_content is None
        return result.content[0].text

    return text


@pytest.fixture
async def two(call: Call) -> None:
    """Two linked memories: first, second."""
    await call("create_memory", memory=draft(id="first"))
    await call(
        "create_memory",
        memory=draft(
            id="second",
            description="Parallel test runs stop with a busy file",
            relationships={"related": [{"id": "first", "reason": REASON}]},
        ),
    )
