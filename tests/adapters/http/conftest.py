"""An application over a store on disk, asked in process; and servers as processes of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from factories import draft
from serving import BASE, SHARED, Served

from project_memory.app import ProjectMemory
from project_memory.hosting import Host
from project_memory.model import Actor, Authority
from project_memory.web import address
from project_memory.web.application import application

ADA = Actor("ada", Authority.USER)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Return a store with the projects shop (a lesson 'first') and hidden."""
    path = str(tmp_path / "memory.db")
    for project in ("shop", "hidden"):
        with ProjectMemory.open(path, project=project, actor=ADA, create=True) as opened:
            text = f"the database of {project} is locked by a second writer"
            opened.create(draft(id="first", description=text))
    return path


@pytest.fixture
def host(url: str) -> Iterator[Host]:
    opened = Host.open(url, shared_token=SHARED)
    yield opened
    opened.close()


@pytest.fixture
async def asked(host: Host) -> AsyncIterator[httpx2.AsyncClient]:
    """A client without a token."""
    gates = address.gates(address.parsed("127.0.0.1:8931"))
    app = application(host, gates)
    async with app.router.lifespan_context(app):
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url=BASE) as client:
            yield client


@pytest.fixture
def served(url: str) -> Iterator[Callable[..., Served]]:
    """Start servers over the store; whatever still runs at the end is killed."""
    started: list[Served] = []

    def start(*options: str, **more: Any) -> Served:
        started.append(Served(url, *options, **more))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.wait()
        each.process.stderr.close()
