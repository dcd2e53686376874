"""What the server tells of itself: alive, ready, counted, logged."""

from __future__ import annotations

import json
import logging
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import httpx2
import pytest
from serving import SHARED, answer, bearer, rpc, tool

from project_memory.app import ProjectMemory
from project_memory.errors import InvalidInput, StorageBusy, StorageError, StoreUnreadable
from project_memory.hosting import Host
from project_memory.jobs import Kind
from project_memory.roles import Role
from project_memory.services.working import Task, Worker
from project_memory.storage import open_storage
from project_memory.web import NEEDED, check_installed
from project_memory.web.logs import REQUESTS, Lines

pytestmark = pytest.mark.anyio
SHOP = "/mcp?project=shop"


async def test_it_is_ready_while_the_store_is_there(
    asked: httpx2.AsyncClient, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert (await asked.get("/readyz")).json() == {"status": "ready"}
    Path(url).rename(url + ".away")
    response = await asked.get("/readyz")
    assert (response.status_code, response.json()) == (
        503,
        {"error": {"code": "not-ready", "message": "the store cannot be read; see the log"}},
    )
    assert (await asked.get("/healthz")).json() == {"status": "alive"}
    assert "the store cannot be read" in caplog.messages
    Path(url + ".away").rename(url)
    assert (await asked.get("/readyz")).status_code == 200


def fail(host: Host, kind: Kind, said: str) -> None:
    def act() -> dict[str, Any]:
        raise StorageError(said)

    moment = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
    with closing(open_storage(host.store, create=False)) as storage:
        Worker(storage, "one", lambda: moment).do(Task(kind, None, timedelta(hours=1), act))


async def test_backups_that_fail_are_told_without_a_place(
    asked: httpx2.AsyncClient, host: Host
) -> None:
    fail(host, Kind.INDEX, "of no matter here")
    assert (await asked.get("/readyz")).json() == {"status": "ready"}
    fail(host, Kind.BACKUP, "no space left at /backups")
    response = await asked.get("/readyz")
    assert (response.status_code, response.json()) == (
        200,
        {
            "status": "ready",
            "warnings": ["backups fail since 2026-01-31T09:30:00Z; see the log"],
        },
    )


async def test_background_work_is_measured(asked: httpx2.AsyncClient, host: Host) -> None:
    fail(host, Kind.BACKUP, "no space left at /backups")
    moment = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
    with closing(open_storage(host.store, create=False)) as storage:
        worker = Worker(storage, "one", lambda: moment)
        worker.do(Task(Kind.AUDIT, None, timedelta(hours=1), dict))
    lines = (await asked.get("/metrics", headers=bearer(SHARED))).text.splitlines()
    assert [line for line in lines if line.startswith("project_memory_jobs")] == [
        'project_memory_jobs_failing{kind="audit"} 0.0',
        'project_memory_jobs_failing{kind="backup"} 1.0',
        'project_memory_jobs_succeeded_timestamp_seconds{kind="audit"} 1.7698518e+09',
    ]


async def test_who_is_elsewhere_does_not_learn_where_the_store_is(
    asked: httpx2.AsyncClient, host: Host, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = host.add_token("bot", role=Role.WRITER, projects=["shop"], days=1).token
    headers = bearer(token)
    for response in (
        await asked.get("/api/v1/stats?project=shop", headers=headers),
        await asked.post(SHOP, json=tool("search_memories"), headers=headers),
    ):
        assert Path(url).name in response.text
        assert str(Path(url).parent) not in response.text
    use, call = {"memory_ids": ["first"]}, tool("record_memory_use", memory_ids=["first"])
    busy = (
        StorageBusy(f"store '{url}' is busy"),
        "storage-busy",
        ("the store is busy, another writer has held it for too long; repeat it"),
    )
    lost = (
        StoreUnreadable(f"store '{url}' is gone"),
        "store-unreadable",
        ("the store cannot be used; the server's log says more"),
    )
    for error, code, text in (busy, lost):
        monkeypatch.setattr(ProjectMemory, "record_use", Mock(side_effect=error))
        refused = await asked.post("/api/v1/uses?project=shop", json=use, headers=headers)
        assert refused.status_code == 503
        assert refused.json() == {"error": {"code": code, "message": text}}
        result = answer(await asked.post(SHOP, json=call, headers=headers))["result"]
        assert result["content"][0]["text"] == f"{text} [{code}]"


async def test_answers_and_tools_are_counted(asked: httpx2.AsyncClient) -> None:
    headers = bearer(SHARED)
    for _ in range(2):
        await asked.post(SHOP, json=tool("recall", query="locked"), headers=headers)
    await asked.post(SHOP, json=tool("made_up_name"), headers=headers)
    await asked.get("/a/made/up/path")
    lines = (await asked.get("/metrics", headers=headers)).text.splitlines()
    assert 'project_memory_tool_calls_total{tool="recall"} 2.0' in lines
    counted = 'project_memory_http_requests_total{method="%s",route="%s",status="%s"} %s'
    assert counted % ("POST", "/mcp", "200", "3.0") in lines
    assert counted % ("GET", "other", "404", "1.0") in lines
    assert not [line for line in lines if "made" in line or "shop" in line]


async def test_the_log_tells_who_did_what_and_not_what_was_said(
    asked: httpx2.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, REQUESTS)
    said = "the queue drops what is sent twice"
    await asked.post(SHOP, json=tool("recall", query=said), headers=bearer(SHARED))
    await asked.post(SHOP, json=rpc("tools/list"), headers=bearer("wrong-" + SHARED))
    lines = [json.loads(Lines().format(r)) for r in caplog.records if r.name == REQUESTS]
    kept = [{k: v for k, v in line.items() if k not in {"time", "ms"}} for line in lines]
    every = {"level": "info", "logger": REQUESTS, "event": "request", "method": "POST"}
    assert kept == [
        every | {"route": "/mcp", "status": 200, "actor": "token:shared", "project": "shop",
                 "rpc": "tools/call", "tool": "recall"},
        every | {"route": "/mcp", "status": 401},
    ]  # fmt: skip
    for record in caplog.records:
        line = Lines().format(record)
        assert said not in line
        assert SHARED not in line


async def test_a_route_of_the_api_is_told_by_its_form(
    asked: httpx2.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, REQUESTS)
    headers = bearer(SHARED)
    for name in ("first", "absent"):
        await asked.get(f"/api/v1/memories/{name}?project=shop", headers=headers)
    await asked.post("/api/v1/session", json={"token": SHARED})
    lines = [json.loads(Lines().format(r)) for r in caplog.records if r.name == REQUESTS]
    route, who = "/api/v1/memories/{id}", {"actor": "token:shared", "project": "shop"}
    told = ("method", "route", "status", "actor", "project")
    assert [{k: line[k] for k in told if k in line} for line in lines] == [
        {"method": "GET", "route": route, "status": 200, **who},
        {"method": "GET", "route": route, "status": 404, **who},
        {"method": "POST", "route": "/api/v1/session", "status": 200, "actor": "token:shared"},
    ]
    counted = (await asked.get("/metrics", headers=headers)).text
    labels = f'{{method="GET",route="{route}",status="404"}}'
    assert f"project_memory_http_requests_total{labels} 1.0" in counted


def test_a_failure_is_logged_by_its_place_and_not_by_its_words() -> None:
    try:
        raise ValueError("what somebody said")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "f", 1, "failed", (), sys.exc_info())
    line = json.loads(Lines().format(record))
    assert (line["error"], line["event"]) == ("ValueError", "failed")
    assert "test_state.py" in line["at"][0]
    assert "somebody" not in json.dumps(line)


def test_what_is_missing_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    check_installed()
    monkeypatch.setattr("project_memory.web.find_spec", lambda name: name == "starlette" or None)
    with pytest.raises(InvalidInput) as error:
        check_installed()
    assert str(error.value) == (
        "to serve over HTTP, 'uvicorn', 'prometheus_client' is missing; install the extra `http`: "
        "`pip install '.[http]'` in your clone of project-memory"
    )
    assert set(NEEDED) == {"starlette", "uvicorn", "prometheus_client"}
