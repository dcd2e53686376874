"""The examples of the API's documentation: asked as they stand, answered as they say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx2
import pytest
from factories import draft
from serving import BASE

from project_memory.app import ProjectMemory
from project_memory.hosting import Host
from project_memory.model import Actor, Authority
from project_memory.roles import Role
from project_memory.web import address
from project_memory.web.api.openapi import document
from project_memory.web.application import application

PAGE = Path(__file__).resolve().parent.parent / "docs" / "api.md"
EXAMPLE = re.compile(r"```http\n(\w+) (\S+)\n(.*?)```\n\n```json\n(.*?)```", re.DOTALL)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def holds(answer: Any, told: Any) -> bool:
    """Return whether an answer has what is told of it; objects may have more."""
    if isinstance(told, dict):
        return all(name in answer and holds(answer[name], told[name]) for name in told)
    if isinstance(told, list):
        return len(answer) == len(told) and all(map(holds, answer, told))
    return bool(answer == told)


@pytest.mark.anyio
async def test_every_example_is_answered_as_it_says(tmp_path: Path) -> None:
    examples = EXAMPLE.findall(PAGE.read_text(encoding="utf-8"))
    assert len(examples) == PAGE.read_text(encoding="utf-8").count("```http") == 5
    store, ada = str(tmp_path / "memory.db"), Actor("ada", Authority.USER)
    with ProjectMemory.open(store, project="shop", actor=ada, create=True) as memories:
        memories.create(draft(id="sqlite-locked"))
    host = Host.open(store)
    token = host.add_token("ci", role=Role.WRITER, projects=["shop"], days=1).token
    app = application(host, address.gates(address.parsed("127.0.0.1:8931")))
    async with app.router.lifespan_context(app):
        transport = httpx2.ASGITransport(app=app)
        for method, path, rest, told in examples:
            head, _, body = rest.replace("TOKEN", token).partition("\n\n")
            headers = dict(line.split(": ", 1) for line in head.strip().splitlines())
            more = {"json": json.loads(body)} if body.strip() else {}
            async with httpx2.AsyncClient(transport=transport, base_url=BASE) as client:
                response = await client.request(method, path, headers=headers, **more)
            assert holds(response.json(), json.loads(told)), response.text


def test_every_status_that_the_document_names_is_told() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("| status |")[2]
    told = {int(s) for row in re.findall(r"^\| ([\d, ]+) \|", table, re.M) for s in row.split(",")}
    named = {int(status) for status in document()["components"]["responses"]}
    assert named - told == {421}  # of every request, as security.md says
    assert told <= named
