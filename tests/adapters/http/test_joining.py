"""A machine joins a server: the token is kept, clients reach the server without holding it."""

from __future__ import annotations

import json
import os
import signal
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
import trustme
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from serving import Served

from project_memory.cli.group import cli
from project_memory.clients import joining
from project_memory.errors import InvalidInput, StorageError
from project_memory.hosting import Host
from project_memory.resources import schema
from project_memory.roles import Role

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Return what runs a command line in a checkout of its own, as somebody with a new home."""
    for name in ("home", "checkout"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "checkout")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("PROJECT_MEMORY_TOKEN", raising=False)

    def run_line(*line: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            cli.main(list(line))
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run_line


def invited(host: Host, *projects: str) -> str:
    return host.invite("ada", role=Role.WRITER, projects=projects or ("shop",), days=7).code


def join(run: Run, server: str, code: str, *options: str) -> dict:
    done, out, err = run("join", "--server", server, "--code", code, *options, "--json")
    assert done == 0, err
    joined = json.loads(out)
    Draft202012Validator(schema("output/join")).validate(joined)
    return joined


@pytest.mark.anyio
async def test_a_client_that_was_configured_does_the_main_job_over_tls(
    served: Callable[..., Served], host: Host, run: Run, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    authority = trustme.CA()
    issued = authority.issue_cert("127.0.0.1")
    both, trusted = tmp_path / "server.pem", tmp_path / "authority.pem"
    issued.private_key_and_cert_chain_pem.write_to_path(str(both))
    authority.cert_pem.write_to_path(str(trusted))
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    server = served("--tls-cert", str(both))

    joined = join(run, server.url, invited(host), "--client", "claude", "--client", "codex")
    kept = Path(joined["kept"])
    assert kept.parent == tmp_path / "config" / "project-memory" / "tokens"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    token = kept.read_text()
    assert host.identify(token.encode()).name == "ada"
    assert [(each["client"], each["change"]) for each in joined["clients"]] == [
        ("claude", "added"),
        ("codex", "added"),
    ]
    texts = [Path(each["config"]).read_text() for each in joined["clients"]]
    assert not [text for text in texts if token in text or "pmt_" in text]

    entry = json.loads(texts[0])["mcpServers"]["project-memory"]
    assert entry["args"][-5:] == ["--project", "shop", "serve", "--server", server.url]
    for mode in ("auto", "legacy", "2026-07-28"):
        started = StdioServerParameters(
            command=entry["command"], args=entry["args"], env=dict(os.environ)
        )
        async with Client(started, mode=mode) as client:
            assert "recall" in [found.name for found in (await client.list_tools()).tools]
            found = await client.call_tool("recall", {"query": "database locked"})
            assert [a["id"] for a in found.structured_content["answers"]] == ["first"]
            memory = await client.read_resource("memory://shop/first")
            assert "locked by a second writer" in memory.contents[0].text
    assert server.end(signal.SIGTERM) == 0
    assert token not in json.dumps(server.log)


def test_a_server_of_an_unknown_authority_is_refused_with_the_remedy(
    served: Callable[..., Served], host: Host, tmp_path: Path
) -> None:
    both = tmp_path / "server.pem"
    issued = trustme.CA().issue_cert("127.0.0.1")
    issued.private_key_and_cert_chain_pem.write_to_path(str(both))
    server, code = served("--tls-cert", str(both)), invited(host)
    with pytest.raises(StorageError) as refused:
        joining.redeemed(server.url, code)
    assert str(refused.value) == (
        f"'{server.url}' cannot be reached (unable to get local issuer certificate); with an "
        "authority of your own, let SSL_CERT_FILE name its certificate"
    )
    assert host.redeem(code).actor == "ada"


def test_joining_again_replaces_the_token_and_changes_no_configuration(
    served: Callable[..., Served], host: Host, run: Run
) -> None:
    server = served()
    first = join(run, server.url, invited(host), "--client", "claude")
    old = Path(first["kept"]).read_text()
    second = join(run, server.url, invited(host), "--client", "claude")
    assert first["kept"] == second["kept"]
    assert Path(second["kept"]).read_text() != old
    assert second["clients"][0]["change"] == "unchanged"
    assert len(list(Path(second["kept"]).parent.iterdir())) == 1


def test_a_dry_run_spends_no_code_and_writes_nothing(
    served: Callable[..., Served], host: Host, run: Run, tmp_path: Path
) -> None:
    server, code = served(), invited(host)
    line = ("join", "--server", server.url, "--code", code, "--client", "claude", "--dry-run")
    done, out, err = run(*line)
    place = str(tmp_path / "config" / "project-memory" / "tokens" / server.url[7:]).replace(
        ":", "_"
    )
    config = tmp_path / "checkout" / ".mcp.json"
    assert (done, out) == (0, f"token\t{place}\nclient\tclaude\tadded\t{config}\n")
    assert err == "dry run: nothing was changed, and the code can still be used\n"
    assert list((tmp_path / "checkout").iterdir()) == []
    assert not (tmp_path / "config").exists()
    assert join(run, server.url, code, "--dry-run").keys() == {
        "server", "kept", "clients", "dry_run"
    }  # fmt: skip
    assert host.redeem(code).actor == "ada"


def test_a_token_for_several_projects_leaves_the_choice_to_the_checkout(
    served: Callable[..., Served], host: Host, run: Run
) -> None:
    joined = join(run, served().url, invited(host, "shop", "hidden"), "--client", "claude")
    text = Path(joined["clients"][0]["config"]).read_text()
    assert "--project" not in text


def test_what_a_client_holds_is_checked_before_the_code_is_spent(
    served: Callable[..., Served], host: Host, run: Run, tmp_path: Path
) -> None:
    server, code = served(), invited(host)
    (tmp_path / "checkout" / ".mcp.json").write_text("{")
    done, _, err = run("join", "--server", server.url, "--code", code, "--client", "claude")
    assert done == 2
    assert ".mcp.json" in err
    assert host.redeem(code).actor == "ada"


def test_a_token_alone_is_kept_in_a_folder_of_choice(
    served: Callable[..., Served], host: Host, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "checkout" / ".mcp.json").write_text("{}")
    server = served().url
    done, out, err = run("join", "--server", server, "--code", invited(host), "--to", "here")
    (file,) = (tmp_path / "checkout" / "here").iterdir()
    assert (done, out) == (0, f"token\there/{file.name}\n")
    token = next(iter(host.tokens().tokens))
    assert err == (
        f"token {token.id} of ada, writer for shop, until {token.expires_at}\n"
        f"no client was told of the server; let one start `project-memory serve --server {server}`"
        ", or name it with --client\n"
    )
    assert (tmp_path / "checkout" / ".mcp.json").read_text() == "{}"


def test_a_client_that_never_joined_is_told_how(run: Run) -> None:
    server = "https://memory.example"
    assert run("serve", "--server", server)[::2] == (
        2,
        "error: no token for 'https://memory.example' is kept here; get a code from its "
        "administrator and run `project-memory join --server https://memory.example --code "
        "CODE`\n",
    )
    assert run("serve", "--server", server, "--http")[2] == (
        "error: --http serves a store and --server asks for one; give one of the two\n"
    )
    assert run("serve", "--server", "memory.example")[2] == (
        "error: 'memory.example' is no address of a server; use https://HOST or "
        "https://HOST:PORT\n"
    )


def test_what_cannot_be_joined_says_why() -> None:
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
