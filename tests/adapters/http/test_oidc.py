"""Tokens of an identity provider: what is accepted, whose word it is, and what is refused."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx2
import issuers
import jwt
import pytest
from factories import draft
from issuers import AUDIENCE, Issuer
from serving import BASE, SHARED, answer, bearer, tool

from project_memory.app import ProjectMemory
from project_memory.errors import InvalidInput, IssuerUnreachable, Unidentified
from project_memory.hosting import Host
from project_memory.model import Actor, Authority
from project_memory.roles import Role
from project_memory.web import address, oidc
from project_memory.web.application import application
from project_memory.web.oidc import Provider
from project_memory.web.oidc.keys import FRESH, LONGEST, PAUSE, Keys
from project_memory.web.oidc.verifying import Verifier

pytestmark = pytest.mark.anyio
SHOP = "/mcp?project=shop"
RECALL = tool("recall", query="database locked")
WRITE = tool("create_memory", note="what was seen today")


@pytest.fixture(scope="module")
def _running() -> Iterator[Issuer]:
    with issuers.running() as issuer:
        yield issuer


@pytest.fixture
def issuer(_running: Issuer) -> Issuer:
    _running.asked, _running.broken, _running.names_itself = 0, False, None
    return _running


@pytest.fixture
def provider(issuer: Issuer) -> Provider:
    return oidc.checked(Provider(issuer.url, AUDIENCE))


@pytest.fixture
async def client(url: str, provider: Provider) -> AsyncIterator[httpx2.AsyncClient]:
    host = Host.open(url, shared_token=SHARED, verify=Verifier(provider))
    gates = address.gates(address.parsed("127.0.0.1:8931"))
    app = application(host, gates, provider)
    async with app.router.lifespan_context(app):
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url=BASE) as opened:
            yield opened


async def status(client: httpx2.AsyncClient, token: str, call: Any = RECALL) -> int:
    return (await client.post(SHOP, json=call, headers=bearer(token))).status_code


async def test_a_token_of_the_issuer_speaks_for_its_subject(
    client: httpx2.AsyncClient, issuer: Issuer, url: str
) -> None:
    for kid in ("one", "two"):
        response = await client.post(SHOP, json=RECALL, headers=bearer(issuer.token(kid)))
        found = answer(response)["result"]["structuredContent"]
        assert [each["id"] for each in found["answers"]] == ["first"]
    lesson = draft(id="second", description="a lesson that came with another's token")
    made = tool("create_memory", memory=lesson)
    result = answer(await client.post(SHOP, json=made, headers=bearer(issuer.token())))["result"]
    assert not result["isError"], result
    with ProjectMemory.open(url, project="shop", actor=Actor("x", Authority.USER)) as opened:
        assert opened.get("second").meta.asserted_by == "agent"
        assert opened.history("second").revisions[0].actor == "oidc:ada"
    assert issuer.asked == 1


@pytest.mark.parametrize(
    ("claims", "reads", "writes"),
    [
        ({}, 200, 200),
        ({"roles": ["project-memory:reader"]}, 200, 403),
        ({"roles": ["other", "project-memory:reader", "project-memory:writer"]}, 200, 200),
        ({"roles": "openid project-memory:writer"}, 200, 200),
        ({"roles": None}, 403, 403),
        ({"roles": []}, 403, 403),
        ({"roles": ["writer", "project-memory:owner", "project-memory:"]}, 403, 403),
        ({"roles": {"project-memory:writer": True}}, 403, 403),
        ({"projects": None}, 404, 404),
        ({"projects": ["hidden", "nowhere"]}, 404, 404),
        ({"projects": "shop"}, 200, 200),
        ({"projects": ["*"]}, 200, 200),
    ],
)
async def test_claims_decide_and_what_is_not_granted_is_denied(
    client: httpx2.AsyncClient, issuer: Issuer, claims: dict[str, Any], reads: int, writes: int
) -> None:
    token = issuer.token(**claims)
    assert await status(client, token) == reads
    assert await status(client, token, WRITE) == writes


async def test_who_has_no_role_is_told_which_there_are(
    client: httpx2.AsyncClient, issuer: Issuer
) -> None:
    token = issuer.token(roles=["other"])
    response = await client.post(SHOP, json=RECALL, headers=bearer(token))
    assert response.json()["error"]["message"] == (
        "'oidc:ada' has no role here; ask for one of 'project-memory:reader', "
        "'project-memory:writer', 'project-memory:admin' where your token comes from"
    )


def unsigned(issuer: Issuer) -> str:
    return jwt.encode(issuer.claims(), None, algorithm="none", headers={"kid": "one"})


def by_public_key(issuer: Issuer) -> str:
    """Return a token that takes the public key for a secret, as one library or another did."""
    head, body = (
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=")
        for part in ({"alg": "HS256", "kid": "one"}, issuer.claims())
    )
    signed = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256).sign(
        head + b"." + body, issuer.public
    )
    return b".".join((head, body, base64.urlsafe_b64encode(signed).rstrip(b"="))).decode()


def swapped(issuer: Issuer) -> str:
    """Return a token with the claims of one and the signature of another."""
    one, other = issuer.token().split("."), issuer.token(sub="root").split(".")
    return ".".join((one[0], other[1], one[2]))


@pytest.mark.parametrize(
    "made",
    [
        lambda issuer: issuer.token(aud="another-service"),
        lambda issuer: issuer.token(aud=None),
        lambda issuer: issuer.token(iss="https://elsewhere.example"),
        lambda issuer: issuer.token(exp=int(time.time()) - 60),
        lambda issuer: issuer.token(exp=None),
        lambda issuer: issuer.token(nbf=int(time.time()) + 600),
        lambda issuer: issuer.token(sub=None),
        lambda issuer: issuer.token(sub="a b\n"),
        lambda issuer: issuer.token("three"),
        unsigned,
        by_public_key,
        swapped,
        lambda issuer: issuer.token() + "x",
        lambda _: "a.b.c",
        lambda _: "neither of ours nor of theirs",
    ],
)
async def test_what_is_not_wholly_right_is_refused(
    client: httpx2.AsyncClient, issuer: Issuer, made: Callable[[Issuer], str]
) -> None:
    token = made(issuer)
    response = await client.post(SHOP, json=RECALL, headers=bearer(token))
    assert response.status_code == 401
    assert response.json()["error"]["message"] == (
        "the token is not accepted: it is wrong, has expired or is for somebody else; get another "
        f"from '{issuer.url}'"
    )
    assert token not in response.text


async def test_tokens_of_the_store_are_accepted_beside_and_ask_no_issuer(
    client: httpx2.AsyncClient, issuer: Issuer, url: str
) -> None:
    with Host.open(url) as host:
        token = host.add_token("bob", role=Role.READER, projects=["shop"], days=1).token
    assert await status(client, token) == 200
    assert await status(client, SHARED) == 200
    assert await status(client, token[:-2] + "AA") == 401
    assert issuer.asked == 0


async def test_an_issuer_that_is_down_is_told_and_asked_again_later(
    client: httpx2.AsyncClient, issuer: Issuer
) -> None:
    issuer.broken = True
    for _ in range(2):
        response = await client.post(SHOP, json=RECALL, headers=bearer(issuer.token()))
        assert (response.status_code, response.json()["error"]) == (
            503,
            {
                "code": "issuer-unreachable",
                "message": f"tokens of '{issuer.url}' cannot be checked, since it does not "
                "answer; repeat the request when it does",
            },
        )
    assert await status(client, SHARED) == 200


class Moments:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_keys_are_kept_for_a_while_and_fetched_again(issuer: Issuer) -> None:
    clock = Moments()
    keys = Keys(issuer.url, clock)
    assert keys.key("one") is not None
    clock.now = FRESH - 1
    assert keys.key("one") is not None
    assert issuer.asked == 1
    clock.now = FRESH
    assert keys.key("one") is not None
    assert issuer.asked == 2


async def test_an_unknown_key_is_looked_for_at_most_once_in_a_pause(issuer: Issuer) -> None:
    clock = Moments()
    keys = Keys(issuer.url, clock)
    assert [keys.key(f"made-up-{number}") for number in range(50)] == [None] * 50
    assert issuer.asked == 1
    clock.now = PAUSE
    issuer.keys.append({**issuer.keys[0], "kid": "new"})
    assert keys.key("new") is not None
    issuer.keys.pop()
    assert issuer.asked == 2


async def test_keys_outlive_an_issuer_that_is_down_for_an_hour_and_no_longer(
    issuer: Issuer,
) -> None:
    clock = Moments()
    keys = Keys(issuer.url, clock)
    assert keys.key("one") is not None
    issuer.broken = True
    clock.now = LONGEST - 1
    assert keys.key("one") is not None
    clock.now = LONGEST
    with pytest.raises(IssuerUnreachable):
        keys.key("one")
    issuer.broken = False
    clock.now = LONGEST + PAUSE
    assert keys.key("one") is not None


async def test_an_issuer_that_names_itself_otherwise_is_none(issuer: Issuer) -> None:
    issuer.names_itself = "https://elsewhere.example"
    with pytest.raises(IssuerUnreachable):
        Keys(issuer.url).key("one")
    assert issuer.asked == 0


async def test_roles_are_found_within_objects_and_under_names_with_dots(issuer: Issuer) -> None:
    inside = Provider(issuer.url, AUDIENCE, roles_claim="realm_access.roles")
    told = issuer.token(realm_access={"roles": ["project-memory:reader"]})
    assert Verifier(inside)(told.encode()).roles == {"project-memory:reader"}
    assert Verifier(inside)(issuer.token(realm_access="x").encode()).roles == frozenset()
    dotted = Provider(issuer.url, AUDIENCE, roles_claim="https://acme.example/roles")
    told = issuer.token(**{"https://acme.example/roles": ["project-memory:admin"]})
    assert Verifier(dotted)(told.encode()).roles == {"project-memory:admin"}


async def test_a_client_without_a_token_is_led_to_the_issuer(
    client: httpx2.AsyncClient, issuer: Issuer
) -> None:
    response = await client.post(SHOP, json=RECALL)
    assert response.status_code == 401
    where = f"{BASE}/.well-known/oauth-protected-resource/mcp"
    assert response.headers["www-authenticate"] == (
        f'Bearer realm="project-memory", resource_metadata="{where}"'
    )
    told = await client.get(where)
    assert told.json() == {
        "resource": f"{BASE}/mcp",
        "resource_name": "project-memory",
        "authorization_servers": [issuer.url],
        "bearer_methods_supported": ["header"],
    }
    whole = await client.get("/.well-known/oauth-protected-resource")
    assert whole.json() == told.json() | {"resource": BASE}
    strange = await client.get(where, headers={"host": "elsewhere.example"})
    assert strange.status_code == 421


async def test_behind_a_proxy_the_public_address_is_told(host: Host, issuer: Issuer) -> None:
    given = Provider(issuer.url, AUDIENCE, public_url="https://memory.example")
    app = application(host, address.gates(address.parsed("127.0.0.1:8931")), given)
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url=BASE) as client:
        told = await client.get("/.well-known/oauth-protected-resource/mcp")
    assert told.json()["resource"] == "https://memory.example/mcp"


async def test_without_an_issuer_nobody_is_led_anywhere(asked: httpx2.AsyncClient) -> None:
    assert (await asked.get("/.well-known/oauth-protected-resource")).status_code == 404
    response = await asked.post(SHOP, json=RECALL)
    assert response.headers["www-authenticate"] == 'Bearer realm="project-memory"'


@pytest.mark.parametrize(
    "given", ["http://login.example", "login.example", "https://", "https://a b", "https://x?y"]
)
async def test_an_issuer_without_tls_or_of_another_form_is_refused(given: str) -> None:
    with pytest.raises(InvalidInput) as error:
        oidc.checked(Provider(given, AUDIENCE))
    assert str(error.value) == (
        f"'{given}' is no address of an issuer; use https://HOST or https://HOST/PATH, as its "
        "tokens have it in `iss`"
    )


async def test_a_public_address_of_another_form_is_refused() -> None:
    with pytest.raises(InvalidInput) as error:
        oidc.checked(Provider("https://login.example", AUDIENCE, public_url="memory.example"))
    assert str(error.value) == (
        "'memory.example' is no address of a server; use https://HOST or https://HOST:PORT"
    )


async def test_why_a_token_was_refused_is_in_the_log_without_its_text(
    issuer: Issuer, provider: Provider, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    token = issuer.token(aud="another-service")
    with pytest.raises(Unidentified):
        Verifier(provider)(token.encode())
    (record,) = [r for r in caplog.records if r.message == "a token of the issuer was refused"]
    assert record.fields == {"reason": "InvalidAudienceError"}
