"""What a client is told before it calls anything."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp import Client

from project_memory import relations, resources
from project_memory.mcp_server.server import INSTRUCTIONS, build_server
from project_memory.mcp_server.source import LazySource
from project_memory.model import Status

pytestmark = pytest.mark.anyio
READS = {
    "recall",
    "search_memories",
    "get_memory",
    "get_memory_neighborhood",
    "list_labels",
}
ADDS = {"create_memory", "add_label", "record_memory_use"}
TAKES_AWAY = {"update_memory", "undo", "link_memories", "delete_memory"}
REPEATABLE = READS | {"update_memory", "link_memories", "delete_memory", "add_label"}
COMBINATORS = {"anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$ref", "$defs"}


@pytest.fixture
async def tools(client: Client) -> list[dict[str, Any]]:
    listed = (await client.list_tools()).tools
    return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed]


async def test_the_listing_without_output_schemas_is_at_most_12_kilobytes(tools: Any) -> None:
    without = [{key: tool[key] for key in tool if key != "outputSchema"} for tool in tools]
    text = json.dumps({"tools": without}, ensure_ascii=False, separators=(",", ":"))
    assert len(text.encode()) <= 12_000


async def test_every_schema_is_a_plain_object(tools: Any) -> None:
    for tool in tools:
        for schema in (tool["inputSchema"], tool["outputSchema"]):
            assert schema["type"] == "object"
            assert not COMBINATORS & schema.keys()
            assert_plain(schema)
        assert tool["inputSchema"]["additionalProperties"] is False
        assert next(iter(tool["outputSchema"]["properties"])) == "notice"


def assert_plain(schema: Any) -> None:
    match schema:
        case dict():
            assert "$ref" not in schema
            assert not isinstance(schema.get("type"), list)
            for value in schema.values():
                assert_plain(value)
        case list():
            for value in schema:
                assert_plain(value)


async def test_annotations_are_explicit(tools: Any) -> None:
    hints = {tool["name"]: tool["annotations"] for tool in tools}
    assert hints == {
        name: {
            "readOnlyHint": name in READS,
            "destructiveHint": name in TAKES_AWAY,
            "idempotentHint": name in REPEATABLE,
            "openWorldHint": False,
        }
        for name in READS | ADDS | TAKES_AWAY
    }


async def test_every_manual_begins_with_when_to_use_the_tool(tools: Any) -> None:
    assert [tool["name"] for tool in tools if not tool["description"].startswith("Use ")] == []
    assert all(tool["title"] for tool in tools)


async def test_listed_choices_are_the_ones_there_are(tools: Any) -> None:
    schemas = {tool["name"]: tool["inputSchema"]["properties"] for tool in tools}
    assert schemas["link_memories"]["kind"]["enum"] == list(relations.KINDS)
    for reader in ("recall", "search_memories"):
        statuses = schemas[reader]["status_filter"]["items"]["enum"]
        assert statuses == [*Status, "all"]
    listed, draft = schemas["create_memory"]["memory"], resources.schema("draft")
    assert listed["required"] == draft["required"]
    # what only a person may set, or the store fills in, is no use to an agent
    unlisted = {"schema_version", "status", "status_reason", "standing"}
    assert listed["properties"].keys() | unlisted == draft["properties"].keys()


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_instructions_come_with_initialize_and_with_discover(
    source: LazySource, mode: str
) -> None:
    async with Client(build_server(source), mode=mode) as connected:
        assert connected.instructions == INSTRUCTIONS
        assert (connected.protocol_version == "2026-07-28") is (mode == "auto")
    assert len(INSTRUCTIONS.encode()) < 2_048


async def test_resources_templates_and_prompts_are_listed(client: Client) -> None:
    listed = (await client.list_resources()).resources
    templates = (await client.list_resource_templates()).resource_templates
    prompts = (await client.list_prompts()).prompts
    assert [each.uri for each in listed] == ["memory://a%2Fb/@labels", "memory://a%2Fb/@brief"]
    assert [each.uri_template for each in templates] == ["memory://{project}/{id}"]
    assert [each.name for each in prompts] == ["brief", "recall", "remember", "audit"]
