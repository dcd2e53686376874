"""Two servers over one database answer as one."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator

import httpx2
import pytest
from factories import draft
from serving import SHARED, Served, answer, bearer, tool

from project_memory.app import ProjectMemory
from project_memory.hosting import Host
from project_memory.model import Actor, Authority
from project_memory.roles import Role

SHOP = "/mcp?project=shop"


@pytest.fixture
def database(postgres: Callable[[], str]) -> str:
    """Return a database with the project shop."""
    url = postgres()
    actor = Actor("ada", Authority.USER)
    ProjectMemory.open(url, project="shop", actor=actor, create=True).close()
    return url


@pytest.fixture
def servers(database: str) -> Iterator[tuple[Served, Served]]:
    pair = Served(database), Served(database)
    yield pair
    codes = [each.end(signal.SIGTERM) for each in pair]
    for each in pair:
        each.process.stderr.close()
    assert codes == [0, 0]


def result(server: Served, token: str, name: str, **arguments: object) -> dict:
    response = httpx2.post(
        f"{server.url}{SHOP}", json=tool(name, **arguments), headers=bearer(token)
    )
    return answer(response)["result"]


def test_a_write_through_one_is_in_the_next_answer_of_the_other(
    servers: tuple[Served, Served],
) -> None:
    texts = {
        "slow-cache": "the cache is cold after each deployment of the shop",
        "lost-lock": "a migration waits for ever where a lock was not released",
        "odd-clock": "tokens expire early on hosts whose clocks run ahead",
        "big-import": "an import of a million rows fills the disk with logs",
    }
    for server in servers:  # both have read their index before anything is written
        assert result(server, SHARED, "recall", query="cold cache")["isError"] is False
    for number, (name, text) in enumerate(texts.items()):
        one, other = servers[number % 2], servers[1 - number % 2]
        made = result(one, SHARED, "create_memory", memory=draft(id=name, description=text))
        assert made["isError"] is False
        found = result(other, SHARED, "recall", query=text)["structuredContent"]["answers"]
        assert found[0]["id"] == name


def test_a_token_that_is_revoked_is_refused_by_every_server(
    servers: tuple[Served, Served], database: str
) -> None:
    with Host.open(database) as host:
        token = host.add_token("ada", role=Role.READER, projects=["shop"], days=1).token
        for server in servers:
            assert result(server, token, "list_labels")["isError"] is False
        host.revoke("ada")
    for server in servers:
        asked = tool("list_labels")
        response = httpx2.post(f"{server.url}{SHOP}", json=asked, headers=bearer(token))
        assert response.status_code == 401


def test_a_code_that_one_server_redeemed_is_refused_by_the_other(
    servers: tuple[Served, Served], database: str
) -> None:
    with Host.open(database) as host:
        code = host.invite("bob", role=Role.WRITER, projects=["shop"], days=1).code
    first, second = (httpx2.post(f"{each.url}/enroll", json={"code": code}) for each in servers)
    assert (first.status_code, second.status_code) == (200, 401)
    assert result(servers[1], first.json()["token"], "list_labels")["isError"] is False
