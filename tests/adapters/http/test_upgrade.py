"""A store of an earlier version is upgraded where it is, when it is served."""

from __future__ import annotations

import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import httpx2
import pytest
from factories import document
from old_stores import PACKAGED, make_first
from serving import BASE, SHARED, Served, answer, bearer, tool

from project_memory.hosting import Host
from project_memory.storage.sqlite import SqliteStorage
from project_memory.web import address
from project_memory.web.application import application

SHOP = "/mcp?project=shop"
CURRENT = len(PACKAGED)


def at_version(folder: Path, old: int) -> Path:
    path = folder / "memory.db"
    make_first(path, document(id="kept-one"), "shop")
    with closing(SqliteStorage(path, steps=PACKAGED[:old])):
        pass
    return path


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


@pytest.mark.anyio
@pytest.mark.parametrize("old", range(1, CURRENT))
async def test_every_earlier_version_is_served_with_a_backup_of_what_it_was(
    tmp_path: Path, old: int
) -> None:
    path = at_version(tmp_path, old)
    app = application(
        Host.open(str(path), shared_token=SHARED), address.gates(address.parsed("127.0.0.1:8931"))
    )
    async with app.router.lifespan_context(app):
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url=BASE) as client:
            asked = tool("get_memory", id="kept-one")
            response = await client.post(SHOP, json=asked, headers=bearer(SHARED))
            read = answer(response)["result"]["structuredContent"]
            changed = tool("update_memory", id="kept-one", patch={"pitfalls": ["one more"]})
            await client.post(SHOP, json=changed, headers=bearer(SHARED))
    assert read["memory"]["description"] == document(id="kept-one")["description"]
    assert version(path) == CURRENT
    assert version(path.with_name(f"memory.db.v{old}.backup")) == old


def test_a_server_says_which_backup_it_made_and_is_served_again_without_one(
    tmp_path: Path,
) -> None:
    path = at_version(tmp_path, 1)
    for told in (
        [
            f"store '{path}' is upgraded from schema version 1 to {CURRENT}; the backup "
            f"'{path}.v1.backup' holds what it was"
        ],
        [],
    ):
        server = Served(str(path), "--backup-dir", str(tmp_path / "backups"))
        try:
            asked = tool("get_memory", id="kept-one")
            response = httpx2.post(f"{server.url}{SHOP}", json=asked, headers=bearer(SHARED))
        finally:
            code = server.end(signal.SIGTERM)
            server.process.stderr.close()
        assert answer(response)["result"]["structuredContent"]["meta"]["version"] == 1
        assert code == 0
        assert server.told == told
    assert [file.name for file in tmp_path.glob("*.backup")] == ["memory.db.v1.backup"]
