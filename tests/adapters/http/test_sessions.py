"""Sessions of browsers: what they may, and when they end."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from http.cookies import SimpleCookie

import httpx2
import pytest
from factories import draft
from serving import BASE, SHARED, bearer

from project_memory.cli.group import cli
from project_memory.hosting import Host
from project_memory.model import Actor, Authority
from project_memory.roles import Role
from project_memory.web import address
from project_memory.web.application import application

pytestmark = pytest.mark.anyio

SESSION, UNDO = "/api/v1/session", "/api/v1/undo?project=shop"
PAGE = {"origin": BASE}
OVER = r"^the session has ended; log in again$"
ENDED = {"code": "unidentified", "message": "the session has ended; log in again"}


def given(host: Host, name: str = "ada", role: Role = Role.WRITER) -> str:
    return host.add_token(name, role=role, projects=["shop"], days=1).token


async def log_in(asked: httpx2.AsyncClient, token: str) -> httpx2.Response:
    return await asked.post(SESSION, json={"token": token}, headers=PAGE)


async def test_a_page_speaks_with_the_cookie_that_a_token_gives(
    asked: httpx2.AsyncClient, host: Host
) -> None:
    begun = await log_in(asked, given(host))
    assert begun.status_code == 200
    assert begun.json().keys() == {"actor", "role", "asserts", "rights", "projects", "expires_at"}
    (name, morsel), *more = SimpleCookie(begun.headers["set-cookie"]).items()
    assert (name, more) == ("project-memory-session", [])
    assert (morsel["path"], morsel["samesite"], morsel["httponly"]) == ("/", "Strict", True)
    assert (morsel["secure"], morsel["domain"], morsel["max-age"]) == ("", "", "43200")
    assert len(morsel.value) >= 43
    known = await asked.get(SESSION)
    assert known.json() == begun.json()
    assert (await asked.post(UNDO, json={}, headers=PAGE)).status_code == 404  # nothing to undo
    made = await asked.post(
        "/api/v1/memories?project=shop",
        json={"memory": draft(id="second", description="a lesson that a page told, from afar")},
        headers=PAGE,
    )
    assert made.json()["memories"][0]["id"] == "second"


@pytest.mark.parametrize("by_proxy", [False, True])
async def test_under_tls_no_other_host_can_set_the_cookie(host: Host, by_proxy: bool) -> None:
    app = application(host, address.gates(address.parsed("127.0.0.1:443")))
    base = "http://127.0.0.1" if by_proxy else "https://127.0.0.1"
    async with app.router.lifespan_context(app):
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url=base) as client:
            headers = {"origin": "https://127.0.0.1"} if by_proxy else {}
            begun = await client.post(SESSION, json={"token": SHARED}, headers=headers)
            value = begun.headers["set-cookie"]
            assert value.startswith("__Host-project-memory-session=pms_")
            assert value.endswith("; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict; Secure")
            cookie = {"cookie": f"project-memory-session=planted; {value.partition(';')[0]}"}
            client.cookies.clear()
            assert (await client.get(SESSION, headers=cookie)).json()["role"] == "admin"


async def test_cookies_of_other_programs_are_in_nobodys_way(
    asked: httpx2.AsyncClient, host: Host
) -> None:
    begun = await log_in(asked, given(host))
    own = begun.headers["set-cookie"].partition(";")[0]
    asked.cookies.clear()
    for others in (
        'a={"b": [1, 2]}; %s; c',
        "=; ;;%s",
        "\xff=\xfe; %s; d=" + 4000 * "x",
    ):
        cookie = {b"cookie": (others % own).encode("latin-1")}
        assert (await asked.get(SESSION, headers=cookie)).status_code == 200, others
    for wrong in ("project-memory-session=", "project-memory-session", "=pms_x", f"x{own}"):
        assert (await asked.get(SESSION, headers={"cookie": wrong})).status_code == 401


async def test_logging_out_ends_the_session_and_nothing_else(
    asked: httpx2.AsyncClient, host: Host
) -> None:
    token = given(host)
    await log_in(asked, token)
    cookie = {"cookie": "; ".join(f"{k}={v}" for k, v in asked.cookies.items())}
    ended = await asked.delete(SESSION, headers=PAGE)
    assert ended.json() == {"ended": True}
    assert ended.headers["set-cookie"] == (
        "project-memory-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict"
    )
    again = await asked.get(SESSION, headers=cookie)
    assert (again.status_code, again.json()["error"]) == (401, ENDED)
    assert (await asked.get(SESSION, headers=bearer(token))).status_code == 200


async def test_a_session_ends_at_once_when_its_token_is_revoked(
    asked: httpx2.AsyncClient, host: Host, url: str
) -> None:
    await log_in(asked, given(host))
    with Host.open(url) as elsewhere:  # as the command line does
        elsewhere.revoke("ada")
    for response in (await asked.get(SESSION), await asked.post(UNDO, json={}, headers=PAGE)):
        assert (response.status_code, response.json()["error"]) == (401, ENDED)


async def test_a_session_lasts_twelve_hours_and_no_longer_than_its_token(url: str) -> None:
    now = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
    moments = [now]
    with Host.open(url, clock=lambda: moments[-1]) as host:
        token = given(host).encode()
        begun = host.log_in(token)
        assert begun.expires_at == "2026-01-31T21:30:00Z"
        session = begun.session.encode()
        moments.append(now + timedelta(hours=12, seconds=-1))
        assert host.session(session).speaker.name == "ada"
        moments.append(now + timedelta(hours=12))
        with pytest.raises(Exception, match=OVER):
            host.session(session)
        moments.append(now + timedelta(hours=23))
        late = host.log_in(token).session.encode()
        moments.append(now + timedelta(hours=24))
        with pytest.raises(Exception, match=OVER):
            host.session(late)


async def test_every_server_over_a_store_knows_a_session(host: Host, url: str) -> None:
    session = host.log_in(given(host).encode()).session.encode()
    with Host.open(url) as other:
        assert other.session(session).speaker.name == "ada"
        other.log_out(session)
    with pytest.raises(Exception, match=OVER):
        host.session(session)


async def test_the_shared_token_has_sessions_while_it_is_the_same(host: Host, url: str) -> None:
    session = host.log_in(SHARED.encode()).session.encode()
    assert host.session(session).speaker.name == "token:shared"
    for other in (None, "another secret of 16 or more"):
        with (
            Host.open(url, shared_token=other) as changed,
            pytest.raises(Exception, match=OVER),
        ):
            changed.session(session)


async def test_a_session_is_nowhere_in_the_store(host: Host, tmp_path) -> None:
    session = host.log_in(SHARED.encode()).session.removeprefix("pms_").encode()
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("memory.db*"))
    assert len(kept) > 10_000
    assert session not in kept
    assert SHARED.encode() not in kept


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (
            {"token": "nearly"},
            401,
            "the token is not accepted: it is wrong, has expired or was revoked; ask an "
            "administrator for another",
        ),
        (
            {"token": "жетон"},
            401,
            "the token is not accepted: it is wrong, has expired or was revoked; ask an "
            "administrator for another",
        ),
        ({}, 400, "log in with a token or with a code; give one of the two"),
        ({"token": 7}, 400, "$.token: 7 is not of type string [schema-type]"),
    ],
)
async def test_what_is_no_token_begins_no_session(
    asked: httpx2.AsyncClient, body: dict[str, object], status: int, message: str
) -> None:
    response = await asked.post(SESSION, json=body, headers=PAGE)
    assert (response.status_code, response.json()["error"]["message"]) == (status, message)
    assert "set-cookie" not in response.headers


async def test_a_session_changes_nothing_for_another_site(
    asked: httpx2.AsyncClient, host: Host
) -> None:
    await log_in(asked, given(host))
    foreign = await asked.post(UNDO, json={}, headers={"origin": "https://evil.example"})
    assert (foreign.status_code, foreign.json()["error"]["code"]) == (403, "foreign-origin")
    silent = await asked.post(UNDO, json={})
    assert silent.status_code == 403
    assert silent.json()["error"] == {
        "code": "no-origin",
        "message": "a session changes something only for a page of this server, which Origin "
        "names; without a browser, send a token",
    }
    form = {**PAGE, "content-type": "text/plain"}
    assert (await asked.post(UNDO, content="{}", headers=form)).status_code == 415
    login = await asked.post(SESSION, content=f'{{"token": "{SHARED}"}}', headers=form)
    assert login.status_code == 415


async def test_a_token_goes_before_a_session(asked: httpx2.AsyncClient, host: Host) -> None:
    await log_in(asked, given(host))
    known = await asked.get(SESSION, headers=bearer(given(host, "bob")))
    assert known.json()["actor"] == "bob"
    wrong = await asked.get(SESSION, headers=bearer("wrong"))
    assert wrong.status_code == 401


async def test_agents_are_not_let_in_by_a_cookie(asked: httpx2.AsyncClient, host: Host) -> None:
    await log_in(asked, given(host))
    response = await asked.post("/mcp?project=shop", json={}, headers=PAGE)
    assert response.status_code == 401


@pytest.mark.parametrize("path", [SESSION, "/enroll"])
async def test_who_tries_too_often_is_told_when_to_come_again(
    asked: httpx2.AsyncClient, path: str
) -> None:
    for _ in range(70):  # what succeeds does not count
        assert (await log_in(asked, SHARED)).status_code == 200
    body = {"token": "wrong"} if path == SESSION else {"code": "wrong"}
    statuses = [(await asked.post(path, json=body)).status_code for _ in range(60)]
    assert statuses == [401] * 60
    refused = await asked.post(path, json=body)
    assert refused.status_code == 429
    seconds = int(refused.headers["retry-after"])
    assert 0 < seconds <= 60
    assert refused.json()["error"] == {
        "code": "too-many-attempts",
        "message": f"there were too many attempts that failed; repeat it in {seconds} seconds",
    }


def code_of(host: Host, role: Role = Role.WRITER, person: bool = True) -> str:
    vouching = Actor("root", Authority.USER) if person else None
    given = host.invite("ada", role=role, projects=["shop"], days=30, vouching=vouching)
    assert given.person is person
    return given.code


async def test_a_person_who_was_vouched_for_speaks_as_one(
    asked: httpx2.AsyncClient, host: Host
) -> None:
    bot = bearer(given(host, "bot"))
    patch = {"patch": {"pitfalls": ["what an agent would like"]}}
    place = "/api/v1/memories/first?project=shop"
    (number,) = (await asked.patch(place, json=patch, headers=bot)).json()["proposals"]
    begun = await asked.post(SESSION, json={"code": code_of(host)}, headers=PAGE)
    assert (begun.json()["actor"], begun.json()["asserts"]) == ("ada", "user")
    assert re.search("; Max-Age=(2592000|2591999); ", begun.headers["set-cookie"])
    applied = await asked.post(
        f"/api/v1/proposals/{number}/apply?project=shop", json={}, headers=PAGE
    )
    assert applied.json()["memories"][0]["id"] == "first"
    shown = (await asked.get(place)).json()
    assert shown["memory"]["pitfalls"] == ["what an agent would like"]
    assert shown["meta"]["asserted_by"] == "user"
    host.revoke("ada")
    assert (await asked.get(place)).status_code == 401


async def test_only_a_person_who_administers_changes_settings(
    asked: httpx2.AsyncClient, host: Host
) -> None:
    place, body = "/api/v1/project?project=shop", {"settings": {"writes": "review"}}
    agent = await asked.patch(place, json=body, headers=bearer(given(host, "bot", Role.ADMIN)))
    assert (agent.status_code, agent.json()["error"]["message"]) == (
        403, "only a person can change a project's settings; do it at a terminal",
    )  # fmt: skip
    await asked.post(SESSION, json={"code": code_of(host, Role.ADMIN)}, headers=PAGE)
    changed = (await asked.patch(place, json=body, headers=PAGE)).json()
    assert (changed["settings"], changed["store"]["url"]) == ({"writes": "review"}, "memory.db")
    wrong = await asked.patch(place, json={"settings": {"writes": "never"}}, headers=PAGE)
    assert wrong.status_code == 400


async def test_a_code_is_for_a_person_or_for_a_token_and_for_one_of_them_once(
    asked: httpx2.AsyncClient, host: Host
) -> None:
    refusal = (
        "the code is not accepted: it is wrong, was redeemed before or is older than 15 minutes; "
        "ask an administrator for another"
    )
    of_token, of_person = code_of(host, person=False), code_of(host)
    for path, code in (("/enroll", of_person), (SESSION, of_token), (SESSION, "0" * 32)):
        response = await asked.post(path, json={"code": code}, headers=PAGE)
        assert (response.status_code, response.json()["error"]["message"]) == (401, refusal)
    for status in (200, 401):
        for path, code in (("/enroll", of_token), (SESSION, of_person)):
            assert (await asked.post(path, json={"code": code})).status_code == status
    both = await asked.post(SESSION, json={"code": "0" * 32, "token": SHARED})
    assert both.status_code == 400


def test_no_agent_vouches_for_a_person(host: Host, url: str, capsys) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["--store", url, "enroll", "ada", "--for", "shop", "--person"])
    assert ended.value.code == 2
    out, err = capsys.readouterr()
    told = "error: only a person can let somebody speak as a person; do it at a terminal\n"
    assert (out, err) == ("", told)
    assert code_of(host)
