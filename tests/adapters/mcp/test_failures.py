"""What an agent reads when the store, or this package, fails; the server lives on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from project_memory.app import ProjectMemory
from project_memory.errors import StorageBusy
from project_memory.mcp_server.server import build_server
from project_memory.mcp_server.source import LazySource
from project_memory.model import Actor, Authority

pytestmark = pytest.mark.anyio
BOT = Actor("bot", Authority.AGENT)
INTERNAL = "internal error; the server's log on stderr says more [internal]"
UNREAD = "a store that cannot be read is not an empty one: tell the person"


class Broken:
    """A source that fails however it is asked."""

    project, remote = "demo", False

    def __init__(self, error: Exception) -> None:
        self._error = error

    def __call__(self) -> ProjectMemory:
        raise self._error


async def failure(source: Any, tool: str = "search_memories", **arguments: Any) -> str:
    async with Client(build_server(source)) as client:
        result = await client.call_tool(tool, arguments)
    assert result.is_error
    return result.content[0].text


async def protocol_failure(source: Any) -> str:
    async with Client(build_server(source)) as client:
        with pytest.raises(MCPError) as caught:
            await client.read_resource("memory://demo/first")
    return str(caught.value)


async def test_a_missing_store_is_an_error_and_stays_missing(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.db"
    source = LazySource(str(path), "demo", BOT)
    said = (
        f"no store at '{path}'; check the path, or create it with `project-memory init`; "
        f"{UNREAD} [not-found]"
    )
    assert await failure(source, "recall", query="anything") == said
    assert await failure(source, "create_memory", memory={}) == said
    assert await protocol_failure(source) == said
    assert not path.exists()


async def test_a_missing_project_is_an_error(url: str) -> None:
    assert await failure(LazySource(url, "other", BOT)) == (
        "no project 'other' in this store (projects: 'a/b'); name one of them, or run "
        f"`project-memory init` in its repository; {UNREAD} [not-found]"
    )


async def test_a_foreign_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("no database" * 1000)
    text = await failure(LazySource(str(path), "demo", BOT))
    assert text.startswith(f"'{path}' is not a store")
    assert text.endswith(f"; {UNREAD} [store-unreadable]")


async def test_a_store_that_appears_later_is_found(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.db")
    source = LazySource(path, "demo", BOT)
    async with Client(build_server(source)) as client:
        assert (await client.call_tool("recall", {})).is_error
        ProjectMemory.open(path, project="demo", actor=BOT, create=True).close()
        assert not (await client.call_tool("recall", {})).is_error
    source.close()


async def test_a_busy_store_is_said_to_be_busy() -> None:
    busy = StorageBusy("the store is busy; try again")
    assert await failure(Broken(busy)) == "the store is busy; try again [storage-busy]"
    assert await protocol_failure(Broken(busy)) == "the store is busy; try again [storage-busy]"


async def test_a_defect_is_logged_and_tells_the_client_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    defect = Broken(RuntimeError("the password is in here"))
    assert await failure(defect) == INTERNAL
    assert await protocol_failure(defect) == INTERNAL
    assert caplog.text.count("RuntimeError: the password is in here") == 2
    assert {record.getMessage() for record in caplog.records if record.exc_info} == {
        "a tool call failed",
        "a request failed",
    }
