"""The tools as agents call them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from factories import draft
from mcp import Client
from mcp.shared.exceptions import MCPError

from project_memory.fencing import NOTICE

pytestmark = pytest.mark.anyio


@pytest.mark.usefixtures("two")
async def test_the_main_job(call: Any, refused: Any) -> None:
    found = await call("recall", query="parallel runs say the database is locked")
    assert {hit["id"] for hit in found["answers"]} == {"first", "second"}
    assert found["store"]["project"] == "a/b"
    near = await call("get_memory_neighborhood", id="second")
    assert near["edges"] == [
        {
            "from_id": "first",
            "kind": "related",
            "to_id": "second",
            "reason": "both fail when two writers meet on one file",
        }
    ]
    text = await refused("create_memory", memory={"description": "short", "label": []})
    assert text == (
        "refused, nothing was done [invalid-document]\n"
        "$: 'labels' and 'remembered_facts' are missing [schema-required]\n"
        "$.description: 'short' has 5 characters; at least 20 are needed [schema-min-length]\n"
        "$.label: unknown field 'label'; did you mean 'labels'? [unknown-field]"
    )


@pytest.mark.usefixtures("two")
async def test_what_is_known_about_a_file(call: Any, refused: Any) -> None:
    await call("update_memory", id="first", patch={"scope": {"files": ["src/**"]}})
    for files in ("src/a.py", ["src/a.py"], '["./src/a.py"]'):
        found = await call("recall", files=files)
        assert [hit["id"] for hit in found["answers"]] == ["first"]
    assert await refused("recall", files=["../a.py"]) == (
        "'../a.py' is no path within the repository; write it from the top, as src/store.py "
        "[invalid-input]"
    )


CALLS: dict[str, dict[str, Any]] = {
    "recall": {"query": "locked", "files": ["src/a.py"], "explain": True},
    "search_memories": {"label_query": "kind:bug"},
    "get_memory": {"id": "first"},
    "get_memory_neighborhood": {"id": "first"},
    "list_labels": {},
    "create_memory": {"memory": draft(description="One more lesson of its own here")},
    "update_memory": {"id": "first", "patch": {"pitfalls": ["a pitfall"]}, "if_version": 1},
    "link_memories": {"from_id": "first", "kind": "causes", "to_id": "second"},
    "add_label": {"label": "area:storage"},
    "record_memory_use": {"memory_ids": ["first"], "note": "it named the cause"},
    "undo": {"reason": "a slip"},
    "delete_memory": {"id": "second", "confirm_exact_id": "second"},
}


@pytest.mark.usefixtures("two")
async def test_every_tool_answers_in_the_shape_it_promises(client: Client, call: Any) -> None:
    assert {tool.name for tool in (await client.list_tools()).tools} == CALLS.keys()
    for name, arguments in CALLS.items():  # the client holds each answer to outputSchema
        answer = await call(name, **arguments)
        assert next(iter(answer.items())) == ("notice", NOTICE)


async def test_text_of_every_script_travels_as_it_is(client: Client, call: Any) -> None:
    written = "数据库连接池 кэш шейдеров café การทดสอบ"
    await call("create_memory", memory=draft(id="first", pitfalls=[written]))
    result = await client.call_tool("get_memory", {"id": "first"})
    assert written in result.content[0].text
    assert '": ' not in result.content[0].text  # compact


async def test_arguments_are_taken_as_agents_send_them(call: Any) -> None:
    sent = draft(id="first", labels="kind:bug", remembered_facts='["one", "two"]', tags=None)
    await call("create_memory", memory=json.dumps(sent), dry_run="false")
    found = await call(
        "recall",
        query="locked",
        limit="5",
        prefer="kind:bug",
        label_query='{"and": ["kind:bug"], "not": ["kind:lesson"]}',
        status_filter="all",
        before=None,
    )
    (hit,) = found["answers"]
    assert hit["memory"]["remembered_facts"] == ["one", "two"]
    listed = await call("search_memories", label_query={"or": ["kind:bug", "kind:lesson"]})
    assert listed["total"] == 1


@pytest.mark.usefixtures("two")
async def test_a_patch_empties_with_null_and_takes_one_string_for_a_list(call: Any) -> None:
    await call("update_memory", id="first", patch={"pitfalls": "never", "tags": ["WAL"]})
    await call("update_memory", id="first", patch='{"tags": null}')
    memory = (await call("get_memory", id="first"))["memory"]
    assert (memory["pitfalls"], memory["tags"]) == (["never"], [])


@pytest.mark.usefixtures("two")
async def test_links_and_labels_are_added_and_taken_away(call: Any) -> None:
    link = {"from_id": "first", "kind": "causes", "to_id": "second"}
    await call("link_memories", **link, dry_run=True)
    assert len((await call("get_memory_neighborhood", id="first"))["edges"]) == 1
    await call("link_memories", **link)
    assert len((await call("get_memory_neighborhood", id="first"))["edges"]) == 2
    await call("link_memories", **link, remove=True, reason="it was not the cause")
    assert len((await call("get_memory_neighborhood", id="first"))["edges"]) == 1


@pytest.mark.usefixtures("two")
async def test_a_deletion_names_the_tool_that_takes_it_back(call: Any) -> None:
    receipt = await call("delete_memory", id="second", confirm_exact_id="second")
    assert receipt["notes"] == [
        "history keeps the text of 'second'; undo brings it back, a person removes it for good "
        "with `project-memory purge second`"
    ]
    await call("undo", reason="a slip")
    assert (await call("search_memories"))["total"] == 2


async def test_what_an_agent_writes_is_an_agents_word(call: Any) -> None:
    await call("create_memory", memory=draft(id="first"))
    meta = (await call("get_memory", id="first"))["meta"]
    assert (meta["asserted_by"], meta["author"]) == ("agent", "bot")


NEW = "A lesson that no other memory holds"
TOKEN = "ghp_" + "a8Jk29sLmQ0xZ7vB3nT6yR4uW1eP5cD2fGhK"
ARGUMENTS = "refused, nothing was done [invalid-arguments]\n"
EITHER = (
    "create_memory takes either memory or note; give one of the two: memory for a lesson that is "
    "worked out, note for a thought"
)
REFUSALS = [
    ("recall", {"quary": "x"},
     f"{ARGUMENTS}$.quary: unknown argument 'quary'; did you mean 'query'? [unknown-argument]"),
    ("undo", {"files": []},
     f"{ARGUMENTS}$.files: unknown argument 'files'; known: reason [unknown-argument]"),
    ("recall", {"limit": 0}, f"{ARGUMENTS}$.limit: 0 is less than 1 [schema-minimum]"),
    ("recall", {"limit": -1}, f"{ARGUMENTS}$.limit: -1 is less than 1 [schema-minimum]"),
    ("recall", {"limit": "many"},
     f"{ARGUMENTS}$.limit: 'many' is not of type integer [schema-type]"),
    ("get_memory_neighborhood", {"depth": 5, "max_nodes": 0},
     f"{ARGUMENTS}$: 'id' is missing [schema-required]\n"
     "$.depth: 5 is more than 4 [schema-maximum]\n"
     "$.max_nodes: 0 is less than 1 [schema-minimum]"),
    ("recall", {"order": "newest"},
     f"{ARGUMENTS}$.order: 'newest' is not one of 'relevance', 'recent' [schema-enum]"),
    ("search_memories", {"label_query": 5},
     f"{ARGUMENTS}$.label_query: 5 is no label expression or object [schema-any-of]"),
    ("search_memories", {"label_query": {"none": []}},
     "expected one of the keys all, any, not at position 0\n  none\n  ^ [expression-syntax]"),
    ("search_memories", {"label_query": "kind:bug AND"},
     "expected a label, a field or '(' at position 12\n  kind:bug AND\n"
     "              ^ [expression-syntax]"),
    ("search_memories", {"label_query": "kind:bgu"},
     "label 'kind:bgu' is not registered; did you mean 'kind:bug'? add it with add_label "
     "[unknown-label]"),
    ("search_memories", {"status_filter": "old"},
     f"{ARGUMENTS}$.status_filter[0]: 'old' is not one of 'active', 'stale', 'superseded', "
     "'wrong', 'all' [schema-enum]"),
    ("get_memory", {"id": "nothing"},
     "no memory 'nothing'; list ids with search_memories [not-found]"),
    ("create_memory", {"memory": "plain words"},
     f"{ARGUMENTS}$.memory: 'plain words' is not of type object [schema-type]"),
    ("create_memory", {"memory": {}, "dryrun": True},
     f"{ARGUMENTS}$.dryrun: unknown argument 'dryrun'; did you mean 'dry_run'? "
     "[unknown-argument]"),
    ("create_memory", {}, f"{EITHER} [invalid-input]"),
    ("create_memory", {"memory": draft(description=NEW), "note": "a thought"},
     f"{EITHER} [invalid-input]"),
    ("create_memory", {"note": TOKEN},
     "the note looks like a secret (rule 'github-token'); say where the secret lives, not its "
     "value [secret-found]"),
    ("create_memory", {"memory": draft(description=NEW, pitfalls=[TOKEN])},
     "$.pitfalls[0] looks like a secret (rule 'github-token'); say where the secret lives, "
     "not its value [secret-found]"),
    ("create_memory", {"memory": draft(id="third")},
     "memory 'first' has the same text; extend it with an update, or allow the duplicate "
     "(allow_duplicate) [memory-exists]"),
    ("update_memory", {"id": "first", "patch": {"tags": ["x"]}, "if_version": 7},
     "memory 'first' is at version 1, not 7; read it again and repeat the change on version 1 "
     "[version-conflict]"),
    ("update_memory", {"id": "first", "patch": {"status": "wrong"}},
     "refused, nothing was done [invalid-document]\n"
     "first $.status: a patch cannot change status to 'wrong'; change it with "
     "`project-memory status` [fixed-field]"),
    ("link_memories", {"from_id": "first", "kind": "related", "to_id": "second"},
     "a related link needs a reason; say in one sentence, readable from both sides, what "
     "connects the two (reason) [invalid-input]"),
    ("delete_memory", {"id": "first", "confirm_exact_id": "First"},
     "confirm_exact_id is 'First', not 'first'; nothing was deleted, repeat the exact id to "
     "delete it [invalid-input]"),
    ("add_label", {"label": "kind:bugs"},
     "label 'kind:bugs' is a near-twin of 'kind:bug'; use that one, or say that the new one is "
     "distinct (distinct) [invalid-label]"),
    ("record_memory_use", {},
     "no memory is named; give memory_ids, wrong_ids or both [invalid-input]"),
    ("record_memory_use", {"memory_ids": '["\\ud800"]'},
     f"{ARGUMENTS}$.memory_ids[0]: half of a surrogate pair is no character; write the whole "
     "character, or leave it out [lone-surrogate]"),
]  # fmt: skip


ONE_ERA = pytest.mark.parametrize("client", ["auto"], indirect=True)


@ONE_ERA
@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(
    ("tool", "arguments", "message"), REFUSALS, ids=[f"{r[0]}-{n}" for n, r in enumerate(REFUSALS)]
)
async def test_a_refusal_says_everything(
    refused: Any, tool: str, arguments: dict[str, Any], message: str
) -> None:
    assert await refused(tool, **arguments) == message


@ONE_ERA
@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("create_memory", {"memory": '{"labels":' * 900 + "1" + "}" * 900}, "schema-type"),
        ("create_memory", {"memory": "[" * 100_000}, "schema-type"),
        ("search_memories", {"label_query": "(" * 400 + "kind:bug" + ")" * 400},
         "expression-syntax"),
        ("search_memories", {"label_query": '{"all":[' * 400 + '"a:b"' + "]}" * 400},
         "expression-syntax"),
        ("create_memory", {"memory": draft(pitfalls=["y" * 2_000_000])}, "oversize"),
    ],
    ids=["deep-draft", "brackets", "parentheses", "deep-expression", "two-megabytes"],
)  # fmt: skip
async def test_input_beyond_all_measure_is_refused_in_few_words(
    refused: Any, tool: str, arguments: dict[str, Any], code: str
) -> None:
    text = await refused(tool, **arguments)
    assert text.endswith(f"[{code}]")
    assert len(text) < 1_000


async def test_two_megabytes_of_query_find_nothing(call: Any) -> None:
    assert (await call("recall", query="y" * 2_000_000))["nothing_relevant"] is True


async def test_an_unknown_tool_is_a_protocol_error(client: Client) -> None:
    with pytest.raises(MCPError) as caught:
        await client.call_tool("remember", {})
    assert str(caught.value) == (
        "no tool 'remember'; tools: recall, search_memories, get_memory, "
        "get_memory_neighborhood, list_labels, create_memory, update_memory, undo, "
        "link_memories, delete_memory, add_label, record_memory_use"
    )


@pytest.mark.usefixtures("two")
async def test_a_contradicted_memory_names_who_goes_before_it(call: Any) -> None:
    reason = "only one of the two can be right"
    await call("link_memories", from_id="first", kind="contradicts", to_id="second", reason=reason)
    read = [await call("get_memory", id=name) for name in ("first", "second")]
    marked = [found.get("suppressed_by") for found in read]
    assert sorted(marked, key=bool) == [None, ["first"]]
    answers = (await call("recall", query="database is locked in parallel runs"))["answers"]
    assert [hit["id"] for hit in answers] == ["first", "second"]
    assert answers[1]["suppressed_by"] == ["first"]
