"""A code becomes a token once, on the machine that needs it."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import httpx2
import pytest
from serving import Served

from project_memory.clients import joining
from project_memory.errors import Unidentified
from project_memory.hosting import Host
from project_memory.roles import Role

NOT_ACCEPTED = (
    "the code is not accepted: it is wrong, was redeemed before or is older than 15 minutes; ask "
    "an administrator for another"
)


def invited(host: Host) -> str:
    return host.invite("ada", role=Role.WRITER, projects=["shop"], days=7).code


def test_fifty_who_join_at_once_with_one_code_get_one_token(
    served: Callable[..., Served], host: Host
) -> None:
    server, code = served(), invited(host)

    def join(_: int) -> str:
        try:
            return str(joining.redeemed(server.url, code)["token"])
        except Unidentified as error:
            return str(error)

    with ThreadPoolExecutor(50) as threads:
        told = list(threads.map(join, range(50)))
    tokens = [each for each in told if each != NOT_ACCEPTED]
    assert len(tokens) == 1
    assert host.identify(tokens[0].encode()).name == "ada"
    assert len(host.tokens().tokens) == 1
    assert server.end(signal.SIGTERM) == 0
    assert code not in json.dumps(server.log)
    assert tokens[0] not in json.dumps(server.log)


def test_a_code_is_accepted_for_fifteen_minutes(url: str) -> None:
    now = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
    moments = [now]
    with Host.open(url, clock=lambda: moments[-1]) as host:
        first, second = invited(host), invited(host)
        moments.append(now + timedelta(minutes=14, seconds=59))
        issued = host.redeem(first)
        assert (issued.actor, issued.role, issued.projects) == ("ada", "writer", ("shop",))
        assert issued.expires_at == "2026-02-07T09:44:59Z"
        moments.append(now + timedelta(minutes=15))
        with pytest.raises(Unidentified) as error:
            host.redeem(second)
        assert str(error.value) == NOT_ACCEPTED


@pytest.mark.anyio
@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"code": 7}', b"\xff", b"[" * 4000])
async def test_a_body_without_a_code_is_answered(asked: httpx2.AsyncClient, body: bytes) -> None:
    response = await asked.post("/enroll", content=body)
    assert response.status_code == 400
    message = 'the body holds no code; send {"code": "..."}'
    assert response.json()["error"] == {"code": "invalid-input", "message": message}
