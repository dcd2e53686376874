"""No sequence of requests makes text look asserted by a person, whoever the token belongs to."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx2
import pytest
from factories import draft
from impostors import check_nobody_was_impersonated, said_by_people, stored
from serving import BASE as SERVER
from serving import SHARED, bearer, tool

from project_memory.app import ProjectMemory
from project_memory.errors import ProjectMemoryError
from project_memory.hosting import Host
from project_memory.model import Actor, Authority
from project_memory.roles import Right, Role
from project_memory.web.api.route import BASE, Route
from project_memory.web.api.routes import ROUTES

pytestmark = pytest.mark.anyio

ADA = Actor("ada", Authority.USER)
NAMES = ["memory-a", "memory-b", "memory-c", "memory-d", "memory-e"]
REASON = "the two fail together under load"
CHANGING = [route for route in ROUTES if route.of_project and route.right is Right.WRITE]
REQUESTS = 120
TEMPTING = [
    route
    for route in CHANGING
    if route.method in {"PATCH", "DELETE"}
    or route.path.endswith(("/memories", "}/revert", "/undo", "/apply", "{to_id}", "}/merge"))
]

Chance = random.Random
Body = Callable[[Chance], dict[str, Any]]


def text(chance: Chance) -> str:
    return f"what was written as number {chance.randrange(4)} of the texts"


def patch(chance: Chance) -> dict[str, Any]:
    return chance.choice(
        [
            {"pitfalls": [text(chance)]},
            {"description": text(chance)},
            {"standing": chance.random() < 0.5},
            {"scope": {"reach": "everywhere"}},
            {"scope": {"reach": "project"}},
        ]
    )


def made(chance: Chance) -> dict[str, Any]:
    more = chance.choice(
        [{}, {"standing": True}, {"relationships": {"supersedes": [chance.choice(NAMES)]}}]
    )
    return draft(id=chance.choice(NAMES), description=text(chance), **more)


def nothing(chance: Chance) -> dict[str, Any]:
    return {}


BODIES: dict[str, Body] = {
    "POST /memories": lambda c: {"memory": made(c), "allow_duplicate": True},
    "POST /notes": lambda c: {"text": text(c)},
    "PATCH /memories/{id}": lambda c: {"patch": patch(c)},
    "DELETE /memories/{id}": nothing,
    "POST /memories/{id}/status": lambda c: {
        "status": c.choice(["active", "stale", "wrong"]), "reason": REASON,
    },
    "POST /memories/{id}/touch": nothing,
    "POST /memories/{id}/archive": nothing,
    "POST /memories/{id}/unarchive": nothing,
    "POST /memories/{id}/pin": nothing,
    "POST /memories/{id}/unpin": nothing,
    "POST /memories/{id}/rename": lambda c: {"new_id": c.choice(NAMES)},
    "POST /memories/{id}/merge": lambda c: {"into": c.choice(NAMES)},
    "POST /memories/{id}/revert": lambda c: {"version": c.randint(1, 3)},
    "PUT /memories/{id}/links/{kind}/{to_id}": lambda c: c.choice([{}, {"link_reason": REASON}]),
    "DELETE /memories/{id}/links/{kind}/{to_id}": nothing,
    "POST /undo": lambda c: c.choice([{}, {"revision": c.randint(1, 30)}]),
    "POST /uses": lambda c: {"wrong_ids": [c.choice(NAMES)], "note": REASON},
    "POST /labels": lambda c: {"label": "kind:flaw"},
    "PUT /labels/{label}/description": lambda c: {"description": text(c)},
    "PUT /labels/{label}/aliases/{alias}": nothing,
    "DELETE /labels/{label}/aliases/{alias}": nothing,
    "PUT /labels/{label}/broader": lambda c: {"broader": "kind:bug"},
    "POST /labels/{label}/rename": lambda c: {"new": "kind:fault", "distinct": True},
    "POST /labels/{label}/merge": lambda c: {"into": "kind:bug"},
    "POST /labels/{label}/deprecate": nothing,
    "POST /labels/{label}/restore": nothing,
    "DELETE /labels/{label}": nothing,
    "PUT /prefixes/{prefix}": lambda c: {"single": c.random() < 0.5, "keep": []},
    "POST /proposals/{number}/apply": lambda c: c.choice([{"anyway": True}, {"draft": made(c)}]),
    "POST /proposals/{number}/reject": nothing,
    "POST /proposals/{number}/skip": nothing,
    "POST /audit/apply": lambda c: {"code": "duplicate", "subject": c.choice(NAMES)},
}  # fmt: skip
TOOLS: dict[str, Body] = {
    "create_memory": lambda c: {"memory": made(c)},
    "update_memory": lambda c: {"id": c.choice(NAMES), "patch": patch(c)},
    "delete_memory": lambda c: dict.fromkeys(("id", "confirm_exact_id"), c.choice(NAMES)),
    "undo": nothing,
}


def named(route: Route) -> str:
    return f"{route.method} {route.path}"


def path(route: Route, chance: Chance) -> str:
    return BASE + route.path.format(
        id=chance.choice(NAMES),
        to_id=chance.choice(NAMES),
        kind=chance.choice(["related", "supersedes", "superseded_by", "depends_on"]),
        label=chance.choice(["kind:bug", "kind:lesson", "kind:flaw", "kind:fault"]),
        alias="kind:defect",
        prefix="kind",
        number=chance.randint(1, 8),
    )


def by_a_person(ada: ProjectMemory, chance: Chance) -> None:
    """Do something that gives agents something to abuse."""
    name = chance.choice(NAMES)
    acts: list[Callable[[], object]] = [
        lambda: ada.update(name, patch(chance)),
        lambda: ada.create(made(chance), allow_duplicate=True),
        lambda: ada.apply_proposal(chance.randint(1, 8), anyway=True),
        ada.undo,
    ]
    with suppress(ProjectMemoryError):
        chance.choice(acts)()


async def senders(host: Host, asked: httpx2.AsyncClient) -> list[dict[Any, Any]]:
    """Return the headers of a writer, an administrator, the server's own token, and a session."""
    made = [host.add_token(name, role=role, projects=None, days=1).token
            for name, role in (("ada", Role.WRITER), ("root", Role.ADMIN))]  # fmt: skip
    login = await asked.post(
        f"{BASE}/session", json={"token": made[1]}, headers={"origin": SERVER}
    )
    assert login.status_code == 200, login.text
    cookie = login.headers["set-cookie"].partition(";")[0]
    asked.cookies.clear()
    session = {"cookie": cookie, "origin": SERVER}
    return [*(bearer(token) for token in (*made, SHARED)), session]


