"""The JSON API: every route for what it is for, in the form that its schema says."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import pytest
from factories import draft
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from secret_samples import ALNUM, drawing
from serving import bearer

from project_memory.hosting import Host
from project_memory.resources import schema
from project_memory.roles import Role
from project_memory.web.api.route import BASE, Route
from project_memory.web.api.routes import ROUTES

pytestmark = pytest.mark.anyio

Ask = Callable[..., Awaitable[httpx2.Response]]
Told = Callable[..., Awaitable[dict[str, Any]]]
SECOND = "a second lesson, about queues that lose what was asked twice"
SHARED = Registry().with_resources(
    (f"urn:project-memory:{name}", Resource.from_contents(schema(name)))
    for name in ("parts", "labels")
)


@pytest.fixture
def ask(asked: httpx2.AsyncClient, host: Host) -> Ask:
    """Ask in the name of an administrator of the project shop, who is no person."""
    token = host.add_token("bot", role=Role.ADMIN, projects=["shop"], days=1).token

    async def ask(line: str, body: Any = None, **query: Any) -> httpx2.Response:
        method, path = line.split(" ", 1)
        more = {} if body is None else {"json": body}
        query = {"project": "shop", **query}
        return await asked.request(
            method, BASE + path, params=query, headers=bearer(token), **more
        )

    return ask


async def test_counts_tell_nothing_of_projects_that_a_token_is_not_for(
    host: Host, ask: Ask
) -> None:
    root = host.add_token("root", role=Role.READER, projects=None, days=1).token
    everything = host.identify(root.encode())
    (shop, _) = sorted(host.projects(everything), key=lambda project: project.name != "shop")
    assert (await ask("GET /stats")).json()["projects"] == 1
    assert host.memories(everything, shop).stats().projects == 2


@pytest.fixture
def told(ask: Ask) -> Told:
    """Ask, and return an answer that has the form of its schema."""

    async def told(line: str, body: Any = None, **query: Any) -> dict[str, Any]:
        response = await ask(line, body, **query)
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        Draft202012Validator(schema(route_of(line).answer), registry=SHARED).validate(answer)
        return answer

    return told


def route_of(line: str) -> Route:
    method, path = line.split(" ", 1)
    forms = {route: re.sub(r"\{\w+\}", "[^/]+", route.path) for route in ROUTES}
    found = [r for r, form in forms.items() if r.method == method and re.fullmatch(form, path)]
    return found[0]


def refused(response: httpx2.Response) -> tuple[int, str, str]:
    error = response.json()["error"]
    return response.status_code, error["code"], error["message"]


async def test_a_memory_is_made_read_changed_and_taken_back(told: Told) -> None:
    made = await told("POST /memories", {"memory": draft(id="second", description=SECOND)})
    assert [(m["id"], m["change"]) for m in made["memories"]] == [("second", "created")]
    patch = {"patch": {"pitfalls": ["a timeout of a second hides it"]}, "if_version": 1}
    await told("PATCH /memories/second", patch)
    one = await told("GET /memories/second")
    assert (one["meta"]["version"], one["meta"]["asserted_by"]) == (2, "agent")
    then = await told("GET /memories/second", version=1)
    assert then["memory"].get("pitfalls", []) == []
    diff = await told("GET /memories/second/diff", old=1)
    assert list(diff["fields"]) == ["pitfalls"]
    listed = await told("GET /memories/second/history")
    assert [each["operation"] for each in listed["revisions"]] == ["update", "create"]
    shown = await told(f"GET /history/{listed['revisions'][0]['number']}")
    assert shown["differences"][0]["id"] == "second"
    await told("POST /memories/second/revert", {"version": 1})
    await told("POST /undo", {"reason": "not so"})
    assert (await told("POST /undo", {"dry_run": True}))["dry_run"] is True
    gone = await told("DELETE /memories/second", reason="no")
    assert gone["memories"][0]["change"] == "deleted"
    assert (await told("GET /history", limit=1))["revisions"][0]["reason"] == "no"


async def test_how_far_a_memory_counts_is_changed(told: Told) -> None:
    for name, text in (("second", SECOND), ("third", "a third lesson, on clocks that step back")):
        await told("POST /memories", {"memory": draft(id=name, description=text)})
    status = {"status": "stale", "reason": "not seen since", "if_version": 1}
    # what was made today holds today already
    assert (await told("POST /memories/second/touch", {"note": "seen again"}))["memories"] == []
    for line, body in (
        ("POST /memories/second/status", status),
        ("POST /memories/second/archive", {"reason": "the service is gone"}),
        ("POST /memories/second/unarchive", {}),
        ("POST /memories/second/pin", {}),
        ("POST /memories/second/unpin", {}),
        ("POST /memories/second/rename", {"new_id": "queues"}),
        ("PUT /memories/queues/links/related/third", {"link_reason": "both step back"}),
        ("DELETE /memories/queues/links/related/third", None),
        ("POST /memories/third/merge", {"into": "queues"}),
    ):
        receipt = await told(line, body)
        assert receipt["memories"], line
        assert receipt["proposals"] == []
    found = await told("GET /memories", label_query="is:archived")
    assert [(m["id"], m["superseded_by"]) for m in found["memories"]] == [("third", ["queues"])]
    around = await told("GET /memories/queues/neighborhood", depth=2)
    assert around["nodes"][0]["id"] == "queues"
    old = await told("GET /memories/second")
    assert old["redirected_from"] == "second"


async def test_labels_are_governed(told: Told) -> None:
    for line, body in (
        ("POST /labels", {"label": "area:quays", "description": "where ships land"}),
        ("POST /labels", {"label": "area:harbour"}),
        ("PUT /labels/area:quays/description", {"description": "where boats land"}),
        ("PUT /labels/area:quays/aliases/area:piers", {}),
        ("DELETE /labels/area:quays/aliases/area:piers", None),
        ("PUT /labels/area:quays/broader", {"broader": "area:harbour"}),
        ("PUT /labels/area:quays/broader", {"broader": None}),
        ("POST /labels/area:quays/rename", {"new": "area:docks"}),
        ("POST /labels/area:docks/deprecate", {}),
        ("POST /labels/area:docks/restore", {}),
        ("POST /labels/area:docks/merge", {"into": "area:harbour"}),
        ("PUT /prefixes/area", {"single": True, "keep": []}),
    ):
        await told(line, body)
    listed = await told("GET /labels", prefix="area", with_counts="false")
    assert [label["label"] for label in listed["groups"][0]["labels"]] == ["area:harbour"]
    assert (await told("GET /labels/tree", top="area:harbour"))["labels"]
    await told("DELETE /labels/area:harbour", dry_run="true")
    await told("DELETE /labels/area:harbour")


async def test_what_was_last_updated_comes_first_where_that_is_asked(
    told: Told, host: Host
) -> None:
    for name in ("alpha", "omega"):
        text = f"a lesson that is called {name}, of no other use"
        await told("POST /memories", {"memory": draft(id=name, description=text)})
    by_id = await told("GET /memories")
    assert [m["id"] for m in by_id["memories"]] == ["alpha", "first", "omega"]
    newest = await told("GET /memories", order="recent", limit=2)
    times = [m["updated_at"] for m in newest["memories"]]
    assert times == sorted(times, reverse=True)
    assert (newest["total"], newest["next_offset"]) == (3, 2)
    none = await told("GET /memories", before="2001-01-01")
    assert none["memories"] == []
    both = await told("GET /memories", status_filter=["active", "stale"], text_query="omega")
    assert [m["id"] for m in both["memories"]] == ["omega"]


async def test_recall_answers_as_everywhere(told: Told) -> None:
    found = await told("GET /recall", query="database locked", explain="true", limit=1)
    assert found["answers"][0]["id"] == "first"
    assert found["answers"][0]["why"]["terms"]
    assert (await told("GET /recall", query=""))["answers"]


async def test_looking_up_answers_as_recall_does(told: Told) -> None:
    found = await told("GET /lookup", query="database locked", explain="true")
    assert found["answers"]
    assert found == await told("GET /recall", query="database locked", explain="true")


async def test_what_helped_is_counted(told: Told) -> None:
    done = await told("POST /uses", {"memory_ids": ["first"]})
    assert done == {"applied": ["first"], "wrong": [], "project": "shop"}
    usage = await told("GET /memories/first/usage")
    assert usage["count"] == 1
    assert usage["memories"][0]["total"]["applied"] == 1
    assert (await told("GET /usage"))["memories"] == usage["memories"]


async def test_the_project_tells_of_itself(told: Told, tmp_path) -> None:
    for line in ("GET /project", "GET /stats", "GET /brief", "GET /gaps", "GET /expectations",
                 "GET /expectations/run", "GET /memories", "GET /audit"):  # fmt: skip
        answer = await told(line)
        assert answer["store"] == {"url": "memory.db", "project": "shop", "revision": 2}, line
        assert str(tmp_path) not in str(answer)
    export = await told("GET /export", with_history="false")
    assert ([m["document"]["id"] for m in export["memories"]], export["history"]) == (
        ["first"],
        [],
    )


async def test_a_note_waits_and_is_made_a_memory(told: Told, ask: Ask) -> None:
    (number,) = (await told("POST /notes", {"text": "queues lose what was asked twice"}))[
        "proposals"
    ]
    waiting = await told("GET /proposals")
    assert [each["number"] for each in waiting["proposals"]] == [number]
    shown = await told(f"GET /proposals/{number}")
    assert shown["proposal"]["note"] == "queues lose what was asked twice"
    made = draft(id="second", description=SECOND)
    await told(f"POST /proposals/{number}/apply", {"draft": made})
    assert (await told("GET /proposals"))["proposals"] == []
    assert len((await told("GET /proposals", state="all"))["proposals"]) == 1


async def test_what_a_person_must_decide_is_no_agents_to_decide(told: Told, ask: Ask) -> None:
    patch = {"patch": {"pitfalls": ["what an agent would like"]}}
    (number,) = (await told("PATCH /memories/first", patch))["proposals"]
    assert refused(await ask(f"POST /proposals/{number}/apply", {})) == (
        403,
        "forbidden",
        f"proposal {number} is for a person to apply, at a terminal with "
        f"`project-memory review apply {number}`",
    )
    skipped = refused(await ask(f"POST /proposals/{number}/skip", {}))
    assert skipped[:2] == (403, "forbidden")
    await told(f"POST /proposals/{number}/reject", {"reason": "of no use"})
    (ended,) = (await told("GET /proposals", state="withdrawn"))["proposals"]
    assert ended["number"] == number


async def test_one_action_that_an_audit_printed_is_done(told: Told, ask: Ask) -> None:
    for name in ("old", "new"):
        text = f"the {name} way to wait for the lock of a file, with a timeout"
        await told("POST /memories", {"memory": draft(id=f"{name}-way", description=text)})
    await told("PUT /memories/new-way/links/supersedes/old-way", {})
    report = await told("GET /audit", codes=["superseded-removable"])
    (finding,) = report["findings"]
    body = {
        "code": finding["code"],
        "subject": finding["subject"],
        "action": finding["action"],
        "revision": report["store"]["revision"],
    }
    assert refused(await ask("POST /audit/apply", {**body, "revision": 1})) == (
        409,
        "conflict",
        f"'shop' is at revision {body['revision']} and was audited at 1; audit it again",
    )
    other = {**body, "subject": "new-way"}
    assert refused(await ask("POST /audit/apply", other)) == (
        409,
        "conflict",
        "no such action is found of 'new-way' any more; audit it again",
    )
    planned = await told("POST /audit/apply", {**body, "dry_run": True})
    assert planned["applied"]["receipt"]["dry_run"] is True
    done = await told("POST /audit/apply", body)
    assert [f["subject"] for f in done["applied"]["findings"]] == ["old-way"]
    assert done["applied"]["receipt"]["memories"][0]["id"] == "old-way"


async def test_a_version_that_others_went_beyond_is_told_with_the_fields(
    told: Told, ask: Ask
) -> None:
    await told("POST /memories", {"memory": draft(id="second", description=SECOND)})
    await told("PATCH /memories/second", {"patch": {"tags": ["queue"]}})
    response = await ask("PATCH /memories/second", {"patch": {"tags": ["q"]}, "if_version": 1})
    assert response.status_code == 409
    assert response.json()["error"] == {
        "code": "version-conflict",
        "message": "memory 'second' is at version 2, not 1 (changed since: tags); read it again "
        "and repeat the change on version 2",
        "memory_id": "second",
        "given": 1,
        "current": 2,
        "diff": {"tags": [[], ["queue"]]},
    }


async def test_every_fault_of_a_document_is_told_with_its_field(ask: Ask) -> None:
    response = await ask("POST /memories", {"memory": draft(labels=["bug"], triggers=[7])})
    assert response.status_code == 422
    error = response.json()["error"]
    assert error["code"] == "invalid-document"
    assert [problem["path"] for problem in error["problems"]] == ["$.labels[0]", "$.triggers[0]"]


async def test_an_unknown_label_is_told_at_its_place(ask: Ask) -> None:
    response = await ask("POST /memories", {"memory": draft(labels=["kind:bug", "kind:bugg"])})
    assert response.status_code == 422
    error = response.json()["error"]
    assert (error["code"], error["label"], error["near"]) == (
        "unknown-label", "kind:bugg", ["kind:bug"],
    )  # fmt: skip
    assert [(p["path"], p["code"]) for p in error["problems"]] == [
        ("$.labels[1]", "unknown-label")
    ]
    asked = await ask("GET /recall", query="lock", label_query="kind:bugg")
    assert asked.status_code == 400


async def test_a_secret_is_refused_and_not_repeated(ask: Ask) -> None:
    secret = f"ghp_{drawing(7)(ALNUM, 36)}"
    response = await ask("POST /memories", {"memory": draft(pitfalls=[f"never push {secret}"])})
    assert response.status_code == 422
    assert response.json()["error"]["findings"] == [["$.pitfalls[0]", "github-token"]]
    assert secret not in response.text


@pytest.mark.parametrize(
    ("line", "body", "query", "message"),
    [
        (
            "GET /memories",
            None,
            {"limit": "x", "limt": 2},
            "$.limit: 'x' is not of type integer [schema-type]\n"
            "$.limt: unknown argument 'limt'; did you mean 'limit'? [unknown-argument]",
        ),
        (
            "GET /memories",
            None,
            {"limit": [1, 2]},
            "'limit' is given 2 times; give it once",
        ),
        (
            "POST /undo",
            {},
            {"dry_run": "true"},
            "'dry_run' is in the query; this route takes it in the body only",
        ),
        (
            "PATCH /memories/first",
            {"patch": {}, "id": "second"},
            {},
            "'id' is in the query or the body; this route takes it in the path only",
        ),
        (
            "POST /undo",
            {"dry_run": "true"},
            {},
            "$.dry_run: 'true' is not of type boolean [schema-type]",
        ),
        (
            "POST /undo",
            [],
            {},
            'the body is no JSON object; send one JSON object, such as {"dry_run": true}',
        ),
        (
            "GET /history/last",
            None,
            {},
            "$.revision: 'last' is not of type integer [schema-type]",
        ),
    ],
)
async def test_what_is_asked_wrongly_is_told(
    ask: Ask, line: str, body: Any, query: dict[str, Any], message: str
) -> None:
    response = await ask(line, body, **query)
    assert (response.status_code, response.json()["error"]["message"]) == (400, message)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the body is not JSON"),
        (b"{", "the body is not JSON"),
        (b"\xff", "the body is not JSON"),
        (b"[" * 100_000, "the body is nested too deeply"),
        (b'{"revision": ' + b"1" * 5000 + b"}", "the body is not JSON"),
    ],
)
async def test_a_body_that_is_no_object_is_told(
    asked: httpx2.AsyncClient, host: Host, content: bytes, message: str
) -> None:
    token = host.add_token("bot", role=Role.WRITER, projects=["shop"], days=1).token
    headers = {**bearer(token), "content-type": "application/json; charset=utf-8"}
    url = f"{BASE}/undo?project=shop"
    response = await asked.post(url, content=content, headers=headers)
    text = f'{message}; send one JSON object, such as {{"dry_run": true}}'
    assert refused(response) == (400, "invalid-input", text)
    for bad, words in (
        (b'{"a": 1, "a": 2}', "member 'a' stands twice in one object; keep one"),
        (b'{"a": NaN}', "'NaN' is not JSON; use a number or null"),
    ):
        response = await asked.post(url, content=bad, headers=headers)
        assert refused(response) == (400, "invalid-input", words)
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        sent = {**headers, "content-type": kind}
        response = await asked.post(url, content=b"{}", headers=sent)
        text = f"the body is '{kind}'; send JSON, with Content-Type: application/json"
        assert refused(response) == (415, "unsupported-media-type", text)
