"""On every path of the server a superseded or wrong memory comes marked, or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from mcp import Client
from succession import QUESTION, SCENARIOS

from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority

pytestmark = pytest.mark.anyio

Sides = tuple[set[str], set[str]]
IDS = ("take-a", "take-b", "take-c")
MANY = {"limit": 50, "max_tokens": 20_000}


def by_banner(records: list[dict[str, Any]]) -> Sides:
    """Return (ids without a banner, ids with one)."""
    return (
        {record["id"] for record in records if "banner" not in record},
        {record["id"] for record in records if "banner" in record},
    )


def of_recall(found: dict[str, Any]) -> Sides:
    return tuple({x["id"] for x in found[side]} for side in ("answers", "warnings"))  # type: ignore[return-value]


def fenced(text: str) -> Any:
    return json.loads(text.partition("<memory-data>\n")[2].partition("\n</memory-data>")[0])


async def prompted(client: Client, name: str, **arguments: str) -> str:
    (message,) = (await client.get_prompt(name, arguments)).messages
    return message.content.text


async def recall(client: Client, call: Any) -> Sides:
    return of_recall(await call("recall", query=QUESTION, **MANY))


async def orientation(client: Client, call: Any) -> Sides:
    return of_recall(await call("recall", **MANY))


async def search(client: Client, call: Any) -> Sides:
    return by_banner((await call("search_memories", label_query="kind:bug"))["memories"])


async def neighborhood(client: Client, call: Any) -> Sides:
    known = [x["id"] for x in (await call("search_memories"))["memories"]]
    found = [await call("get_memory_neighborhood", id=name, depth=4) for name in known]
    shown, marked = by_banner([node for each in found for node in each["nodes"]])
    archived = {"take-b"} - set(known)
    return shown - archived, marked - archived


async def get(client: Client, call: Any) -> Sides:
    known = [x["id"] for x in (await call("search_memories"))["memories"]]
    found = [{**await call("get_memory", id=name), "id": name} for name in known]
    return by_banner(found)


async def resource(client: Client, call: Any) -> Sides:
    known = [x["id"] for x in (await call("search_memories"))["memories"]]
    found = []
    for name in known:
        (content,) = (await client.read_resource(f"memory://a%2Fb/{name}")).contents
        found.append({**json.loads(content.text), "id": name})
    return by_banner(found)


async def brief_resource(client: Client, call: Any) -> Sides:
    (content,) = (await client.read_resource("memory://a%2Fb/@brief")).contents
    return {name for name in IDS if f"- {name}: " in content.text}, set()


async def brief_prompt(client: Client, call: Any) -> Sides:
    text = await prompted(client, "brief")
    return {name for name in IDS if f"- {name}: " in text}, set()


async def recall_prompt(client: Client, call: Any) -> Sides:
    return of_recall(fenced(await prompted(client, "recall", topic=QUESTION)))


async def audit_prompt(client: Client, call: Any) -> Sides:
    return by_banner(fenced(await prompted(client, "audit"))["memories"])


PATHS = [
    recall, orientation, search, neighborhood, get, resource, brief_resource, brief_prompt,
    recall_prompt, audit_prompt,
]  # fmt: skip


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda f: f.__name__)
async def test_only_current_memories_pass_as_current(
    client: Client, call: Any, url: str, scenario: Callable[[ProjectMemory], Sides]
) -> None:
    ada = Actor("ada", Authority.USER)
    with ProjectMemory.open(url, project="a/b", actor=ada) as memory:
        current, outdated = scenario(memory)
    for path in PATHS:
        shown, marked = await path(client, call)
        assert shown == current, path.__name__
        assert marked <= outdated, path.__name__