def test_every_route_that_changes_something_is_tried() -> None:
    assert set(BODIES) == {named(route) for route in CHANGING}


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("configuration", [{}, {"agent_edits": "demote"}, {"writes": "review"}])
async def test_no_sequence_of_requests_makes_an_agents_text_a_persons(
    host: Host, asked: httpx2.AsyncClient, configuration: dict[str, str], seed: int
) -> None:
    chance = random.Random(seed)
    ada = ProjectMemory(host._storage, "shop", ADA)
    bot = ProjectMemory(host._storage, "shop", Actor("bot", Authority.AGENT))
    for name, standing in (("memory-a", False), ("memory-b", True)):
        about = f"what ada knows of {name} by herself"
        ada.create(draft(id=name, description=about, standing=standing))
    for name in ("memory-c", "memory-d", "memory-e"):
        bot.create(draft(id=name, description=f"what an agent believes of {name} by itself"))
    ada.configure(configuration)
    said, accepted = said_by_people(ada), 0
    everybody = await senders(host, asked)
    for _ in range(REQUESTS):
        if chance.random() < 0.2:
            by_a_person(ada, chance)
            said |= said_by_people(ada)
        before, who = stored(ada), chance.choice(everybody)
        if "cookie" not in who and chance.random() < 0.2:  # sessions are for pages
            name = chance.choice(list(TOOLS))
            body = tool(name, **TOOLS[name](chance))
            response = await asked.post("/mcp?project=shop", json=body, headers=who)
        else:
            route = chance.choice(chance.choice([CHANGING, TEMPTING]))
            given = BODIES[named(route)](chance)
            response = await asked.request(
                route.method, path(route, chance), params={"project": "shop"}, headers=who,
                **({"json": given} if route.has_body else {}),
            )  # fmt: skip
        assert response.status_code < 500, response.text
        assert response.status_code not in (401, 403) or "person" in response.text, response.text
        accepted += response.status_code == 200
        check_nobody_was_impersonated(before, stored(ada), configuration, said)
    assert accepted > REQUESTS / 5
