"""What ``serve`` takes, and what it says before anybody connects."""

from __future__ import annotations

import shlex
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from project_memory import web
from project_memory.jobs import Backups, Plan
from project_memory.web import address
from project_memory.web.oidc import Provider

SECRET = "a-secret-that-is-long-enough"
BACKED_UP = ("--backup-dir", "backups")
ANYWHERE = "--http needs --bind HOST:PORT, such as 127.0.0.1:8931; none is taken by itself"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--http", ANYWHERE),
        ("--http --bind 127.0.0.1:1 --backup-keep 3",
         "--backup-interval and --backup-keep say how backups are made, and --backup-dir, which "
         "says where, is missing"),
        ("--http --bind 127.0.0.1:1 --backup-dir b --backup-interval 90s",
         "invalid value for '--backup-interval': '90s' is no length of time; write minutes, hours "
         "or days, such as 30m, 6h or 1d; see `project-memory serve --help`"),
        ("--no-compute",
         "the options of a network are for --http; give that too, or leave them"),
        ("--backup-dir b",
         "the options of a network are for --http; give that too, or leave them"),
        ("--bind 127.0.0.1:1",
         "the options of a network are for --http; give that too, or leave them"),
        (f"--http --token {SECRET} --bind localhost",
         "'localhost' is no address; use HOST:PORT, such as 127.0.0.1:8931 or [::1]:8931"),
        (f"--http --token {SECRET} --bind ::1:80",
         "'::1:80' is no address; use HOST:PORT, such as 127.0.0.1:8931 or [::1]:8931"),
        (f"--http --token {SECRET} --bind 127.0.0.1:99999",
         "'99999' in '127.0.0.1:99999' is no port; use HOST:PORT, such as 127.0.0.1:8931 or "
         "[::1]:8931"),
        (f"--http --token {SECRET} --bind 127.0.0.1:1 --tls-key key.pem",
         "--tls-key is given without --tls-cert; give both, or neither"),
        (f"--http --token {SECRET} --bind 127.0.0.1:1 --allow-host https://a.example",
         "'https://a.example' is no host name; name it without scheme and port"),
        (f"--http --token {SECRET} --bind 127.0.0.1:1 --allow-origin a.example/x",
         "'a.example/x' is no origin; use SCHEME://HOST or SCHEME://HOST:PORT, without a path"),
        ("--http --token '' --bind 127.0.0.1:1",
         "the token is empty; set PROJECT_MEMORY_TOKEN to a secret, or leave it unset"),
        ("--http --token '${TOKEN}' --bind 127.0.0.1:1",
         "the token is the name of a variable that nobody filled in; set PROJECT_MEMORY_TOKEN to "
         "the secret itself"),
        ("--http --bind 127.0.0.1:1 --oidc-issuer https://login.example",
         "tokens of an issuer need both --oidc-issuer and --oidc-audience; give both, or no "
         "option of an issuer"),
        ("--http --bind 127.0.0.1:1 --oidc-issuer http://login.example --oidc-audience memory",
         "'http://login.example' is no address of an issuer; use https://HOST or "
         "https://HOST/PATH, as its tokens have it in `iss`"),
        ("--oidc-audience memory",
         "the options of a network are for --http; give that too, or leave them"),
        ("--http --token s3cret --bind 127.0.0.1:1",
         "the token has 6 characters; use 16 or more that nobody can guess, as `openssl rand -hex "
         "32` prints"),
    ],
)  # fmt: skip
def test_what_cannot_be_served_says_why(run, line: str, message: str) -> None:
    run("init")
    assert run("serve", *shlex.split(line)) == (2, "", f"error: {message}\n")


def test_what_is_served_where_is_passed_on(
    run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    served: list[Any] = []
    monkeypatch.setattr(web, "serve_http", lambda *given, **more: served.append((given[1:], more)))
    run("init")
    monkeypatch.setenv("PROJECT_MEMORY_TOKEN", SECRET)
    line = ("serve", "--http", "--bind", "[::1]:0", "--allow-host", "Memory.example")
    assert run(*line, *BACKED_UP) == (0, "", "")
    loopback = {"localhost", "127.0.0.1", "::1"}
    gates = address.Gates(frozenset({*loopback, "memory.example"}))
    backups = Backups(tmp_path / "backups", timedelta(hours=6), 7)
    plan = Plan(backups=backups)
    more = {"ui": True, "debug": False}
    assert served == [((address.Address("::1", 0), gates, plan, None), more)]
    how = ("--no-compute", "--backup-interval", "1d", "--backup-keep", "3")
    assert run(*line, *BACKED_UP, *how) == (0, "", "")
    assert served[1][0][2] == Plan(
        frozenset(), backups=Backups(tmp_path / "backups", timedelta(days=1), 3)
    )
    assert run(*line, *BACKED_UP, "--no-ui") == (0, "", "")
    assert served[2][1] == {"ui": False, "debug": False}


def test_the_issuer_of_tokens_is_passed_on_with_the_names_of_its_claims(
    run, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Any] = []
    monkeypatch.setattr(web, "serve_http", lambda *given, **_: served.append(given[4]))
    run("init")
    line = ("serve", "--http", "--bind", "127.0.0.1:0", "--oidc-issuer", "https://login.example")
    named = ("--oidc-audience", "memory", "--oidc-roles-claim", "scope")
    # whoever has a token of the issuer may ask, so that nobody need be given one here
    assert run(*line, *named, *BACKED_UP) == (0, "", "")
    assert served == [Provider("https://login.example", "memory", "scope", "projects", None)]


def test_an_issuer_without_the_extra_says_what_to_install(
    run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "find_spec", lambda name: None if name == "jwt" else name)
    run("init")
    line = ("serve", "--http", "--bind", "127.0.0.1:0", "--oidc-issuer", "https://login.example")
    assert run(*line, "--oidc-audience", "memory") == (
        2,
        "",
        "error: to read tokens of an issuer, 'PyJWT' with 'cryptography' is missing; install the "
        "extra `oidc`: `pip install '.[http,oidc]'` in your clone of project-memory\n",
    )


def test_a_network_without_tls_is_warned_of(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "serve_http", lambda *_, **__: None)
    run("init")
    line = ("serve", "--http", "--token", SECRET, "--bind", "0.0.0.0:8931")
    _, _, err = run(*line, *BACKED_UP)
    assert err.splitlines() == [
        "warning: tokens and memories cross the network in the clear at '0.0.0.0'; give "
        "--tls-cert and --tls-key, or bind to loopback behind a proxy that has TLS",
        "warning: '0.0.0.0' is every address of this machine, and no name of it is known; give "
        "the names that clients use with --allow-host",
    ]


def test_a_server_that_nobody_may_ask_says_so(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "serve_http", lambda *_, **__: None)
    run("init")
    line = ("serve", "--http", "--bind", "127.0.0.1:0", *BACKED_UP)
    said = (
        "warning: nobody has a token; give one with `project-memory tokens add NAME --role writer "
        "--for PROJECT`\n"
    )
    assert run(*line) == (0, "", said)
    run("tokens", "add", "ada", "--every-project")
    assert run(*line) == (0, "", "")


def test_a_server_without_backups_is_warned_of(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "serve_http", lambda *_, **__: None)
    run("init")
    line = ("serve", "--http", "--token", SECRET, "--bind", "127.0.0.1:0")
    said = "warning: no backups are made; name a folder for them with --backup-dir\n"
    assert run(*line) == (0, "", said)
