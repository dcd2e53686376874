"""A code becomes a token once, on the machine that needs it."""

from __future__ import annotations

import json
import signal
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx2
import pytest
from jsonschema import Draft202012Validator
from serving import Served

from project_memory.cli.group import cli
from project_memory.clients import joining
from project_memory.errors import InvalidInput, StorageError, Unidentified
from project_memory.hosting import Host
from project_memory.resources import schema
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


def test_joining_keeps_the_token_for_its_owner_only(
    served: Callable[..., Served], url: str, host: Host, tmp_path: Path, capsys, monkeypatch
) -> None:
    server = served()

    def run(*line: str) -> tuple[str, str]:
        with pytest.raises(SystemExit) as ended:
            cli.main(list(line))
        out, err = capsys.readouterr()
        assert ended.value.code in {0, None}, err
        return out, err

    for number in range(2):
        out, err = run("--store", url, "enroll", "ada", "--for", "shop", "--json")
        Draft202012Validator(schema("output/enroll")).validate(json.loads(out))
        line = ("join", "--server", server.url, "--code", json.loads(out)["code"])
        out, err = run(*line, "--to", str(tmp_path / "tokens"), *(["--json"] * number))
    joined = json.loads(out)
    Draft202012Validator(schema("output/join")).validate(joined)
    (kept,) = (tmp_path / "tokens").iterdir()
    assert joined["file"] == str(kept)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    token = kept.read_text()
    assert token not in out + err
    assert host.identify(token.encode()).name == "ada"


def test_what_cannot_be_joined_says_why(served: Callable[..., Served]) -> None:
    with pytest.raises(InvalidInput) as error:
        joining.redeemed("ftp://memory.example", "x")
    assert str(error.value) == (
        "'ftp://memory.example' is no address of a server; use https://HOST or https://HOST:PORT"
    )
    with pytest.raises(StorageError) as gone:
        joining.redeemed("http://127.0.0.1:9", "x")
    assert str(gone.value) == (
        "'http://127.0.0.1:9' cannot be reached ([Errno 111] Connection refused); check the "
        "address and the network"
    )
    assert joining.crosses_in_the_clear("http://memory.example")
    assert not joining.crosses_in_the_clear("https://memory.example")
    assert not joining.crosses_in_the_clear("http://[::1]:8931")
